# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of a node in the order in which they are tried.

The attacker's checks are sorted by the number of answers they leave, fewest first.
The defender's answers on the board come first, then the drops cell by cell: first the
drops that check the attacker's king (never futile), then the moves that could take a
futile drop there (marked `TAKE`; if one mates, the remaining drops are futile), then the
remaining drops.
"""

from solver.engines.iterative.kernel.arena import COUNT_ALL, WIDE
from tsume_rules.kernel.attacks import blocking_cells, find_checkers, in_check
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.evasions import board_evasions, drops_on
from tsume_rules.kernel.order import bring_move_forward, sort_moves_by_rank
from tsume_rules.kernel.placement import can_promote, is_dead
from tsume_rules.kernel.play import do, dropped, make_move, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF, OURS, REACH, SLIDES, STEP

TAKE = 1 << 20
"""Marks an attacker's move to a cell where a drop may be futile."""
_MOVE = TAKE - 1
_MOST_TAKES = 20
"""Ten directions, each with and without promotion."""


@jit
def move_of_entry(entry):
    """A move without its mark."""
    return entry & _MOVE


@jit
def ordered_checks(pos, n, best, out, first):
    """Write the checks to out[first:], ``best`` first; returns the end."""
    end = checks(pos, out, first)
    if n > 1:
        for i in range(first, end):
            out[end + i - first] = (
                0 if out[i] == best else 1 + _count_answers(pos, out[i], out, 2 * end - first)
            )
        sort_moves_by_rank(out, first, end)
    return end


@jit
def _count_answers(pos, move, out, base):
    """The number of answers to a check, all drops on a cell counted as one."""
    captured = do(pos, move, ATT)
    count, checker = find_checkers(pos, DEF)
    found = board_evasions(pos, count, checker, out, base) - base
    found += blocking_cells(pos, count, checker)[0]
    undo(pos, move, ATT, captured)
    return found


@jit
def ordered_defences(pos, n, mode, best, out, first):
    """Write the answers to a check to out[first:], ``best`` first if it is a move on the board."""
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, first)
    if n == 0 and end > first:
        return end  # there is no mate on the board: any of them answers the check
    bring_move_forward(out, first, end, best)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = _append_drop_entries(pos, pos.king[DEF] + i * step, checker, mode, out, end)
    return end


@jit
def _append_drop_entries(pos, cell, checker, mode, out, first):
    """Write a cell's entries, in the order above, to out[first:]; returns the end."""
    end = drops_on(pos, cell, out, first)
    checking = first
    if pos.king[ATT] != 0:
        for i in range(first, end):
            move = out[i]
            do(pos, move, DEF)
            if in_check(pos, ATT):
                out[i] = out[checking]
                out[checking] = move
                checking += 1
            undo(pos, move, DEF, 0)
    if mode == COUNT_ALL or checking == end:
        return end
    aside = end + _MOST_TAKES
    taken = _append_futile_captures(pos, cell, checker, mode, out, aside) - aside
    for i in range(end - 1, checking - 1, -1):
        out[i + taken] = out[i]
    for i in range(taken):
        out[checking + i] = out[aside + i]
    return end + taken


@jit
def _append_futile_captures(pos, cell, checker, mode, out, first):
    """Write the marked moves to an empty cell that leave the defender in check; returns the end."""
    end = first
    for d in range(10):
        origin = cell - STEP[d]
        far = d < 8 and pos.board[origin] == 0
        while d < 8 and pos.board[origin] == 0:
            origin -= STEP[d]
        piece = int(pos.board[origin])
        if not 0 < piece < OURS or (mode != WIDE and origin != checker):
            continue
        if ((SLIDES[piece] if far else REACH[piece]) >> d) & 1:
            end = _append_capture(pos, piece, origin, cell, out, end)
    return end


@jit
def _append_capture(pos, piece, origin, cell, out, end):
    for promotes in range(2):
        if promotes and not can_promote(piece, origin, cell, ATT):
            continue
        if not promotes and is_dead(piece, cell, ATT):
            continue
        move = make_move(origin, cell, promotes == 1)
        do(pos, move, ATT)
        if in_check(pos, DEF) and not in_check(pos, ATT):
            out[end] = move | TAKE
            end += 1
        undo(pos, move, ATT, 0)
    return end


@jit
def next_entry_of_other_cell(out, i, end, take):
    """The index of the next entry, from out[i] on, that does not belong to the cell of a take."""
    cell = target_of(move_of_entry(take))
    while (
        i < end
        and target_of(move_of_entry(out[i])) == cell
        and (out[i] & TAKE or dropped(move_of_entry(out[i])))
    ):
        i += 1
    return i
