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
CAPTURING_CHECKS = sum(1 << sort for sort in range(8, 63, 2))
"""The sorts of checks that capture, as bits."""



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
def take_back_pair(arena, n, number, answers, checks, tries, per_answer, edits, work, unmoves):
    """Go back two plies from ``arena.pos``, which mates in exactly n by ``work.best``, to a sound position with the
    line wanted.

    ``answers`` are the sorts of answers and ``checks`` those of checks that may be taken back, as bits. Of the
    ``number`` answers in ``unmoves.unevasions`` (`longest_lasting_answers`) at most ``tries`` are looked at, and ``per_answer``
    checks before each. A position with second solutions is repaired within ``edits`` edits that leave the sorts of all
    moves but the last. Returns whether there is one: ``work.best`` is its line then.
    """
    pos, unevasions, merits = arena.pos, unmoves.unevasions, unmoves.merits
    number = _of_sorts(pos, unevasions, number, answers)
    _write_merits(pos, unevasions, number, work, merits)
    for i in range(min(number, tries)):
        unmove = _best(unevasions, i, number, merits)
        answer = move_of(unmove)
        by_king = pos.board[target_of(answer)] & 15 == KING
        undo(pos, answer, DEF, captured_of(unmove))
        captures = captured_of(unmove) != 0
        taken = captures and (answers >> (TAKEN_BY_KING if by_king else TAKEN)) & 1 == 1
        another = not captures or (answers >> TAKES_ANOTHER) & 1 == 1
        if _check_before(arena, n + 2, answer, taken, another, checks, per_answer, edits, work, unmoves):
            return True
        do(pos, answer, DEF)
    return False


@jit
def _of_sorts(pos, items, number, sorts):
    """Keep the un-evasions that may be of some of the sorts at the front; returns how many."""
    kept = 0
    for i in range(number):
        move = move_of(items[i])
        by_king = pos.board[target_of(move)] & 15 == KING
        if dropped(move):
            wanted = 1 << (PAWN_BETWEEN if dropped(move) == PAWN else DROPPED_BETWEEN)
        elif captured_of(items[i]):
            wanted = (1 << TAKES_ANOTHER) | (1 << (TAKEN_BY_KING if by_king else TAKEN))
        else:
            wanted = 1 << (KING_MOVES if by_king else MOVED_BETWEEN)
        if wanted & sorts:
            items[kept] = items[i]
            kept += 1
    return kept


@jit
def _write_merits(pos, items, number, work, merits):
    """Write the merit of each un-move: the values of the places it brings pieces to, and a random number, so that the
    greatest is drawn with the chance that the model gives it (Gumbel 1954)."""
    for i in range(number):
        move = move_of(items[i])
        merit = _gumbel(work.state)
        piece = int(pos.board[target_of(move)])
        if not dropped(move) and piece & 15 != KING:
            merit += _value_of_piece(pos, piece - PROMOTION if move & PROMOTES else piece, origin_of(move), work.values)
        if captured_of(items[i]):
            merit += _value_of_piece(pos, captured_of(items[i]), target_of(move), work.values)
        merits[i] = merit


@jit_inline
def _gumbel(state):
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
def _check_before(arena, n, answer, taken, another, wanted, most, edits, work, unmoves):
    """Take back a check so that the position is sound and its line begins with it and the answer, perhaps repaired.
    ``taken``: the answer may take the piece that gave it; ``another``: it may do something else. False, and nothing is
    taken back, if there is none."""
    pos, unchecks, merits = arena.pos, unmoves.unchecks, unmoves.merits[MAX_UNMOVES:]
    number = un_checks(pos, unchecks, (wanted & CAPTURING_CHECKS) != 0)
    kept = 0
    for i in range(number):
        move = move_of(unchecks[i])
        is_taken = target_of(move) == target_of(answer)
        kind = 0 if dropped(move) else int(pos.board[target_of(move)]) & 15
        sort = sort_of_check(move, kind - PROMOTION if move & PROMOTES else kind, captured_of(unchecks[i]) != 0)
        if (wanted >> sort) & 1 and (taken if is_taken else another):
            unchecks[kept] = unchecks[i]
            kept += 1
    for i in range(kept):
        move = move_of(unchecks[i])
        undo(pos, move, ATT, captured_of(unchecks[i]))
        merits[i] = value_of_position(pos, work) + _gumbel(work.state)
        do(pos, move, ATT)
    for i in range(min(kept, most)):
        unmove = _best(unchecks, i, kept, merits)
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
    """Return whether the position with the wanted line, or what becomes of it by edits, is sound."""
    pos, sorts, rates = arena.pos, unmoves.sorts, unmoves.rates
    work.line[0] = check
    work.line[1] = answer
    for ply in range(n - 2):
        work.line[ply + 2] = work.best[ply]
    _write_sorts(pos, work.line, n, work.captured, sorts)
    flaws = count_flaws(arena, n, work.stack, work.options)
    if flaws < 0:
        return False
    value = value_of_position(pos, work)
    for _ in range(edits):
        if flaws == 0:
            break
        if random_below(work.state, 4):
            work.saved[0] = pos
            side = DEF if random_below(work.state, 8) else ATT
            other = -1
            if draw_piece(pos, rates, side, int(pos.king[DEF]), work.state, work.constraints) and not in_check(pos, DEF):
                other = count_flaws(arena, n, work.stack, work.options)
            if other >= 0 and other < flaws:
                value, flaws = value_of_position(pos, work), other
            else:
                restore_position(pos, work.saved[0])
            continue
        new, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            value, flaws = new, other
    if flaws:
        return False
    if not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    _write_sorts(pos, work.line, n, work.captured, work.squares)
    for ply in range(n - 1):
        if sorts[ply] != work.squares[ply]:
            return False
    copy_line(work.line, work.best, n)
    return True


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
