# SPDX-License-Identifier: GPL-3.0-or-later
"""Two plies back, chosen: an answer and a check of the sorts that are asked for are taken back."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.positions import meets_position_constraints, random_below, restore_position
from generator.kernel.traits import FILES, OFFSET, PLACES, RANKS, REACH, sort_of_answer, sort_of_check
from generator.local_search.kernel.walk import (
    WALK,
    copy_line,
    count_flaws,
    draw_piece,
    edit_towards_fewer_flaws,
    find_best_line,
    value_of_position,
)
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask_mates_within, longest_defences
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, NUMBERS, jit, jit_inline, unit
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import PROMOTES, do, dropped, origin_of, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF, KING, PAWN, PROMOTION, SQUARE

TAKEN_BY_KING, TAKEN, KING_MOVES, TAKES_ANOTHER, MOVED_BETWEEN, PAWN_BETWEEN, DROPPED_BETWEEN = range(7)
"""The sorts of an answer (`generator.kernel.traits.sort_of_answer`)."""
_ADDED = 4
"""Of so many edits of a repair all but one add a piece,"""
_OF_ATTACKER = 8
"""and of so many pieces one is the attacker's: most second solutions need one more defender."""

UnMoves = namedtuple("UnMoves", "unevasions unchecks sorts merits rates")
"""Un-moves of both sides, the sorts of a line's moves, and merits of un-moves, twice `MAX_UNMOVES`: scratch space; the
frequencies of traits in published problems."""
UN_MOVES = types.NamedTuple([INTEGERS, INTEGERS, INTEGERS, NUMBERS, NUMBERS], UnMoves)


@unit(arena=ARENA, work=WALK, unevasions=INTEGERS)
def longest_lasting_answers(arena, n, nodes, work, unevasions):
    """Write the answers after which ``arena.pos`` may stand, which mates in exactly n plies, and than which no other
    answer lasts longer; returns how many. ``nodes`` bounds the search of one; ``unevasions`` has room for all."""
    pos = arena.pos
    number = un_evasions(pos, unevasions, True)
    kept = 0
    for i in range(number):
        answer, captured = move_of(unevasions[i]), captured_of(unevasions[i])
        undo(pos, answer, DEF, captured)
        if _lasts_longest(arena, answer, n + 1, work.stack, arena.search.nodes + nodes):
            unevasions[kept] = unevasions[i]
            kept += 1
        do(pos, answer, DEF)
    return kept


@unit(arena=ARENA, work=WALK, unmoves=UN_MOVES)
def take_back_pair(arena, n, number, check_sort, answer_sort, answers, checks, edits, work, unmoves):
    """Go back two plies from ``arena.pos``, which mates in exactly n by ``work.best``, to a sound position with the
    line wanted: a check and an answer of these sorts come first (`generator.kernel.traits`).

    Of the ``number`` answers in ``unmoves.unevasions`` (`longest_lasting_answers`) at most ``answers`` of the sort are
    looked at, and before each as many ``checks``, drawn by what the model says of the places that they bring pieces to.
    A position with second solutions is repaired within so many ``edits`` that leave the sorts of all moves but the
    last. Returns whether there is one: ``work.best`` is its line then.
    """
    pos, unevasions, merits = arena.pos, unmoves.unevasions, unmoves.merits
    number = _answers_of_sort(pos, unevasions, number, answer_sort)
    for i in range(number):
        merits[i] = _gumbel(work.state) + _value_of_answer(pos, unevasions[i], work.values)
    for i in range(min(number, answers)):
        unmove = _best(unevasions, i, number, merits)
        answer = move_of(unmove)
        undo(pos, answer, DEF, captured_of(unmove))
        if _check_before(arena, n + 2, answer, check_sort, answer_sort, checks, edits, work, unmoves):
            return True
        do(pos, answer, DEF)
    return False


@jit
def _answers_of_sort(pos, items, number, sort):
    """Keep the un-evasions that may be of the sort at the front; returns how many. One that captures may capture the
    checking piece or another one."""
    kept = 0
    for i in range(number):
        move = move_of(items[i])
        by_king = pos.board[target_of(move)] & 15 == KING
        if dropped(move):
            good = sort == (PAWN_BETWEEN if dropped(move) == PAWN else DROPPED_BETWEEN)
        elif captured_of(items[i]):
            good = sort == TAKES_ANOTHER or sort == (TAKEN_BY_KING if by_king else TAKEN)
        else:
            good = sort == (KING_MOVES if by_king else MOVED_BETWEEN)
        if good:
            items[kept] = items[i]
            kept += 1
    return kept


@jit
def _value_of_answer(pos, unevasion, values):
    """Return the values of the places that an un-evasion brings pieces to, the king apart."""
    move, captured = move_of(unevasion), captured_of(unevasion)
    value = 0.0
    piece = int(pos.board[target_of(move)])
    if not dropped(move) and piece & 15 != KING:
        value += _value_of_piece(pos, piece - PROMOTION if move & PROMOTES else piece, origin_of(move), values)
    if captured:
        value += _value_of_piece(pos, captured, target_of(move), values)
    return value


@jit_inline
def _gumbel(state):
    """Return a random number; what it makes the greatest of several is drawn with the chance of its exponential (Gumbel
    1954)."""
    return -np.log(-np.log((random_below(state, 1 << 30) + 0.5) / float(1 << 30)))


@jit
def _value_of_piece(pos, piece, cell, values):
    king = SQUARE[pos.king[DEF]]
    file, rank = SQUARE[cell] // 9, SQUARE[cell] % 9
    files = king // 9 - file if king // 9 > 4 else file - king // 9
    ranks = rank - king % 9
    place = PLACES - 1
    if abs(files) <= REACH and abs(ranks) <= REACH:
        place = (files + REACH) * (2 * REACH + 1) + ranks + REACH
    return (
        values[OFFSET + piece * PLACES + place]
        + values[RANKS + piece * 9 + rank]
        + values[FILES + piece * 9 + (8 - file if king // 9 > 4 else file)]
    )


@jit_inline
def _best(items, i, number, merits):
    """Return the i-th best of ``items[:number]``, which are exchanged as they are taken."""
    best = i
    for j in range(i + 1, number):
        if merits[j] > merits[best]:
            best = j
    item = items[best]
    items[best] = items[i]
    items[i] = item
    merits[best] = merits[i]
    return item


@jit
def _lasts_longest(arena, answer, n, stack, end):
    """Return whether the defender is mated in n plies, and an answer lasts as long."""
    if ask_mates_within(arena, n, False, end) != YES:
        return False
    for i in range(longest_defences(arena, n, stack, np.int64(0), end)):
        if stack[i] == answer:
            return True
    return False


@jit
def _check_before(arena, n, answer, check_sort, answer_sort, most, edits, work, unmoves):
    """Take back a check of the sort so that the position is sound, perhaps repaired, and its line begins with it and
    the answer; False, and nothing is taken back, if there is none."""
    pos, unchecks, merits = arena.pos, unmoves.unchecks, unmoves.merits
    captures = check_sort >= PROMOTION - 1 and (check_sort - (PROMOTION - 1)) % 2 == 1
    number = un_checks(pos, unchecks, captures)
    kept = 0
    for i in range(number):
        move, captured = move_of(unchecks[i]), captured_of(unchecks[i])
        kind = 0 if dropped(move) else int(pos.board[target_of(move)]) & 15
        sort = sort_of_check(move, kind - PROMOTION if move & PROMOTES else kind, captured != 0)
        is_taken = target_of(move) == target_of(answer)
        if sort == check_sort and is_taken == (answer_sort in (TAKEN_BY_KING, TAKEN)):
            undo(pos, move, ATT, captured)
            merits[MAX_UNMOVES + kept] = value_of_position(pos, work) + _gumbel(work.state)
            do(pos, move, ATT)
            unchecks[kept] = unchecks[i]
            kept += 1
    for i in range(min(kept, most)):
        unmove = _best(unchecks, i, kept, merits[MAX_UNMOVES:])
        check = move_of(unmove)
        undo(pos, check, ATT, captured_of(unmove))
        if meets_position_constraints(pos, work.constraints) and _has_no_shorter_mate(
            arena, n, arena.search.nodes + work.options.nodes
        ):
            work.saved[1] = pos
            if _becomes_sound(arena, n, check, answer, edits, work, unmoves):
                return True
            restore_position(pos, work.saved[1])
        do(pos, check, ATT)
    return False


@jit
def _has_no_shorter_mate(arena, n, end):
    for plies in range(1, n, 2):
        if (plies < 5 or plies == n - 2) and plies < n and ask_mates_within(arena, plies, True, end) != NO:
            return False
    return True


@jit
def _becomes_sound(arena, n, check, answer, edits, work, unmoves):
    """Return whether the position that mates by a check, an answer and the line of before is sound, or becomes so by
    edits that leave the sorts of its moves; ``work.best`` is its line then."""
    pos, sorts = arena.pos, unmoves.sorts
    work.line[0] = check
    work.line[1] = answer
    for ply in range(n - 2):
        work.line[ply + 2] = work.best[ply]
    _write_sorts(pos, work.line, n, work.captured, sorts)
    flaws = count_flaws(arena, n, work.stack, work.options)
    value = value_of_position(pos, work)
    for _ in range(edits):
        if flaws <= 0:
            break
        if random_below(work.state, _ADDED):
            flaws = _add_piece(arena, n, flaws, work, unmoves.rates)
            value = value_of_position(pos, work)
        else:
            new, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
            if other >= 0:
                value, flaws = new, other
    if flaws != 0 or not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    _write_sorts(pos, work.line, n, work.captured, work.squares)
    for ply in range(n - 1):
        if sorts[ply] != work.squares[ply]:
            return False
    copy_line(work.line, work.best, n)
    return True


@jit
def _add_piece(arena, n, flaws, work, rates):
    """Add a piece, drawn with the frequencies of published problems, if that leaves fewer flaws; their number then."""
    pos = arena.pos
    work.saved[0] = pos
    side = DEF if random_below(work.state, _OF_ATTACKER) else ATT
    drawn = draw_piece(pos, rates, side, int(pos.king[DEF]), work.state, work.constraints)
    if drawn and not in_check(pos, DEF):
        fewer = count_flaws(arena, n, work.stack, work.options)
        if 0 <= fewer < flaws:
            return fewer
    restore_position(pos, work.saved[0])
    return flaws


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
