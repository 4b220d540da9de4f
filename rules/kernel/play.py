"""Moves as integers, doing and undoing them.

A move is ``target + (origin << 7) + (promotes << 14) + (dropped kind << 15)``,
cells as in `tables`; a drop has origin 0.
"""

from rules.kernel.compile import jit
from rules.kernel.tables import KING, PROMOTION, SLOT, ZOBRIST

CELL_MASK = 127
PROMOTES = 1 << 14


@jit
def make_move(origin, target, promotes):
    """The code of a move on the board."""
    return target + (origin << 7) + (PROMOTES if promotes else 0)


@jit
def make_drop(kind, target):
    """The code of a drop."""
    return target + (kind << 15)


@jit
def target_of(move):
    """The cell a move goes to."""
    return move & CELL_MASK


@jit
def origin_of(move):
    """The cell a move comes from; 0 for a drop."""
    return (move >> 7) & CELL_MASK


@jit
def dropped(move):
    """The kind a move drops; 0 for a move on the board."""
    return move >> 15


@jit
def put(pos, cell, piece):
    """Put a piece on an empty cell."""
    pos.board[cell] = piece
    pos.key ^= ZOBRIST[piece, cell]
    pos.slot ^= SLOT[piece, cell]


@jit
def lift(pos, cell):
    """Take a piece off the board and return its code."""
    piece = int(pos.board[cell])
    pos.board[cell] = 0
    pos.key ^= ZOBRIST[piece, cell]
    pos.slot ^= SLOT[piece, cell]
    return piece


@jit
def hand_kind(piece):
    """The kind a piece has in a hand."""
    kind = piece & 15
    return kind - PROMOTION if kind > KING else kind


@jit
def do(pos, move, side):
    """Carry out a side's move; returns the code of the captured piece (0: none)."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        pos.hand[side, kind] -= 1
        put(pos, target, kind + 16 * side)
        return 0
    captured = int(pos.board[target])
    if captured:
        lift(pos, target)
        pos.hand[side, hand_kind(captured)] += 1
    piece = lift(pos, origin_of(move))
    if move & PROMOTES:
        piece += PROMOTION
    put(pos, target, piece)
    if piece & 15 == KING:
        pos.king[side] = target
    return captured


@jit
def undo(pos, move, side, captured):
    """Take a side's move back; ``captured`` is what `do` returned."""
    target = target_of(move)
    piece = lift(pos, target)
    kind = dropped(move)
    if kind:
        pos.hand[side, kind] += 1
        return
    if move & PROMOTES:
        piece -= PROMOTION
    put(pos, origin_of(move), piece)
    if piece & 15 == KING:
        pos.king[side] = origin_of(move)
    if captured:
        put(pos, target, captured)
        pos.hand[side, hand_kind(captured)] -= 1
