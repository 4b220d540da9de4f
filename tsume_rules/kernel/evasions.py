# SPDX-License-Identifier: GPL-3.0-or-later
"""All legal answers of the defender to a check."""

from tsume_rules.kernel.attacks import blocking_cells, find_checkers, is_pinned
from tsume_rules.kernel.bits import lowest
from tsume_rules.kernel.compile import INTEGERS, jit, unit
from tsume_rules.kernel.effects import by_side, slides_of, source
from tsume_rules.kernel.placement import can_promote, has_pawn, is_dead
from tsume_rules.kernel.play import make_drop, make_move
from tsume_rules.kernel.state import POSITION_TYPE
from tsume_rules.kernel.tables import ATT, DEF, KING, ON_BOARD, OURS, PAWN, STEP


@unit(pos=POSITION_TYPE, out=INTEGERS)
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


@jit
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
    """The directions in which the defender's king can move, as bits."""
    board, effects = pos.board, pos.effects
    king = int(pos.king[DEF])
    behind = slides_of(by_side(effects[king], ATT))  # along a slide the king cannot escape it
    found = 0
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        if board[t] < OURS and not by_side(effects[t], ATT):
            found |= 1 << d
    return found & ~behind


@jit
def moves_to(pos, target, out, end):
    """Append the moves to a cell of the defender's pieces that are neither pinned nor the king."""
    found = by_side(pos.effects[target], DEF)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = source(pos, target, bit)
        piece = int(pos.board[origin])
        if piece != KING + OURS and not is_pinned(pos, origin, DEF):
            end = _append_piece_moves(piece, origin, target, out, end)
    return end


@jit
def can_move_to(pos, target):
    """Whether `moves_to` would append a move."""
    found = by_side(pos.effects[target], DEF)
    while found:
        bit = lowest(found)
        found &= found - 1
        origin = source(pos, target, bit)
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
    """Whether `drops_on` would append a drop."""
    for kind in range(1, 8):
        doubled = kind == PAWN and has_pawn(pos, cell, DEF)
        if pos.hand[DEF, kind] and not doubled and not is_dead(kind, cell, DEF):
            return True
    return False


@jit
def has_evasion(pos):
    """Whether the defender, in check, has a legal answer."""
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
