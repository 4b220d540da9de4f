"""Proof and disproof hands taken back over a move (Seo1999)."""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import dropped, hand_kind
from tsume_rules.kernel.state import UNIT, count_of
from tsume_rules.kernel.tables import ATT, DEF, SET

FULL_HAND = int((SET * UNIT).sum())
"""A packed hand that contains every other."""


@jit
def before_attack(hand, move, captured, full):
    """A hand after the attacker's move taken back to before it (``full``: cap at the set)."""
    kind = dropped(move)
    if kind:
        if full and count_of(hand, kind) >= SET[kind]:
            return hand
        return hand + UNIT[kind]
    if captured:
        kind = hand_kind(captured)
        if count_of(hand, kind):
            return hand - UNIT[kind]
    return hand


@jit
def disproof_start(hand):
    """The hand a disproof of an OR node begins with: all of what is held, none of the rest.

    A kind that is not held could give checks that were not looked at.
    """
    total = 0
    for kind in range(1, 8):
        if count_of(hand, kind):
            total += SET[kind] * UNIT[kind]
    return total


@jit
def less_one(hand, kind, pos):
    """A packed hand capped so that the defender still owns one piece of a kind to drop."""
    own = int(pos.hand[ATT, kind]) + int(pos.hand[DEF, kind]) - 1
    have = count_of(hand, kind)
    return hand if have <= own else hand - (have - own) * UNIT[kind]
