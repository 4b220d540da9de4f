"""All legal answers of the defender to a check."""

import numpy as np

from rules.kernel.attacks import attacked, find_checkers, is_pinned, slides_between
from rules.kernel.compile import jit
from rules.kernel.placement import has_pawn, in_zone, is_dead
from rules.kernel.play import make_drop, make_move
from rules.kernel.tables import (
    ATT,
    DEF,
    KING,
    KNIGHT,
    LINE,
    OURS,
    PAWN,
    REACH,
    ROOK,
    SLIDES,
    STEP,
)

MAX_EVASIONS = 640
"""No position in check has more answers than this."""


@jit
def evasions(pos, out, n):
    """Write all legal evasions to out[n:]; returns the new end. The king must be in check."""
    count, checker = find_checkers(pos, DEF)
    n = board_evasions(pos, count, checker, out, n)
    if count == 1:
        king = int(pos.king[DEF])
        step = STEP[max(LINE[king, checker], 0)]
        for i in range(1, slides_between(checker, king) + 1):
            n = drops_on(pos, king + i * step, out, n)
    return n


@jit
def board_evasions(pos, count, checker, out, n):
    """The evasions by pieces on the board: king moves, captures, interpositions (移動合)."""
    n = king_moves(pos, out, n)
    if count != 1:
        return n
    king = int(pos.king[DEF])
    n = moves_to(pos, checker, out, n)
    step = STEP[max(LINE[king, checker], 0)]
    for i in range(1, slides_between(checker, king) + 1):
        n = moves_to(pos, king + i * step, out, n)
    return n


@jit
def king_moves(pos, out, n):
    """The defender's king's moves to cells that are not attacked."""
    board = pos.board
    king = int(pos.king[DEF])
    board[king] = 0
    for d in range(8):
        t = king + STEP[d]
        if board[t] < OURS and not attacked(pos, t, ATT):
            out[n] = make_move(king, t, False)
            n += 1
    board[king] = KING + OURS
    return n


@jit
def moves_to(pos, target, out, n):
    """Moves of the defender's pieces other than the king to a cell, pinned pieces left out."""
    board = pos.board
    for d in range(8):
        step = STEP[d]
        t = target + step
        far = board[t] == 0
        while board[t] == 0:
            t += step
        piece = int(board[t])
        if piece >> 4 != DEF or piece == KING + OURS:
            continue
        if ((SLIDES[piece] if far else REACH[piece]) >> (7 - d)) & 1 and not is_pinned(pos, t, DEF):
            n = _emit(piece, t, target, out, n)
    for d in (10, 11):
        t = target - STEP[d]
        if board[t] == KNIGHT + OURS and not is_pinned(pos, t, DEF):
            n = _emit(KNIGHT + OURS, t, target, out, n)
    return n


@jit
def _emit(piece, origin, target, out, n):
    """One move, promoting or not as far as each is allowed."""
    kind = piece - OURS
    if kind <= ROOK and (in_zone(origin, DEF) or in_zone(target, DEF)):
        out[n] = make_move(origin, target, True)
        n += 1
    if not is_dead(kind, target, DEF):
        out[n] = make_move(origin, target, False)
        n += 1
    return n


@jit
def drops_on(pos, cell, out, n):
    """All the defender's legal drops on an empty cell."""
    for kind in range(1, 8):
        if pos.hand[DEF, kind] and not is_dead(kind, cell, DEF):
            if kind == PAWN and has_pawn(pos, cell, DEF):
                continue
            out[n] = make_drop(kind, cell)
            n += 1
    return n


@jit
def has_evasion(pos):
    """Whether the defender, in check, has any legal answer at all."""
    return evasions(pos, np.empty(MAX_EVASIONS, dtype=np.int64), 0) > 0
