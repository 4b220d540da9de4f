# SPDX-License-Identifier: GPL-3.0-or-later
"""Who attacks a cell, on a plain list of piece codes.

A line of a few plies is replayed faster on a list than on a record of the kernels,
because no call crosses into compiled code. Cells, codes and directions are those of
`tsume_rules.kernel.tables`, and so are the moves of the pieces.
"""

from __future__ import annotations

from tsume_rules.kernel.tables import ATT, CELL, DEF, OURS, REACH, SIZE, SLIDES, WALL
from tsume_rules.kernel.tables import DIST as _DIST
from tsume_rules.kernel.tables import LINE as _LINE
from tsume_rules.kernel.tables import STEP as _STEP
from tsume_rules.position import Position

Cells = list[int]
"""A piece code for each of the 128 cells; 0 is empty, `WALL` is off the board."""

CELL_OF: tuple[int, ...] = tuple(CELL.tolist())
"""The cell of each square."""
STEP: tuple[int, ...] = tuple(_STEP.tolist())
"""From a cell to its neighbour in each direction."""
LINE: list[list[int]] = _LINE.tolist()
"""The direction in which cell b lies from cell a; -1 if none."""
DIST: list[list[int]] = _DIST.tolist()
"""How many steps in that direction; 1 for a neighbour and for a knight's jump."""

_NEAR: list[int] = REACH.tolist()
_FAR: list[int] = SLIDES.tolist()
_KNIGHTS = {ATT: ((8, -STEP[8]), (9, -STEP[9])), DEF: ((10, -STEP[10]), (11, -STEP[11]))}
_LINES = tuple((7 - d, STEP[d]) for d in range(8))
_EMPTY: Cells = [0 if cell in CELL_OF else WALL for cell in range(SIZE)]


def cells_of(position: Position) -> Cells:
    """The cells of a readable position."""
    cells = _EMPTY.copy()
    for cell, piece in zip(CELL_OF, position.board, strict=True):
        if piece is not None:
            cells[cell] = piece[1] + OURS * piece[0]
    return cells


def attackers_of_cell(cells: Cells, cell: int, side: int) -> list[int]:
    """The cells of a side's pieces that attack a cell, whatever stands on it."""
    found = []
    for direction, step in _LINES:
        at = cell + step
        reach = _NEAR
        while not cells[at]:
            at += step
            reach = _FAR
        code = cells[at]
        if code != WALL and code >> 4 == side and reach[code] >> direction & 1:
            found.append(at)
    for direction, step in _KNIGHTS[side]:
        code = cells[cell + step]
        if code != WALL and code >> 4 == side and _NEAR[code] >> direction & 1:
            found.append(cell + step)
    return found


def are_adjacent_cells(a: int, b: int) -> bool:
    """Whether two cells are neighbours (a knight's jump is not)."""
    return DIST[a][b] == 1 and LINE[a][b] < 8


def cells_around(cell: int) -> list[int]:
    """The eight cells around one, walls among them."""
    return [cell + step for step in STEP[:8]]


def is_strictly_between(a: int, b: int, cell: int) -> bool:
    """Whether a cell lies strictly between two others on a line."""
    line = LINE[a][b]
    return 0 <= line < 8 and LINE[a][cell] == line and DIST[a][cell] < DIST[a][b]
