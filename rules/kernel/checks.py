"""All legal checks of the attacker.

Rays are walked once from the defender's king: how far the first and second
blockers stand decides both which moves check directly and which uncover a check.
"""

import numpy as np

from rules.kernel.attacks import in_check
from rules.kernel.compile import jit
from rules.kernel.evasions import has_evasion
from rules.kernel.placement import has_pawn, in_zone, is_dead
from rules.kernel.play import do, dropped, make_drop, make_move, undo
from rules.kernel.tables import (
    ATT,
    DEF,
    DIST,
    KNIGHT,
    LINE,
    OURS,
    PAWN,
    PROMOTION,
    REACH,
    ROOK,
    SLIDES,
    STEP,
    STEPS,
)

MAX_MOVES = 640
"""No position has more moves than this (593 is the known maximum)."""


@jit
def checks(pos, out, n):
    """Write all legal checks to out[n:]; returns the new end.

    Pawn drops that mate (打歩詰) are left out.
    """
    end = pseudo_checks(pos, out, n)
    kept = n
    for i in range(n, end):
        if dropped(out[i]) != PAWN or not _mates(pos, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def _mates(pos, move):
    do(pos, move, ATT)
    mated = not has_evasion(pos)
    undo(pos, move, ATT, 0)
    return mated


@jit
def pseudo_checks(pos, out, n):
    """As `checks`, but with pawn drops that mate: the search finds those itself."""
    king = int(pos.king[DEF])
    first = np.zeros(8, dtype=np.int64)
    second = np.zeros(8, dtype=np.int64)
    uncovers = _walk_rays(pos, king, first, second)
    start = n
    n = _drops(pos, king, first, out, n)
    for cell in range(14, 14 + 99):
        piece = int(pos.board[cell])
        if 0 < piece < OURS:
            n = _moves_of(pos, cell, piece, king, first, second, uncovers, out, n)
    if pos.king[ATT] != 0:
        n = _drop_suicides(pos, out, start, n)
    return n


@jit
def _walk_rays(pos, king, first, second):
    """Fill the distances to the first and second blocker of each ray.

    Returns the mask of rays on which moving the first blocker uncovers a check.
    """
    board = pos.board
    uncovers = 0
    for d in range(8):
        step = STEP[d]
        t = king + step
        far = 1
        while board[t] == 0:
            t += step
            far += 1
        first[d] = far
        second[d] = far
        if 0 < board[t] < OURS:
            t += step
            far += 1
            while board[t] == 0:
                t += step
                far += 1
            second[d] = far
            piece = int(board[t])
            if piece < OURS and (SLIDES[piece] >> (7 - d)) & 1:
                uncovers |= 1 << d
    return uncovers


@jit
def _drops(pos, king, first, out, n):
    hand = pos.hand[ATT]
    for d in range(8):
        for kind in range(1, 8):
            if hand[kind] == 0:
                continue
            reach = 0
            if (SLIDES[kind] >> (7 - d)) & 1:
                reach = first[d] - 1
            elif (STEPS[kind] >> (7 - d)) & 1 and first[d] > 1:
                reach = 1
            if reach and kind == PAWN and has_pawn(pos, king, ATT):
                continue
            for i in range(1, reach + 1):
                out[n] = make_drop(kind, king + i * STEP[d])
                n += 1
    if hand[KNIGHT]:
        for d in (8, 9):
            t = king - STEP[d]
            if pos.board[t] == 0:
                out[n] = make_drop(KNIGHT, t)
                n += 1
    return n


@jit
def _moves_of(pos, cell, piece, king, first, second, uncovers, out, n):
    """The checks of one piece on the board."""
    board = pos.board
    ray = int(LINE[king, cell])
    on_ray = 0 <= ray < 8
    blocks = on_ray and first[ray] == DIST[king, cell]
    uncovering = blocks and (uncovers >> ray) & 1
    for d in range(10):
        slides = d < 8 and (SLIDES[piece] >> d) & 1
        if not slides and not (STEPS[piece] >> d) & 1:
            continue
        t = cell + STEP[d]
        while True:
            there = int(board[t])
            if (there != 0 and there >> 4 != DEF) or t == king:
                break  # a wall, a piece of the attacker, or a check already there
            uncovered = uncovering and LINE[king, t] != ray
            promotable = piece <= ROOK and (in_zone(cell, ATT) or in_zone(t, ATT))
            if promotable and (
                uncovered or _attacks_king(piece + PROMOTION, t, king, first, second, blocks, ray)
            ):
                out[n] = make_move(cell, t, True)
                n += 1
            if not is_dead(piece, t, ATT) and (
                uncovered or _attacks_king(piece, t, king, first, second, blocks, ray)
            ):
                out[n] = make_move(cell, t, False)
                n += 1
            if there != 0 or not slides:
                break
            t += STEP[d]
    return n


@jit
def _attacks_king(piece, cell, king, first, second, blocks, ray):
    """Whether a piece arriving on a cell attacks the king.

    ``blocks``: the piece came from the first blocker's place on ``ray``, which
    is therefore open as far as the second blocker.
    """
    d = int(LINE[cell, king])
    if d < 0:
        return False
    if d >= 8:
        return (STEPS[piece] >> d) & 1 == 1
    far = DIST[cell, king]
    if far == 1:
        return (REACH[piece] >> d) & 1 == 1
    if not (SLIDES[piece] >> d) & 1:
        return False
    back = 7 - d
    open_to = second[back] if blocks and back == ray else first[back]
    return far <= open_to


@jit
def _drop_suicides(pos, out, start, end):
    """Drop from out[start:end] the moves that leave the attacker's own king attacked."""
    kept = start
    for i in range(start, end):
        move = out[i]
        captured = do(pos, move, ATT)
        safe = not in_check(pos, ATT)
        undo(pos, move, ATT, captured)
        if safe:
            out[kept] = move
            kept += 1
    return kept
