# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH (Katoh1988, section 4), for any game: recursive SSS* in a given space.

A list is the search tree of one call. Each of its nodes has an upper bound U of its value to the root of the call; a
MAX node also has L, the value of its best finished child. Alpha is the greatest L of the MAX nodes above. A call
selects, of the nodes not developed, the one with the greatest U, the leftmost on ties (the rule of SSS*), and

- evaluates it if it is a leaf;
- expands it into its own list if it is less than c plies below the root of the call and
  fewer than c1 cells are in use (the paper's cond, 4.2 and 4.3, is then false: step R5).
  The root is always expanded;
- otherwise solves it by a call of its own (step R4.2), whose cells are freed when it returns.

U is the paper's Ub (2.2), no greater than that of any MIN node above (Ut, 2.5); L and alpha are its Lb (2.3) and Lt
(2.6). So the cut condition (2.7) is U <= alpha or U <= L. A MAX node has all its children in the list, a MIN node only
the one being searched: the next is added when that one is finished. The paper's step R5 adds all of them; the order in
which leaves are evaluated is the same, with fewer cells.

With c = 1 this is alpha-beta; with c at least the height of the tree it is SSS* (section 4.2). From below, the same
search is applied to the tree with the players exchanged and the values negated.

The functions here are templates: `make_rsearch` replaces the functions of `game` with those
of a game and compiles them. A call in the sense of the paper is an entry of a stack
(``path[k].call``), not a call of a kernel, so the search can be stopped after any node and
resumed.
"""

from __future__ import annotations

from collections import namedtuple
from types import FunctionType

import numpy as np

from tsume_rules.kernel.compile import Array, Tuple, export, int64, jit, named_tuple, record, struct, structs, void

INFINITE = 1 << 30
"""Larger than any value of a game."""
NIL = -1
FRESH, ALL, ONE = 0, 1, 2
"""A node not developed yet; one with all its children in the list; one with only the child
being searched in the list."""
RUNNING, FINISHED, OUT_OF_CELLS, TOO_DEEP = 0, 1, 2, 3

CELL = record(
    [
        ("move", np.int64),  # the move that leads here
        ("upper", np.int32),  # U: the upper bound of its value to the root of the call
        ("best", np.int32),  # MAX: the greatest value of a finished or cut child (L)
        ("child", np.int32),  # the first child in the list, NIL if none
        ("sibling", np.int32),  # the next child of the same parent; the next free cell
        ("count", np.int32),  # the number of its moves
        ("tried", np.int32),  # ONE: the index of the child's move
        ("kind", np.int8),  # FRESH, ALL or ONE
        ("maximises", np.int8),  # whether it is a MAX node
        ("asked", np.int8),  # whether the game was asked for bounds of its value
    ]
)
"""A cell: one node of a list, the unit in which space is counted."""

STEP = record(
    [
        ("cell", np.int32),  # the node of the path at this level
        ("alpha", np.int32),  # the greatest L of the MAX nodes above it
        ("call", np.int32),  # the level of the root of the call with this index
        ("widest", np.int32),  # the most moves that a MAX node of this level had
        ("listed", np.int32),  # the expanded node whose moves the level's row holds
        ("narrow", np.int32),  # whether a MIN node of this level has been developed
    ]
)

SEARCH = record(
    [
        ("depth", np.int32),  # c: nodes less than this deep below a call's root join its list
        ("room", np.int64),  # c1: a list grows while fewer cells are in use
        ("strict", np.int8),  # whether the number of cells is fixed
        ("dual", np.int8),  # whether the tree is searched from below
        ("level", np.int32),  # the level of the present node
        ("calls", np.int32),  # calls under way
        ("value", np.int32),  # of the root, when finished
        ("leaves", np.int64),  # leaves evaluated
        ("visited", np.int64),  # nodes developed, leaves among them
        ("begun", np.int64),  # recursive calls, without the first
        ("cells", np.int64),  # cells in use
        ("most_cells", np.int64),
        ("free", np.int32),  # the first cell given back, NIL if none
        ("fresh", np.int32),  # the first cell never used
    ]
)

Space = named_tuple("Space", "search cells path moves")
"""The state (one `SEARCH`), the cells, a `STEP` for each level, a row of moves for each level."""
SPACE = Tuple([struct(SEARCH), structs(CELL), structs(STEP), Array(int64, 2)], Space)
"""The type of a `Space`."""


# ---------------------------------------------------------------------------------------------------
#
# The lists of RSEARCH, independent of the game: allocating, freeing and cutting (Katoh1988, 2.7).


@jit
def allocate_cell(arena, move, upper):
    """Allocate a cell for a node not developed yet; returns its index."""
    search = arena.search
    i = search.free
    if i != NIL:
        search.free = arena.cells[i].sibling
    else:
        i = search.fresh
        search.fresh += 1
    search.cells += 1
    search.most_cells = max(search.most_cells, search.cells)
    cell = arena.cells[i]
    cell.move = move
    cell.upper = upper
    cell.best = -INFINITE
    cell.child = NIL
    cell.sibling = NIL
    cell.kind = FRESH
    cell.asked = 0
    return i


@jit
def release_cells(arena, i):
    """Free the cells of a node and of all nodes below it."""
    search = arena.search
    arena.cells[i].sibling = NIL
    while i != NIL:
        following = arena.cells[i].sibling
        child = arena.cells[i].child
        while child != NIL:
            sibling = arena.cells[child].sibling
            arena.cells[child].sibling = following
            following = child
            child = sibling
        arena.cells[i].sibling = search.free
        search.free = i
        search.cells -= 1
        i = following


@jit
def cut_children(arena, cell, alpha):
    """Condition 2.7 at a MAX node of kind ALL: free its children with U <= alpha or <= L. Returns the
    leftmost of the others with the greatest U; NIL if there is none."""
    alpha = max(alpha, cell.best)
    chosen = NIL
    previous = NIL
    i = cell.child
    while i != NIL:
        child = arena.cells[i]
        sibling = child.sibling
        if child.upper <= alpha:
            cell.best = max(cell.best, child.upper)
            if previous == NIL:
                cell.child = sibling
            else:
                arena.cells[previous].sibling = sibling
            release_cells(arena, i)
        else:
            if chosen == NIL or child.upper > arena.cells[chosen].upper:
                chosen = i
            previous = i
        i = sibling
    return chosen


# ---------------------------------------------------------------------------------------------------
#
# The functions RSEARCH needs of a game: kernels over a state, a tuple of arrays private to the game.

Game = namedtuple(
    "Game", "name list_moves leaf_value play_move retract_move is_max_to_move value_bounds state", defaults=(None, None)
)
"""A game's functions, each as below, its name, a unique identifier, and the type of a state. ``value_bounds`` may be
left out; without the type, the search runs as Python."""


def list_moves(state, out):
    """Write the moves to ``out`` (int64) in the order in which they are to be searched. Returns their number,
    0 at a leaf. The same state always gives the same moves."""
    raise NotImplementedError


def leaf_value(state):
    """Return the value of a leaf to MAX."""
    raise NotImplementedError


def play_move(state, move):
    """Play a move; the state keeps what is needed to retract it."""
    raise NotImplementedError


def retract_move(state):
    """Retract the last move."""
    raise NotImplementedError


def is_max_to_move(state):
    """Return whether MAX is to move."""
    raise NotImplementedError


def value_bounds(_state):
    """Return a lower and an upper bound of a node's value; here none, for games without bounds."""
    return -INFINITE, INFINITE


# --- RSEARCH, for any game -------------------------------------------------------------------------


def begin_rsearch(arena, alpha, beta, depth, room, strict, dual):
    """Start a search of the tree below the game's present state, between alpha and beta."""
    search = arena.search
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
    for i in range(len(arena.path)):
        arena.path[i].widest = 0
        arena.path[i].narrow = 0
        arena.path[i].listed = NIL
    arena.path[0].cell = allocate_cell(arena, 0, -alpha if dual else beta)
    arena.path[0].alpha = -beta if dual else alpha
    arena.path[0].call = 0


def continue_rsearch(arena, state, nodes):
    """Visit up to ``nodes`` more nodes. Returns RUNNING, FINISHED, OUT_OF_CELLS or TOO_DEEP. After
    OUT_OF_CELLS it can be resumed with a longer array of cells that begins with the old one."""
    search = arena.search
    limit = search.visited + nodes
    while search.calls > 0:
        if search.visited >= limit:
            return RUNNING
        descend_to_best_bound(arena, state)
        status = develop_node(arena, state)
        if status != RUNNING:
            return status
    return FINISHED


def abandon_rsearch(arena, state):
    """Give the search up: retract the moves of the path."""
    while arena.search.level > 0:
        retract_move(state)
        arena.search.level -= 1
    arena.search.calls = 0


def descend_to_best_bound(arena, state):
    """Play down to the node to develop: at a MAX node to the child with the greatest U."""
    search = arena.search
    while True:
        step = arena.path[search.level]
        cell = arena.cells[step.cell]
        if cell.kind == FRESH:
            return
        child = cut_children(arena, cell, step.alpha) if cell.kind == ALL else cell.child
        play_move(state, arena.cells[child].move)
        search.level += 1
        below = arena.path[search.level]
        below.cell = child
        below.alpha = max(step.alpha, cell.best)


def develop_node(arena, state):
    """Evaluate the present node, or expand it in the call's list or in one of its own."""
    search = arena.search
    level = search.level
    cell = arena.cells[arena.path[level].cell]
    if not cell.asked and apply_game_bounds(arena, state, cell):
        return RUNNING
    step = arena.path[level]
    step.listed = NIL
    count = list_moves(state, arena.moves[level])
    if count == 0:
        search.visited += 1
        search.leaves += 1
        worth = -leaf_value(state) if search.dual else leaf_value(state)
        finish_node(arena, state, min(cell.upper, worth))
        return RUNNING
    if level + 1 >= len(arena.path):
        return TOO_DEEP
    maximising = is_max_to_move(state) != (search.dual != 0)
    wanted = count if maximising else 1
    fits = not search.strict or search.cells + wanted <= len(arena.cells) - len(arena.path)
    if not search.strict and search.cells + wanted > len(arena.cells):
        return OUT_OF_CELLS
    root = arena.path[search.calls - 1].call
    if level > root and not (level - root < search.depth and search.cells < search.room and fits):
        arena.path[search.calls].call = level
        search.calls += 1
        search.begun += 1
    search.visited += 1
    expand_node(arena, cell, count, maximising, maximising and fits)
    return RUNNING


def apply_game_bounds(arena, state, cell):
    """Apply the game's own bounds; True if there is nothing to develop now."""
    search = arena.search
    cell.asked = 1
    lower, upper = value_bounds(state)
    if search.dual:
        lower, upper = -upper, -lower
    upper = min(upper, cell.upper)
    if lower >= upper or upper <= arena.path[search.level].alpha:
        search.visited += 1
        finish_node(arena, state, upper)
        return True
    if upper < cell.upper:
        update_ancestors(arena, state, upper)
        return True
    return False


def expand_node(arena, cell, count, maximising, all_at_once):
    """Add a node's children to the list: all of them, or the first."""
    level = arena.search.level
    step = arena.path[level]
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
        child = allocate_cell(arena, arena.moves[level, k], cell.upper)
        arena.cells[child].sibling = cell.child
        cell.child = child


def finish_node(arena, state, worth):
    """Leave the present node with its value ``worth``, and the nodes above that it finishes."""
    search = arena.search
    while True:
        done = arena.path[search.level].cell
        if search.level == arena.path[search.calls - 1].call:
            search.calls -= 1
        if search.level == 0:
            release_cells(arena, done)
            search.value = -worth if search.dual else worth
            return
        retract_move(state)
        search.level -= 1
        step = arena.path[search.level]
        cell = arena.cells[step.cell]
        if cell.kind == ALL:
            cell.best = max(cell.best, worth)
            arena.cells[done].upper = -INFINITE  # so that `cut_children` frees it
            chosen = cut_children(arena, cell, step.alpha)
            if chosen != NIL:
                update_ancestors(arena, state, arena.cells[chosen].upper)
                return
            worth = cell.best
        else:
            cell.child = NIL
            release_cells(arena, done)
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
                list_moves_again(arena, state)
                cell.child = allocate_cell(arena, arena.moves[search.level, cell.tried], upper)
                update_ancestors(arena, state, upper)
                return


def list_moves_again(arena, state):
    """Write the moves of the present node, expanded before, to its level's row if they are not there."""
    level = arena.search.level
    step = arena.path[level]
    if step.listed != step.cell:
        list_moves(state, arena.moves[level])
        step.listed = step.cell


def update_ancestors(arena, state, upper):
    """Set the present node's U to ``upper`` and go up until nothing changes."""
    search = arena.search
    while True:
        cell = arena.cells[arena.path[search.level].cell]
        if cell.upper == upper:
            return
        cell.upper = upper
        if search.level == arena.path[search.calls - 1].call:
            return
        retract_move(state)
        search.level -= 1
        step = arena.path[search.level]
        cell = arena.cells[step.cell]
        if cell.kind == ALL:
            upper = arena.cells[cut_children(arena, cell, step.alpha)].upper
        elif cell.maximises:
            return


TEMPLATES = (
    list_moves_again,
    update_ancestors,
    finish_node,
    expand_node,
    apply_game_bounds,
    develop_node,
    descend_to_best_bound,
)
"""What `Kernels` call; each comes after those that it calls."""


# --- RSEARCH compiled for a game -------------------------------------------------------------------

__all__ = ["Game", "Kernels", "make_rsearch"]

Kernels = namedtuple("Kernels", "begin_rsearch continue_rsearch abandon_rsearch")


def make_rsearch(game: Game) -> Kernels:
    """Return `begin_rsearch`, `continue_rsearch` and `abandon_rsearch`, compiled for a `Game`.

    Each template is copied with the game's functions as its globals, and with the game's name in its own: kernels are
    known by the modules of their functions, here the game's, and by their names.
    """
    home = game.list_moves.kernel.function.__module__
    names = {**globals(), **game._asdict(), "__name__": home}

    def bind(template, declare):
        function = FunctionType(template.__code__, names, template.__name__)
        function.__qualname__ = f"{template.__name__}_{game.name}"
        function.__doc__ = template.__doc__
        names[template.__name__] = declare(function)

    if game.value_bounds is None:
        bind(value_bounds, jit)
    for template in TEMPLATES:
        bind(template, jit)
    is_called = game.state is not None
    bind(begin_rsearch, export(void, arena=SPACE) if is_called else jit)
    bind(continue_rsearch, export(arena=SPACE, state=game.state) if is_called else jit)
    bind(abandon_rsearch, export(void, arena=SPACE, state=game.state) if is_called else jit)
    return Kernels(*(names[name] for name in Kernels._fields))
