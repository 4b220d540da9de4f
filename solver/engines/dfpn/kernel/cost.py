# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of moves, added to the proof number of the next position (df-pn+, Kaneko2005, 3.2, table 2).

A piece on a cell that the other side attacks with more pieces is given away. That makes a mate
seem farther if the attacker does it, nearer if the defender does. (The paper says that checks
which give a piece away for nothing come later, 5.1; counting attackers is our definition of it.)
"""

import numpy as np

from tsume_rules.kernel.bits import size
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.effects import by_side
from tsume_rules.kernel.play import PROMOTES, dropped, origin_of, target_of
from tsume_rules.kernel.tables import ATT, DEF, KING, PROMOTION

_ATTACKER = np.array([0, 1, 4, 4, 4, 6, 6, 8, 0, 2, 4, 4, 4, 8, 8], dtype=np.int64)
_DEFENDER = np.array([0, 0, -1, -1, -2, -2, -2, -2, 0, 0, -2, -2, -2, -3, -3], dtype=np.int64)
"""[kind] -> the cost of giving it away."""


@jit
def attack_cost(pos, move):
    """The cost of a check, before it is played."""
    kind, given = _given_away(pos, move, ATT)
    return _ATTACKER[kind] if given else 0


@jit
def answer_cost(pos, move):
    """The cost of an answer, before it is played; 0 for king moves."""
    kind, given = _given_away(pos, move, DEF)
    return _DEFENDER[kind] if given else 0


@jit
def _given_away(pos, move, side):
    """The kind that a move puts on its target, and whether it is given away there."""
    here = pos.effects[target_of(move)]
    support = size(by_side(here, side))
    kind = dropped(move)
    if kind == 0:
        kind = int(pos.board[origin_of(move)]) & 15
        support -= 1
        if kind == KING:
            return kind, False
        if move & PROMOTES:
            kind += PROMOTION
    return kind, size(by_side(here, 1 - side)) > support
