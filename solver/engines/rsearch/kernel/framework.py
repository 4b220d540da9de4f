"""RSEARCH (Katoh1988, section 4), for any game: recursive SSS* in a given space.

A list is the search tree of one call. Each of its nodes has an upper bound U of its value
to the root of the call; a MAX node also has L, the value of its best finished child. Alpha
is the greatest L of the MAX nodes above. A call selects, of the nodes not developed, the one
with the greatest U, the leftmost on ties (the rule of SSS*), and

- evaluates it if it is a leaf;
- expands it into its own list if it is less than c plies below the root of the call and
  fewer than c1 cells are in use (the paper's cond, 4.2 and 4.3, is then false: step R5).
  The root is always expanded;
- otherwise solves it by a call of its own (step R4.2), whose cells are freed when it returns.

U is the paper's Ub (2.2), no greater than that of any MIN node above (Ut, 2.5); L and alpha
are its Lb (2.3) and Lt (2.6). So the cut condition (2.7) is U <= alpha or U <= L. A MAX node
has all its children in the list, a MIN node only the one being searched: the next is added
when that one is finished. The paper's step R5 adds all of them; the order in which leaves
are evaluated is the same, with fewer cells.

With c = 1 this is alpha-beta; with c at least the height of the tree it is SSS* (section 4.2).
From below, the same search is applied to the tree with the players exchanged and the values
negated.

The functions here are templates: `make_rsearch` replaces the functions of `game` with those
of a game and compiles them. A call in the sense of the paper is an entry of a stack
(``path[k].call``), not a call of a kernel, so the search can be stopped after any node and
resumed.
"""

from solver.engines.rsearch.kernel.cells import (
    ALL,
    FINISHED,
    FRESH,
    INFINITE,
    NIL,
    ONE,
    OUT_OF_CELLS,
    RUNNING,
    TOO_DEEP,
)
from solver.engines.rsearch.kernel.game import bounds, maximises, moves, play, retract, value
from solver.engines.rsearch.kernel.lists import allocate, cut, release


def begin(a, alpha, beta, depth, room, strict, dual):
    """Start a search of the tree below the game's present state, between alpha and beta."""
    search = a.search
    search.depth = depth
    search.room = room
    search.strict = strict
    search.dual = dual
    search.level = 0
    search.calls = 1
    search.value = 0
    search.leaves = 0
    search.visited = 0
    search.begun = 0
    search.cells = 0
    search.most_cells = 0
    search.free = NIL
    search.fresh = 0
    for i in range(len(a.path)):
        a.path[i].widest = 0
        a.path[i].narrow = 0
        a.path[i].listed = NIL
    a.path[0].cell = allocate(a, 0, -alpha if dual else beta)
    a.path[0].alpha = -beta if dual else alpha
    a.path[0].call = 0


def run(a, state, nodes):
    """Visit up to ``nodes`` more nodes. Returns RUNNING, FINISHED, OUT_OF_CELLS or TOO_DEEP.

    After OUT_OF_CELLS it can be resumed with a longer array of cells that begins with the old one.
    """
    search = a.search
    limit = search.visited + nodes
    while search.calls > 0:
        if search.visited >= limit:
            return RUNNING
        descend(a, state)
        status = develop(a, state)
        if status != RUNNING:
            return status
    return FINISHED


def abandon(a, state):
    """Give the search up: retract the moves of the path."""
    while a.search.level > 0:
        retract(state)
        a.search.level -= 1
    a.search.calls = 0


def descend(a, state):
    """Play down to the node to develop: at a MAX node to the child with the greatest U."""
    search = a.search
    while True:
        step = a.path[search.level]
        cell = a.cells[step.cell]
        if cell.kind == FRESH:
            return
        child = cut(a, cell, step.alpha) if cell.kind == ALL else cell.child
        play(state, a.cells[child].move)
        search.level += 1
        below = a.path[search.level]
        below.cell = child
        below.alpha = max(step.alpha, cell.best)


def develop(a, state):
    """Evaluate the present node, or expand it in the call's list or in one of its own."""
    search = a.search
    level = search.level
    cell = a.cells[a.path[level].cell]
    if not cell.asked and is_bounded(a, state, cell):
        return RUNNING
    step = a.path[level]
    step.listed = NIL
    count = moves(state, a.moves[level])
    if count == 0:
        search.visited += 1
        search.leaves += 1
        worth = -value(state) if search.dual else value(state)
        finish(a, state, min(cell.upper, worth))
        return RUNNING
    if level + 1 >= len(a.path):
        return TOO_DEEP
    maximising = maximises(state) != (search.dual != 0)
    wanted = count if maximising else 1
    fits = not search.strict or search.cells + wanted <= len(a.cells) - len(a.path)
    if not search.strict and search.cells + wanted > len(a.cells):
        return OUT_OF_CELLS
    root = a.path[search.calls - 1].call
    if level > root and not (level - root < search.depth and search.cells < search.room and fits):
        a.path[search.calls].call = level
        search.calls += 1
        search.begun += 1
    search.visited += 1
    expand(a, cell, count, maximising, maximising and fits)
    return RUNNING


def is_bounded(a, state, cell):
    """Apply the game's own bounds; True if there is nothing to develop now."""
    search = a.search
    cell.asked = 1
    lower, upper = bounds(state)
    if search.dual:
        lower, upper = -upper, -lower
    upper = min(upper, cell.upper)
    if lower >= upper or upper <= a.path[search.level].alpha:
        search.visited += 1
        finish(a, state, upper)
        return True
    if upper < cell.upper:
        climb(a, state, upper)
        return True
    return False


def expand(a, cell, count, maximising, all_at_once):
    """Add a node's children to the list: all of them, or the first."""
    level = a.search.level
    step = a.path[level]
    step.listed = step.cell
    cell.maximises = maximising
    cell.count = count
    cell.tried = 0
    cell.kind = ALL if all_at_once else ONE
    if all_at_once:
        step.widest = max(step.widest, count)
    else:
        step.narrow = 1
    for k in range(count - 1 if all_at_once else 0, -1, -1):
        child = allocate(a, a.moves[level, k], cell.upper)
        a.cells[child].sibling = cell.child
        cell.child = child


def finish(a, state, worth):
    """Leave the present node with its value ``worth``, and the nodes above that it finishes."""
    search = a.search
    while True:
        done = a.path[search.level].cell
        if search.level == a.path[search.calls - 1].call:
            search.calls -= 1
        if search.level == 0:
            release(a, done)
            search.value = -worth if search.dual else worth
            return
        retract(state)
        search.level -= 1
        step = a.path[search.level]
        cell = a.cells[step.cell]
        if cell.kind == ALL:
            cell.best = max(cell.best, worth)
            a.cells[done].upper = -INFINITE  # so that `cut` frees it
            chosen = cut(a, cell, step.alpha)
            if chosen != NIL:
                climb(a, state, a.cells[chosen].upper)
                return
            worth = cell.best
        else:
            cell.child = NIL
            release(a, done)
            if cell.maximises:
                cell.best = max(cell.best, worth)
                upper = cell.upper
                closed = cell.best >= upper
                worth = cell.best
            else:
                upper = min(cell.upper, worth)
                closed = upper <= step.alpha
                worth = upper
            if not closed and cell.tried + 1 < cell.count:
                cell.tried += 1
                list_again(a, state)
                cell.child = allocate(a, a.moves[search.level, cell.tried], upper)
                climb(a, state, upper)
                return


def list_again(a, state):
    """Write the moves of the present node, expanded before, to its level's row if they are not there."""
    level = a.search.level
    step = a.path[level]
    if step.listed != step.cell:
        moves(state, a.moves[level])
        step.listed = step.cell


def climb(a, state, upper):
    """Set the present node's U to ``upper`` and go up until nothing changes."""
    search = a.search
    while True:
        cell = a.cells[a.path[search.level].cell]
        if cell.upper == upper:
            return
        cell.upper = upper
        if search.level == a.path[search.calls - 1].call:
            return
        retract(state)
        search.level -= 1
        step = a.path[search.level]
        cell = a.cells[step.cell]
        if cell.kind == ALL:
            upper = a.cells[cut(a, cell, step.alpha)].upper
        elif cell.maximises:
            return


TEMPLATES = (list_again, climb, finish, expand, is_bounded, develop, descend, begin, run, abandon)
"""Each comes after those that it calls."""
