"""df-pn (Nagai2002), under a bound on the length or without one.

Under a bound every node is a position with the number of plies left, so nothing
repeats on a path: an answer depends on the position only. Without one (n = FOREVER)
a position that repeats on its path is a failure of the attacker there; what rests on
that is tainted, see `solver.engines.checksearch`. Lengths share what is certain through the
table.

An OR node (the attacker to move, n odd) is proved by one child. An AND node (the
defender to move, n even) needs all of them. A group of drops on one cell
is one child: the drops one after the other, and if one of them is disproved the
test for futility, the AND node with the checker slid to the cell and as many plies
left (`SLIDE`). The recursion ends because (n, distance of the
checker) falls.

The search keeps its own stack, so it can be stopped after any node and resumed:
Python drives it in slices.
"""

from solver.engines.dfpn.kernel.arena import (
    A3,
    ARENA,
    DISPROVEN,
    FINISHED,
    MOVE,
    NO_CIRCLE,
    ONE,
    OUT_OF_STACK,
    PROVEN,
    QUARTER,
    RUNNING,
    SLIDE,
    UNKNOWN,
    node_key,
    set_outcome,
)
from solver.engines.dfpn.kernel.expansion import (
    LARGEST,
    below,
    disprove_attack,
    drop_disproven,
    expand_attack,
    expand_defence,
    look_ahead_three,
    next_drop,
    prove_defence,
    remove_child,
    slide_disproven,
    slide_proven,
    take_in_answer,
    take_in_attack,
    try_takers,
)
from solver.engines.dfpn.kernel.hands import FULL_HAND
from solver.engines.dfpn.kernel.outcome import peek
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, store
from tsume_rules.kernel.checks import MAX_MOVES
from tsume_rules.kernel.compile import jit, jit_inline, unit, void
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import ATT, DEF


@unit(a=ARENA)
def begin(a, n, attacker):
    """Start a search for a mate within n plies; True if it is decided at once."""
    search = a.search
    search.top = 0
    search.age += 1
    if peek(a, n, attacker):
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
    frame.state = UNKNOWN
    frame.taint = 0
    frame.th_pn = th_pn
    frame.th_dn = th_dn
    frame.first = search.top
    frame.count = 0
    frame.circle = NO_CIRCLE
    if attacker:
        if search.frontier == A3 and not search.barred and n > 3:
            look_ahead_three(a, frame)
        if frame.state == UNKNOWN:
            expand_attack(a, frame)
    else:
        expand_defence(a, frame)


@jit
def _numbers(frame, kids):
    """The least number that matters, the runner-up's, the sum of the others, the best child.

    Of equals the first; without a bound the one with the smaller other number, for the first
    could lead round in circles for ever, as its other number grows.
    """
    least = INFINITE
    second = INFINITE
    total = 0
    lighter = INFINITE
    circles = frame.n == FOREVER
    best = -1
    for i in range(frame.first, frame.first + frame.count):
        kid = kids[i]
        up = costly(kid) if frame.attacker else int(kid.dn)
        down = int(kid.dn) if frame.attacker else costly(kid)
        total += down
        if up < least or (circles and up == least and down < lighter):
            second = least
            least = up
            lighter = down
            best = i
        elif up < second:
            second = up
    return least, second, min(total, LARGEST), best


@jit_inline
def costly(kid):
    """A child's proof number with the cost of its move."""
    return max(int(kid.pn) + int(kid.cost), 1)


@jit
def _farther(search, frame, kids, second):
    """How far the best child's number may go, given the runner-up's."""
    if search.extension == QUARTER:
        return second + second // 4 + 1
    if search.extension == ONE:
        return second + 1
    total = 0
    for i in range(frame.first, frame.first + frame.count):
        total += costly(kids[i]) if frame.attacker else int(kids[i].dn)
    return second + max(min(total // frame.count, 2), 1)


@unit(a=ARENA)
def run(a, budget):
    """Search on until the root is decided or ``budget`` more nodes are expanded."""
    search = a.search
    limit = search.nodes + budget
    room = len(a.kids) - 2 * MAX_MOVES
    while True:
        frame = a.frames[search.depth - 1]
        least, second, total, best = 0, 0, 0, -1
        if frame.state == UNKNOWN:
            least, second, total, best = _numbers(frame, a.kids)
            if search.depth == 1:
                search.peak = max(search.peak, least if frame.attacker else total)
            th_up = frame.th_pn if frame.attacker else frame.th_dn
            th_down = frame.th_dn if frame.attacker else frame.th_pn
            if least < th_up and total < th_down:
                if search.nodes >= limit:
                    return RUNNING
                if search.top > room or search.depth + 1 >= len(a.frames):
                    return OUT_OF_STACK
                _descend(a, best, min(th_up, _farther(search, frame, a.kids, second)), th_down - total)
                continue
        _settle(a, frame, least, total)
        search.top = frame.first
        search.depth -= 1
        if search.depth == 0:
            return FINISHED
        _return(a)


@jit
def _descend(a, best, up, down):
    """Play the chosen child's move and enter it with its thresholds."""
    frame = a.frames[a.search.depth - 1]
    kid = a.kids[best]
    frame.current = best
    slide = kid.kind == SLIDE
    if frame.attacker:
        frame.captured = do(a.pos, int(kid.move), ATT)
        th_pn, th_dn = up - int(kid.cost), down + int(kid.dn)
    else:
        frame.captured = do(a.pos, int(kid.move), ATT if slide else DEF)
        th_pn, th_dn = down + costly(kid) - int(kid.cost), up
    n = int(frame.n) if slide else below(int(frame.n))
    attacker = not frame.attacker and not slide
    _push(a, n, attacker, th_pn, th_dn)


@jit
def _settle(a, frame, least, total):
    """Store a node's outcome and leave it in the search record."""
    search = a.search
    search.circle = NO_CIRCLE
    if frame.state == PROVEN:
        set_outcome(search, 0, INFINITE, int(frame.length), int(frame.proof_hand), 0)
    elif frame.state == DISPROVEN:
        set_outcome(search, INFINITE, 0, int(frame.length), int(frame.disproof_hand), int(frame.taint))
        if frame.circle < search.depth - 1:
            search.circle = frame.circle
            return
    elif frame.attacker:
        set_outcome(search, least, total, int(frame.n), int(frame.hand), 0)
    else:
        set_outcome(search, total, least, int(frame.n), int(frame.hand), 0)
    store(
        a.table, search, frame.key, frame.slot, int(frame.hand), search.pn, search.dn,
        search.length, search.hand, search.taint, search.nodes - frame.started + 1,
    )  # fmt: skip


@jit
def _return(a):
    """Back in the parent: undo its move and take in what the child came to."""
    search = a.search
    frame = a.frames[search.depth - 1]
    index = int(frame.current)
    kid = a.kids[index]
    slide = kid.kind == SLIDE
    move = int(kid.move)
    undo(a.pos, move, ATT if frame.attacker or slide else DEF, int(frame.captured))
    if search.pn != 0 and search.dn != 0:
        kid.pn = search.pn
        kid.dn = search.dn
    elif frame.attacker:
        take_in_attack(search, frame, move, int(frame.captured))
        remove_child(a, frame, index)
        if frame.count == 0 and frame.state == UNKNOWN:
            disprove_attack(frame)
    elif slide:
        _return_from_slide(a, frame, index)
    elif kid.kind != MOVE:
        if search.dn == 0:
            drop_disproven(a, frame, index, move)
        else:
            take_in_answer(search, frame, FULL_HAND)
            next_drop(a, frame, index)
    else:
        take_in_answer(search, frame, int(kid.cap_hand))
        remove_child(a, frame, index)
    if not frame.attacker and frame.count == 0 and frame.state == UNKNOWN:
        prove_defence(frame)


@jit
def _return_from_slide(a, frame, index):
    search = a.search
    if search.pn == 0:
        slide_proven(search, frame)
        remove_child(a, frame, index)
    else:
        frame.circle = min(frame.circle, search.circle)
        slide_disproven(search, a.kids[index])
        try_takers(a, frame, index)


@unit(void, a=ARENA)
def abandon(a):
    """Undo all moves of an unfinished search."""
    search = a.search
    while search.depth > 1:
        search.depth -= 1
        frame = a.frames[search.depth - 1]
        kid = a.kids[int(frame.current)]
        side = ATT if frame.attacker or kid.kind == SLIDE else DEF
        undo(a.pos, int(kid.move), side, int(frame.captured))
    search.depth = 0
