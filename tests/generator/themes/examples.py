"""Positions with their main lines and all their themes.

Each has three lines: the position, the moves, the themes (on two lines if there are many).
Most of those of seven moves are composed and correct problems; the others are mates with a
longest defence, some of which have second solutions.
"""

from __future__ import annotations

from dataclasses import dataclass

from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen


@dataclass(frozen=True)
class Example:
    """A mate, its main line, and the themes in it."""

    sfen: str
    moves: str
    themes: frozenset[str]

    @property
    def position(self) -> Position:
        return parse_sfen(self.sfen).position

    @property
    def line(self) -> tuple[Move, ...]:
        return tuple(parse_move(usi) for usi in self.moves.split())


def _example(text: str) -> Example:
    sfen, moves, *themes = text.splitlines()
    return Example(sfen, moves, frozenset(" ".join(themes).split()))


_TEXTS = """
4kp3/5b3/3G5/9/9/9/9/9/2+R6 b rb3g4s4n4l17p 1
7i7a P*6a 6c6b
quiet-move interposition clean-finish

kn7/9/9/9/9/9/5Bg2/9/8B b 2r3g4s3n4l18p 1
1i3g 8a7c G*9b
moved-interposition chuai

7+sk/9/6L+R1/5+B3/9/9/9/9/9 b rb4g3s4n3l18p 1
3c3b+ 2a2b 2c2b
quiet-move discovered-check moved-interposition

6k2/4R2g1/9/9/9/9/9/9/9 b RG2b2g4s4n4l18p 1
R*1a 2b2a G*3b
quiet-move distant-drop moved-interposition

2+R4Bk/7g1/9/9/9/9/2G6/9/9 b Grbg4s4n4l18p 1
G*1b 2b1b 2a3b+
sacrifice discovered-check decoy block

7k1/9/9/7N1/9/9/9/9/9 b GN2r2b3g4s2n4l18p 1
G*3b 2a1a N*2c
knight-mate few-pieces

k8/l1+L6/G8/9/9/9/1+r7/9/9 b Brb3g4s4n2l18p 1
B*1i 8g3g 7b8b
quiet-move distant-drop moved-interposition chuai

1kn6/9/2+R6/1B7/9/9/9/9/9 b Br4g4s3n4l18p 1
B*7b 8a9a 7c9c P*9b 8d7c
quiet-move interposition

+n8/kB7/9/2N6/2G6/9/9/9/9 b GL2rb2g4s2n3l18p 1
L*9e P*9d 8b9a+ 9b8c 9a8b
quiet-move distant-drop switchback interposition chuai

9/9/2+B6/k8/9/9/9/9/9 b G2rb3g4s4n4l18p 1
G*9e 9d9c 9e8d 9c9b 8d8c 9b8a 7c8b
king-hunt clean-finish few-pieces

9/9/9/1+R7/1+P7/k8/9/9/9 b r2b4g4s4n4l17p 1
8e8f 9f9g 8f8g 9g9h 8g8h 9h9i 8h8i
king-hunt clean-finish few-pieces

9/7kB/5G3/9/6N2/9/9/9/9 b 2rb3g4s3n4l18p 1
3e2c+ 2b1a 1b2a+ 1a2a 4c3b 2a1a 2c2b
sacrifice big-piece-sacrifice promotion-sacrifice clean-finish few-pieces

1k7/2L6/1+B1G5/9/9/9/9/9/9 b 2rb3g4s4n3l18p 1
7b7a+ 8a9a 7a8a 9a8a 6c7b 8a9a 7b8b
sacrifice clean-finish few-pieces

6r1k/5+S1P1/6+B2/9/9/9/9/9/9 b rb4g3s4n4l17p 1
2b2a+ 1a2a 4b3a 2a3a R*3b 3a2a 3c2b
sacrifice promotion-sacrifice serial-sacrifice discovered-check double-check king-lure clean-finish

1g7/k8/9/1+R7/9/9/9/B8/9 b Prb3g4s4n4l17p 1
9h6e 9b9a P*9b 8a9b 6e9b+ 9a9b G*8b
sacrifice big-piece-sacrifice promotion-sacrifice serial-sacrifice quiet-move king-lure decoy
king-returns clean-finish

7gk/9/6G1+N/9/9/9/9/9/9 b L2r2b2g4s3n3l18p 1
L*1b 2a1b 1c1b 1a1b G*2c 1b1a 2c2b
sacrifice serial-sacrifice decoy king-returns clean-finish

8k/9/6G2/7G1/9/3R5/9/9/9 b r2b2g4s4n4l18p 1
6f1f 1a2a 1f1b+ 2a1b 2d2c 1b1a 2c2b
sacrifice big-piece-sacrifice promotion-sacrifice quiet-move king-hunt king-returns clean-finish
few-pieces

9/7kS/9/6+P2/9/9/9/9/5+R3 b r2b4g3s4n4l17p 1
4i4b 2b1c 4b3c 1c1b 3d2c 1b1a 2c2b
quiet-move king-hunt clean-finish few-pieces

+P8/1k1+B5/9/3S5/5B3/9/9/9/9 b 2r4g3s4n4l17p 1
6d7c 8b9a 4e8a+ 9a8a 6b7b 8a9a 7b8b
sacrifice big-piece-sacrifice promotion-sacrifice non-promotion clean-finish

1+sg6/k1S6/9/1+R7/9/9/9/9/9 b r2b3g2s4n4l18p 1
7b8a 7a8a S*9c 9b9a 8d8a 9a8a G*8b
sacrifice big-piece-sacrifice non-promotion king-lure decoy clean-finish

8k/6+PP1/7+p1/8l/9/8R/9/9/9 b r2b4g4s4n3l15p 1
1f1d 2c1d L*1c 1d1c 2b2a+ 1a1b 2a2b
sacrifice big-piece-sacrifice serial-sacrifice distant-drop switchback decoy block clean-finish

+R3+N1k2/3+R4l/9/9/1b7/9/9/9/9 b b4g4s3n3l18p 1
5a4a 8e4a 9a4a 3a4a B*2c 4a3a 6b3b
sacrifice big-piece-sacrifice serial-sacrifice quiet-move distant-drop obstruction-removal decoy
king-returns clean-finish

2+l6/1kP2S3/9/+S1+B6/9/9/9/9/9 b 2rb4g2s4n3l17p 1
9d8c 8b8a 7b7a+ 8a7a L*7c 7a6a 8c7b
sacrifice promotion-sacrifice quiet-move distant-drop king-hunt

1k1+B5/9/3G5/9/9/9/7B1/9/9 b 2r3g4s4n4l18p 1
6c7c 8a9a 2g8a+ 9a8a 6a7b 8a9a 7b8b
sacrifice big-piece-sacrifice promotion-sacrifice discovered-check clean-finish few-pieces

9/1L7/k1+B6/9/1+P7/9/9/9/9 b 2rb4g4s4n3l17p 1
8e8d 9c9b 8d8c 9b9a 8b8a+ 9a8a 7c8b
sacrifice promotion-sacrifice discovered-check double-check king-lure king-hunt clean-finish
few-pieces

3+B5/kL7/9/B8/9/9/9/9/9 b 2r4g4s4n3l18p 1
9d8c+ 9b9a 8b8a+ 9a8a 6a7b 8a9a 7b8b
sacrifice promotion-sacrifice obstruction-removal clean-finish few-pieces

4+B4/7Bk/9/8+N/9/9/9/9/9 b 2r4g4s3n4l18p 1
1d1c 1b2a 2b1a+ 2a1a 5a3c 1a2a 1c2b
sacrifice big-piece-sacrifice promotion-sacrifice quiet-move obstruction-removal clean-finish
few-pieces

1S7/BkB6/9/9/9/9/9/9/9 b 2r4g3s4n4l18p 1
9b8c+ 8b7a 7b6a+ 7a8a 6a7b 8a9a 7b8b
switchback king-hunt clean-finish few-pieces

8k/5n3/5+B+P2/5N3/9/9/9/9/9 b B2r4g4s2n4l17p 1
B*2b 1a1b 4c2a 1b2a 2b3a+ 2a1a 3a2b
sacrifice big-piece-sacrifice switchback king-hunt king-returns

7kS/4+R1L2/8+n/9/7N1/9/9/9/9 b r2b4g3s2n3l18p 1
3b3a+ 2a1a 3a2a 1a2a 2e1c 2a1a N*2c
sacrifice non-promotion knight-mate

+s8/k1B6/1N7/1+P7/2N6/9/9/9/9 b 2rb4g3s2n4l17p 1
8c9a+ 9b9a S*9b 9a9b 8d9c 9b9a 7e8c
sacrifice promotion-sacrifice serial-sacrifice non-promotion knight-mate king-lure

9/8k/6RL1/6S2/9/9/9/9/9 b r2b4g3s4n3l18p 1
2c2b+ 1b2b 3d2c+ 2b1a 3c3a+ P*2a 2c2b
sacrifice promotion-sacrifice quiet-move interposition clean-finish few-pieces

8g/6+B1k/9/4+R4/9/9/9/9/9 b rb3g4s4n4l18p 1
5d1d G*1c 1d1c 1b1c G*1d 1c1b 1d2c
sacrifice big-piece-sacrifice quiet-move interposition king-returns clean-finish few-pieces

1G7/9/1+s7/kN7/9/+B8/9/R8/9 b rb3g3s3n4l18p 1
9f9e 9d9c 8d9b+ 9c9b 9e7c 8c9c 7c8b
sacrifice promotion-sacrifice quiet-move discovered-check moved-interposition king-lure

1+p7/9/kN+B6/1NG6/9/9/9/9/9 b 2rb3g4s2n4l17p 1
8d9b+ 9c9b 8c9a+ 8a9a 7d8c 9b8a 7c7b
sacrifice promotion-sacrifice serial-sacrifice obstruction-removal decoy block clean-finish

9/7Sk/7l1/5+B+P1g/9/9/9/9/9 b 2rb3g3s4n3l17p 1
3d2c 1b2c 4d3c 2c1b L*1c 1d1c 2b1a+
sacrifice decoy block king-returns clean-finish

8k/6gg1/6NS1/6N2/9/9/9/9/9 b 2r2b2g3s2n4l18p 1
3d2b+ 3b2b G*2a 2b2a 3c2a+ 1a2a G*2b
sacrifice promotion-sacrifice serial-sacrifice king-lure decoy clean-finish

1+r7/1k7/LN1B5/+N1p6/9/9/9/9/9 b rb4g4s2n3l17p 1
6c8a+ 8b8a R*7a 8a8b 9c9b+ 8b9b 7a9a+
sacrifice big-piece-sacrifice promotion-sacrifice king-lure king-hunt

9/9/9/9/4+R4/1P7/1S7/l4l3/k8 b BGrb3g3s4n2l17p 1
5e5i S*6i 5i6i S*7i 6i7i S*8i S*8h
quiet-move interposition chuai

6+N1p/5R+lk1/5G3/9/9/9/9/9/9 b Gr2b2g4s3n3l17p 1
4b3b+ 2b1c L*1f L*1e G*2c 1c1d 3b3d
quiet-move distant-drop interposition chuai

9/8k/7N1/8G/9/9/9/7+R1/9 b Pr2b3g4s3n4l17p 1
2c1a+ 1b1a P*1b 1a1b 1d2c 1b1a 2c2b
sacrifice promotion-sacrifice serial-sacrifice obstruction-removal king-lure clean-finish

8k/7bp/6+P1N/6Rgr/9/9/9/9/9 b b3g4s3n4l16p 1
3c2b 1a2b B*1a 2b1c 3d3c+ 2d2c 1a2b
sacrifice quiet-move moved-interposition clean-finish

6nbk/7L1/6+R2/7B1/9/9/9/9/9 b r4g4s3n3l18p 1
2b2a+ 1a2a B*3b 2a1a 3c1c P*1b 2d3c
sacrifice promotion-sacrifice quiet-move obstruction-removal interposition king-returns
"""

EXAMPLES = tuple(_example(text) for text in _TEXTS.strip().split("\n\n"))
