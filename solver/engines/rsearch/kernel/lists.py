# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of RSEARCH, independent of the game: allocating, freeing and cutting (Katoh1988, 2.7)."""

from solver.engines.rsearch.kernel.cells import FRESH, INFINITE, NIL
from tsume_rules.kernel.compile import jit


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
    """Condition 2.7 at a MAX node of kind ALL: free its children with U <= alpha or <= L.

    Returns the leftmost of the others with the greatest U; NIL if there is none.
    """
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
