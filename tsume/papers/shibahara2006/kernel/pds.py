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
from tsume.papers.shibahara2006.kernel.moves import HAND_SHIFT, TURN, WORD, children
from tsume.papers.shibahara2006.kernel.table import NEVER, contains, look_up, store
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
def begin(a, state):
    """Put a position at the bottom of the stack, without thresholds."""
    while a.search.depth > 0:  # left behind by an interrupted search
        a.search.depth -= 1
        a.standing[standing_place(a.frames[a.search.depth].state)] -= 1
    enter(a, state, NEVER, NEVER)


@jit
def enter(a, state, pn_goal, dn_goal):
    """Expand a position on top of the stack: its children with what is known of them."""
    depth = a.search.depth
    frame = a.frames[depth]
    frame.state, frame.pn_goal, frame.dn_goal, frame.best = state, pn_goal, dn_goal, -1
    frame.began = a.search.nodes
    a.standing[standing_place(state)] += 1
    frame.children = children(a.rules, state, a.moves)
    a.search.depth = depth + 1
    a.search.nodes += 1
    for i in range(frame.children):
        child = a.known[depth, i]
        child.state = a.moves[i]
        if not repeats(a, child):
            look_up(a, child.state, child)


@jit_inline
def standing_place(state):
    """Where the positions on the path with this board are counted, with a few other boards."""
    return np.int64((np.uint64(state & WORD) * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(50))


@jit
def repeats(a, child):
    """Disprove a child that stands on the path already, and log the position it comes back to."""
    if a.standing[standing_place(child.state)] == 0:
        return False
    hand = child.state >> HAND_SHIFT
    for i in range(a.search.depth):
        above = a.frames[i].state
        if (above ^ child.state) & WORD == 0 and contains(above >> HAND_SHIFT, hand):
            child.pn, child.dn, child.hand, child.tainted = NEVER, 0, above >> HAND_SHIFT, 1
            log(a, above)
            return True
    return False


@jit
def log(a, state):
    """Note a candidate, once for each question."""
    search = a.search
    if search.candidates >= CANDIDATES // 2:
        search.lost = 1
        return
    mixed = np.uint64(state) * np.uint64(0xD6E8FEB86659FD93)
    place = np.int64((mixed >> np.uint64(32)) & np.uint64(CANDIDATES - 1))
    while a.logged[place, 1] == search.epoch:
        if a.logged[place, 0] == state:
            return
        place = (place + 1) & (CANDIDATES - 1)
    a.logged[place, 0], a.logged[place, 1] = state, search.epoch
    a.candidates[search.candidates] = state
    search.candidates += 1


@jit
def run(a, until):
    """Search until the bottom of the stack is decided or ``until`` nodes have been searched.

    The answer is left in ``a.answer``. None is given once a candidate was lost: the
    disproofs that rest on it could not be verified.
    """
    search = a.search
    while search.nodes < until:
        if search.lost:
            return FULL
        depth = search.depth - 1
        frame = a.frames[depth]
        pn, dn = counts(a, depth)
        if pn == 0 or dn == 0 or (pn >= frame.pn_goal and dn >= frame.dn_goal):
            leave(a, depth, pn, dn)
            if depth == 0:
                return DECIDED
            continue
        if depth == 0 and pn >= HOPELESS and dn >= HOPELESS:
            return FULL
        prove = pn < frame.pn_goal and (dn >= frame.dn_goal or pn <= dn)
        descend(a, depth, choose(a, depth), prove)
    return RUNNING


@jit
def counts(a, depth):
    """A node's proof and disproof number from its children's."""
    frame = a.frames[depth]
    attacker = frame.state & TURN == 0
    least, total, largest = NEVER, 0, 0
    for i in range(frame.children):
        child = a.known[depth, i]
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
def choose(a, depth):
    """The child nearest to the decision: for the attacker to a proof, for the defender to a disproof.

    Of equals the one with the smaller other count (section 4.2).
    """
    frame = a.frames[depth]
    attacker = frame.state & TURN == 0
    best, one, other = -1, NEVER, NEVER
    for i in range(frame.children):
        child = a.known[depth, i]
        first, second = (child.pn, child.dn) if attacker else (child.dn, child.pn)
        if second == 0:
            continue
        if best < 0 or first < one or (first == one and second < other):
            best, one, other = i, first, second
    return best


@jit
def descend(a, depth, best, prove):
    """Search a child with its proof number raised, or its disproof number."""
    frame = a.frames[depth]
    frame.best = best
    child = a.known[depth, best]
    look_up(a, child.state, a.seen)
    if a.seen.pn == 0 or a.seen.dn == 0:
        child.pn, child.dn, child.hand, child.tainted = a.seen.pn, a.seen.dn, a.seen.hand, a.seen.tainted
        return
    child.pn, child.dn = max(child.pn, a.seen.pn), max(child.dn, a.seen.dn)
    if depth + 1 >= DEPTH:
        child.pn, child.dn, child.hand, child.tainted = NEVER, 0, child.state >> HAND_SHIFT, 1
        log(a, child.state)
        return
    pn_goal, dn_goal = child.pn, child.dn
    if prove:
        pn_goal += 1 + child.pn // 4
    else:
        dn_goal += 1 + child.dn // 4
    enter(a, child.state, pn_goal, dn_goal)


@jit
def leave(a, depth, pn, dn):
    """Take the top of the stack away; keep what came out and tell the node above."""
    frame = a.frames[depth]
    hand, tainted = frame.state >> HAND_SHIFT, 0
    if pn == 0:
        hand = proof_hand(a, depth)
    elif dn == 0:
        hand, tainted = disproof_hand(a, depth)
    state = frame.state & WORD | hand << HAND_SHIFT
    store(a, state, pn, dn, a.search.epoch if tainted else 0, a.search.nodes - frame.began)
    told = a.answer if depth == 0 else a.known[depth - 1, a.frames[depth - 1].best]
    told.pn, told.dn, told.hand, told.tainted = pn, dn, hand, tainted
    a.standing[standing_place(frame.state)] -= 1
    a.search.depth = depth


@jit
def next_candidate(a):
    """A candidate without a disproof of its own, each once; 0 if there are no more."""
    search = a.search
    while search.handed < search.candidates:
        state = a.candidates[search.handed]
        search.handed += 1
        look_up(a, state, a.seen)
        if a.seen.dn != 0:
            return state
    return 0
