"""The lists of RSEARCH, independent of the game: allocating, freeing and cutting (Katoh1988, 2.7)."""

from solver.engines.rsearch.kernel.cells import FRESH, INFINITE, NIL
from tsume_rules.kernel.compile import jit


@jit
def allocate(a, move, upper):
    """Allocate a cell for a node not developed yet; returns its index."""
    search = a.search
    i = search.free
    if i != NIL:
        search.free = a.cells[i].sibling
    else:
        i = search.fresh
        search.fresh += 1
    search.cells += 1
    search.most_cells = max(search.most_cells, search.cells)
    cell = a.cells[i]
    cell.move = move
    cell.upper = upper
    cell.best = -INFINITE
    cell.child = NIL
    cell.sibling = NIL
    cell.kind = FRESH
    cell.asked = 0
    return i


@jit
def release(a, i):
    """Free the cells of a node and of all nodes below it."""
    search = a.search
    a.cells[i].sibling = NIL
    while i != NIL:
        following = a.cells[i].sibling
        child = a.cells[i].child
        while child != NIL:
            sibling = a.cells[child].sibling
            a.cells[child].sibling = following
            following = child
            child = sibling
        a.cells[i].sibling = search.free
        search.free = i
        search.cells -= 1
        i = following


@jit
def cut(a, cell, alpha):
    """Condition 2.7 at a MAX node of kind ALL: free its children with U <= alpha or <= L.

    Returns the leftmost of the others with the greatest U; NIL if there is none.
    """
    alpha = max(alpha, cell.best)
    chosen = NIL
    previous = NIL
    i = cell.child
    while i != NIL:
        child = a.cells[i]
        sibling = child.sibling
        if child.upper <= alpha:
            cell.best = max(cell.best, child.upper)
            if previous == NIL:
                cell.child = sibling
            else:
                a.cells[previous].sibling = sibling
            release(a, i)
        else:
            if chosen == NIL or child.upper > a.cells[chosen].upper:
                chosen = i
            previous = i
        i = sibling
    return chosen
