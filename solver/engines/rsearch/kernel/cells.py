# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of RSEARCH: its cells, its path, its state."""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.compile import Array, Tuple, int64, jit, named_tuple, record, struct, structs

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
