# SPDX-License-Identifier: GPL-3.0-or-later
"""PDS: depth-first search by proof and disproof numbers, both thresholds to be reached (Shibahara2006, 4.2).

A node is left when it is decided or when both of its counts have reached their thresholds.
Until then the child nearest to the decision is searched with one of its counts raised: the
proof number as long as the node's own one is below its threshold and not above the disproof
number, else the disproof number (multiple iterative deepening; a count is raised by a
quarter, so that a node is not come back to for every single step).

A position that stands on the path already, the attacker's hand the same or smaller, is
counted as disproved; that disproof is tainted, and the position come back to is logged as
a candidate of the check search (`solver.engines.checksearch`). So is a position that lies too deep
to be searched: the check begins with it anew. (The paper leaves the game open then, 6.1.)

Counts may grow without end where positions come back. The counter-measure is delayed (6.1):
sums are taken until they exceed `DELAY`, and only then the largest count stands for the sum.
The paper's begins when a threshold passes 100,000, and leaves children out of the sum that
were met nearer to the root before.

The stack of nodes is an array, so that a search can be interrupted after any node.
"""

import numpy as np

from tsume.papers.shibahara2006.kernel.hands import disproof_hand, proof_hand
from tsume.papers.shibahara2006.kernel.moves import HAND_SHIFT, TURN, WORD, child_positions
from tsume.papers.shibahara2006.kernel.table import (
    NEVER,
    look_up_pds_entry,
    store_pds_entry,
    variant_hand_contains,
)
from tsume_rules.kernel.compile import jit, jit_inline

DEPTH = 1 << 10
"""The deepest path of the paper's first run (section 6.1)."""
DELAY = 1 << 20
HOPELESS = 1 << 28
"""The largest sum of counts."""
CANDIDATES = 1 << 21
STANDING = 1 << 14
RUNNING, DECIDED, FULL = 0, 1, 2
FRAME = np.dtype(
    [
        ("state", np.int64), ("began", np.int64), ("pn_goal", np.int32), ("dn_goal", np.int32),
        ("children", np.int32), ("best", np.int32),
    ]
)  # fmt: skip
KNOWN = np.dtype(
    [("state", np.int64), ("pn", np.int32), ("dn", np.int32), ("hand", np.int32), ("tainted", np.int32)]
)
"""A child: its position and what is known of it; ``hand`` is that of a proof or disproof."""
SEARCH = np.dtype(
    [
        ("depth", np.int64), ("nodes", np.int64), ("epoch", np.int64), ("stored", np.int64),
        ("candidates", np.int64), ("handed", np.int64), ("lost", np.int64),
    ]
)  # fmt: skip


@jit
def begin_pds(arena, state):
    """Put a position at the bottom of the stack, without thresholds."""
    while arena.search.depth > 0:  # left behind by an interrupted search
        arena.search.depth -= 1
        arena.standing[path_counter_index(arena.frames[arena.search.depth].state)] -= 1
    expand_pds_node(arena, state, NEVER, NEVER)


@jit
def expand_pds_node(arena, state, pn_goal, dn_goal):
    """Expand a position on top of the stack: its children with what is known of them."""
    depth = arena.search.depth
    frame = arena.frames[depth]
    frame.state, frame.pn_goal, frame.dn_goal, frame.best = state, pn_goal, dn_goal, -1
    frame.began = arena.search.nodes
    arena.standing[path_counter_index(state)] += 1
    frame.children = child_positions(arena.rules, state, arena.moves)
    arena.search.depth = depth + 1
    arena.search.nodes += 1
    for i in range(frame.children):
        child = arena.known[depth, i]
        child.state = arena.moves[i]
        if not disprove_repetition(arena, child):
            look_up_pds_entry(arena, child.state, child)


@jit_inline
def path_counter_index(state):
    """Where the positions on the path with this board are counted, with a few other boards."""
    return np.int64((np.uint64(state & WORD) * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(50))


@jit
def disprove_repetition(arena, child):
    """Disprove a child that stands on the path already, and log the position it comes back to."""
    if arena.standing[path_counter_index(child.state)] == 0:
        return False
    hand = child.state >> HAND_SHIFT
    for i in range(arena.search.depth):
        above = arena.frames[i].state
        if (above ^ child.state) & WORD == 0 and variant_hand_contains(above >> HAND_SHIFT, hand):
            child.pn, child.dn, child.hand, child.tainted = NEVER, 0, above >> HAND_SHIFT, 1
            log_repeated_position(arena, above)
            return True
    return False


@jit
def log_repeated_position(arena, state):
    """Note a candidate, once for each question."""
    search = arena.search
    if search.candidates >= CANDIDATES // 2:
        search.lost = 1
        return
    mixed = np.uint64(state) * np.uint64(0xD6E8FEB86659FD93)
    place = np.int64((mixed >> np.uint64(32)) & np.uint64(CANDIDATES - 1))
    while arena.logged[place, 1] == search.epoch:
        if arena.logged[place, 0] == state:
            return
        place = (place + 1) & (CANDIDATES - 1)
    arena.logged[place, 0], arena.logged[place, 1] = state, search.epoch
    arena.candidates[search.candidates] = state
    search.candidates += 1


@jit
def continue_pds(arena, until):
    """Search until the bottom of the stack is decided or ``until`` nodes have been searched.

    The answer is left in ``arena.answer``. None is given once a candidate was lost: the
    disproofs that rest on it could not be verified.
    """
    search = arena.search
    while search.nodes < until:
        if search.lost:
            return FULL
        depth = search.depth - 1
        frame = arena.frames[depth]
        pn, dn = proof_numbers_of_node(arena, depth)
        if pn == 0 or dn == 0 or (pn >= frame.pn_goal and dn >= frame.dn_goal):
            leave_pds_node(arena, depth, pn, dn)
            if depth == 0:
                return DECIDED
            continue
        if depth == 0 and pn >= HOPELESS and dn >= HOPELESS:
            return FULL
        prove = pn < frame.pn_goal and (dn >= frame.dn_goal or pn <= dn)
        descend_to_child(arena, depth, most_proving_child(arena, depth), prove)
    return RUNNING


@jit
def proof_numbers_of_node(arena, depth):
    """A node's proof and disproof number from its children's."""
    frame = arena.frames[depth]
    attacker = frame.state & TURN == 0
    least, total, largest = NEVER, 0, 0
    for i in range(frame.children):
        child = arena.known[depth, i]
        one, other = (child.pn, child.dn) if attacker else (child.dn, child.pn)
        least = min(least, one)
        total += min(other, HOPELESS)
        largest = max(largest, other)
    if least == 0:
        return (0, NEVER) if attacker else (NEVER, 0)
    if total == 0:
        return (NEVER, 0) if attacker else (0, NEVER)
    if total > DELAY:
        total = min(largest + frame.children, HOPELESS)
    return (least, total) if attacker else (total, least)


@jit
def most_proving_child(arena, depth):
    """The child nearest to the decision: for the attacker to a proof, for the defender to a disproof.

    Of equals the one with the smaller other count (section 4.2).
    """
    frame = arena.frames[depth]
    attacker = frame.state & TURN == 0
    best, one, other = -1, NEVER, NEVER
    for i in range(frame.children):
        child = arena.known[depth, i]
        first, second = (child.pn, child.dn) if attacker else (child.dn, child.pn)
        if second == 0:
            continue
        if best < 0 or first < one or (first == one and second < other):
            best, one, other = i, first, second
    return best


@jit
def descend_to_child(arena, depth, best, prove):
    """Search a child with its proof number raised, or its disproof number."""
    frame = arena.frames[depth]
    frame.best = best
    child = arena.known[depth, best]
    look_up_pds_entry(arena, child.state, arena.seen)
    if arena.seen.pn == 0 or arena.seen.dn == 0:
        child.pn, child.dn, child.hand, child.tainted = (
            arena.seen.pn,
            arena.seen.dn,
            arena.seen.hand,
            arena.seen.tainted,
        )
        return
    child.pn, child.dn = max(child.pn, arena.seen.pn), max(child.dn, arena.seen.dn)
    if depth + 1 >= DEPTH:
        child.pn, child.dn, child.hand, child.tainted = NEVER, 0, child.state >> HAND_SHIFT, 1
        log_repeated_position(arena, child.state)
        return
    pn_goal, dn_goal = child.pn, child.dn
    if prove:
        pn_goal += 1 + child.pn // 4
    else:
        dn_goal += 1 + child.dn // 4
    expand_pds_node(arena, child.state, pn_goal, dn_goal)


@jit
def leave_pds_node(arena, depth, pn, dn):
    """Take the top of the stack away; keep what came out and tell the node above."""
    frame = arena.frames[depth]
    hand, tainted = frame.state >> HAND_SHIFT, 0
    if pn == 0:
        hand = proof_hand(arena, depth)
    elif dn == 0:
        hand, tainted = disproof_hand(arena, depth)
    state = frame.state & WORD | hand << HAND_SHIFT
    store_pds_entry(
        arena, state, pn, dn, arena.search.epoch if tainted else 0, arena.search.nodes - frame.began
    )
    told = arena.answer if depth == 0 else arena.known[depth - 1, arena.frames[depth - 1].best]
    told.pn, told.dn, told.hand, told.tainted = pn, dn, hand, tainted
    arena.standing[path_counter_index(frame.state)] -= 1
    arena.search.depth = depth


@jit
def next_unverified_candidate(arena):
    """A candidate without a disproof of its own, each once; 0 if there are no more."""
    search = arena.search
    while search.handed < search.candidates:
        state = arena.candidates[search.handed]
        search.handed += 1
        look_up_pds_entry(arena, state, arena.seen)
        if arena.seen.dn != 0:
            return state
    return 0
