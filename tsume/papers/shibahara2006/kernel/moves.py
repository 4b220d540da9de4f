# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shogi on packed positions: every position one legal move away.

A position is one number (`tsume.papers.shibahara2006.game` packs it): twelve cells of four bits,
from the far left to the near right as the attacker sees the board; the side to move; the
attacker's hand, three bits a kind. What is neither on the board nor in the attacker's hand
is in the defender's. A position and its mirror image are one: the smaller board is kept.
"""

from tsume_rules.kernel.compile import jit, jit_inline

CELLS = 12
BOARD = (1 << 48) - 1
TURN = 1 << 48
HAND_SHIFT = 49
WORD = (1 << 49) - 1
"""Board and side to move, without hands."""
KING, DEFENDER = 1, 5
"""Codes: 1 to 5 are the attacker's king, the first kind, promoted, the second kind, promoted."""
NO_SLOT = 2
MOST_MOVES = 128
_LEFT = 0xF | 0xF << 12 | 0xF << 24 | 0xF << 36


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


@jit
def all_pieces_in_hands(r, board):
    """All pieces that are in hands, packed."""
    left = r.pieces
    for cell in range(CELLS):
        slot = r.slot[piece_code_at(board, cell)]
        if slot != NO_SLOT:
            left -= 1 << (3 * slot)
    return left


@jit
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
