# SPDX-License-Identifier: GPL-3.0-or-later
"""All legal checks of the attacker, and all legal answers of the defender to a check.

The cells from which the defender's king can be attacked are visited ray by ray, outwards from the king: which pieces
can be dropped there and, from the cell's effects, which can move there. A piece of the attacker's between a slider and
the king gives check by any move off that line.
"""

from __future__ import annotations

from tsume_rules.kernel.attacks import (
    SLIDE_BIT,
    attacked,
    attacker_cell,
    blocking_cells,
    effects_of_side,
    find_checkers,
    in_check,
    is_pinned,
    lowest,
    slides_of,
)
from tsume_rules.kernel.compile import INTEGERS, Array, export, int64, jit, jit_inline, unit
from tsume_rules.kernel.state import (
    can_promote,
    do,
    dropped,
    has_pawn,
    is_dead,
    make_drop,
    make_move,
    origin_of,
    target_of,
    undo,
)
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    DEF,
    DIST,
    KING,
    KNIGHT,
    LINE,
    ON_BOARD,
    OURS,
    PAWN,
    POSITION_TYPE,
    PROMOTION,
    REACH,
    ROOK,
    SLIDES,
    STEP,
    STEPS,
)

# --- all legal answers of the defender to a check --------------------------------------------------

MAX_MOVES = 640
"""No position has more moves than this (593 is the known maximum)."""
_LIST = Array(int64, least=(MAX_MOVES,))


@unit(pos=POSITION_TYPE, out=_LIST)
def evasions(pos, out, end):
    """Append all legal answers to a check to out[:end]; returns the new end. The king must be in check."""
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, end)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = drops_on(pos, pos.king[DEF] + i * step, out, end)
    return end


@unit(pos=POSITION_TYPE, out=INTEGERS)
def board_evasions(pos, count, checker, out, end):
    """Append the answers by pieces on the board: king moves, captures, interpositions (移動合)."""
    if count != 1:
        return king_moves(pos, out, end)
    end = moves_to(pos, checker, out, end)
    end = king_moves(pos, out, end)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = moves_to(pos, pos.king[DEF] + i * step, out, end)
    return end


@export(pos=POSITION_TYPE, out=INTEGERS)
def king_moves(pos, out, end):
    """Append the defender's king's moves to cells that are not attacked."""
    king = int(pos.king[DEF])
    open_cells = king_flight_directions(pos)
    while open_cells:
        d = lowest(open_cells)
        open_cells &= open_cells - 1
        out[end] = make_move(king, king + STEP[d], False)
        end += 1
    return end


@jit
def king_flight_directions(pos):
    """Return the directions in which the defender's king can move, as bits."""
    board, effects = pos.board, pos.effects
    king = int(pos.king[DEF])
    behind = slides_of(effects_of_side(effects[king], ATT))  # along a slide the king cannot escape it
    found = 0
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        if board[t] < OURS and not effects_of_side(effects[t], ATT):
            found |= 1 << d
    return found & ~behind


@jit
def moves_to(pos, target, out, end):
    """Append the moves to a cell of the defender's pieces that are neither pinned nor the king."""
    found = effects_of_side(pos.effects[target], DEF)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = attacker_cell(pos, target, bit)
        piece = int(pos.board[origin])
        if piece != KING + OURS and not is_pinned(pos, origin, DEF):
            end = _append_piece_moves(piece, origin, target, out, end)
    return end


@jit
def can_move_to(pos, target):
    """Return whether `moves_to` would append a move."""
    found = effects_of_side(pos.effects[target], DEF)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = attacker_cell(pos, target, bit)
        if pos.board[origin] != KING + OURS and not is_pinned(pos, origin, DEF):
            return True
    return False


@jit
def _append_piece_moves(piece, origin, target, out, end):
    """Append one piece's move, promoting and not, each if it is legal."""
    kind = piece - OURS
    if can_promote(kind, origin, target, DEF):
        out[end] = make_move(origin, target, True)
        end += 1
    if not is_dead(kind, target, DEF):
        out[end] = make_move(origin, target, False)
        end += 1
    return end


@jit
def drops_on(pos, cell, out, end):
    """Append all the defender's legal drops on an empty cell."""
    for kind in range(1, 8):
        if pos.hand[DEF, kind] and not is_dead(kind, cell, DEF):
            if kind == PAWN and has_pawn(pos, cell, DEF):
                continue
            out[end] = make_drop(kind, cell)
            end += 1
    return end


@jit
def can_drop_on(pos, cell):
    """Return whether `drops_on` would append a drop."""
    for kind in range(1, 8):
        doubled = kind == PAWN and has_pawn(pos, cell, DEF)
        if pos.hand[DEF, kind] and not doubled and not is_dead(kind, cell, DEF):
            return True
    return False


@jit
def has_evasion(pos):
    """Return whether the defender, in check, has a legal answer."""
    if king_flight_directions(pos):
        return True
    count, checker = find_checkers(pos, DEF)
    if count != 1:
        return False
    if can_move_to(pos, checker):
        return True
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        cell = pos.king[DEF] + i * step
        if can_move_to(pos, cell) or can_drop_on(pos, cell):
            return True
    return False


# --- all legal checks of the attacker --------------------------------------------------------------


@unit(pos=POSITION_TYPE, out=_LIST)
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
    """Return whether a pawn drop that gives check is mate."""
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
        elif piece < OURS and (effects_of_side(pos.effects[t], ATT) >> (SLIDE_BIT + back)) & 1:
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
    found = effects_of_side(pos.effects[cell], ATT)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = attacker_cell(pos, cell, bit)
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
            if promotable and not would_attack(pos, piece + PROMOTION, t, king):
                out[end] = make_move(cell, t, True)
                end += 1
            twin = promotable and not twins and promotion_loses_no_move(piece)
            if not twin and not is_dead(piece, t, ATT) and not would_attack(pos, piece, t, king):
                out[end] = make_move(cell, t, False)
                end += 1
            if not slides or pos.board[t] != 0:
                break
            t += STEP[d]
    return end


@jit_inline
def promotion_loses_no_move(kind):
    """Return whether a piece of a kind loses no move by promotion.

    Leaving it unpromoted can only help to keep a pawn drop from mating (打歩詰).
    """
    return kind in (PAWN, BISHOP, ROOK)


@jit
def would_attack(pos, piece, cell, target):
    """Return whether a piece other than the attacker's king would attack a target from a cell."""
    d = int(LINE[cell, target])
    if d < 0 or piece == KING:
        return False
    if d >= 8:
        return (STEPS[piece] >> d) & 1 == 1
    far = int(DIST[cell, target])
    if far == 1:
        return (REACH[piece] >> d) & 1 == 1
    if not (SLIDES[piece] >> d) & 1:
        return False
    t = cell + STEP[d]
    while t != target and pos.board[t] == 0:
        t += STEP[d]
    return t == target


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
    """Return whether a move leaves the attacker's own king attacked; ``pressed``: it is attacked now."""
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


# --- all checks with all answers to each, in one call ----------------------------------------------

ROOM = MAX_MOVES * (MAX_MOVES + 3)
"""Elements that `answered_checks` may need."""


@unit(pos=POSITION_TYPE, out=Array(int64, least=(ROOM,)))
def answered_checks(pos, out):
    """Write each legal check, the number of its answers and these, from ``out[MAX_MOVES]`` on.

    Returns the end.
    """
    end = MAX_MOVES
    for i in range(checks(pos, out, 0)):
        move = out[i]
        captured = do(pos, move, ATT)
        last = evasions(pos, out, end + 2)
        undo(pos, move, ATT, captured)
        out[end] = move
        out[end + 1] = last - end - 2
        end = last
    return end


# --- ordering of moves in a scratch array ----------------------------------------------------------


@jit
def sort_moves_by_rank(out, first, end):
    """Stable sort of out[first:end] by the ranks in out[end : 2 * end - first], smallest first."""
    for i in range(first + 1, end):
        move = out[i]
        rank = out[end + i - first]
        j = i
        while j > first and out[end + j - 1 - first] > rank:
            out[j] = out[j - 1]
            out[end + j - first] = out[end + j - 1 - first]
            j -= 1
        out[j] = move
        out[end + j - first] = rank


@jit
def bring_move_forward(out, first, end, move):
    """Swap a move with the one at out[first], if it is in out[first:end]."""
    for i in range(first + 1, end):
        if out[i] == move:
            out[i] = out[first]
            out[first] = move


# ---------------------------------------------------------------------------------------------------
#
# Checks that differ by promotion or distance only; `solver.solving.tree` is the slow twin.


@jit
def differs_in_form_only(pos, one, other):
    """Return whether two checks, given before either is played, are one move in two forms."""
    if origin_of(one) != origin_of(other) or dropped(one) != dropped(other):
        return False
    if target_of(one) == target_of(other):
        return True
    origin = origin_of(one)
    piece = dropped(one) if dropped(one) else int(pos.board[origin])
    if not SLIDES[piece]:
        return False
    king = pos.king[DEF]
    ray = LINE[king, target_of(one)]
    if 0 <= ray < 8 and ray == LINE[king, target_of(other)]:
        return True
    return origin != 0 and LINE[origin, target_of(one)] == LINE[origin, target_of(other)]
