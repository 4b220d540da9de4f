"""曲詰: pictures drawn by all pieces of the final position.

A picture is a pattern of squares, anywhere on the board, possibly mirrored. The pieces must stand on its
squares and nowhere else.
"""

from __future__ import annotations

from generator.replay.board import CELL_OF
from generator.replay.geometry import file_and_rank
from generator.replay.line import ReplayedLine

_PICTURES = """
イ ....# ...#. ..##. .#.#. #..#. ...#. ...#.
イ ...# ..#. .##. #.#. ..#. ..#.
ロ ##### #...# #...# #...# #####
ロ #### #..# #..# ####
ロ #### #..# ####
ロ ### #.# #.# ###
ハ ..#.#.. .#...#. .#...#. #.....# #.....#
ハ .#.#. .#.#. #...# #...#
ニ .###. ..... ..... #####
ニ .###. ..... #####
ト #... #... ##.. #.#. #... #...
ト #.. #.. ##. #.# #.. #..
一 #######
一 ########
一 #########
十 ..#.. ..#.. ##### ..#.. ..#..
二 .###. ..... #####
三 ##### ..... .###. ..... #####
三 #### .... .##. .... ####
小 ..#.. ..#.. #.#.# #.#.# .##..
小 ...#... ...#... .#.#.#. #..#..# ...#...
中 ..#.. ##### #.#.# ##### ..#..
中 .#. ### #.# ### .#.
王 ##### ..#.. .###. ..#.. #####
王 ### .#. ### .#. ###
大 ..#.. ##### ..#.. .#.#. #...#
山 ..#.. #.#.# #.#.# #####
口 ### #.# ###
田 ##### #.#.# ##### #.#.# #####
工 ##### ..#.. ..#.. #####
コ #### ...# ...# ####
エ ##### ..#.. ..#.. ..#.. #####
A ..#.. .#.#. .#.#. ##### #...#
A ..#.. .#.#. ##### #...#
B ###. #..# ###. #..# ###.
C .### #... #... #... .###
C ### #.. #.. ###
D ###. #..# #..# #..# ###.
E #### #... ###. #... ####
E ### #.. ### #.. ###
F #### #... ###. #... #...
F ### #.. ##. #.. #..
G .### #... #.## #..# .###
H #...# #...# ##### #...# #...#
H #.# #.# ### #.# #.#
I ### .#. .#. .#. ###
J ..## ...# ...# #..# .##.
K #..# #.#. ##.. #.#. #..#
K #.# #.# ##. #.# #.#
L #... #... #... #... ####
M #...# ##.## #.#.# #...# #...#
N #...# ##..# #.#.# #..## #...#
N #..# ##.# #.## #..#
O .##. #..# #..# #..# .##.
P ###. #..# ###. #... #...
P ### #.# ### #.. #..
R ###. #..# ###. #.#. #..#
S .### #... .##. ...# ###.
T ##### ..#.. ..#.. ..#.. ..#..
U #..# #..# #..# #..# .##.
U #.# #.# #.# ###
V #...# #...# .#.#. .#.#. ..#..
W #...# #...# #.#.# ##.## #...#
X #...# .#.#. ..#.. .#.#. #...#
Z ##### ...#. ..#.. .#... #####
Z #### ..#. .#.. ####
"""
"""Name and rows of a pattern, one picture per line. Patterns of fewer than seven pieces arise by chance."""

Pattern = frozenset[tuple[int, int]]


def _pattern_in_corner(squares: set[tuple[int, int]]) -> Pattern:
    """The same squares in the corner."""
    left, top = min(x for x, _ in squares), min(y for _, y in squares)
    return frozenset((x - left, y - top) for x, y in squares)


def _named_patterns() -> dict[Pattern, str]:
    found: dict[Pattern, str] = {}
    for line in _PICTURES.split("\n"):
        if line:
            name, *rows = line.split()
            drawn = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"}
            for way in (1, -1):
                found.setdefault(_pattern_in_corner({(way * x, y) for x, y in drawn}), name)
    return found


_BY_PATTERN = _named_patterns()
_SIZES = {len(pattern) for pattern in _BY_PATTERN}


NAMES = tuple(dict.fromkeys(_BY_PATTERN.values()))
"""The names of all pictures."""


def patterns_of(name: str | None) -> list[Pattern]:
    """The patterns with a name, or all: squares as (files from the left, ranks from the top)."""
    return [pattern for pattern, other in _BY_PATTERN.items() if name in (None, other)]


def picture_of(replayed: ReplayedLine) -> str | None:
    """The name of the picture of the final position; None if there is none."""
    occupied = [file_and_rank(cell) for cell in CELL_OF if replayed.end[cell]]
    if len(occupied) not in _SIZES:
        return None
    return _BY_PATTERN.get(_pattern_in_corner({(-file, rank) for file, rank in occupied}))


def picture_theme(replayed: ReplayedLine) -> bool:
    """曲詰."""
    return picture_of(replayed) is not None
