# SPDX-License-Identifier: GPL-3.0-or-later
"""Two pawns on a file, dead pieces, the promotion zone."""

from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.tables import ATT, KNIGHT, LANCE, PAWN, RANK, ROOK


@jit
def has_pawn(pos, cell, side):
    """Whether a side has an unpromoted pawn on a cell's file (二歩)."""
    top = cell - RANK[cell]
    pawn = PAWN + 16 * side
    for t in range(top, top + 9):
        if pos.board[t] == pawn:
            return True
    return False


@jit_inline
def in_zone(cell, side):
    """Whether a cell lies in a side's promotion zone."""
    return RANK[cell] <= 2 if side == ATT else RANK[cell] >= 6


@jit
def can_promote(kind, origin, target, side):
    """Whether a side's piece of a kind may promote when it moves from one cell to another."""
    return kind <= ROOK and (in_zone(origin, side) or in_zone(target, side))


@jit
def is_dead(kind, cell, side):
    """Whether a side's piece of a kind, on a cell, could never move again (行き所のない駒)."""
    ahead = RANK[cell] if side == ATT else 8 - RANK[cell]
    return (kind <= LANCE and ahead == 0) or (kind == KNIGHT and ahead <= 1)
