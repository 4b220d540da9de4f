# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof and disproof hands, carried from a child to its parent (Seo1999)."""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import dropped, hand_kind
from tsume_rules.kernel.state import UNIT, count_in_hand
from tsume_rules.kernel.tables import ATT, DEF, SET

FULL_HAND = int((SET * UNIT).sum())
"""A packed hand that contains every other."""


@jit
def before_attack(hand, move, captured, full):
    """A hand after an attacker's move, carried back to before it; ``full``: cap it at a set's pieces."""
    kind = dropped(move)
    if kind:
        if full and count_in_hand(hand, kind) >= SET[kind]:
            return hand
        return hand + UNIT[kind]
    if captured:
        kind = hand_kind(captured)
        if count_in_hand(hand, kind):
            return hand - UNIT[kind]
    return hand


@jit
def disproof_start(hand):
    """The largest hand for the disproof of an OR node: all pieces of the kinds held, none of the others.

    With a kind that is not held there could be checks that were not searched.
    """
    total = 0
    for kind in range(1, 8):
        if count_in_hand(hand, kind):
            total += SET[kind] * UNIT[kind]
    return total


@jit
def less_one(hand, kind, pos):
    """A packed hand, capped so that the defender still holds a piece of a kind to drop."""
    own = int(pos.hand[ATT, kind]) + int(pos.hand[DEF, kind]) - 1
    have = count_in_hand(hand, kind)
    return hand if have <= own else hand - (have - own) * UNIT[kind]
