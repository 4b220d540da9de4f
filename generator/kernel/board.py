# SPDX-License-Identifier: GPL-3.0-or-later
"""Emptying the board, and the kinds of piece as bits: what both ways of composing begin with."""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.state import lift
from tsume_rules.kernel.tables import ATT, CELL, DEF, SET

KINDS = 254
"""A bit for each unpromoted kind, pawn (1) to gold (7)."""


@jit
def clear_board(pos):
    """Take everything off the board; the defender's hand gets the whole set."""
    for i in range(81):
        if pos.board[CELL[i]] != 0:
            lift(pos, CELL[i])
    for kind in range(1, 8):
        pos.hand[ATT, kind] = 0
        pos.hand[DEF, kind] = SET[kind]
