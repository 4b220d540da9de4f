# SPDX-License-Identifier: GPL-3.0-or-later
"""Two plies back, chosen: an answer and a check of the sorts that are asked for are taken back."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.positions import may_add_piece, put_piece_from_hand, meets_position_constraints, random_below, restore_position
from generator.kernel.traits import FILES, OFFSET, PLACES, RANKS, REACH, sort_of_answer, sort_of_check
from generator.local_search.kernel.walk import (
    REFUSED,
    WALK,
    copy_line,
    count_flaws,
    draw_piece,
    edit_towards_fewer_flaws,
    find_best_line,
    value_of_position,
)
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask_mates_after, ask_mates_within, find_key, longest_defences
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, NUMBERS, jit, jit_inline, unit
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import PROMOTES, do, dropped, origin_of, target_of, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, DIST, KING, LINE, PAWN, PROMOTION, SLIDES, SQUARE, STEP
from tsume_rules.kernel.tables import REACH as REACH_OF
from tsume_rules.kernel.move_generation import evasions

TAKEN_BY_KING, TAKEN, KING_MOVES, TAKES_ANOTHER, MOVED_BETWEEN, PAWN_BETWEEN, DROPPED_BETWEEN = range(7)
"""The sorts of an answer (`generator.kernel.traits.sort_of_answer`)."""
_ADDED = 4
"""Of so many edits of a repair all but one add a piece,"""
_OF_ATTACKER = 8
"""and of so many pieces one is the attacker's: most second solutions need one more defender."""

MAX_PAIRS = 8_192
"""The most pairs of a position."""
SORTS_OF_ANSWERS = 7

UnMoves = namedtuple("UnMoves", "unevasions unchecks answers checks sorts values rates")
"""Pairs of un-moves, with the sort of each pair and the model's value of the position before it, `MAX_PAIRS` at most;
un-moves of both sides: scratch space; the frequencies of traits in published problems."""
UN_MOVES = types.NamedTuple([INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS, NUMBERS, NUMBERS], UnMoves)


@unit(arena=ARENA, work=WALK, unmoves=UN_MOVES)
def pairs_before(arena, n, nodes, captures, work, unmoves):
    """Write the pairs of a check and an answer after which ``arena.pos`` may stand, which mates in exactly n plies.

    No other answer to the check lasts longer than that of a pair. The sort of a pair is `SORTS_OF_ANSWERS` times the
    sort of the check plus that of the answer (`generator.kernel.traits`). ``nodes`` bounds the search after one answer;
    ``captures``: also checks that captured. Returns the number of pairs.
    """
    pos, unevasions, unchecks = arena.pos, unmoves.unevasions, unmoves.unchecks
    found = 0
    for i in range(un_evasions(pos, unevasions, True)):
        answer, taken = move_of(unevasions[i]), captured_of(unevasions[i])
        by_king = pos.board[target_of(answer)] & 15 == KING
        undo(pos, answer, DEF, taken)
        if _lasts_longest(arena, answer, n + 1, work.stack, arena.search.nodes + nodes):
            for j in range(un_checks(pos, unchecks, captures)):
                check, captured = move_of(unchecks[j]), captured_of(unchecks[j])
                kind = 0 if dropped(check) else int(pos.board[target_of(check)]) & 15
                sort = sort_of_check(check, kind - PROMOTION if check & PROMOTES else kind, captured != 0)
                if dropped(answer):
                    sort_of_this = PAWN_BETWEEN if dropped(answer) == PAWN else DROPPED_BETWEEN
                elif taken and target_of(check) == target_of(answer):
                    sort_of_this = TAKEN_BY_KING if by_king else TAKEN
                elif taken:
                    sort_of_this = TAKES_ANOTHER
                else:
                    sort_of_this = KING_MOVES if by_king else MOVED_BETWEEN
                if found == MAX_PAIRS:
                    break
                undo(pos, check, ATT, captured)
                if meets_position_constraints(pos, work.constraints):
                    unmoves.answers[found] = unevasions[i]
                    unmoves.checks[found] = unchecks[j]
                    unmoves.sorts[found] = sort * SORTS_OF_ANSWERS + sort_of_this
                    unmoves.values[found] = value_of_position(pos, work)
                    found += 1
                do(pos, check, ATT)
        do(pos, answer, DEF)
    return found


@jit
def _lasts_longest(arena, answer, n, stack, end):
    """Return whether the defender is mated in n plies, and an answer lasts as long."""
    if ask_mates_within(arena, n, False, end) != YES:
        return False
    for i in range(longest_defences(arena, n, stack, np.int64(0), end)):
        if stack[i] == answer:
            return True
    return False


@unit(arena=ARENA, work=WALK, unmoves=UN_MOVES)
def take_back_pair(arena, n, unevasion, uncheck, edits, work, unmoves):
    """Go back two plies from ``arena.pos``, which mates in exactly n by ``work.best``, to a sound position whose line
    begins with this pair of `pairs_before`.

    A position with second solutions is repaired within so many ``edits`` that leave the sorts of all moves but the
    last. Returns whether there is one: ``work.best`` is its line then.
    """
    pos = arena.pos
    answer, check = move_of(unevasion), move_of(uncheck)
    undo(pos, answer, DEF, captured_of(unevasion))
    undo(pos, check, ATT, captured_of(uncheck))
    sorts = unmoves.unchecks
    sorts[104] += 1
    old = arena.search.nodes
    if not _has_no_shorter_mate(arena, n + 2, arena.search.nodes + work.options.nodes):
        sorts[110] += arena.search.nodes - old
        return False
    sorts[110] += arena.search.nodes - old
    sorts[105] += 1
    return _becomes_sound(arena, n + 2, check, answer, edits, work, sorts, unmoves)


@jit
def _has_no_shorter_mate(arena, n, end):
    for plies in range(1, n, 2):
        if (plies < 5 or plies == n - 2) and plies < n and ask_mates_within(arena, plies, True, end) != NO:
            return False
    return True


@jit
def _becomes_sound(arena, n, check, answer, edits, work, sorts, unmoves):
    """Return whether the position that mates by a check, an answer and the line of before is sound, or becomes so by
    edits that leave the sorts of its moves; ``work.best`` is its line then."""
    pos = arena.pos
    work.line[0] = check
    work.line[1] = answer
    for ply in range(n - 2):
        work.line[ply + 2] = work.best[ply]
    _write_sorts(pos, work.line, n, work.captured, sorts)
    old = arena.search.nodes
    flaws = count_flaws(arena, n, work.stack, work.options)
    sorts[112] += arena.search.nodes - old
    if flaws >= 0:
        sorts[120 + min(flaws, 9)] += 1
    else:
        sorts[113] += 1
    old = arena.search.nodes
    value = value_of_position(pos, work)
    cook = work.stack[0]
    for _ in range(edits):
        if flaws <= 0:
            break
        other = REFUSED
        if cook and random_below(work.state, _ADDED):
            other = _guard(arena, n, flaws, cook, work, unmoves.rates, sorts)
            sorts[118] += other >= 0
            sorts[119] += 1
            value = value_of_position(pos, work)
        else:
            new, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
            if other >= 0:
                value = new
        if other >= 0:
            flaws, cook = other, work.stack[0]
    sorts[114] += arena.search.nodes - old
    sorts[115] += flaws == 0
    if flaws != 0 or not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    sorts[116] += 1
    _write_sorts(pos, work.line, n, work.captured, work.squares)
    for ply in range(n - 1):
        if sorts[ply] != work.squares[ply]:
            return False
    copy_line(work.line, work.best, n)
    return True


@jit_inline
def _gumbel(state):
    """Return a random number; what it makes the greatest of several is drawn with the chance of its exponential (Gumbel
    1954)."""
    return -np.log(-np.log((random_below(state, 1 << 30) + 0.5) / float(1 << 30)))


@jit
def _guard(arena, n, flaws, cook, work, rates, sorts):
    """Add a defender against the last second solution found, if that leaves fewer flaws; their number then."""
    pos, state, stack = arena.pos, work.state, work.stack
    end = arena.search.nodes + work.options.nodes
    cell = target_of(cook)
    w = 0
    if random_below(state, 2):
        w = 5
        cell = _later_check(arena, n + work.options.margin, cook, stack, state, end)
    work.saved[0] = pos
    sorts[70 + w] += 1
    if cell and _draw_guard(pos, cell, work.line[:n], rates, state, work.constraints):
        sorts[71 + w] += 1
        stands = pos.board[target_of(cook)] != work.saved[0].board[target_of(cook)]
        if stands or ask_mates_after(arena, cook, n + work.options.margin, end) == NO:
            sorts[72 + w] += 1
            fewer = count_flaws(arena, n, stack, work.options)
            sorts[73 + w] += fewer >= 0
            if 0 <= fewer < flaws:
                sorts[74 + w] += 1
                return fewer
    restore_position(pos, work.saved[0])
    return REFUSED


@jit
def _later_check(arena, n, cook, stack, state, end):
    """Return the cell that a check comes to after a check that mates within n plies and a random answer; 0 if it ends."""
    pos = arena.pos
    captured = do(pos, cook, ATT)
    stop = evasions(pos, stack, 0)
    cell = 0
    if stop and n > 2:
        answer = stack[random_below(state, stop)]
        taken = do(pos, answer, DEF)
        key, _ = find_key(arena, n - 2, stack, 0, end)
        if key > 0:
            cell = target_of(key)
        undo(pos, answer, DEF, taken)
    undo(pos, cook, ATT, captured)
    return cell


@jit
def _draw_guard(pos, target, moves, rates, state, constraints):
    """Put a defender on the board that attacks a cell, or stands on it if it is empty, drawn by the ``rates`` of
    published problems; False if there is none."""
    king = int(pos.king[DEF])
    best, most, place = 0, -1e30, 0
    for sq in range(81):
        cell = CELL[sq]
        line = int(LINE[cell, target])
        if pos.board[cell] != 0 or (line < 0 and cell != target):
            continue
        near = cell == target or line >= 8 or DIST[cell, target] == 1
        if not near:
            t = cell + STEP[line]
            while t != target and pos.board[t] == 0:
                t += STEP[line]
            if t != target:
                continue
        at = _place_near(king, cell)
        if at < 0:
            continue
        for piece in range(17, 31):
            if cell != target and ((REACH_OF[piece] if near else SLIDES[piece]) >> line) & 1 == 0:
                continue
            rate = rates[OFFSET + piece * PLACES + at]
            if rate > 0 and piece & 15 != KING and not _hinders(piece, cell, moves):
                merit = np.log(rate) + _gumbel(state)
                if merit > most:
                    best, most, place = piece, merit, cell
    return best != 0 and may_add_piece(best, place, constraints) and put_piece_from_hand(pos, best, place)


@jit
def _hinders(piece, cell, moves):
    """Return whether a piece stands on, or could attack, a cell that a check of a line comes to."""
    for ply in range(0, len(moves), 2):
        target = target_of(moves[ply])
        line = int(LINE[cell, target])
        if cell == target or (
            line >= 0
            and ((REACH_OF[piece] if line >= 8 or DIST[cell, target] == 1 else SLIDES[piece]) >> line) & 1
        ):
            return True
    return False


@jit_inline
def _place_near(king, cell):
    files, ranks = SQUARE[cell] // 9 - SQUARE[king] // 9, SQUARE[cell] % 9 - SQUARE[king] % 9
    if abs(files) > REACH or abs(ranks) > REACH:
        return -1
    return (files + REACH) * (2 * REACH + 1) + ranks + REACH


@jit
def _write_sorts(pos, line, n, captured, out):
    """Write the sorts of the moves of a line of n plies, checks and answers."""
    for ply in range(n):
        move = line[ply]
        if ply % 2 == 0:
            kind = 0 if dropped(move) else int(pos.board[origin_of(move)]) & 15
            out[ply] = sort_of_check(move, kind, pos.board[target_of(move)] != 0)
        else:
            out[ply] = sort_of_answer(pos, move, target_of(line[ply - 1]))
        captured[ply] = do(pos, move, ply % 2)
    for ply in range(n - 1, -1, -1):
        undo(pos, line[ply], ply % 2, captured[ply])
