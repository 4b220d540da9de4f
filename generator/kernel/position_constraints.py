# SPDX-License-Identifier: GPL-3.0-or-later
"""What every position of a walk must keep to: the hand, kinds, where the king stands, pieces given."""

import numpy as np

from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.state import hand_kind
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, SIZE

POSITION_CONSTRAINTS = np.dtype(
    [
        ("asks", np.int64),  # 0: nothing is asked, and the rest is not looked at
        ("hand", np.int64, (8,)),  # exactly so many of each kind in the attacker's hand, -1: any number
        ("kinds", np.int64),  # a bit for each unpromoted kind that may be on the board or in that hand
        ("promoted", np.int64),  # 0: no promoted piece
        ("pieces", np.int64),  # most pieces on the board and in that hand
        ("king_may_stand", np.int8, (SIZE,)),  # 0: the defender's king may not stand on the cell
        ("most", np.int64, (2,)),  # most pieces of a side on the board, its king apart
        ("own_king", np.int64),  # not 0: the attacker has a king on the board
        ("kept", np.int64, (SIZE,)),  # the piece code that stands on a cell, 0: none; -1: any or none
    ],
    align=True,
)


@jit
def meets_position_constraints(pos, constraints):
    """Whether a position keeps to the constraints."""
    if constraints.asks == 0:
        return True
    for kind in range(1, 8):
        if constraints.hand[kind] >= 0 and pos.hand[ATT, kind] != constraints.hand[kind]:
            return False
        if pos.hand[ATT, kind] > 0 and not (constraints.kinds >> kind) & 1:
            return False
    attackers = defenders = 0
    for i in range(81):
        cell = CELL[i]
        piece = int(pos.board[cell])
        if constraints.kept[cell] >= 0 and piece != constraints.kept[cell]:
            return False
        if piece != 0 and piece & 15 != KING:
            if not _is_allowed_piece(piece, constraints):
                return False
            attackers += piece < 16
            defenders += piece > 16
    if attackers > constraints.most[ATT] or defenders > constraints.most[DEF]:
        return False
    return _count_pieces_in_play(pos) <= constraints.pieces and constraints.king_may_stand[pos.king[DEF]] != 0


@jit_inline
def _count_pieces_in_play(pos):
    number = 40 - (pos.king[ATT] == 0)
    for kind in range(1, 8):
        number -= pos.hand[DEF, kind]
    return number


@jit_inline
def may_add_piece(piece, cell, constraints):
    """Whether a piece may come to an empty cell that is asked to be anything."""
    return constraints.asks == 0 or (constraints.kept[cell] < 0 and _is_allowed_piece(piece, constraints))


@jit_inline
def _is_allowed_piece(piece, constraints):
    return (constraints.kinds >> hand_kind(piece)) & 1 and (constraints.promoted or piece & 15 <= KING)
