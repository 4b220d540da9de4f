# SPDX-License-Identifier: GPL-3.0-or-later
"""The hands for which a proof or a disproof holds: proof and disproof pieces (Shibahara2006, 5.3).

A position proved with one hand of the attacker is proved with a larger one, a disproof
holds with a smaller one (Seo1999). So a node is stored with the smallest hand its proof
needs, or the largest its disproof bears.
"""

from tsume.papers.shibahara2006.kernel.moves import (
    HAND_SHIFT,
    TURN,
    all_pieces_in_hands,
    count_in_variant_hand,
)
from tsume.papers.shibahara2006.kernel.table import variant_hand_contains
from tsume_rules.kernel.compile import jit, jit_inline


@jit_inline
def carried_hand(hand, before, after):
    """A child's hand as one of the parent, whose own one is ``before`` and becomes ``after``.

    A drop has taken a piece from it, a capture has added one.
    """
    total = 0
    for slot in range(2):
        total |= max(
            0,
            count_in_variant_hand(hand, slot)
            + count_in_variant_hand(before, slot)
            - count_in_variant_hand(after, slot),
        ) << (3 * slot)
    return total


@jit
def proof_hand(arena, depth):
    """A hand that proves the node, as small as the children show (proof pieces).

    At the defender's turn the largest of what each answer needs. A kind of which he holds
    nothing must be all with the attacker: else he could drop it.
    """
    frame = arena.frames[depth]
    hand = frame.state >> HAND_SHIFT
    if frame.state & TURN == 0:
        best = hand
        for i in range(frame.children):
            child = arena.known[depth, i]
            if child.pn == 0:
                needed = carried_hand(child.hand, hand, child.state >> HAND_SHIFT)
                if variant_hand_contains(best, needed):
                    best = needed
        return best
    total = all_pieces_in_hands(arena.rules, frame.state)
    needed = 0
    for slot in range(2):
        most = 0
        for i in range(frame.children):
            most = max(most, count_in_variant_hand(arena.known[depth, i].hand, slot))
        if count_in_variant_hand(total, slot) == count_in_variant_hand(hand, slot):
            most = count_in_variant_hand(hand, slot)
        needed |= most << (3 * slot)
    return needed


@jit
def disproof_hand(arena, depth):
    """A hand that is disproved, as large as the children show, and whether that is tainted.

    At the attacker's turn the smallest of what refutes each move; a kind he has nothing of
    he must not get, for he could drop it. At the defender's turn the answer's; a piece he
    drops must be his.
    """
    frame = arena.frames[depth]
    hand = frame.state >> HAND_SHIFT
    total = all_pieces_in_hands(arena.rules, frame.state)
    if frame.state & TURN == 0:
        limit, tainted = total, 0
        for i in range(frame.children):
            child = arena.known[depth, i]
            tainted |= child.tainted
            limit = least_of_hands(limit, carried_hand(child.hand, hand, child.state >> HAND_SHIFT))
        for slot in range(2):
            if count_in_variant_hand(hand, slot) == 0:
                limit &= ~(7 << (3 * slot))
        return limit, tainted
    best, tainted = hand, 1
    for i in range(frame.children):
        child = arena.known[depth, i]
        if child.dn != 0 or (child.tainted and not tainted):
            continue
        after = all_pieces_in_hands(arena.rules, child.state)
        limit = least_of_hands(child.hand, least_of_hands(total, after))
        if child.tainted < tainted or variant_hand_contains(limit, best):
            best, tainted = limit, child.tainted
    return best, tainted


@jit_inline
def least_of_hands(hand, other):
    """The smaller number of each kind."""
    total = 0
    for slot in range(2):
        total |= min(count_in_variant_hand(hand, slot), count_in_variant_hand(other, slot)) << (3 * slot)
    return total
