# SPDX-License-Identifier: GPL-3.0-or-later
"""How moves change a position, hands as integers, two pawns on a file and dead pieces."""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.attacks import toggle_attacks_of_piece, toggle_slides_through
from tsume_rules.kernel.compile import Array, boolean, export, int8, jit, jit_inline, void
from tsume_rules.kernel.tables import (
    ANY_PIECE,
    ATT,
    CELL,
    KING,
    KNIGHT,
    LANCE,
    ON_BOARD,
    PAWN,
    POSITION_TYPE,
    PROMOTION,
    RANK,
    ROOK,
    SIZE,
    WALL,
    ZOBRIST,
)

# A hand packed into one integer, with a guard bit above each field, so that one
# subtraction compares all kinds at once. The field of pawns has 5 bits, the others 3.
UNIT = np.array([0, 1, 1 << 6, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26], dtype=np.int64)
"""What one piece of each kind adds to a packed hand."""
FIELD = np.array([0, 31, 7, 7, 7, 7, 7, 7], dtype=np.int64)
"""The mask of each kind's field, after shifting it down."""
SHIFT = np.array([0, 0, 6, 10, 14, 18, 22, 26], dtype=np.int64)
"""The lowest bit of each kind's field."""
GUARDS = (1 << 5) | (1 << 9) | (1 << 13) | (1 << 17) | (1 << 21) | (1 << 25) | (1 << 29)
"""The guard bits of all fields."""


@export(pos=POSITION_TYPE)
def packed_hand(pos):
    """Return the attacker's hand as one integer."""
    total = 0
    for kind in range(1, 8):
        total += int(pos.hand[ATT, kind]) * UNIT[kind]
    return total


@jit_inline
def hand_contains(larger, smaller):
    """Return whether the first packed hand has no fewer pieces of any kind than the second."""
    return ((larger | GUARDS) - smaller) & GUARDS == GUARDS


@jit_inline
def count_in_hand(hand, kind):
    """Return the number of pieces of a kind in a packed hand."""
    return (hand >> SHIFT[kind]) & FIELD[kind]


@jit
def hand_union(a, b):
    """Return the smallest packed hand that contains both."""
    total = 0
    for kind in range(1, 8):
        total += max(count_in_hand(a, kind), count_in_hand(b, kind)) * UNIT[kind]
    return total


@jit
def hand_intersection(a, b):
    """Return the largest packed hand that both contain."""
    total = 0
    for kind in range(1, 8):
        total += min(count_in_hand(a, kind), count_in_hand(b, kind)) * UNIT[kind]
    return total


# --- two pawns on a file, dead pieces, the promotion zone ------------------------------------------


@export(boolean, pos=POSITION_TYPE)
def has_pawn(pos, cell, side):
    """Return whether a side has an unpromoted pawn on a cell's file (二歩)."""
    top = cell - RANK[cell]
    pawn = PAWN + 16 * side
    for t in range(top, top + 9):
        if pos.board[t] == pawn:
            return True
    return False


@jit_inline
def in_zone(cell, side):
    """Return whether a cell lies in a side's promotion zone."""
    return RANK[cell] <= 2 if side == ATT else RANK[cell] >= 6


@export(boolean)
def can_promote(kind, origin, target, side):
    """Return whether a side's piece of a kind may promote when it moves from one cell to another."""
    return kind <= ROOK and (in_zone(origin, side) or in_zone(target, side))


@jit
def is_dead(kind, cell, side):
    """Return whether a side's piece of a kind, on a cell, could never move again (行き所のない駒)."""
    ahead = RANK[cell] if side == ATT else 8 - RANK[cell]
    return (kind <= LANCE and ahead == 0) or (kind == KNIGHT and ahead <= 1)


# --- moves as integers, and how they are done and undone -------------------------------------------
#
# A move is ``target + (origin << 7) + (promotes << 14) + (dropped kind << 15)``,
# cells as in `tables`; a drop has origin 0.

CELL_MASK = 127
PROMOTES = 1 << 14


@jit_inline
def make_move(origin, target, promotes):
    """Return the code of a move on the board."""
    return target + (origin << 7) + (PROMOTES if promotes else 0)


@jit_inline
def make_drop(kind, target):
    """Return the code of a drop."""
    return target + (kind << 15)


@jit_inline
def target_of(move):
    """Return the cell a move goes to."""
    return move & CELL_MASK


@jit_inline
def origin_of(move):
    """Return the cell a move comes from; 0 for a drop."""
    return (move >> 7) & CELL_MASK


@jit_inline
def dropped(move):
    """Return the kind a move drops; 0 for a move on the board."""
    return move >> 15


@export(void, pos=POSITION_TYPE)
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


@export(pos=POSITION_TYPE)
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


@export(void, pos=POSITION_TYPE, codes=Array(int8, least=(81,)), hands=Array(int8, 2, least=(2, 8)))
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
    """Return the kind that a captured piece becomes in hand."""
    kind = piece & 15
    return kind - PROMOTION if kind > KING else kind


@export(pos=POSITION_TYPE)
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


@export(void, pos=POSITION_TYPE)
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
