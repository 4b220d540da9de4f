# SPDX-License-Identifier: GPL-3.0-or-later
"""All legal checks of the attacker.

The cells from which the defender's king can be attacked are visited ray by ray, outwards
from the king: which pieces can be dropped there and, from the cell's effects, which can
move there. A piece of the attacker's between a slider and the king gives check by any move
off that line.
"""

from tsume_rules.kernel.attacks import attacked, in_check, is_pinned
from tsume_rules.kernel.bits import lowest
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit
from tsume_rules.kernel.effects import SLIDE_BIT, by_side, source
from tsume_rules.kernel.evasions import has_evasion
from tsume_rules.kernel.placement import can_promote, has_pawn, is_dead
from tsume_rules.kernel.play import do, dropped, make_drop, make_move, origin_of, target_of, undo
from tsume_rules.kernel.state import POSITION_TYPE
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    DEF,
    DIST,
    KING,
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


@unit(pos=POSITION_TYPE, out=INTEGERS)
def checks(pos, out, end):
    """Append all legal checks to out[:end]; returns the new end.

    Pawn drops that mate (打歩詰) are left out.
    """
    kept = end
    for i in range(end, pseudo_checks(pos, True, out, end)):
        if dropped(out[i]) != PAWN or not is_pawn_drop_mate(pos, out[i]):
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def is_pawn_drop_mate(pos, move):
    """Whether a pawn drop that gives check is mate."""
    do(pos, move, ATT)
    mated = not has_evasion(pos)
    undo(pos, move, ATT, 0)
    return mated


@unit(pos=POSITION_TYPE, out=INTEGERS)
def pseudo_checks(pos, twins, out, end):
    """As `checks`, but with pawn drops that mate: the search detects those itself.

    ``twins``: include unpromoted moves of pawns, bishops and rooks that can promote. They
    help only where a later pawn drop would otherwise mate (see `promotion_loses_no_move`).
    """
    board = pos.board
    king = int(pos.king[DEF])
    start = end
    for d in range(8):
        back = 7 - d
        t = king + STEP[d]
        far = 1
        while board[t] == 0:
            end = _append_drop_checks(pos, t, back, REACH if far == 1 else SLIDES, out, end)
            end = _append_direct_checks(pos, t, back, REACH if far == 1 else SLIDES, twins, out, end)
            t += STEP[d]
            far += 1
        piece = int(board[t])
        if piece >> 4 == DEF:
            end = _append_direct_checks(pos, t, back, REACH if far == 1 else SLIDES, twins, out, end)
        elif piece < OURS and (by_side(pos.effects[t], ATT) >> (SLIDE_BIT + back)) & 1:
            end = append_discovered_checks(pos, t, back, king, twins, out, end)
    for d in (8, 9):
        t = king - STEP[d]
        if board[t] == 0:
            if pos.hand[ATT, KNIGHT]:
                out[end] = make_drop(KNIGHT, t)
                end += 1
            end = _append_direct_checks(pos, t, d, STEPS, twins, out, end)
        elif board[t] >> 4 == DEF:
            end = _append_direct_checks(pos, t, d, STEPS, twins, out, end)
    if pos.king[ATT] != 0:
        end = _remove_self_checks(pos, out, start, end)
    return end


@jit
def _append_drop_checks(pos, cell, d, reach, out, end):
    """Append the drops on an empty cell of pieces that attack in direction d from there."""
    for kind in range(1, 8):
        if pos.hand[ATT, kind] and (reach[kind] >> d) & 1:
            if kind == PAWN and has_pawn(pos, cell, ATT):
                continue
            out[end] = make_drop(kind, cell)
            end += 1
    return end


@jit
def _append_direct_checks(pos, cell, d, reach, twins, out, end):
    """Append the moves to a cell of pieces that attack in direction d from there."""
    found = by_side(pos.effects[cell], ATT)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = source(pos, cell, bit)
        piece = int(pos.board[origin])
        promotable = can_promote(piece, origin, cell, ATT)
        if promotable and (reach[piece + PROMOTION] >> d) & 1:
            out[end] = make_move(origin, cell, True)
            end += 1
        if promotable and not twins and promotion_loses_no_move(piece):
            continue
        if (reach[piece] >> d) & 1 and piece != KING and not is_dead(piece, cell, ATT):
            out[end] = make_move(origin, cell, False)
            end += 1
    return end


@jit
def append_discovered_checks(pos, cell, ray, king, twins, out, end):
    """Append the moves of the piece on a cell off the ray to the king, except direct checks."""
    piece = int(pos.board[cell])
    for d in range(10):
        slides = d < 8 and (SLIDES[piece] >> d) & 1
        if d == ray or d == 7 - ray or not (slides or (STEPS[piece] >> d) & 1):
            continue
        t = cell + STEP[d]
        while pos.board[t] == 0 or pos.board[t] >> 4 == DEF:
            promotable = can_promote(piece, cell, t, ATT)
            if promotable and not attacks_king(pos, piece + PROMOTION, t, king):
                out[end] = make_move(cell, t, True)
                end += 1
            twin = promotable and not twins and promotion_loses_no_move(piece)
            if not twin and not is_dead(piece, t, ATT) and not attacks_king(pos, piece, t, king):
                out[end] = make_move(cell, t, False)
                end += 1
            if not slides or pos.board[t] != 0:
                break
            t += STEP[d]
    return end


@jit_inline
def promotion_loses_no_move(kind):
    """Whether a piece of a kind loses no move by promotion.

    Leaving it unpromoted can only help to keep a pawn drop from mating (打歩詰).
    """
    return kind in (PAWN, BISHOP, ROOK)


@jit
def attacks_king(pos, piece, cell, king):
    """Whether an attacker's piece other than his king would attack the king from a cell."""
    d = int(LINE[cell, king])
    if d < 0 or piece == KING:
        return False
    if d >= 8:
        return (STEPS[piece] >> d) & 1 == 1
    far = int(DIST[cell, king])
    if far == 1:
        return (REACH[piece] >> d) & 1 == 1
    if not (SLIDES[piece] >> d) & 1:
        return False
    t = cell + STEP[d]
    while pos.board[t] == 0:
        t += STEP[d]
    return t == king


@jit
def _remove_self_checks(pos, out, start, end):
    """Remove from out[start:end] the moves that leave the attacker's own king attacked."""
    pressed = in_check(pos, ATT)
    kept = start
    for i in range(start, end):
        if not leaves_own_king_attacked(pos, out[i], pressed):
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def leaves_own_king_attacked(pos, move, pressed):
    """Whether a move leaves the attacker's own king attacked; ``pressed``: it is attacked now."""
    if pressed:
        captured = do(pos, move, ATT)
        found = in_check(pos, ATT)
        undo(pos, move, ATT, captured)
        return found
    if dropped(move):
        return False
    origin = origin_of(move)
    target = target_of(move)
    king = int(pos.king[ATT])
    if origin == king:
        return attacked(pos, target, DEF)
    return is_pinned(pos, origin, ATT) and LINE[king, target] != LINE[king, origin]
