# SPDX-License-Identifier: GPL-3.0-or-later
"""Every position of a set of pieces has a number.

A position is seen by its mover, who moves up the board. Its number: the cells of both
kings, then the places of the second kind's pieces, then those of the first's. A place of
a piece is a number too: a cell, plus twelve if it is the other side's, plus twenty-four
if it is promoted; the two last places are the mover's hand and the other's. Pieces of a
kind are interchangeable: their places, sorted, are ranked as a combination with repetition.
"""

from tsume.papers.shibahara2006.kernel.moves import BOARD, CELLS, DEFENDER, KING
from tsume_rules.kernel.compile import jit, jit_inline


@jit_inline
def rank_of_placement(e, first, pieces):
    """The rank of the sorted places ``e[first]`` and after."""
    if pieces == 0:
        return 0
    if pieces == 2:
        low, high = min(e[first], e[first + 1]), max(e[first], e[first + 1])
        return low + high * (high + 1) // 2
    for i in range(first + 1, first + 4):
        j = i
        while j > first and e[j - 1] > e[j]:
            e[j - 1], e[j] = e[j], e[j - 1]
            j -= 1
    a, b, c, d = e[first], e[first + 1], e[first + 2], e[first + 3]
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6 + d * (d + 1) * (d + 2) * (d + 3) // 24


@jit
def placement_of_rank(number, pieces, out):
    """Write the sorted places of a rank to ``out``."""
    if pieces == 2:
        high = 0
        while (high + 1) * (high + 2) // 2 <= number:
            high += 1
        out[0], out[1] = number - high * (high + 1) // 2, high
        return
    left = number
    d = 0
    while (d + 1) * (d + 2) * (d + 3) * (d + 4) // 24 <= left:
        d += 1
    left -= d * (d + 1) * (d + 2) * (d + 3) // 24
    c = 0
    while (c + 1) * (c + 2) * (c + 3) // 6 <= left:
        c += 1
    left -= c * (c + 1) * (c + 2) // 6
    b = 0
    while (b + 1) * (b + 2) // 2 <= left:
        b += 1
    out[0], out[1], out[2], out[3] = left - b * (b + 1) // 2, b, c, d


@jit
def fill_placement_tables(g, slot):
    """Fill the tables of one kind: for each rank its places, cells, and whether it is possible."""
    pieces = g.pieces[slot]
    hands = g.hands[slot]
    for number in range(g.ranks[slot]):
        places = g.places[slot, number]
        placement_of_rank(number, pieces, places)
        cells, files, good = 0, 0, True
        for i in range(pieces):
            place = places[i]
            if place >= hands:
                continue
            cell, side, promoted = place % CELLS, place // CELLS & 1, place // (2 * CELLS)
            good = good and not cells >> cell & 1
            cells |= 1 << cell
            good = good and g.rules.alive[2 + 2 * slot + promoted + DEFENDER * side] >> cell & 1 != 0
            if g.rules.pawn[slot] and not promoted:
                file = 1 << (3 * side + cell % 3)
                good = good and not files & file
                files |= file
        g.cells[slot, number] = cells if good else -1


@jit
def set_up_endgame_position(g, mine, theirs, one, second):
    """Set a position up in the scratch space."""
    s = g.scratch
    s.kings[0], s.kings[1] = mine, theirs
    s.own, s.other = 1 << mine, 1 << theirs
    s.board = KING << (4 * mine) | (KING + DEFENDER) << (4 * theirs)
    s.hand, s.other_hand, s.number = 0, 0, 0
    for slot in range(2):
        rank = one if slot == 0 else second
        for i in range(g.pieces[slot]):
            where = g.places[slot, rank, i]
            k = s.number
            s.place[k], s.slot[k], s.cell[k] = where, slot, -1
            s.number = k + 1
            if where < g.hands[slot]:
                cell, side = where % CELLS, where // CELLS & 1
                code = 2 + 2 * slot + where // (2 * CELLS) + DEFENDER * side
                s.cell[k], s.code[k] = cell, code
                s.board |= code << (4 * cell)
                if side == 0:
                    s.own |= 1 << cell
                else:
                    s.other |= 1 << cell
            elif where == g.hands[slot]:
                s.hand += 1 << (3 * slot)
            else:
                s.other_hand += 1 << (3 * slot)


@jit_inline
def exchanged_placement(where, hands):
    """A place as the other side sees it."""
    if where >= hands:
        return 2 * hands + 1 - where
    cell, rest = where % CELLS, where // CELLS
    return CELLS - 1 - cell + CELLS * (rest ^ 1)


@jit
def endgame_number(g, board, hand):
    """The number of a packed position, its mover the attacker."""
    s = g.scratch
    filled_first, filled_second = 0, g.pieces[0]
    mine, theirs = 0, 0
    for cell in range(CELLS):
        code = (board & BOARD) >> (4 * cell) & 15
        side = 1 if code > DEFENDER else 0
        kind = code - DEFENDER * side
        if code == 0:
            continue
        if kind == KING:
            if side == 0:
                mine = cell
            else:
                theirs = cell
            continue
        where = cell + CELLS * side + 2 * CELLS * ((kind - 2) & 1)
        if (kind - 2) // 2 == 0:
            s.sorted[filled_first] = where
            filled_first += 1
        else:
            s.sorted[filled_second] = where
            filled_second += 1
    for slot in range(2):
        own = hand >> (3 * slot) & 7
        end = g.pieces[0] if slot == 0 else g.pieces[0] + g.pieces[1]
        filled = filled_first if slot == 0 else filled_second
        while filled < end:
            s.sorted[filled] = g.hands[slot] + (0 if own > 0 else 1)
            own -= 1
            filled += 1
    one = rank_of_placement(s.sorted, 0, g.pieces[0])
    second = rank_of_placement(s.sorted, g.pieces[0], g.pieces[1])
    return ((mine * CELLS + theirs) * g.ranks[1] + second) * g.ranks[0] + one
