# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions with their main lines and all their heuristics and themes.

Each has three lines: the position, the moves, then the heuristics and, after a stroke, the themes (on more
lines if there are many).
Most of those of seven moves are composed and correct problems; the others are mates with a
longest defence, some of which have second solutions.
"""

from dataclasses import dataclass

from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen


@dataclass(frozen=True)
class Example:
    """A mate, its main line, and the heuristics (`generator.themes.table`) and themes in it."""

    sfen: str
    moves: str
    heuristics: frozenset[str]
    themes: frozenset[str]

    @property
    def position(self) -> Position:
        return parse_sfen(self.sfen).position

    @property
    def line(self) -> tuple[Move, ...]:
        return tuple(parse_move(usi) for usi in self.moves.split())


def _example(text: str) -> Example:
    sfen, moves, *rest = text.splitlines()
    heuristics, themes = " ".join(rest).split("/")
    return Example(sfen, moves, frozenset(heuristics.split()), frozenset(themes.split()))


_TEXTS = """
4kp3/5b3/3G5/9/9/9/9/9/2+R6 b rb3g4s4n4l17p 1
7i7a P*6a 6c6b
quiet-move interposition clean-finish / interposition pin-mate clean-finish

kn7/9/9/9/9/9/5Bg2/9/8B b 2r3g4s3n4l18p 1
1i3g 8a7c G*9b
moved-interposition chuai /

7+sk/9/6L+R1/5+B3/9/9/9/9/9 b rb4g3s4n3l18p 1
3c3b+ 2a2b 2c2b
quiet-move discovered-check moved-interposition / discovered-check moved-interposition given-interposition

6k2/4R2g1/9/9/9/9/9/9/9 b RG2b2g4s4n4l18p 1
R*1a 2b2a G*3b
quiet-move distant-drop moved-interposition / distant-drop pin-mate

2+R4Bk/7g1/9/9/9/9/2G6/9/9 b Grbg4s4n4l18p 1
G*1b 2b1b 2a3b+
piece-taken discovered-check taken-by-piece taker-beside-king / sacrifice discovered-check decoy block

7k1/9/9/7N1/9/9/9/9/9 b GN2r2b3g4s2n4l18p 1
G*3b 2a1a N*2c
knight-mate few-pieces / knight-mate lone-king small-pieces few-pieces

k8/l1+L6/G8/9/9/9/1+r7/9/9 b Brb3g4s4n2l18p 1
B*1i 8g3g 7b8b
quiet-move distant-drop moved-interposition chuai / moved-interposition chuai

1kn6/9/2+R6/1B7/9/9/9/9/9 b Br4g4s3n4l18p 1
B*7b 8a9a 7c9c P*9b 8d7c
quiet-move interposition / interposition

+n8/kB7/9/2N6/2G6/9/9/9/9 b GL2rb2g4s2n3l18p 1
L*9e P*9d 8b9a+ 9b8c 9a8b
quiet-move distant-drop returning-piece interposition chuai / switchback interposition chuai

9/9/2+B6/k8/9/9/9/9/9 b G2rb3g4s4n4l18p 1
G*9e 9d9c 9e8d 9c9b 8d8c 9b8a 7c8b
king-walk clean-finish few-pieces / clean-finish lone-king few-pieces

9/9/9/1+R7/1+P7/k8/9/9/9 b r2b4g4s4n4l17p 1
8e8f 9f9g 8f8g 9g9h 8g8h 9h9i 8h8i
king-walk clean-finish few-pieces / clean-finish lone-king few-pieces

9/7kB/5G3/9/6N2/9/9/9/9 b 2rb3g4s3n4l18p 1
3e2c+ 2b1a 1b2a+ 1a2a 4c3b 2a1a 2c2b
piece-taken big-piece-taken promoting-piece-taken clean-finish few-pieces / sacrifice big-piece-sacrifice
promotion-sacrifice clean-finish lone-king few-pieces

1k7/2L6/1+B1G5/9/9/9/9/9/9 b 2rb3g4s4n3l18p 1
7b7a+ 8a9a 7a8a 9a8a 6c7b 8a9a 7b8b
piece-taken clean-finish few-pieces / sacrifice obstruction-removal clean-finish lone-king few-pieces

1nk6/1sg1PB3/4+R4/9/9/9/9/9/9 b Grb2g3s3n4l17p 1
G*6a 7a6a 5b5a+ 6a7a 5a6a 7a6a 5c5a
piece-taken king-takes-on-mate-square clean-finish / sacrifice obstruction-removal king-lure clean-finish game-like

6r1k/5+S1P1/6+B2/9/9/9/9/9/9 b rb4g3s4n4l17p 1
2b2a+ 1a2a 4b3a 2a3a R*3b 3a2a 3c2b
piece-taken promoting-piece-taken pieces-taken-in-turn discovered-check double-check king-takes-on-mate-square
clean-finish / sacrifice promotion-sacrifice discovered-check double-check clean-finish

1g7/k8/9/1+R7/9/9/9/B8/9 b Prb3g4s4n4l17p 1
9h6e 9b9a P*9b 8a9b 6e9b+ 9a9b G*8b
piece-taken big-piece-taken promoting-piece-taken pieces-taken-in-turn quiet-move king-takes-on-mate-square
taken-by-piece king-returns clean-finish / sacrifice king-returns clean-finish

7gk/9/6G1+N/9/9/9/9/9/9 b L2r2b2g4s3n3l18p 1
L*1b 2a1b 1c1b 1a1b G*2c 1b1a 2c2b
piece-taken pieces-taken-in-turn taken-by-piece king-returns clean-finish / sacrifice king-returns clean-finish
small-pieces

8k/9/6G2/7G1/9/3R5/9/9/9 b r2b2g4s4n4l18p 1
6f1f 1a2a 1f1b+ 2a1b 2d2c 1b1a 2c2b
piece-taken big-piece-taken promoting-piece-taken quiet-move king-walk king-returns clean-finish few-pieces /
sacrifice big-piece-sacrifice promotion-sacrifice king-returns clean-finish lone-king few-pieces

9/7kS/9/6+P2/9/9/9/9/5+R3 b r2b4g3s4n4l17p 1
4i4b 2b1c 4b3c 1c1b 3d2c 1b1a 2c2b
quiet-move king-walk clean-finish few-pieces / clean-finish lone-king few-pieces

+P8/1k1+B5/9/3S5/5B3/9/9/9/9 b 2r4g3s4n4l17p 1
6d7c 8b9a 4e8a+ 9a8a 6b7b 8a9a 7b8b
piece-taken big-piece-taken promoting-piece-taken plain-move clean-finish / sacrifice big-piece-sacrifice
promotion-sacrifice non-promotion clean-finish lone-king

1+sg6/k1S6/9/1+R7/9/9/9/9/9 b r2b3g2s4n4l18p 1
7b8a 7a8a S*9c 9b9a 8d8a 9a8a G*8b
piece-taken big-piece-taken plain-move king-takes-on-mate-square taken-by-piece clean-finish / sacrifice
big-piece-sacrifice non-promotion clean-finish

8k/6+PP1/7+p1/8l/9/8R/9/9/9 b r2b4g4s4n3l15p 1
1f1d 2c1d L*1c 1d1c 2b2a+ 1a1b 2a2b
piece-taken big-piece-taken pieces-taken-in-turn distant-drop returning-piece taken-by-piece taker-beside-king
clean-finish / sacrifice big-piece-sacrifice serial-sacrifice distant-drop decoy block clean-finish

+R3+N1k2/3+R4l/9/9/1b7/9/9/9/9 b b4g4s3n3l18p 1
5a4a 8e4a 9a4a 3a4a B*2c 4a3a 6b3b
piece-taken big-piece-taken pieces-taken-in-turn quiet-move distant-drop vacated-square taken-by-piece king-returns
clean-finish / sacrifice distant-drop king-returns clean-finish

2+l6/1kP2S3/9/+S1+B6/9/9/9/9/9 b 2rb4g2s4n3l17p 1
9d8c 8b8a 7b7a+ 8a7a L*7c 7a6a 8c7b
piece-taken promoting-piece-taken quiet-move distant-drop king-walk / distant-drop

1k1+B5/9/3G5/9/9/9/7B1/9/9 b 2r3g4s4n4l18p 1
6c7c 8a9a 2g8a+ 9a8a 6a7b 8a9a 7b8b
piece-taken big-piece-taken promoting-piece-taken discovered-check clean-finish few-pieces / sacrifice
big-piece-sacrifice promotion-sacrifice discovered-check clean-finish lone-king few-pieces

9/1L7/k1+B6/9/1+P7/9/9/9/9 b 2rb4g4s4n3l17p 1
8e8d 9c9b 8d8c 9b9a 8b8a+ 9a8a 7c8b
piece-taken promoting-piece-taken discovered-check double-check king-takes-on-mate-square king-walk clean-finish
few-pieces / sacrifice promotion-sacrifice discovered-check double-check clean-finish lone-king few-pieces

3+B5/kL7/9/B8/9/9/9/9/9 b 2r4g4s4n3l18p 1
9d8c+ 9b9a 8b8a+ 9a8a 6a7b 8a9a 7b8b
piece-taken promoting-piece-taken vacated-square clean-finish few-pieces / sacrifice promotion-sacrifice clean-finish
lone-king few-pieces

4+B4/7Bk/9/8+N/9/9/9/9/9 b 2r4g4s3n4l18p 1
1d1c 1b2a 2b1a+ 2a1a 5a3c 1a2a 1c2b
piece-taken big-piece-taken promoting-piece-taken quiet-move vacated-square clean-finish few-pieces / sacrifice
big-piece-sacrifice promotion-sacrifice clean-finish lone-king few-pieces

1S7/BkB6/9/9/9/9/9/9/9 b 2r4g3s4n4l18p 1
9b8c+ 8b7a 7b6a+ 7a8a 6a7b 8a9a 7b8b
returning-piece king-walk clean-finish few-pieces / switchback clean-finish lone-king symmetric few-pieces

5B2l/7kP/9/5pp2/6sn1/9/9/9/9 b S2rb4g2s3n3l15p 1
S*2c 2b1c 2c1d+ 1c1b 1d2c 1b2a 4a3b+
returning-piece king-walk clean-finish / switchback clean-finish

8k/5n3/5+B+P2/5N3/9/9/9/9/9 b B2r4g4s2n4l17p 1
B*2b 1a1b 4c2a 1b2a 2b3a+ 2a1a 3a2b
piece-taken big-piece-taken returning-piece king-walk king-returns / sacrifice big-piece-sacrifice king-returns

7kS/4+R1L2/8+n/9/7N1/9/9/9/9 b r2b4g3s2n3l18p 1
3b3a+ 2a1a 3a2a 1a2a 2e1c 2a1a N*2c
piece-taken plain-move knight-mate / sacrifice knight-mate

+s8/k1B6/1N7/1+P7/2N6/9/9/9/9 b 2rb4g3s2n4l17p 1
8c9a+ 9b9a S*9b 9a9b 8d9c 9b9a 7e8c
piece-taken promoting-piece-taken pieces-taken-in-turn plain-move knight-mate king-takes-on-mate-square / sacrifice
knight-mate

9/8k/6RL1/6S2/9/9/9/9/9 b r2b4g3s4n3l18p 1
2c2b+ 1b2b 3d2c+ 2b1a 3c3a+ P*2a 2c2b
piece-taken promoting-piece-taken quiet-move interposition clean-finish few-pieces / sacrifice promotion-sacrifice
obstruction-removal interposition pin-mate clean-finish lone-king few-pieces

8g/6+B1k/9/4+R4/9/9/9/9/9 b rb3g4s4n4l18p 1
5d1d G*1c 1d1c 1b1c G*1d 1c1b 1d2c
piece-taken big-piece-taken quiet-move interposition king-returns clean-finish few-pieces / interposition king-returns
clean-finish few-pieces

1G7/9/1+s7/kN7/9/+B8/9/R8/9 b rb3g3s3n4l18p 1
9f9e 9d9c 8d9b+ 9c9b 9e7c 8c9c 7c8b
piece-taken promoting-piece-taken quiet-move discovered-check moved-interposition king-takes-on-mate-square /
sacrifice promotion-sacrifice discovered-check king-lure

1+p7/9/kN+B6/1NG6/9/9/9/9/9 b 2rb3g4s2n4l17p 1
8d9b+ 9c9b 8c9a+ 8a9a 7d8c 9b8a 7c7b
piece-taken promoting-piece-taken pieces-taken-in-turn vacated-square taken-by-piece taker-beside-king clean-finish /
sacrifice promotion-sacrifice serial-sacrifice obstruction-removal block clean-finish

9/7Sk/7l1/5+B+P1g/9/9/9/9/9 b 2rb3g3s4n3l17p 1
3d2c 1b2c 4d3c 2c1b L*1c 1d1c 2b1a+
piece-taken taken-by-piece taker-beside-king king-returns clean-finish / sacrifice decoy block king-returns
clean-finish

8k/6gg1/6NS1/6N2/9/9/9/9/9 b 2r2b2g3s2n4l18p 1
3d2b+ 3b2b G*2a 2b2a 3c2a+ 1a2a G*2b
piece-taken promoting-piece-taken pieces-taken-in-turn king-takes-on-mate-square taken-by-piece clean-finish /
sacrifice clean-finish small-pieces

1+r7/1k7/LN1B5/+N1p6/9/9/9/9/9 b rb4g4s2n3l17p 1
6c8a+ 8b8a R*7a 8a8b 9c9b+ 8b9b 7a9a+
piece-taken big-piece-taken promoting-piece-taken king-takes-on-mate-square king-walk / sacrifice promotion-sacrifice
king-lure

9/9/9/9/4+R4/1P7/1S7/l4l3/k8 b BGrb3g3s4n2l17p 1
5e5i S*6i 5i6i S*7i 6i7i S*8i S*8h
quiet-move interposition chuai / interposition chuai

6+N1p/5R+lk1/5G3/9/9/9/9/9/9 b Gr2b2g4s3n3l17p 1
4b3b+ 2b1c L*1f L*1e G*2c 1c1d 3b3d
quiet-move distant-drop interposition chuai / interposition chuai

9/8k/7N1/8G/9/9/9/7+R1/9 b Pr2b3g4s3n4l17p 1
2c1a+ 1b1a P*1b 1a1b 1d2c 1b1a 2c2b
piece-taken promoting-piece-taken pieces-taken-in-turn vacated-square king-takes-on-mate-square clean-finish /
sacrifice promotion-sacrifice serial-sacrifice obstruction-removal clean-finish lone-king

8k/7bp/6+P1N/6Rgr/9/9/9/9/9 b b3g4s3n4l16p 1
3c2b 1a2b B*1a 2b1c 3d3c+ 2d2c 1a2b
piece-taken quiet-move moved-interposition clean-finish / pin-mate clean-finish

6nbk/7L1/6+R2/7B1/9/9/9/9/9 b r4g4s3n3l18p 1
2b2a+ 1a2a B*3b 2a1a 3c1c P*1b 2d3c
piece-taken promoting-piece-taken quiet-move vacated-square interposition king-returns / interposition king-returns

5G1k1/9/4S2lR/5l2l/5R3/9/9/9/9 b BN2Pb3g3s3nl16p 1
1c2c+ G*2b N*1c 2a1a P*1b 2b1b 1c2a+
piece-taken interposition taken-by-piece / sacrifice interposition interposed-piece-moves decoy

7Sk/6Spr/6pL1/9/6G2/9/9/9/9 b BGLPrb2g2s4n2l15p 1
2a1b+ 1a1b B*2a 1b1c R*1b
piece-taken promoting-piece-taken /

7k1/5p3/5R3/9/4b4/9/9/9/9 b BGPr3g4s4n4l16p 1
4c2c+ G*2b B*1b 2a1a G*2a 2b2a 1b2a+
piece-taken quiet-move interposition taken-by-piece clean-finish / sacrifice interposition interposed-piece-moves
clean-finish

4k4/2RL5/R8/1l7/9/9/9/9/9 b GL2P2b3g4s4nl16p 1
6b6a+ 5a6a G*6b
piece-taken promoting-piece-taken king-takes-on-mate-square / sacrifice promotion-sacrifice obstruction-removal
replacement

8B/6k2/4S4/5r1g1/8R/3S5/9/9/9 b LPb3g2s4n3l17p 1
1e1b+ P*2b 1a2b+ 3b4a 1b2a
quiet-move interposition / interposition given-interposition

7k1/3RB4/9/9/4b2P1/9/9/9/9 b NPr4g4s3n4l16p 1
5b4c+ P*3b 6b3b+ 2a1a 3b2a
quiet-move interposition / interposition given-interposition

4k4/5s+B2/4K4/3P5/5R3/9/9/9/9 b Grb3g3s4n4l17p 1
3b4b 5a6a G*6b
/ double-king

5B1k1/5r3/5RK1B/3s3g1/3P1s3/9/9/9/9 b 2Gg2s4n4l17p 1
G*2b 4b2b 1c2b+
piece-taken taken-by-piece / sacrifice double-king

3B5/2+RKs1kS1/9/7B1/8S/7G1/9/9/9 b Nr3gs3n4l18p 1
2d3c+ 3b4a 6a5b+
/ double-king

9/9/9/9/9/9/7Lk/5+RR1g/8K b 2b3g4s4n3l18p 1
3h1h 1g2g G*3g
/

7nk/7bp/9/9/9/9/9/9/9 b N2rb4g4s2n4l17p 1
N*2c
knight-mate clean-finish / knight-mate smothered-mate clean-finish empty-attack

8k/9/4l1R1s/6NKN/4Pg+B2/9/9/9/9 b N2Lrb3g3snl17p 1
3c1c+ N*1b 1c1b 1a1b 1d2b+
piece-taken big-piece-taken interposition king-takes-on-mate-square / interposition reverse-check double-king

4+b3k/9/5g1K1/6l1r/6L1+R/9/9/9/9 b Pb3g4s4n2l17p 1
1e1d G*1c 1d1c 1a2a 1c2b
interposition chuai clean-finish / interposition chuai reverse-check clean-finish double-king

7k1/4S4/3R2L2/8K/3+bL4/9/9/9/9 b Nrb4g3s3n2l18p 1
6c6a+ B*4a 6a4a 2a1b N*2d 1b2b B*1a
quiet-move interposition chuai / interposition chuai reverse-check double-king

3S+L1k2/3s2+p2/3+S2+R2/3+lS+np2/9/9/9/9/9 b R2b4g3n2l16p 1
R*4a
/ picture

9/9/9/9/9/9/9/9/1G+b+S1k+pG1 b G2rbg3s4n4l17p 1
G*5i
/ picture

7p1/2G1S1k+r1/6n2/9/5L3/6l2/9/9/9 b RBPb3g3s3n2l16p 1
B*1d B*2c 4e4c+ 3b3a R*4a 2c4a 1d4a+
piece-taken big-piece-taken quiet-move distant-drop interposition taken-by-piece / sacrifice big-piece-sacrifice
distant-drop interposition interposed-piece-moves

9/8k/6G2/5g3/9/4g4/9/9/9 b G2r2b4s4n4l18p 1
G*2c 1b1a 2c2b
clean-finish / clean-finish one-kind small-pieces

7k1/9/5G1G1/4g4/9/9/9/9/9 b 2r2bg4s4n4l18p 1
4c3b 2a1a 2c2b
clean-finish few-pieces / clean-finish one-kind small-pieces few-pieces

7k1/4+R4/9/6B1+b/9/9/9/9/9 b r4g4s4n4l18p 1
3d1b+ 2a3a 1b2b
clean-finish few-pieces / clean-finish big-pieces few-pieces

9/4+B2k1/4R3R/9/7b1/9/9/9/9 b 4g4s4n4l18p 1
5c2c+ 2b3a 1c1a+
/ big-pieces

5BG2/8k/9/5L1+P1/9/9/9/9/9 b P2rb3g4s4n3l16p 1
4a2c 1b1a P*1b 1a2b 3a3b
plain-move / non-promotion pawn-drop-avoidance lone-king

7k1/4l4/7+B1/6r2/9/3b5/9/9/9 b 2SNr4g2s3n3l18p 1
N*3c 6f3c S*3b 2a1a S*1b
piece-taken taken-by-piece / sacrifice focal-sacrifice decoy

3+R5/9/6s2/7k1/5+B3/6P2/9/9/9 b Rb4g3s4n4l17p 1
4e3e 2d2c 6a2a P*2b R*1c
quiet-move interposition /

5B2k/4s4/4L3G/4g1+R1K/9/9/9/9/9 b rb2g3s4n3l18p 1
3d3a P*2a 1c2b
quiet-move interposition / interposition pin-mate

g8/9/9/9/9/9/7G1/9/8k b B2rb2g4s4n4l18p 1
B*7c 1i2i 7c2h+
quiet-move distant-drop clean-finish few-pieces / distant-drop long-drop clean-finish few-pieces

9/9/9/9/9/9/6SS1/6P2/7k1 b BS2rb4gs4n4l17p 1
S*1h 2i3i B*9c 3i4i 9c4h+
quiet-move distant-drop / distant-drop long-drop lone-king

9/9/9/9/7s1/9/7S1/7R1/8k b Brb4g2s4n4l18p 1
2h1h 1i2i B*8c 2i3i 8c3h+
quiet-move distant-drop /
"""

EXAMPLES = tuple(_example(text) for text in _TEXTS.strip().split("\n\n"))
