# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on cells and kings, pins, and the cells on which a check can be blocked."""

from tsume_rules.kernel.bits import lowest, size
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.effects import SLIDE_BIT, by_side, source
from tsume_rules.kernel.tables import DEF, DIST, LINE, STEP


@jit_inline
def attacked(pos, cell, side):
    """Whether a side attacks a cell, occupied or not."""
    return by_side(pos.effects[cell], side) != 0


@jit
def in_check(pos, side):
    """Whether a side has a king and it is attacked."""
    king = int(pos.king[side])
    return king != 0 and attacked(pos, king, 1 - side)


@jit
def find_checkers(pos, side):
    """The number of pieces that attack a side's king, and the cell of one of them (0: none)."""
    king = int(pos.king[side])
    if king == 0:
        return 0, 0
    found = by_side(pos.effects[king], 1 - side)
    if found == 0:
        return 0, 0
    return size(found), source(pos, king, lowest(found))


@jit
def is_pinned(pos, cell, side):
    """Whether the piece on a cell shields its own side's king from a slider.

    A pinned piece may still move along the pin; callers ask only about moves that leave it.
    """
    king = int(pos.king[side])
    d = int(LINE[cell, king])
    if d < 0 or d > 7 or not (by_side(pos.effects[cell], 1 - side) >> (SLIDE_BIT + d)) & 1:
        return False
    step = STEP[d]
    t = cell + step
    while pos.board[t] == 0:
        t += step
    return t == king


@jit_inline
def between(king, checker):
    """The number of cells between a king and a checking piece, and the step from one to the next.

    The i-th cell (from 1) is ``king + i * step``. A neighbour and a knight have none between.
    """
    d = int(LINE[king, checker])
    if d < 0 or d > 7:
        return 0, 0
    return int(DIST[king, checker]) - 1, STEP[d]


@jit_inline
def blocking_cells(pos, count, checker):
    """The cells on which the defender could block a check, as in `between`; none for a double check.

    ``count`` and ``checker``: the result of `find_checkers` for his king.
    """
    if count != 1:
        return 0, 0
    return between(int(pos.king[DEF]), checker)
