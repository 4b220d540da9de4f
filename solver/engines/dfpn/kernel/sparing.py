# SPDX-License-Identifier: GPL-3.0-or-later
"""Spared drops: interpositions that the defender may not play (`DfPnEngine.sparing`).

A spared drop holds for one board and every attacker's hand that includes the least hand of its entry:
more in hand never hurts the attacker. The entries form a hash table in the arena's ``barred``;
``search.spared`` is its size, 0 if no drop is spared. Therefore

- a proof that leaves out a spared drop needs the least hand, and two plies, as none is left out below;
- a disproof by a drop that is spared with more in hand holds for no larger hand.
"""

import numpy as np

from solver.engines.dfpn.kernel.arena import ARENA
from tsume_rules.kernel.compile import jit_inline, unit
from tsume_rules.kernel.state import hand_contains, packed_hand

NOT_SPARED, SPARED_WITH_MORE = -1, -2
MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)


@jit_inline
def spared_key(pos, move):
    """The name of a drop on the present board."""
    return pos.key ^ ((np.uint64(move) + np.uint64(1)) * MULTIPLIER)


@unit(a=ARENA)
def spared_hand(a, move):
    """The least hand with which a drop is spared, if the attacker has that.

    Otherwise `SPARED_WITH_MORE` if a larger hand would do, or `NOT_SPARED`.
    """
    mask = np.uint64(a.search.spared - 1)
    key = spared_key(a.pos, move)
    hand = packed_hand(a.pos)
    found = NOT_SPARED
    place = key & mask
    while a.barred[place].key != 0:
        if a.barred[place].key == key:
            least = int(a.barred[place].hand)
            if hand_contains(hand, least):
                return least
            found = SPARED_WITH_MORE
        place = (place + np.uint64(1)) & mask
    return found
