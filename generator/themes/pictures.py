# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures drawn by all pieces of the final position (曲詰).

A picture is a pattern of squares, anywhere on the board, possibly mirrored. The pieces must stand on its
squares and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.replay import CELL_OF, ReplayedLine, file_and_rank
from generator.theme_names import is_figure

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
    left, top = min(x for x, _ in squares), min(y for _, y in squares)
    return frozenset((x - left, y - top) for x, y in squares)


def _both_ways(rows: Sequence[str]) -> tuple[Pattern, Pattern]:
    """Return the pattern that rows draw, ``#`` for a piece, and its mirror image."""
    squares = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
    return _pattern_in_corner(set(squares)), _pattern_in_corner({(-x, y) for x, y in squares})


def _named_patterns() -> dict[Pattern, str]:
    found: dict[Pattern, str] = {}
    for line in _PICTURES.strip().split("\n"):
        name, *rows = line.split()
        for pattern in _both_ways(rows):
            found.setdefault(pattern, name)
    return found


_BY_PATTERN = _named_patterns()
NAMES = tuple(dict.fromkeys(_BY_PATTERN.values()))
"""The names of all pictures."""


def patterns_of(name: str | None) -> list[Pattern]:
    """The patterns with a name, of a figure or all: squares as (files from the left, ranks from the top)."""
    if name is not None and is_figure(name):
        return list(dict.fromkeys(_both_ways(name.split("/"))))
    return [pattern for pattern, other in _BY_PATTERN.items() if name in (None, other)]


def draws(replayed: ReplayedLine, picture: str) -> bool:
    """Return whether the final position draws a picture, given by name or as a figure."""
    return _final_pattern(replayed) in patterns_of(picture)


def picture_of(replayed: ReplayedLine) -> str | None:
    """Return the name of the picture of the final position; None if there is none."""
    return _BY_PATTERN.get(_final_pattern(replayed))


def _final_pattern(replayed: ReplayedLine) -> Pattern:
    occupied = [file_and_rank(cell) for cell in CELL_OF if replayed.end[cell]]
    return _pattern_in_corner({(-file, rank) for file, rank in occupied})
