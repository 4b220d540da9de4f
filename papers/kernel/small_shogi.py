# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shogi on packed positions: every position one legal move away.

A position is one number (`papers.small_shogi` packs it): twelve cells of four bits, from the far left to the near right
as the attacker sees the board; the side to move; the attacker's hand, three bits a kind. What is neither on the board
nor in the attacker's hand is in the defender's. A position and its mirror image are one: the smaller board is kept.
"""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.compile import (
    INTEGERS,
    Array,
    Tuple,
    boolean,
    export,
    int16,
    int64,
    jit,
    jit_inline,
    named_tuple,
    record,
    struct,
    uint8,
    void,
)

CELLS = 12
BOARD = (1 << 48) - 1
TURN = 1 << 48
HAND_SHIFT = 49
WORD = (1 << 49) - 1
"""Board and side to move, without hands."""
KING, DEFENDER = 1, 5
"""Codes: 1 to 5 are the attacker's king, the first kind, promoted, the second kind, promoted."""
NO_SLOT = 2
MAX_MOVES = 128
_LEFT = 0xF | 0xF << 12 | 0xF << 24 | 0xF << 36

VariantTables = named_tuple("VariantTables", "reach alive zone promoted slot pawn pieces")
"""The game as the kernels want it.

``reach`` [code, cell, occupied cells]: the cells attacked, a bit each, only those it may go to. ``alive`` [code]: where
a piece can stand without being unable to move for ever. ``zone`` [side]: the promotion zone. ``promoted`` [code]: its
promoted code, 0 if it has none. ``slot`` [code]: 0 or 1, the kind it is in hand; 2 for kings and nothing. ``pawn``
[slot]: whether that kind is the pawn. ``pieces``: all pieces of the set as a packed hand."""
VARIANT_TABLES = Tuple([Array(int64, 3), *[INTEGERS] * 4, Array(boolean), int64], VariantTables)


@jit_inline
def mirrored_board(board):
    """The board, left and right exchanged."""
    return (board & _LEFT) << 8 | (board & (_LEFT << 4)) | (board >> 8) & _LEFT


@jit_inline
def canonical_board(board):
    """The smaller of a board and its mirror image."""
    return min(board, mirrored_board(board))


@jit_inline
def piece_code_at(board, cell):
    """What stands on a cell; 0 if nothing does."""
    return (board >> (4 * cell)) & 15


@jit_inline
def count_in_variant_hand(hand, slot):
    """How many of a kind are in a packed hand."""
    return (hand >> (3 * slot)) & 7


@jit_inline
def variant_hand_contains(hand, other):
    """Whether a packed hand has at least what another one has."""
    return count_in_variant_hand(hand, 0) >= count_in_variant_hand(other, 0) and count_in_variant_hand(
        hand, 1
    ) >= count_in_variant_hand(other, 1)


@jit
def occupied_cells(board, side):
    """The cells of one side's pieces, a bit each."""
    cells = 0
    for cell in range(CELLS):
        code = piece_code_at(board, cell)
        if code != 0 and (code > DEFENDER) == (side != 0):
            cells |= 1 << cell
    return cells


@jit
def king_cell(board, side):
    """Where a side's king is."""
    for cell in range(CELLS):
        if piece_code_at(board, cell) == KING + DEFENDER * side:
            return cell
    return -1


@jit
def is_attacked(r, board, occupancy, theirs, cell):
    """Whether a piece on the cells ``theirs`` attacks a cell."""
    for other in range(CELLS):
        if theirs >> other & 1 and r.reach[piece_code_at(board, other), other, occupancy] >> cell & 1:
            return True
    return False


@jit
def has_board_move(r, board, side):
    """Whether a side has a legal move that is no drop."""
    mine, theirs = occupied_cells(board, side), occupied_cells(board, 1 - side)
    king = king_cell(board, side)
    for start in range(CELLS):
        if not mine >> start & 1:
            continue
        code = piece_code_at(board, start)
        targets = r.reach[code, start, mine | theirs] & ~mine
        for end in range(CELLS):
            if targets >> end & 1:
                after = board & ~(15 << (4 * start)) & ~(15 << (4 * end)) | code << (4 * end)
                occupancy = (mine | theirs) & ~(1 << start) | 1 << end
                cell = end if start == king else king
                if not is_attacked(r, after, occupancy, theirs & ~(1 << end), cell):
                    return True
    return False


@export(r=VARIANT_TABLES)
def all_pieces_in_hands(r, board):
    """All pieces that are in hands, packed."""
    left = r.pieces
    for cell in range(CELLS):
        slot = r.slot[piece_code_at(board, cell)]
        if slot != NO_SLOT:
            left -= 1 << (3 * slot)
    return left


@export(r=VARIANT_TABLES, out=INTEGERS)
def child_positions(r, state, out):
    """Write the positions after each legal move to ``out``; returns how many.

    Not legal are moves that leave the own king attacked, two unpromoted pawns of a side
    on a file, pieces that could never move again and mate by a dropped pawn.
    """
    board, side, hand = state & BOARD, int(state & TURN != 0), state >> HAND_SHIFT
    mine, theirs = occupied_cells(board, side), occupied_cells(board, 1 - side)
    occupancy = mine | theirs
    king = king_cell(board, side)
    turn = TURN * (1 - side)
    n = 0
    for start in range(CELLS):
        if not mine >> start & 1:
            continue
        code = piece_code_at(board, start)
        lifted = board & ~(15 << (4 * start))
        targets = r.reach[code, start, occupancy] & ~mine
        for end in range(CELLS):
            if not targets >> end & 1:
                continue
            taken = piece_code_at(board, end)
            cleared = lifted & ~(15 << (4 * end))
            after = occupancy & ~(1 << start) | 1 << end
            cell = end if start == king else king
            if is_attacked(r, cleared | code << (4 * end), after, theirs & ~(1 << end), cell):
                continue
            new_hand = hand
            if taken != 0 and side == 0:
                new_hand += 1 << (3 * r.slot[taken])
            if r.alive[code] >> end & 1:
                out[n] = canonical_board(cleared | code << (4 * end)) | turn | new_hand << HAND_SHIFT
                n += 1
            if r.promoted[code] != 0 and (r.zone[side] >> start | r.zone[side] >> end) & 1:
                promoted = int(r.promoted[code])
                out[n] = canonical_board(cleared | promoted << (4 * end)) | turn | new_hand << HAND_SHIFT
                n += 1
    own_hand = hand if side == 0 else all_pieces_in_hands(r, board) - hand
    for slot in range(2):
        if count_in_variant_hand(own_hand, slot) == 0:
            continue
        code = 2 + 2 * slot + DEFENDER * side
        targets = ~occupancy & r.alive[code]
        if r.pawn[slot]:
            targets &= ~pawn_files(board, code)
        new_hand = hand - (1 << (3 * slot)) if side == 0 else hand
        for end in range(CELLS):
            if not targets >> end & 1:
                continue
            after = board | code << (4 * end)
            if is_attacked(r, after, occupancy | 1 << end, theirs, king):
                continue
            if r.pawn[slot] and pawn_drop_mates(r, after, side, code, end):
                continue
            out[n] = canonical_board(after) | turn | new_hand << HAND_SHIFT
            n += 1
    return n


@jit
def pawn_files(board, pawn):
    """The cells of the files on which a side's pawn stands."""
    files = 0
    for cell in range(CELLS):
        if piece_code_at(board, cell) == pawn:
            files |= 0b1001001001 << (cell % 3)
    return files


@jit
def pawn_drop_mates(r, board, side, code, end):
    """Whether a pawn that was just dropped mates: nothing but a capture or a flight can meet it."""
    their_king = king_cell(board, 1 - side)
    return r.reach[code, end, 0] >> their_king & 1 != 0 and not has_board_move(r, board, 1 - side)


# ---------------------------------------------------------------------------------------------------
#
# The hands for which a proof or a disproof holds: proof and disproof pieces (Shibahara2006, 5.3).
#
# A position proved with one hand of the attacker is proved with a larger one, a disproof holds with a smaller one
# (Seo1999). So a node is stored with the smallest hand its proof needs, or the largest its disproof bears.


@jit_inline
def hand_before_move(hand, before, after):
    """A child's hand as one of the parent, whose own one is ``before`` and becomes ``after``.

    A drop has taken a piece from it, a capture has added one.
    """
    total = 0
    for slot in range(2):
        total |= max(
            0,
            count_in_variant_hand(hand, slot)
            + count_in_variant_hand(before, slot)
            - count_in_variant_hand(after, slot),
        ) << (3 * slot)
    return total


@jit
def proof_hand(arena, depth):
    """A hand that proves the node, as small as the children show (proof pieces).

    At the defender's turn the largest of what each answer needs. A kind of which he holds
    nothing must be all with the attacker: else he could drop it.
    """
    frame = arena.frames[depth]
    hand = frame.state >> HAND_SHIFT
    if frame.state & TURN == 0:
        best = hand
        for i in range(frame.children):
            child = arena.known[depth, i]
            if child.pn == 0:
                needed = hand_before_move(child.hand, hand, child.state >> HAND_SHIFT)
                if variant_hand_contains(best, needed):
                    best = needed
        return best
    total = all_pieces_in_hands(arena.rules, frame.state)
    needed = 0
    for slot in range(2):
        most = 0
        for i in range(frame.children):
            most = max(most, count_in_variant_hand(arena.known[depth, i].hand, slot))
        if count_in_variant_hand(total, slot) == count_in_variant_hand(hand, slot):
            most = count_in_variant_hand(hand, slot)
        needed |= most << (3 * slot)
    return needed


@jit
def disproof_hand(arena, depth):
    """A hand that is disproved, as large as the children show, and whether that is tainted.

    At the attacker's turn the smallest of what refutes each move; a kind he has nothing of he must not get, for he
    could drop it. At the defender's turn the answer's; a piece he drops must be his.
    """
    frame = arena.frames[depth]
    hand = frame.state >> HAND_SHIFT
    total = all_pieces_in_hands(arena.rules, frame.state)
    if frame.state & TURN == 0:
        limit, tainted = total, 0
        for i in range(frame.children):
            child = arena.known[depth, i]
            tainted |= child.tainted
            limit = variant_hand_intersection(limit, hand_before_move(child.hand, hand, child.state >> HAND_SHIFT))
        for slot in range(2):
            if count_in_variant_hand(hand, slot) == 0:
                limit &= ~(7 << (3 * slot))
        return limit, tainted
    best, tainted = hand, 1
    for i in range(frame.children):
        child = arena.known[depth, i]
        if child.dn != 0 or (child.tainted and not tainted):
            continue
        after = all_pieces_in_hands(arena.rules, child.state)
        limit = variant_hand_intersection(child.hand, variant_hand_intersection(total, after))
        if child.tainted < tainted or variant_hand_contains(limit, best):
            best, tainted = limit, child.tainted
    return best, tainted


@jit_inline
def variant_hand_intersection(hand, other):
    """The smaller number of each kind."""
    total = 0
    for slot in range(2):
        total |= min(count_in_variant_hand(hand, slot), count_in_variant_hand(other, slot)) << (3 * slot)
    return total


# --- every position of a set of pieces has a number ------------------------------------------------
#
# A position is seen by its mover, who moves up the board. Its number: the cells of both kings, then the places of the
# second kind's pieces, then those of the first's. A place of a piece is a number too: a cell, plus twelve if it is the
# other side's, plus twenty-four if it is promoted; the two last places are the mover's hand and the other's. Pieces of
# a kind are interchangeable: their places, sorted, are ranked as a combination with repetition.

MAX_PIECES = 4
"""The most of a kind."""
SCRATCH = record(
    [(name, np.int64) for name in ("own", "other", "board", "hand", "other_hand", "number", "plies", "new")]
    + [("kings", np.int64, 2)]
    + [(name, np.int64, MAX_PIECES) for name in ("place", "slot", "cell", "code", "turned", "sorted")]
)
Endgame = named_tuple(
    "Endgame", "rules sources pieces hands forms ranks places cells bits value left fresh moves scratch"
)
ENDGAME = Tuple(
    [
        VARIANT_TABLES, Array(int64, 3), *[INTEGERS] * 4, Array(uint8, 3), Array(int16, 2), INTEGERS,
        *[Array(uint8)] * 3, INTEGERS, struct(SCRATCH),
    ],
    Endgame,
)  # fmt: skip


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


@export(void, g=ENDGAME)
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


@export(g=ENDGAME)
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
