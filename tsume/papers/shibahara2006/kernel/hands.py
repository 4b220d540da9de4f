"""The hands for which a proof or a disproof holds: proof and disproof pieces (Shibahara2006, 5.3).

A position proved with one hand of the attacker is proved with a larger one, a disproof
holds with a smaller one (Seo1999). So a node is stored with the smallest hand its proof
needs, or the largest its disproof bears.
"""

from tsume.papers.shibahara2006.kernel.moves import HAND_SHIFT, TURN, held, in_hands
from tsume.papers.shibahara2006.kernel.table import contains
from tsume_rules.kernel.compile import jit, jit_inline


@jit_inline
def carried(hand, before, after):
    """A child's hand as one of the parent, whose own one is ``before`` and becomes ``after``.

    A drop has taken a piece from it, a capture has added one.
    """
    total = 0
    for slot in range(2):
        total |= max(0, held(hand, slot) + held(before, slot) - held(after, slot)) << (3 * slot)
    return total


@jit
def proof_hand(a, depth):
    """A hand that proves the node, as small as the children show (proof pieces).

    At the defender's turn the largest of what each answer needs. A kind of which he holds
    nothing must be all with the attacker: else he could drop it.
    """
    frame = a.frames[depth]
    hand = frame.state >> HAND_SHIFT
    if frame.state & TURN == 0:
        best = hand
        for i in range(frame.children):
            child = a.known[depth, i]
            if child.pn == 0:
                needed = carried(child.hand, hand, child.state >> HAND_SHIFT)
                if contains(best, needed):
                    best = needed
        return best
    total = in_hands(a.rules, frame.state)
    needed = 0
    for slot in range(2):
        most = 0
        for i in range(frame.children):
            most = max(most, held(a.known[depth, i].hand, slot))
        if held(total, slot) == held(hand, slot):
            most = held(hand, slot)
        needed |= most << (3 * slot)
    return needed


@jit
def disproof_hand(a, depth):
    """A hand that is disproved, as large as the children show, and whether that is tainted.

    At the attacker's turn the smallest of what refutes each move; a kind he has nothing of
    he must not get, for he could drop it. At the defender's turn the answer's; a piece he
    drops must be his.
    """
    frame = a.frames[depth]
    hand = frame.state >> HAND_SHIFT
    total = in_hands(a.rules, frame.state)
    if frame.state & TURN == 0:
        limit, tainted = total, 0
        for i in range(frame.children):
            child = a.known[depth, i]
            tainted |= child.tainted
            limit = least_of(limit, carried(child.hand, hand, child.state >> HAND_SHIFT))
        for slot in range(2):
            if held(hand, slot) == 0:
                limit &= ~(7 << (3 * slot))
        return limit, tainted
    best, tainted = hand, 1
    for i in range(frame.children):
        child = a.known[depth, i]
        if child.dn != 0 or (child.tainted and not tainted):
            continue
        after = in_hands(a.rules, child.state)
        limit = least_of(child.hand, least_of(total, after))
        if child.tainted < tainted or contains(limit, best):
            best, tainted = limit, child.tainted
    return best, tainted


@jit_inline
def least_of(hand, other):
    """The smaller number of each kind."""
    total = 0
    for slot in range(2):
        total |= min(held(hand, slot), held(other, slot)) << (3 * slot)
    return total
