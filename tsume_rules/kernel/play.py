# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as integers, and how they are done and undone.

A move is ``target + (origin << 7) + (promotes << 14) + (dropped kind << 15)``,
cells as in `tables`; a drop has origin 0.
"""

import numpy as np

from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.effects import toggle_attacks_of_piece, toggle_slides_through
from tsume_rules.kernel.tables import ANY_PIECE, CELL, KING, ON_BOARD, PROMOTION, SIZE, WALL, ZOBRIST

CELL_MASK = 127
PROMOTES = 1 << 14


@jit_inline
def make_move(origin, target, promotes):
    """The code of a move on the board."""
    return target + (origin << 7) + (PROMOTES if promotes else 0)


@jit_inline
def make_drop(kind, target):
    """The code of a drop."""
    return target + (kind << 15)


@jit_inline
def target_of(move):
    """The cell a move goes to."""
    return move & CELL_MASK


@jit_inline
def origin_of(move):
    """The cell a move comes from; 0 for a drop."""
    return (move >> 7) & CELL_MASK


@jit_inline
def dropped(move):
    """The kind a move drops; 0 for a move on the board."""
    return move >> 15


@jit
def put(pos, cell, piece):
    """Put a piece on an empty cell; a king is found there from then on."""
    cell &= ON_BOARD
    piece &= ANY_PIECE
    toggle_slides_through(pos, cell)
    pos.board[cell] = piece
    toggle_attacks_of_piece(pos, cell, piece)
    if piece & 15 == KING:
        pos.king[piece >> 4] = cell
    pos.key ^= ZOBRIST[piece, cell, 0]
    pos.slot ^= ZOBRIST[piece, cell, 1]


@jit
def lift(pos, cell):
    """Remove a piece from the board; returns its code."""
    cell &= ON_BOARD
    piece = int(pos.board[cell]) & ANY_PIECE
    toggle_attacks_of_piece(pos, cell, piece)
    pos.board[cell] = 0
    toggle_slides_through(pos, cell)
    if piece & 15 == KING:
        pos.king[piece >> 4] = 0
    pos.key ^= ZOBRIST[piece, cell, 0]
    pos.slot ^= ZOBRIST[piece, cell, 1]
    return piece


@jit
def set_up_position(pos, codes, hands):
    """Fill ``pos`` from the piece codes on squares 0 to 80 and the hands' counts [side, kind]."""
    pos.key = np.uint64(0)
    pos.slot = np.uint64(0)
    for t in range(SIZE):
        pos.board[t] = WALL
        pos.effects[t] = 0
    for sq in range(81):
        pos.board[CELL[sq]] = 0
    for side in range(2):
        pos.king[side] = 0
        for kind in range(8):
            pos.hand[side, kind] = hands[side, kind]
    for sq in range(81):
        piece = int(codes[sq])
        if piece:
            put(pos, CELL[sq], piece)


@jit
def _replace_piece(pos, cell, piece):
    """Put a piece in the place of another: slides through the cell do not change."""
    cell &= ON_BOARD
    piece &= ANY_PIECE
    there = int(pos.board[cell]) & ANY_PIECE
    toggle_attacks_of_piece(pos, cell, there)
    pos.board[cell] = piece
    toggle_attacks_of_piece(pos, cell, piece)
    if piece & 15 == KING:
        pos.king[piece >> 4] = cell
    pos.key ^= ZOBRIST[there, cell, 0] ^ ZOBRIST[piece, cell, 0]
    pos.slot ^= ZOBRIST[there, cell, 1] ^ ZOBRIST[piece, cell, 1]


@jit_inline
def hand_kind(piece):
    """The kind that a captured piece becomes in hand."""
    kind = piece & 15
    return kind - PROMOTION if kind > KING else kind


@jit
def do(pos, move, side):
    """Do a side's move; returns the code of the captured piece (0: none)."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        pos.hand[side, kind] -= 1
        put(pos, target, kind + 16 * side)
        return 0
    captured = int(pos.board[target])
    piece = lift(pos, origin_of(move))
    if move & PROMOTES:
        piece += PROMOTION
    if captured:
        pos.hand[side, hand_kind(captured)] += 1
        _replace_piece(pos, target, piece)
    else:
        put(pos, target, piece)
    return captured


@jit
def undo(pos, move, side, captured):
    """Undo a side's move; ``captured`` is what `do` returned."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        lift(pos, target)
        pos.hand[side, kind] += 1
        return
    piece = int(pos.board[target])
    if captured:
        _replace_piece(pos, target, captured)
        pos.hand[side, hand_kind(captured)] -= 1
    else:
        lift(pos, target)
    if move & PROMOTES:
        piece -= PROMOTION
    put(pos, origin_of(move), piece)
