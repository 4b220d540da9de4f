# SPDX-License-Identifier: GPL-3.0-or-later
"""The outcome of a node as far as it is known without expanding it."""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel import arena
from solver.engines.dfpn.kernel.arena import (
    ARENA,
    estimates_as_in_paper,
    is_disproven,
    is_open,
    is_proven,
    moves_have_costs,
    node_key,
    set_outcome,
)
from solver.engines.dfpn.kernel.frontier import (
    assess_leaf,
    estimate,
    try_mate_at_once,
    try_mate_in_one,
    try_mate_in_three,
    try_mated_in_two,
)
from solver.engines.dfpn.kernel.repetition import is_preset, log_candidate, mark_loop_head, repeated_frame
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, hand_before_attack, look_up, store
from solver.engines.kernel.mate import blocking_hand, is_mated
from tsume_rules.kernel.attacks import blocking_cells, effects_of_side, find_checkers, size
from tsume_rules.kernel.compile import jit, jit_inline, unit, void
from tsume_rules.kernel.move_generation import board_evasions, drops_on, king_flight_directions
from tsume_rules.kernel.state import (
    PROMOTES,
    do,
    dropped,
    hand_intersection,
    hand_union,
    origin_of,
    packed_hand,
    target_of,
    undo,
)
from tsume_rules.kernel.tables import ATT, DEF, KING, PROMOTION


@unit(void, a=ARENA)
def assess_attack(a, base, n, weight):
    """Assess an OR node without expanding it; the outcome goes to the search state. ``buf[base:]`` is scratch
    space. ``weight``: how often each check counts in the disproof number of a new node."""
    search = a.search
    if search.barred and is_preset(a, n):
        return
    if n == 1:
        try_mate_at_once(a, base)
        return
    hand = packed_hand(a.pos)
    key = node_key(a.pos, search, True)
    pn, dn, length, certain, taint = look_up(a, key, a.pos.slot, hand, n)
    if pn == 0 and dn == 0:
        least_pn, least_dn = int(search.borrowed_pn), int(search.borrowed_dn)
        decided = _look_ahead(a, key, hand, n, base)
        search.met = 0
        if decided:
            return
        pn, dn = least_pn, max(weight * search.checks, least_dn)
        if search.estimate == arena.PLUS or estimates_as_in_paper(search):
            pn = max(search.liberties, pn)
    if pn != 0 and dn != 0:
        frame = repeated_frame(a, key, hand, n)
        if frame >= 0:
            taint = 1
            if search.loops == arena.TCA:
                taint = frame + 1
                search.least = taint
                mark_loop_head(a, frame)
            else:
                log_candidate(a, key, hand)
            pn, dn, length, certain = INFINITE, 0, n, hand
    set_outcome(search, pn, dn, length, certain, taint)


@jit
def _look_ahead(a, key, hand, n, base):
    """Search a new OR node to a fixed depth; return whether that decides the node, which is then stored."""
    search = a.search
    found = arena.UNKNOWN
    search.checks = 0
    search.liberties = 0
    if search.barred:
        # No position further on can change that it mates in one.
        if search.weaker and try_mate_in_one(a, base) == arena.PROVEN:
            found = arena.PROVEN
    elif search.depth == 0 and search.refuted > 0:
        search.checks = 1  # it has no mate in one, and the numbers of the root are not used
    elif n == 3:
        found = try_mate_at_once(a, base)
        if found == arena.DISPROVEN and search.length < n:
            found = arena.UNKNOWN
    elif search.frontier == arena.D2 and estimates_as_in_paper(search):
        found = assess_leaf(a, base, True)
    elif search.frontier == arena.D2:
        found = try_mate_in_one(a, base)
        if found == arena.DISPROVEN and search.length < n:
            found = arena.UNKNOWN
    if found == arena.UNKNOWN and n == 3 and not search.barred:
        found = try_mate_in_three(a, base)
        if found == arena.DISPROVEN and search.spared:
            found = arena.UNKNOWN
        if found == arena.UNKNOWN and search.depth > 0:
            estimate(a, base)
    if found != arena.UNKNOWN:
        _keep(a, key, hand)
    return found != arena.UNKNOWN


@jit
def _keep(a, key, hand):
    """Store the outcome in the search state."""
    search = a.search
    store(a, key, a.pos.slot, hand, search.pn, search.dn, search.length, search.hand, 0, 1)


@unit(void, a=ARENA)
def assess_defence(a, base, n):
    """Assess an AND node (n >= 2) without expanding it; the outcome goes to the search state. ``buf[base:]``
    is scratch space."""
    pos, search = a.pos, a.search
    hand = packed_hand(pos)
    key = node_key(pos, search, False)
    pn, dn, length, certain, taint = look_up(a, key, pos.slot, hand, n)
    if pn != 0 or dn != 0:
        set_outcome(search, pn, dn, length, certain, taint)
        return
    least_pn, least_dn = int(search.borrowed_pn), int(search.borrowed_dn)
    if n == 2 and not search.barred:
        found = try_mated_in_two(a, base, 0)
        if found == arena.DISPROVEN and search.spared:
            found = arena.UNKNOWN
        if found == arena.DISPROVEN:
            set_outcome(search, INFINITE, 0, search.length, hand, 0)
        if found == arena.PROVEN or (found == arena.DISPROVEN and search.length >= n):
            _keep(a, key, hand)
            return
        search.met = 0
    if estimates_as_in_paper(search):  # its answers are looked at when it is visited
        if search.estimate == arena.FLIGHTS:
            least_pn = max(size(king_flight_directions(pos)), least_pn)
        set_outcome(search, least_pn, least_dn, n, hand, 0)
        return
    count, checker = find_checkers(pos, DEF)
    # All drops on a cell are counted as one answer.
    answers = board_evasions(pos, count, checker, a.buf, base) - base
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        answers += min(drops_on(pos, pos.king[DEF] + i * step, a.buf, base) - base, 1)
    if answers == 0:
        set_outcome(search, 0, INFINITE, 0, blocking_hand(pos, count, checker), 0)
    else:
        if search.estimate == arena.ANSWERS_THRICE:
            answers = 3 * answers - 2
        set_outcome(search, max(answers, least_pn), least_dn, n, hand, 0)


@jit
def assess_mated(a):
    """Assess an AND node without plies left: it is mated or it is not."""
    if is_mated(a.pos, a.search.mode, a.buf, 0):
        count, checker = find_checkers(a.pos, DEF)
        set_outcome(a.search, 0, INFINITE, 0, blocking_hand(a.pos, count, checker), 0)
    else:
        set_outcome(a.search, INFINITE, 0, 0, packed_hand(a.pos), 0)


@jit
def decide_without_search(a, n, attacker):
    """Return whether a node is decided without a search; the outcome goes to the search state."""
    a.search.depth = 0
    if attacker:
        assess_attack(a, 0, n, 1)
    elif n > 0:
        assess_defence(a, 0, n)
    else:
        assess_mated(a)
    return not is_open(a.search)


@unit(a=ARENA)
def is_known_mated(a, n):
    """Return whether the table shows that the defender, to move, is mated within n plies; nothing is searched."""
    pos = a.pos
    key = node_key(pos, a.search, False)
    pn, dn, _, _, _ = look_up(a, key, pos.slot, packed_hand(pos), n)
    return pn == 0 and dn != 0


# ---------------------------------------------------------------------------------------------------
#
# The cost of moves, added to the proof number of the next position (df-pn+, Kaneko2005, 3.2, table 2).
#
# A piece on a cell that the other side attacks with more pieces is given away. That makes a mate
# seem farther if the attacker does it, nearer if the defender does. (The paper says that checks
# which give a piece away for nothing come later, 5.1; counting attackers is our definition of it.)

_ATTACKER = np.array([0, 1, 4, 4, 4, 6, 6, 8, 0, 2, 4, 4, 4, 8, 8], dtype=np.int64)
_DEFENDER = np.array([0, 0, -1, -1, -2, -2, -2, -2, 0, 0, -2, -2, -2, -3, -3], dtype=np.int64)
"""[kind] -> the cost of giving it away."""


@jit
def attack_cost(pos, move):
    """Return the cost of a check, before it is played."""
    kind, given = _given_away(pos, move, ATT)
    return _ATTACKER[kind] if given else 0


@jit
def answer_cost(pos, move):
    """Return the cost of an answer, before it is played; 0 for king moves."""
    kind, given = _given_away(pos, move, DEF)
    return _DEFENDER[kind] if given else 0


@jit
def _given_away(pos, move, side):
    """Return the kind that a move puts on its target, and whether it is given away there."""
    here = pos.effects[target_of(move)]
    support = size(effects_of_side(here, side))
    kind = dropped(move)
    if kind == 0:
        kind = int(pos.board[origin_of(move)]) & 15
        support -= 1
        if kind == KING:
            return kind, False
        if move & PROMOTES:
            kind += PROMOTION
    return kind, size(effects_of_side(here, 1 - side)) > support


# --- the children of the node on top of the stack, and merging their outcomes into it --------------

LARGEST = INFINITE - 1
"""The largest proof or disproof number of an undecided node."""


@jit_inline
def plies_below(n):
    """Return the plies left after one more ply; without a bound (FOREVER) they stay so."""
    return n if n == FOREVER else n - 1


@jit_inline
def seen_status(search):
    """Return NEW, SEEN (deeper than its parent only) or OLD for the node assessed last."""
    return arena.NEW if search.met == 0 else arena.OLD if search.met <= search.depth else arena.SEEN


@jit_inline
def add_disproof_basis(holder, search):
    """Add what the outcome in the search state rests on to what ``holder``'s disproof, a node's or a slide's, rests on.

    ``taint`` is not 0 if a disproof rests on repetitions; with TCA it is the last frame of the path to which one
    returns, ``least`` the first, both numbered from 1.
    """
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
    kid.seen = seen_status(search)
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
        frame.state = arena.PROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.proof_hand = hand_before_attack(search.hand, move, captured, False)
    elif is_disproven(search):
        hand = hand_before_attack(search.hand, move, captured, True)
        frame.disproof_hand = hand_intersection(frame.disproof_hand, hand)
        frame.disproof_length = min(frame.disproof_length, search.length + 1)
        add_disproof_basis(frame, search)


@jit_inline
def disprove_attack(frame):
    """Disprove an OR node, all of whose checks have failed."""
    frame.state = arena.DISPROVEN
    frame.length = frame.disproof_length


@jit_inline
def check_weight(search, captured):
    """How often each check counts in the disproof number of a new node, by what the answer captured."""
    return 2 if search.estimate == arena.QUIET_TWICE and not captured else 1


@jit
def assess_answer(a, frame, move, base, cap_hand):
    """Assess an answer, not a futile drop, and merge it into an AND node or add it as a child."""
    search = a.search
    captured = do(a.pos, move, DEF)
    assess_attack(a, base, plies_below(frame.n), check_weight(search, captured))
    undo(a.pos, move, DEF, captured)
    merge_answer(search, frame, cap_hand)
    if is_open(search):
        cost = answer_cost(a.pos, move) if moves_have_costs(search) else 0
        add_child(a, frame, move, arena.MOVE, 0, cap_hand, cost)


@jit
def merge_answer(search, frame, cap_hand):
    """Merge the outcome after an answer, not a futile drop, into an AND node."""
    if is_proven(search):
        frame.proof_hand = hand_union(frame.proof_hand, search.hand)
        frame.proof_length = max(frame.proof_length, search.length + 1)
    elif is_disproven(search):
        frame.state = arena.DISPROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.disproof_hand = hand_intersection(search.hand, cap_hand)
        frame.taint = search.taint
        frame.least = search.least


@jit_inline
def prove_defence(frame):
    """Prove an AND node, all of whose answers have been met."""
    frame.state = arena.PROVEN
    frame.length = min(frame.proof_length, FOREVER)
