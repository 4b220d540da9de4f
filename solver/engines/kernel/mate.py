# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate on the board, D(q, 0) of docs/rules.md, futile drops, and checks that are refuted at a glance."""

from tsume_rules.kernel.attacks import (
    attacker_cell,
    blocking_cells,
    cells_between_count,
    effects_of_side,
    find_checkers,
    in_check,
    lowest,
)
from tsume_rules.kernel.compile import INTEGERS, Array, boolean, export, int64, jit, unit
from tsume_rules.kernel.move_generation import (
    MAX_MOVES,
    can_move_to,
    checks,
    drops_on,
    evasions,
    king_flight_directions,
)
from tsume_rules.kernel.state import UNIT, can_promote, do, dropped, is_dead, make_move, undo
from tsume_rules.kernel.tables import ATT, DEF, POSITION_TYPE

NARROW, COUNT_ALL, WIDE = 0, 1, 2
"""Which interpositions are futile; see `solver.results.Interposition`."""
LONGEST_CHAIN = 9
"""The most futile drops in a row; ends cycles of the wide reading."""

_CELL, _CELLS, _TRIED, _TAKER_COUNT, _TAKERS, _LEVEL = 0, 1, 2, 3, 4, 64
_MATED, _ESCAPES, _TRY = 0, 1, 2


@unit(pos=POSITION_TYPE, out=INTEGERS)
def futile_drop_captures(pos, cell, checker, mode, out, end):
    """Append the attacker's moves to an empty cell that could take a futile drop there.

    By the narrow reading only the checking piece takes, by the wide one any attacking
    piece. Each move is legal and leaves the king in check.
    """
    start = end
    found = effects_of_side(pos.effects[cell], ATT)
    while found:
        bit = lowest(found)
        found &= found - 1
        t = attacker_cell(pos, cell, bit)
        if mode == NARROW and t != checker:
            continue
        piece = int(pos.board[t])
        if can_promote(piece, t, cell, ATT):
            out[end] = make_move(t, cell, True)
            end += 1
        if not is_dead(piece, cell, ATT):
            out[end] = make_move(t, cell, False)
            end += 1
    kept = start
    for i in range(start, end):
        move = out[i]
        do(pos, move, ATT)
        if in_check(pos, DEF) and not in_check(pos, ATT):
            out[kept] = move
            kept += 1
        undo(pos, move, ATT, 0)
    return kept


@jit
def drop_checks_attacker(pos, move):
    """Return whether a defender's drop gives check to the attacker's king."""
    if pos.king[ATT] == 0:
        return False
    do(pos, move, DEF)
    check = in_check(pos, ATT)
    undo(pos, move, DEF, 0)
    return check


@export(boolean, pos=POSITION_TYPE)
def may_be_futile(pos, move):
    """Return whether an answer is a drop that could be futile: one that does not check the attacker's king."""
    return dropped(move) != 0 and not drop_checks_attacker(pos, move)


@unit(pos=POSITION_TYPE, out=INTEGERS)
def is_mated(pos, mode, out, base):
    """D(q, 0): whether every answer to the check is a futile drop (or there are none).

    ``out[base:]`` is scratch space. A drop is futile if some taker leads to a mate
    again: an AND/OR search with a stack of its own, because kernels are not recursive. A level
    of the stack holds the index of its cell, the number of cells, the index of the taker being
    tried, the number of takers, and the takers.
    """
    level = base
    entering = True
    mated = False
    while True:
        if entering:
            cells = _count_interposition_cells(pos)
            out[level + _CELL] = 0
            out[level + _CELLS] = cells
            state = _next_interposition_cell(pos, mode, out, level, base) if cells >= 0 else _ESCAPES
        else:
            level -= _LEVEL
            undo(pos, out[level + _TAKERS + out[level + _TRIED]], ATT, 0)
            if mated:
                state = _next_interposition_cell(pos, mode, out, level, base)
            else:
                out[level + _TRIED] += 1
                state = _TRY if out[level + _TRIED] < out[level + _TAKER_COUNT] else _ESCAPES
        entering = state == _TRY
        if entering:
            do(pos, out[level + _TAKERS + out[level + _TRIED]], ATT)
            level += _LEVEL
            continue
        mated = state == _MATED
        if level == base:
            return mated


@jit
def _count_interposition_cells(pos):
    """Return the number of cells where a drop could block the check; -1 if a move on the board answers it."""
    if king_flight_directions(pos):
        return -1
    count, checker = find_checkers(pos, DEF)
    if count >= 2:
        return 0
    if can_move_to(pos, checker):
        return -1
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        if can_move_to(pos, pos.king[DEF] + i * step):
            return -1
    return cells


@jit
def _next_interposition_cell(pos, mode, out, level, base):
    """Go on to the next cell with legal drops and list its takers. Returns _TRY; _MATED if there is no such
    cell; _ESCAPES if its drops are not futile."""
    _, checker = find_checkers(pos, DEF)
    king = int(pos.king[DEF])
    _, step = cells_between_count(king, checker)
    takers_at = level + _TAKERS
    while out[level + _CELL] < out[level + _CELLS]:
        out[level + _CELL] += 1
        cell = king + out[level + _CELL] * step
        end = drops_on(pos, cell, out, takers_at)
        if end == takers_at:
            continue
        if mode == COUNT_ALL or level - base >= LONGEST_CHAIN * _LEVEL:
            return _ESCAPES
        for i in range(takers_at, end):
            if drop_checks_attacker(pos, out[i]):
                return _ESCAPES
        out[level + _TRIED] = 0
        out[level + _TAKER_COUNT] = futile_drop_captures(pos, cell, checker, mode, out, takers_at) - takers_at
        return _TRY if out[level + _TAKER_COUNT] else _ESCAPES
    return _MATED


@jit
def blocking_hand(pos, count, checker):
    """Return the part of the attacker's hand that a proof needs, so that the defender cannot block with it.

    All pieces of each kind that the defender does not hold: with fewer in the attacker's
    hand, the defender would have one to drop. A packed hand; 0 if no drop can block.
    """
    if blocking_cells(pos, count, checker)[0] == 0:
        return 0
    total = 0
    for kind in range(1, 8):
        if pos.hand[DEF, kind] == 0:
            total += int(pos.hand[ATT, kind]) * UNIT[kind]
    return total


# ---------------------------------------------------------------------------------------------------
#
# Checks that are refuted at a glance: the attacker runs out of checks within three plies of them.

GLANCE_ROOM = 4 * MAX_MOVES
"""Elements that `refuted_at_a_glance` may need."""


@unit(pos=POSITION_TYPE, out=Array(int64, least=(GLANCE_ROOM,)))
def refuted_at_a_glance(pos, check, out):
    """Return whether some answer to a check leaves no check, or only checks with an answer that leaves none.
    ``out`` is scratch space."""
    captured = do(pos, check, ATT)
    found = False
    for i in range(evasions(pos, out, 0)):
        answer = out[i]
        taken = do(pos, answer, DEF)
        found = _runs_out(pos, out)
        undo(pos, answer, DEF, taken)
        if found:
            break
    undo(pos, check, ATT, captured)
    return found


@jit
def _runs_out(pos, out):
    """Return whether every check of the attacker, who is to move, has an answer that leaves none."""
    first, second, free = MAX_MOVES, 2 * MAX_MOVES, 3 * MAX_MOVES
    for i in range(first, checks(pos, out, first)):
        check = out[i]
        captured = do(pos, check, ATT)
        ended = False
        for j in range(second, evasions(pos, out, second)):
            answer = out[j]
            taken = do(pos, answer, DEF)
            ended = checks(pos, out, free) == free
            undo(pos, answer, DEF, taken)
            if ended:
                break
        undo(pos, check, ATT, captured)
        if not ended:
            return False
    return True
