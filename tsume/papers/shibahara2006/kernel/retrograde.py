# SPDX-License-Identifier: GPL-3.0-or-later
"""Every position of a set of pieces, solved backwards from the lost ones.

Positions are numbered as `tsume.papers.shibahara2006.kernel.numbering` says.

First all legal positions are found, and how many moves each has: who has none has lost.
Then round by round, moves are taken back from the positions decided last: a position
with a move to a lost one is won; one whose last move to anything but a won one is gone
is lost. What is never reached is a draw. Apart from the tables of what a piece reaches
nothing here is shared with the search it judges, but `child_positions`, which counts moves
where a king is in check or something may be pinned.
"""

from tsume.papers.shibahara2006.kernel.moves import (
    CELLS,
    DEFENDER,
    HAND_SHIFT,
    KING,
    child_positions,
    pawn_drop_mates,
)
from tsume.papers.shibahara2006.kernel.numbering import (
    exchanged_placement,
    rank_of_placement,
    set_up_endgame_position,
)
from tsume_rules.kernel.compile import jit

UNKNOWN, ILLEGAL = 0, 255
"""Values. Others: one more than the plies to the end, which are odd when the mover wins."""
MOST_PLIES = 250


@jit
def judge_block(g, block):
    """Judge the positions with the kings on two cells: illegal ones, numbers of moves, lost ones.

    Returns how many are legal and how many are lost.
    """
    mine, theirs = block // CELLS, block % CELLS
    first = block * g.ranks[0] * g.ranks[1]
    kings = 1 << mine | 1 << theirs
    legal, lost = 0, 0
    apart = mine != theirs and not g.rules.reach[KING, mine, 0] >> theirs & 1
    for second in range(g.ranks[1]):
        for one in range(g.ranks[0]):
            at = first + second * g.ranks[0] + one
            cells, others = g.cells[0, one], g.cells[1, second]
            g.value[at] = ILLEGAL
            if not apart or cells < 0 or others < 0 or cells & others or (cells | others) & kings:
                continue
            set_up_endgame_position(g, mine, theirs, one, second)
            number = count_moves(g)
            if number < 0:
                continue
            legal += 1
            g.value[at] = UNKNOWN
            g.left[at] = number
            if number == 0:
                g.value[at] = 1
                g.fresh[block * g.ranks[1] + second] |= 1
                lost += 1
    return legal, lost


@jit
def count_moves(g):
    """How many legal moves the mover has; -1 if the position is illegal."""
    s, r = g.scratch, g.rules
    occupied = s.own | s.other
    mine, theirs = s.kings[0], s.kings[1]
    attacked, through = 0, 0
    for k in range(s.number):
        if s.cell[k] < 0:
            continue
        if s.code[k] <= DEFENDER:
            if r.reach[s.code[k], s.cell[k], occupied] >> theirs & 1:
                return -1
        else:
            attacked |= r.reach[s.code[k], s.cell[k], occupied & ~(1 << mine)]
            through |= r.reach[s.code[k], s.cell[k], s.other]
    if through >> mine & 1:
        return child_positions(r, s.board | s.hand << HAND_SHIFT, g.moves)
    attacked |= r.reach[KING, theirs, 0]
    number = g.bits[r.reach[KING, mine, 0] & ~s.own & ~attacked]
    for k in range(s.number):
        if s.cell[k] < 0 or s.code[k] > DEFENDER:
            continue
        targets = r.reach[s.code[k], s.cell[k], occupied] & ~s.own
        number += g.bits[targets & r.alive[s.code[k]]]
        if r.promoted[s.code[k]] != 0:
            number += g.bits[targets if r.zone[0] >> s.cell[k] & 1 else targets & r.zone[0]]
    for slot in range(2):
        if s.hand >> (3 * slot) & 7 == 0:
            continue
        code = 2 + 2 * slot
        targets = ~occupied & r.alive[code]
        if r.pawn[slot]:
            for k in range(s.number):
                if s.cell[k] >= 0 and s.code[k] == code:
                    targets &= ~(0b1001001001 << (s.cell[k] % 3))
            front = theirs + 3
            if front < CELLS and targets >> front & 1:
                after = s.board | code << (4 * front)
                if pawn_drop_mates(r, after, 0, code, front):
                    number -= 1
        number += g.bits[targets]
    return number


@jit
def take_back_from_block(g, block, plies):
    """Take moves back from the positions of a block decided at so many plies; returns how many are new."""
    new = 0
    for second in range(g.ranks[1]):
        row = block * g.ranks[1] + second
        if not g.fresh[row] >> (plies & 1) & 1:
            continue
        g.fresh[row] ^= 1 << (plies & 1)
        for one in range(g.ranks[0]):
            if g.value[row * g.ranks[0] + one] == plies + 1:
                set_up_endgame_position(g, block // CELLS, block % CELLS, one, second)
                new += take_back_all_moves(g, plies)
    return new


@jit
def take_back_all_moves(g, plies):
    """Take back every move that may have led to the position in the scratch space."""
    s, r = g.scratch, g.rules
    s.plies, s.new = plies, 0
    occupied = s.own | s.other
    for k in range(s.number):
        s.turned[k] = exchanged_placement(s.place[k], g.hands[s.slot[k]])
    for i in range(CELLS):
        if g.sources[KING + DEFENDER, s.kings[1], 0] & ~occupied & 1 << i:
            take_back_move_to_cell(g, i, s.kings[1])
    for k in range(s.number):
        if s.cell[k] < 0 or s.code[k] <= DEFENDER:
            continue
        cell, code, slot = s.cell[k], s.code[k], s.slot[k]
        plain = 2 + 2 * slot + DEFENDER
        promoted = code != plain
        before = s.turned[k]
        if not promoted and not is_mate_by_pawn(g, k):
            s.turned[k] = g.hands[slot]
            decide_predecessor(g, s.kings[1])
        for form in range(2 if promoted else 1):
            older = code - form
            sources = g.sources[older, cell, occupied] & ~occupied
            if form == 1 and not r.zone[1] >> cell & 1:
                sources &= r.zone[1]
            for start in range(CELLS):
                if sources >> start & 1:
                    s.turned[k] = CELLS - 1 - start + 2 * CELLS * (older - plain)
                    take_back_move_to_cell(g, s.kings[1], cell)
        s.turned[k] = before
    return s.new


@jit
def is_mate_by_pawn(g, k):
    """Whether the mover is lost to a pawn that may have been dropped: such a drop is no legal move."""
    s, r = g.scratch, g.rules
    return r.pawn[s.slot[k]] and s.plies == 0 and r.reach[s.code[k], s.cell[k], 0] >> s.kings[0] & 1 != 0


@jit
def take_back_move_to_cell(g, king, cell):
    """Take a move to a cell back, without a capture and with each there may have been."""
    decide_predecessor(g, king)
    s = g.scratch
    for slot in range(2):
        if s.other_hand >> (3 * slot) & 7 == 0:
            continue
        taken = 0
        while s.slot[taken] != slot or s.place[taken] != g.hands[slot] + 1:
            taken += 1
        before = s.turned[taken]
        for form in range(g.forms[slot]):
            s.turned[taken] = CELLS - 1 - cell + CELLS + 2 * CELLS * form
            decide_predecessor(g, king)
        s.turned[taken] = before


@jit
def decide_predecessor(g, king):
    """Tell the position in ``turned``, its mover's king on a cell as the other side sees it."""
    s = g.scratch
    for k in range(s.number):
        s.sorted[k] = s.turned[k]
    one = rank_of_placement(s.sorted, 0, g.pieces[0])
    second = rank_of_placement(s.sorted, g.pieces[0], g.pieces[1])
    block = (CELLS - 1 - king) * CELLS + CELLS - 1 - s.kings[0]
    row = block * g.ranks[1] + second
    at = row * g.ranks[0] + one
    if g.value[at] != UNKNOWN:
        return
    if s.plies & 1 != 0:
        g.left[at] -= 1
        if g.left[at] != 0:
            return
    g.value[at] = s.plies + 2
    g.fresh[row] |= 1 << (s.plies + 1 & 1)
    s.new += 1
