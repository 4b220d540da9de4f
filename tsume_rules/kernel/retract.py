# SPDX-License-Identifier: GPL-3.0-or-later
"""Un-moves: the moves by which a side may have reached a position.

An un-move is the code of the move, plus the code of the piece it captured << 20;
`play.undo` with the two retracts it.
"""

from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit
from tsume_rules.kernel.move_generation import has_evasion
from tsume_rules.kernel.state import do, dropped, has_pawn, in_zone, is_dead, make_drop, make_move, undo
from tsume_rules.kernel.tables import ATT, DEF, KING, PAWN, POSITION_TYPE, PROMOTION, REACH, ROOK, SLIDES, STEP, WALL

MAX_UNMOVES = 1 << 15
"""Room for all un-moves of a position."""
CAPTURED_SHIFT = 20


@jit_inline
def move_of(unmove):
    """Return the move of an un-move."""
    return unmove & ((1 << CAPTURED_SHIFT) - 1)


@jit_inline
def captured_of(unmove):
    """Return the code of the piece that an un-move captured; 0 for none."""
    return unmove >> CAPTURED_SHIFT


@unit(pos=POSITION_TYPE, out=INTEGERS)
def un_evasions(pos, out, captures):
    """Write the defender's possible last answers to ``out``; returns their number.

    In ``pos`` the attacker is to move and the defender's king is not in check. Before
    each answer it is attacked by one or two pieces, and the attacker's king is not
    attacked. ``captures``: also answers that captured.
    """
    end = _un_moves(pos, DEF, out, captures)
    kept = 0
    for i in range(end):
        move, captured = move_of(out[i]), captured_of(out[i])
        undo(pos, move, DEF, captured)
        checkers, _ = find_checkers(pos, DEF)
        good = 1 <= checkers <= 2 and not in_check(pos, ATT)
        do(pos, move, DEF)
        if good:
            out[kept] = out[i]
            kept += 1
    return kept


@unit(pos=POSITION_TYPE, out=INTEGERS)
def un_checks(pos, out, captures):
    """Write the attacker's possible last checks to ``out``; returns their number.

    In ``pos`` the defender is to move and in check. Before each check his king is not
    attacked. Pawn drops that mate are left out. ``captures``: also checks that captured.
    """
    end = _un_moves(pos, ATT, out, captures)
    mated = not has_evasion(pos)
    kept = 0
    for i in range(end):
        move, captured = move_of(out[i]), captured_of(out[i])
        if mated and dropped(move) == PAWN:
            continue
        undo(pos, move, ATT, captured)
        good = not in_check(pos, DEF)
        do(pos, move, ATT)
        if good:
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def _un_moves(pos, side, out, captures):
    """Write all un-moves of a side with a legal placement before them, in check or not; returns the end."""
    end = 0
    for t in range(14, 14 + 99):
        piece = int(pos.board[t])
        if piece == 0 or piece >> 4 != side or piece == WALL:
            continue
        kind = piece & 15
        if kind < KING:
            out[end] = make_drop(kind, t)
            end += 1
        end = _un_steps(pos, side, piece, t, False, captures, out, end)
        if kind > KING:
            end = _un_steps(pos, side, piece - PROMOTION, t, True, captures, out, end)
    return end


@jit
def _un_steps(pos, side, piece, t, promotes, captures, out, end):
    """Append the un-moves of one piece; ``piece``: its code before the move."""
    kind = piece & 15
    if promotes and kind == PAWN and has_pawn(pos, t, side):
        return end
    for d in range(12):
        if not (REACH[piece] >> d) & 1:
            continue
        slides = d < 8 and (SLIDES[piece] >> d) & 1
        s = t - STEP[d]
        while pos.board[s] == 0:
            legal = not is_dead(kind, s, side) and (not promotes or in_zone(s, side) or in_zone(t, side))
            if legal:
                move = make_move(s, t, promotes)
                out[end] = move
                end += 1
                if captures:
                    end = _un_captures(pos, side, move, t, out, end)
            if not slides:
                break
            s -= STEP[d]
    return end


@jit
def _un_captures(pos, side, move, t, out, end):
    """Append an un-move for each piece that a move may have captured, out of the mover's hand."""
    other = 1 - side
    for kind in range(1, 8):
        if pos.hand[side, kind] == 0:
            continue
        if not is_dead(kind, t, other) and not (kind == PAWN and has_pawn(pos, t, other)):
            out[end] = move + ((kind + 16 * other) << CAPTURED_SHIFT)
            end += 1
        if kind <= ROOK:
            out[end] = move + ((kind + PROMOTION + 16 * other) << CAPTURED_SHIFT)
            end += 1
    return end
