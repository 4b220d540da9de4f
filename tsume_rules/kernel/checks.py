"""All legal checks of the attacker.

The cells from which the defender's king can be attacked are looked at one by one, ray by
ray and outwards from the king: what may be dropped there and, from the cell's effects,
what can move there. A piece that stands between a slider and the king uncovers a check
wherever else it goes.
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
def checks(pos, out, n):
    """Write all legal checks to out[n:]; returns the new end.

    Pawn drops that mate (打歩詰) are left out.
    """
    end = pseudo_checks(pos, True, out, n)
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


@unit(pos=POSITION_TYPE, out=INTEGERS)
def pseudo_checks(pos, twins, out, n):
    """As `checks`, but with pawn drops that mate: the search finds those itself.

    ``twins``: pawns, bishops and rooks that can promote may also not do so. That is worth a
    look only where a pawn might be dropped later on without mate (see `gains_all`).
    """
    board = pos.board
    king = int(pos.king[DEF])
    start = n
    for d in range(8):
        back = 7 - d
        t = king + STEP[d]
        far = 1
        while board[t] == 0:
            n = _drops(pos, t, back, REACH if far == 1 else SLIDES, out, n)
            n = _arrivals(pos, t, back, REACH if far == 1 else SLIDES, twins, out, n)
            t += STEP[d]
            far += 1
        piece = int(board[t])
        if piece >> 4 == DEF:
            n = _arrivals(pos, t, back, REACH if far == 1 else SLIDES, twins, out, n)
        elif piece < OURS and (by_side(pos.effects[t], ATT) >> (SLIDE_BIT + back)) & 1:
            n = uncoverings(pos, t, back, king, twins, out, n)
    for d in (8, 9):
        t = king - STEP[d]
        if board[t] == 0:
            if pos.hand[ATT, KNIGHT]:
                out[n] = make_drop(KNIGHT, t)
                n += 1
            n = _arrivals(pos, t, d, STEPS, twins, out, n)
        elif board[t] >> 4 == DEF:
            n = _arrivals(pos, t, d, STEPS, twins, out, n)
    if pos.king[ATT] != 0:
        n = _drop_suicides(pos, out, start, n)
    return n


@jit
def _drops(pos, cell, d, reach, out, n):
    """Drops on an empty cell of pieces that attack in direction d from there."""
    for kind in range(1, 8):
        if pos.hand[ATT, kind] and (reach[kind] >> d) & 1:
            if kind == PAWN and has_pawn(pos, cell, ATT):
                continue
            out[n] = make_drop(kind, cell)
            n += 1
    return n


@jit
def _arrivals(pos, cell, d, reach, twins, out, n):
    """Moves to a cell of pieces that attack in direction d from there."""
    found = by_side(pos.effects[cell], ATT)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = source(pos, cell, bit)
        piece = int(pos.board[origin])
        promotable = can_promote(piece, origin, cell, ATT)
        if promotable and (reach[piece + PROMOTION] >> d) & 1:
            out[n] = make_move(origin, cell, True)
            n += 1
        if promotable and not twins and gains_all(piece):
            continue
        if (reach[piece] >> d) & 1 and piece != KING and not is_dead(piece, cell, ATT):
            out[n] = make_move(origin, cell, False)
            n += 1
    return n


@jit
def uncoverings(pos, cell, ray, king, twins, out, n):
    """Moves of the piece on a cell off the ray to the king, but for those that check directly."""
    piece = int(pos.board[cell])
    for d in range(10):
        slides = d < 8 and (SLIDES[piece] >> d) & 1
        if d == ray or d == 7 - ray or not (slides or (STEPS[piece] >> d) & 1):
            continue
        t = cell + STEP[d]
        while pos.board[t] == 0 or pos.board[t] >> 4 == DEF:
            promotable = can_promote(piece, cell, t, ATT)
            if promotable and not attacks_king(pos, piece + PROMOTION, t, king):
                out[n] = make_move(cell, t, True)
                n += 1
            twin = promotable and not twins and gains_all(piece)
            if not twin and not is_dead(piece, t, ATT) and not attacks_king(pos, piece, t, king):
                out[n] = make_move(cell, t, False)
                n += 1
            if not slides or pos.board[t] != 0:
                break
            t += STEP[d]
    return n


@jit_inline
def gains_all(kind):
    """Whether a piece loses no move by promotion.

    Not to promote it can only serve to keep a pawn drop from mating (打歩詰).
    """
    return kind in (PAWN, BISHOP, ROOK)


@jit
def attacks_king(pos, piece, cell, king):
    """Whether a piece of the attacker's (not his king) arriving on a cell attacks the king."""
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
def _drop_suicides(pos, out, start, end):
    """Drop from out[start:end] the moves that leave the attacker's own king attacked."""
    pressed = in_check(pos, ATT)
    kept = start
    for i in range(start, end):
        if not is_suicide(pos, out[i], pressed):
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def is_suicide(pos, move, pressed):
    """Whether a move leaves the attacker's own king attacked; ``pressed``: it is so now."""
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
