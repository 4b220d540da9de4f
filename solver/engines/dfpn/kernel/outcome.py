# SPDX-License-Identifier: GPL-3.0-or-later
"""The outcome of a node as far as it is known without expanding it."""

from solver.engines.dfpn.kernel.arena import (
    ANSWERS_THRICE,
    ARENA,
    D2,
    DISPROVEN,
    NOTHING,
    ONES,
    PLUS,
    PROVEN,
    TCA,
    UNKNOWN,
    is_open,
    node_key,
    set_outcome,
)
from solver.engines.dfpn.kernel.frontier import (
    estimate,
    try_mate_at_once,
    try_mate_in_one,
    try_mate_in_three,
    try_mated_in_two,
)
from solver.engines.dfpn.kernel.repetition import is_set, log_candidate, mark_head, repeats
from solver.engines.dfpn.kernel.table import INFINITE, look_up, store
from solver.engines.kernel.mate import blocking_hand, is_mated
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.compile import jit, unit, void
from tsume_rules.kernel.evasions import board_evasions, drops_on
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import DEF


@unit(void, a=ARENA)
def assess_attack(a, base, n, weight):
    """Assess an OR node without expanding it; the outcome goes to the search state.

    ``buf[base:]`` is scratch space. ``weight``: how often each check counts in the disproof number of a new
    node.
    """
    search = a.search
    if search.barred and is_set(a, n):
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
        pn, dn = least_pn, least_dn
        if search.estimate != ONES:
            dn = max(weight * search.checks, dn)
        if search.estimate == PLUS:
            pn = max(search.liberties, pn)
    if pn != 0 and dn != 0:
        frame = repeats(a, key, hand, n)
        if frame >= 0:
            taint = 1
            if search.loops == TCA:
                taint = frame + 1
                search.least = taint
                mark_head(a, frame)
            else:
                log_candidate(a, key, hand)
            pn, dn, length, certain = INFINITE, 0, n, hand
    set_outcome(search, pn, dn, length, certain, taint)


@jit
def _look_ahead(a, key, hand, n, base):
    """The fixed-depth search at a new OR node; true if it decides the node, which is then stored."""
    search = a.search
    found = UNKNOWN
    search.checks = 0
    search.liberties = 0
    if search.barred:
        return search.weaker and _mates_at_once(a, key, hand, base)
    if search.depth == 0 and search.refuted > 0:
        search.checks = 1  # it has no mate in one, and the numbers of the root are not used
    elif n == 3:
        found = try_mate_at_once(a, base)
        if found == DISPROVEN and search.length < n:
            found = UNKNOWN
    elif search.frontier != NOTHING:
        found = try_mate_in_one(a, base)
        if found == DISPROVEN and search.length < n:
            found = UNKNOWN
    if found == UNKNOWN and n == 3:
        found = try_mate_in_three(a, base)
        if found == DISPROVEN and search.spared:
            found = UNKNOWN
        if found == UNKNOWN and search.depth > 0:
            estimate(a, base)
    if found != UNKNOWN:
        _keep(a, key, hand)
    return found != UNKNOWN


@jit
def _mates_at_once(a, key, hand, base):
    """Whether a position mates in one, which no position further on can change; it is then stored."""
    found = try_mate_in_one(a, base) == PROVEN
    if found:
        _keep(a, key, hand)
    return found


@jit
def _keep(a, key, hand):
    """Store the outcome in the search state."""
    search = a.search
    store(a, key, a.pos.slot, hand, search.pn, search.dn, search.length, search.hand, 0, 1)


@unit(void, a=ARENA)
def assess_defence(a, base, n):
    """Assess an AND node (n >= 2) without expanding it; the outcome goes to the search state.

    ``buf[base:]`` is scratch space.
    """
    pos, search = a.pos, a.search
    hand = packed_hand(pos)
    key = node_key(pos, search, False)
    pn, dn, length, certain, taint = look_up(a, key, pos.slot, hand, n)
    if pn != 0 or dn != 0:
        set_outcome(search, pn, dn, length, certain, taint)
        return
    least_pn, least_dn = int(search.borrowed_pn), int(search.borrowed_dn)
    if (n == 2 or search.frontier == D2) and not search.barred:
        found = try_mated_in_two(a, base, 0)
        if found == DISPROVEN and search.spared:
            found = UNKNOWN
        if found == DISPROVEN:
            set_outcome(search, INFINITE, 0, search.length, hand, 0)
        if found == PROVEN or (found == DISPROVEN and search.length >= n):
            _keep(a, key, hand)
            return
        search.met = 0
    count, checker = find_checkers(pos, DEF)
    answers = _count_answers(a, base, count, checker)
    if answers == 0:
        set_outcome(search, 0, INFINITE, 0, blocking_hand(pos, count, checker), 0)
    else:
        if search.estimate == ANSWERS_THRICE:
            answers = 3 * answers - 2
        pn = least_pn if search.estimate == ONES else max(answers, least_pn)
        set_outcome(search, pn, least_dn, n, hand, 0)


@jit
def _count_answers(a, base, count, checker):
    """The number of answers, all drops on a cell counted as one."""
    answers = board_evasions(a.pos, count, checker, a.buf, base) - base
    cells, step = blocking_cells(a.pos, count, checker)
    for i in range(1, cells + 1):
        answers += min(drops_on(a.pos, a.pos.king[DEF] + i * step, a.buf, base) - base, 1)
    return answers


@jit
def assess_mated(a):
    """Assess an AND node without plies left: it is mated or it is not."""
    if is_mated(a.pos, a.search.mode, a.buf, 0):
        count, checker = find_checkers(a.pos, DEF)
        set_outcome(a.search, 0, INFINITE, 0, blocking_hand(a.pos, count, checker), 0)
    else:
        set_outcome(a.search, INFINITE, 0, 0, packed_hand(a.pos), 0)


@jit
def peek(a, n, attacker):
    """Whether a node is decided without a search; the outcome goes to the search state."""
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
    """Whether the table shows that the defender, to move, is mated within n plies; nothing is searched."""
    pos = a.pos
    key = node_key(pos, a.search, False)
    pn, dn, _, _, _ = look_up(a, key, pos.slot, packed_hand(pos), n)
    return pn == 0 and dn != 0
