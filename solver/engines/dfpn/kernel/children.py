# SPDX-License-Identifier: GPL-3.0-or-later
"""The children of the node on top of the stack, and merging their outcomes into it."""

from solver.engines.dfpn.kernel.arena import (
    DISPROVEN,
    MOVE,
    NEW,
    OLD,
    PLUS,
    PROVEN,
    QUIET_TWICE,
    SEEN,
    is_disproven,
    is_open,
    is_proven,
)
from solver.engines.dfpn.kernel.cost import answer_cost
from solver.engines.dfpn.kernel.hands import before_attack
from solver.engines.dfpn.kernel.outcome import assess_attack
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.state import hand_intersection, hand_union
from tsume_rules.kernel.tables import DEF

LARGEST = INFINITE - 1
"""The largest proof or disproof number of an undecided node."""


@jit_inline
def below(n):
    """The plies left after one more ply; without a bound (FOREVER) they stay so."""
    return n if n == FOREVER else n - 1


@jit_inline
def seen_at(search):
    """Whether the node assessed last is new, was seen deeper than its parent only, or is old."""
    return NEW if search.met == 0 else OLD if search.met <= search.depth else SEEN


@jit_inline
def rest_also(holder, search):
    """A node's or a slide's disproof rests on what the outcome in the search state rests on, too."""
    if search.taint:
        holder.least = min(holder.least, search.least) if holder.taint else search.least
        holder.taint = max(holder.taint, search.taint)


@jit
def add_child(a, frame, move, kind, cell, cap_hand, cost):
    """Append a child with the numbers in the search state."""
    search = a.search
    kid = a.kids[search.top]
    kid.move = move
    kid.pn = min(search.pn, LARGEST)
    kid.dn = min(search.dn, LARGEST)
    kid.kind = kind
    kid.cell = cell
    kid.stage = 0
    kid.cap_hand = cap_hand
    kid.cost = cost
    kid.seen = seen_at(search)
    search.top += 1
    frame.count += 1


@jit
def remove_child(a, frame, index):
    """Remove a child of the node on top of the stack."""
    a.search.top -= 1
    frame.count -= 1
    if index != a.search.top:
        a.kids[index] = a.kids[a.search.top]


@jit
def merge_check(search, frame, move, captured):
    """Merge the outcome after a check into an OR node."""
    if is_proven(search):
        frame.state = PROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.proof_hand = before_attack(search.hand, move, captured, False)
    elif is_disproven(search):
        hand = before_attack(search.hand, move, captured, True)
        frame.disproof_hand = hand_intersection(frame.disproof_hand, hand)
        frame.disproof_length = min(frame.disproof_length, search.length + 1)
        rest_also(frame, search)


@jit_inline
def disprove_attack(frame):
    """Disprove an OR node, all of whose checks have failed."""
    frame.state = DISPROVEN
    frame.length = frame.disproof_length


@jit_inline
def check_weight(search, captured):
    """How often each check counts in the disproof number of a new node, by what the answer captured."""
    return 2 if search.estimate == QUIET_TWICE and not captured else 1


@jit
def assess_answer(a, frame, move, base, cap_hand):
    """Assess an answer, not a futile drop, and merge it into an AND node or add it as a child."""
    search = a.search
    captured = do(a.pos, move, DEF)
    assess_attack(a, base, below(frame.n), check_weight(search, captured))
    undo(a.pos, move, DEF, captured)
    merge_answer(search, frame, cap_hand)
    if is_open(search):
        cost = answer_cost(a.pos, move) if search.estimate == PLUS else 0
        add_child(a, frame, move, MOVE, 0, cap_hand, cost)


@jit
def merge_answer(search, frame, cap_hand):
    """Merge the outcome after an answer, not a futile drop, into an AND node."""
    if is_proven(search):
        frame.proof_hand = hand_union(frame.proof_hand, search.hand)
        frame.proof_length = max(frame.proof_length, search.length + 1)
    elif is_disproven(search):
        frame.state = DISPROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.disproof_hand = hand_intersection(search.hand, cap_hand)
        frame.taint = search.taint
        frame.least = search.least


@jit_inline
def prove_defence(frame):
    """Prove an AND node, all of whose answers have been met."""
    frame.state = PROVEN
    frame.length = min(frame.proof_length, FOREVER)
