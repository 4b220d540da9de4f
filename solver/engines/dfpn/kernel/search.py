# SPDX-License-Identifier: GPL-3.0-or-later
"""df-pn (Nagai2002), under a bound on the length or without one.

Each node has a proof number pn and a disproof number dn: the least number of leaves to prove, or to disprove, to settle
it. An OR node (the attacker to move, n odd) is proved by one child, an AND node (the defender to move, n even) by all
of them. Both are searched alike if the numbers are named from the mover's point of view:

            OR node     AND node
    phi     pn          dn          least delta of the children: one child suffices for the mover
    delta   dn          pn          sum of phi of the children: all are needed against him

The search goes to the child with the least delta and stays below it as long as it is the best
child and no node above reaches a threshold. The life of a frame:

    begin: is the root decided (`decide_without_search`)? ------------> FINISHED
      | no
      v
    _push: a frame; its children, or its outcome (`expansion`) <------+
      |                                                               |
      v                                                               |
    run: phi and delta from the children (`_phi_and_delta`)           |
      |                                                               |
      |-- undecided, both below their thresholds: _descend -----------+
      |      (play the best child's move, with thresholds of its own)
      v
    _settle: the outcome goes to the table and to the search state
      |
      |-- this was the root ------------------------------------------> FINISHED
      v
    _return: undo the move, merge the outcome; continue at `run` with the parent

A child may stand for several moves: for the drops on a cell see `interposition`.

Under a bound a node is a position with the number of plies left, so no node repeats on a path and an answer depends
only on the position. Without one (n = FOREVER) a position that repeats on its path counts there as a failure of the
attacker; what rests on that is tainted, see `solver.engines.dfpn.unbounded_search`. With TCA it does so under a bound
too, see `repetition`. Proofs and disproofs are shared between lengths through the table.

The search has a stack of its own, so it can be stopped after any node and resumed: Python runs
it in slices. The bare algorithm, in a page of plain Python, is papers/sugyan2018.py.
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel import arena
from solver.engines.dfpn.kernel.arena import (
    ARENA,
    FRAME_TYPE,
    is_disproven,
    is_open,
    is_proven,
    moves_have_costs,
    node_key,
    set_outcome,
)
from solver.engines.dfpn.kernel.frontier import search_to_depth
from solver.engines.dfpn.kernel.interposition import (
    advance_to_next_drop,
    expand_cell,
    merge_drop_disproof,
    merge_slide_disproof,
    merge_slide_proof,
    try_takers,
)
from solver.engines.dfpn.kernel.outcome import (
    LARGEST,
    add_child,
    assess_answer,
    assess_defence,
    attack_cost,
    decide_without_search,
    disprove_attack,
    merge_answer,
    merge_check,
    plies_below,
    prove_defence,
    remove_child,
)
from solver.engines.dfpn.kernel.repetition import last_loop_head, settle_loop_head, suspend_link, wake_link
from solver.engines.dfpn.kernel.table import (
    FOREVER,
    FULL_HAND,
    INFINITE,
    is_entered,
    largest_disproof_hand,
    look_up,
    note_entered,
    prefetch_children,
    slot_after,
    store,
)
from solver.engines.kernel.mate import blocking_hand
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.compile import TRIPLE, jit, jit_inline, unit, void
from tsume_rules.kernel.move_generation import MAX_MOVES, board_evasions, pseudo_checks
from tsume_rules.kernel.state import do, dropped, packed_hand, undo
from tsume_rules.kernel.tables import ATT, DEF, PAWN

# --- expanding a node: its children, or its outcome if one of them decides it ----------------------


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_attack(a, frame):
    """Add an OR node's children, or decide it."""
    pos, search = a.pos, a.search
    frame.disproof_hand = largest_disproof_hand(frame.hand)
    frame.disproof_length = FOREVER
    end = pseudo_checks(pos, True, a.buf, 0)
    prefetch_children(a, ATT, 0, end)
    for i in range(end):
        move = a.buf[i]
        captured = do(pos, move, ATT)
        assess_defence(a, end, plies_below(frame.n))
        undo(pos, move, ATT, captured)
        if is_proven(search) and search.length == 0 and dropped(move) == PAWN:
            continue  # a pawn drop that mates is illegal
        merge_check(search, frame, move, captured)
        if frame.state == arena.PROVEN:
            return
        if not is_disproven(search):
            cost = attack_cost(pos, move) if moves_have_costs(search) else 0
            add_child(a, frame, move, arena.MOVE, 0, FULL_HAND, cost)
    if frame.count == 0:
        disprove_attack(frame)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def look_ahead(a, frame):
    """Search an OR node that is visited for the first time to a fixed depth, before its checks are generated.

    It is left at once if the numbers of the searched tree reach its thresholds (Kaneko2005, 4.1)."""
    search = a.search
    pn, dn, _, _, _ = look_up(a, frame.key, frame.slot, int(frame.hand), int(frame.n))
    if pn != 0 or dn != 0:
        return
    search_to_depth(a, 1 if search.frontier == arena.A1 else 3, True)
    if is_proven(search):
        frame.state = arena.PROVEN
        frame.length = search.length
        frame.proof_hand = search.hand
    elif is_disproven(search):
        frame.state = arena.DISPROVEN
        frame.length = search.length
        frame.disproof_hand = search.hand
    elif search.pn >= frame.th_pn or search.dn >= frame.th_dn:
        frame.state = arena.LEFT
        frame.th_pn = search.pn
        frame.th_dn = search.dn


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_defence(a, frame):
    """Add an AND node's children, or decide it."""
    pos = a.pos
    count, checker = find_checkers(pos, DEF)
    frame.proof_hand = blocking_hand(pos, count, checker)
    frame.proof_length = 0
    end = board_evasions(pos, count, checker, a.buf, 0)
    prefetch_children(a, DEF, 0, end)
    for i in range(end):
        assess_answer(a, frame, a.buf[i], end, FULL_HAND)
        if frame.state == arena.DISPROVEN:
            return
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        expand_cell(a, frame, pos.king[DEF] + i * step)
        if frame.state == arena.DISPROVEN:
            return
    if frame.count == 0:
        prove_defence(frame)


# --- df-pn, under a bound on the length or without one ---------------------------------------------

DOUBTFUL = 1 << 16
"""A larger sum has counted the same leaves again and again."""


@unit(a=ARENA)
def begin(a, n, attacker):
    """Start a search for a mate within n plies; True if it is decided without one."""
    search = a.search
    search.top = 0
    search.raised = 0
    search.age += 1
    if decide_without_search(a, n, attacker):
        return True
    _push(a, n, attacker, int(INFINITE), int(INFINITE))
    return False


@jit
def _push(a, n, attacker, th_pn, th_dn):
    """Enter a node and expand it."""
    search = a.search
    frame = a.frames[search.depth]
    search.depth += 1
    search.nodes += 1
    search.expanded += 1
    frame.key = node_key(a.pos, search, attacker)
    frame.slot = a.pos.slot
    frame.hand = packed_hand(a.pos)
    frame.started = search.nodes
    frame.n = n
    frame.attacker = attacker
    frame.state = arena.UNKNOWN
    frame.taint = 0
    frame.least = 0
    frame.link = 0
    frame.th_pn = th_pn
    frame.th_dn = th_dn
    frame.first = search.top
    frame.count = 0
    frame.current = -1
    frame.circle = arena.NO_CIRCLE
    frame.raised = search.raised
    if search.loops == arena.TCA:
        before = a.frames[search.depth - 2].path if search.depth > 1 else np.uint64(n)
        frame.path = (before ^ frame.key ^ (np.uint64(frame.hand) << np.uint64(32))) * arena.AND_KEY
        if attacker:
            wake_link(a, search.depth - 1)
    if attacker and (n == FOREVER or search.loops == arena.TCA):
        search.path[frame.slot & np.uint64(arena.PATH - 1)] += 1
    if search.members > 1 and not attacker:
        note_entered(a, frame.slot, 1)
    if attacker:
        at_visits = search.frontier != arena.NOTHING and search.frontier != arena.D2
        if at_visits and not (search.barred or search.spared):
            look_ahead(a, frame)
        if frame.state == arena.UNKNOWN:
            expand_attack(a, frame)
    else:
        expand_defence(a, frame)


@jit
def _phi_and_delta(frame, kids, sums):
    """Return a node's numbers: (phi, runner-up, delta, what the others add to delta, best child's index).

    The best child is the first with the least delta. Without a bound, it is the one of these with
    the least phi: always choosing the first could go round in cycles for ever, as its phi grows.
    """
    phi = INFINITE
    second = INFINITE
    delta = 0
    between = 0
    largest = 0
    lightest = INFINITE
    circles = frame.n == FOREVER
    best = -1
    for i in range(frame.first, frame.first + frame.count):
        kid = kids[i]
        kid_delta = proof_number_with_cost(kid) if frame.attacker else int(kid.dn)
        kid_phi = int(kid.dn) if frame.attacker else proof_number_with_cost(kid)
        largest = max(largest, kid_phi)
        if sums == arena.MIXED and _is_between(kid):
            between = max(between, kid_phi)
        else:
            delta += kid_phi
        if kid_delta < phi or (circles and kid_delta == phi and kid_phi < lightest):
            second = phi
            phi = kid_delta
            lightest = kid_phi
            best = i
        elif kid_delta < second:
            second = kid_delta
    if sums == arena.ALL:
        delta = min(delta, LARGEST)
        return phi, second, delta, delta - _phi_of(frame, kids, best), best
    weak = min(largest + frame.count - 1, LARGEST)
    if frame.attacker or delta + between > max(weak, DOUBTFUL):
        return phi, second, weak if frame.attacker else max(weak, DOUBTFUL), frame.count - 1, best
    others = delta
    if best >= 0 and not _is_between(kids[best]):
        others = delta + between - _phi_of(frame, kids, best)
    return phi, second, delta + between, others, best


@jit_inline
def _phi_of(frame, kids, best):
    """Return a child's phi, 0 if there is none."""
    if best < 0:
        return 0
    kid = kids[best]
    return int(kid.dn) if frame.attacker else proof_number_with_cost(kid)


@jit_inline
def _is_between(kid):
    """Return whether a child is the drops on a cell between checker and king."""
    return kid.kind != arena.MOVE


@jit_inline
def proof_number_with_cost(kid):
    """Return a child's proof number with the cost of its move; below `INFINITE`, which only a disproof has."""
    return min(max(int(kid.pn) + int(kid.cost), 1), LARGEST)


@jit
def _farther(search, frame, kids, second):
    """Return the threshold of the best child's delta, given the runner-up's delta."""
    if search.extension == arena.CHECKS_TWICE and frame.attacker:
        return 2 * second + 1
    if search.extension >= arena.QUARTER:
        return second + second // 4 + 1
    if search.extension == arena.ONE:
        return second + 1
    total = 0
    for i in range(frame.first, frame.first + frame.count):
        total += proof_number_with_cost(kids[i]) if frame.attacker else int(kids[i].dn)
    return second + max(min(total // frame.count, 2), 1)


@unit(a=ARENA)
def run(a, budget):
    """Continue until the root is decided or ``budget`` more nodes are used. Returns FINISHED, RUNNING or
    OUT_OF_STACK."""
    search = a.search
    limit = search.nodes + budget
    room = len(a.kids) - 2 * MAX_MOVES
    while True:
        frame = a.frames[search.depth - 1]
        phi, second, delta, others, best = 0, 0, 0, 0, -1
        if frame.state == arena.UNKNOWN:
            phi, second, delta, others, best = _phi_and_delta(frame, a.kids, search.sums)
            if search.depth == 1:
                search.peak = max(search.peak, phi if frame.attacker else delta)
            th_phi = frame.th_pn if frame.attacker else frame.th_dn
            th_delta = frame.th_dn if frame.attacker else frame.th_pn
            if search.loops == arena.TCA:
                if frame.current < 0:
                    frame.current = 0
                    for i in range(frame.first, frame.first + frame.count):
                        if a.kids[i].seen == arena.OLD:  # a way from it may lead back here
                            search.raised += 1
                            break
                if search.raised > 0:
                    th_phi = max(th_phi, min(phi + 1, INFINITE))
                    th_delta = max(th_delta, min(delta + 1, INFINITE))
            if phi < th_phi and delta < th_delta:
                if search.nodes >= limit:
                    return arena.RUNNING
                if search.top > room or search.depth + 1 >= len(a.frames):
                    return arena.OUT_OF_STACK
                kid_th_delta = min(th_phi, _farther(search, frame, a.kids, second))
                kid_th_phi = th_delta - others
                if search.members > 1 and frame.attacker and frame.count > 1:
                    best, kid_th_delta, kid_th_phi = _apart(
                        a, frame, best, th_phi, th_delta - delta, kid_th_delta, kid_th_phi
                    )
                _descend(a, best, kid_th_delta, kid_th_phi)
                continue
        elif frame.state == arena.LEFT:
            phi, delta = int(frame.th_pn), int(frame.th_dn)
        _settle(a, frame, phi, delta)
        if search.loops == arena.TCA:
            settle_loop_head(a, search.depth - 1)
        search.top = frame.first
        search.depth -= 1
        _leave(a, frame)
        search.raised = min(search.raised, frame.raised)
        if search.depth == 0:
            return arena.FINISHED
        _return(a)


@jit
def _is_taken(a, index):
    """Return whether another search that shares the table is below a check."""
    return is_entered(a, slot_after(a.pos, int(a.kids[index].move), ATT))


@unit(TRIPLE, a=ARENA, frame=FRAME_TYPE)
def _apart(a, frame, best, th_phi, room, kid_th_delta, kid_th_phi):
    """If the best check of an OR node is taken, the best one that is not, and its thresholds.

    Else those given; also if no other's proof number is below ``th_phi``. ``room``: how much the node's delta
    may grow. Answers are not divided so: one of them refutes a check, and the second best is seldom it.
    """
    if not _is_taken(a, best):
        return best, kid_th_delta, kid_th_phi
    least = th_phi
    found = best
    for i in range(frame.first, frame.first + frame.count):
        kid_delta = proof_number_with_cost(a.kids[i])
        if i != best and kid_delta < least and not _is_taken(a, i):
            least = kid_delta
            found = i
    if found == best:
        return best, kid_th_delta, kid_th_phi
    return found, min(th_phi, least + least // 4 + 1), room + _phi_of(frame, a.kids, found)


@jit
def _descend(a, best, th_delta, th_phi):
    """Play the chosen child's move and enter it with its thresholds. Its delta may grow to ``th_delta``, its
    phi to ``th_phi``."""
    frame = a.frames[a.search.depth - 1]
    kid = a.kids[best]
    frame.current = best
    if kid.seen == arena.NEW:
        a.search.raised = max(int(a.search.raised) - 1, 0)
        kid.seen = arena.SEEN
    slide = kid.kind == arena.SLIDE
    if frame.attacker:
        frame.captured = do(a.pos, int(kid.move), ATT)
        th_pn, th_dn = th_delta - int(kid.cost), th_phi
    else:
        frame.captured = do(a.pos, int(kid.move), ATT if slide else DEF)
        th_pn, th_dn = th_phi - int(kid.cost), th_delta
    n = int(frame.n) if slide else plies_below(int(frame.n))
    attacker = not frame.attacker and not slide
    _push(a, n, attacker, th_pn, th_dn)


@jit_inline
def _leave(a, frame):
    """Take a node off the path."""
    search = a.search
    if frame.attacker and (frame.n == FOREVER or search.loops == arena.TCA):
        search.path[frame.slot & np.uint64(arena.PATH - 1)] -= 1
    if search.members > 1 and not frame.attacker:
        note_entered(a, frame.slot, -1)


@jit
def _settle(a, frame, phi, delta):
    """Store a node's outcome and write it to the search state."""
    search = a.search
    search.circle = arena.NO_CIRCLE
    if frame.state == arena.PROVEN:
        set_outcome(search, 0, INFINITE, int(frame.length), int(frame.proof_hand), 0)
    elif frame.state == arena.DISPROVEN:
        set_outcome(search, INFINITE, 0, int(frame.length), int(frame.disproof_hand), int(frame.taint))
        if search.loops == arena.TCA and frame.taint:
            # What rests on a return to the frame itself holds, if it rests on nothing before.
            index = search.depth - 1
            taint, least = int(frame.taint), int(frame.least)
            if taint == index + 1:
                taint = 0 if least == taint else last_loop_head(a, index)
            search.taint = taint
            search.least = least
            if taint:
                search.link = int(a.frames[taint - 1].link) | (least << arena.LINK_BITS)
        if frame.circle < search.depth - 1:
            search.circle = frame.circle
            return
    elif frame.attacker:
        set_outcome(search, phi, delta, int(frame.n), int(frame.hand), 0)
    else:
        set_outcome(search, delta, phi, int(frame.n), int(frame.hand), 0)
    store(
        a, frame.key, frame.slot, int(frame.hand), search.pn, search.dn,
        search.length, search.hand, search.taint, search.nodes - frame.started + 1,
    )  # fmt: skip


@jit
def _return(a):
    """Back in the parent, undo its move and merge the child's outcome."""
    search = a.search
    frame = a.frames[search.depth - 1]
    index = int(frame.current)
    kid = a.kids[index]
    slide = kid.kind == arena.SLIDE
    move = int(kid.move)
    undo(a.pos, move, ATT if frame.attacker or slide else DEF, int(frame.captured))
    if is_open(search):
        kid.pn = search.pn
        kid.dn = search.dn
    elif frame.attacker:
        if not (is_proven(search) and search.length == 0 and dropped(move) == PAWN):  # such a drop is illegal
            merge_check(search, frame, move, int(frame.captured))
        remove_child(a, frame, index)
        if frame.count == 0 and frame.state == arena.UNKNOWN:
            disprove_attack(frame)
    elif slide and is_proven(search):
        merge_slide_proof(search, frame)
        remove_child(a, frame, index)
    elif slide:
        frame.circle = min(frame.circle, search.circle)
        merge_slide_disproof(search, kid)
        try_takers(a, frame, index)
    elif kid.kind != arena.MOVE:
        if is_disproven(search):
            merge_drop_disproof(a, frame, index, move)
        else:
            merge_answer(search, frame, FULL_HAND)
            advance_to_next_drop(a, frame, index)
    else:
        merge_answer(search, frame, int(kid.cap_hand))
        remove_child(a, frame, index)
    if not frame.attacker and frame.count == 0 and frame.state == arena.UNKNOWN:
        prove_defence(frame)


@unit(void, a=ARENA)
def abandon(a):
    """Undo all moves of an unfinished search."""
    search = a.search
    while search.depth > 1:
        search.depth -= 1
        _leave(a, a.frames[search.depth])
        suspend_link(a, search.depth)
        frame = a.frames[search.depth - 1]
        kid = a.kids[int(frame.current)]
        side = ATT if frame.attacker or kid.kind == arena.SLIDE else DEF
        undo(a.pos, int(kid.move), side, int(frame.captured))
    if search.depth == 1:
        _leave(a, a.frames[0])
        suspend_link(a, 0)
    search.depth = 0
