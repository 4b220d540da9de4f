# SPDX-License-Identifier: GPL-3.0-or-later
"""Two plies back, chosen: an answer and a check of the sorts that are asked for are taken back."""

from __future__ import annotations

import numpy as np

from generator.kernel.positions import (
    POSITION_CONSTRAINTS,
    STATE,
    exponential,
    logarithm,
    may_add_piece,
    meets_position_constraints,
    put_piece_from_hand,
    random_below,
    restore_position,
)
from generator.kernel.traits import OFFSET, PLACES, place_from_king, sort_of_answer, sort_of_check
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
from tsume_rules.kernel.compile import (
    INTEGERS,
    NUMBERS,
    Array,
    Tuple,
    export,
    int64,
    jit,
    jit_inline,
    named_tuple,
    struct,
    structs,
    unit,
)
from tsume_rules.kernel.move_generation import checks, evasions, would_attack
from tsume_rules.kernel.retract import captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import PROMOTES, do, dropped, origin_of, target_of, undo
from tsume_rules.kernel.tables import (
    ATT,
    CELL,
    DEF,
    DIST,
    KING,
    LINE,
    PAWN,
    POSITION,
    POSITION_TYPE,
    PROMOTION,
    REACH,
    SLIDES,
)

TAKEN_BY_KING, TAKEN, KING_MOVES, TAKES_ANOTHER, MOVED_BETWEEN, PAWN_BETWEEN, DROPPED_BETWEEN = range(7)
"""The sorts of an answer (`generator.kernel.traits.sort_of_answer`)."""
SORTS_OF_CHECKS, SORTS_OF_ANSWERS = 64, 7
SORTS = SORTS_OF_CHECKS * SORTS_OF_ANSWERS
"""The sorts of a pair: `SORTS_OF_ANSWERS` times that of the check (`generator.kernel.traits.sort_of_check`) plus that
of the answer."""
MAX_PAIRS = 32_768
"""The most pairs of all positions together; what is more is left out."""
_GUARDED = 4
"""Of so many edits of a repair all but one add a defender against a second solution."""
_LEAST_VALUE = -600.0
"""Below the largest value of a pair, so that its exponential is not 0."""
_FARTHEST_TAKER = 2
"""How far from the king a defender is added that took the checking piece."""

Growth = named_tuple(
    "Growth",
    "positions lines parents takers answers checks sorts merits order starts left totals unevasions unchecks rates",
)
"""Positions that mate with their ``lines`` [position, ply], and the pairs of plies that may come before them: the index
of the position, the cell and the piece (256 times the one plus the other) of a defender added, the un-moves, the sort
and the merit of each. ``order`` has them sort by sort, those of a sort from its
``starts`` on, and as many as are ``left``. ``totals`` [sort], un-moves of both sides: scratch space. ``rates`` are the
frequencies of traits in published problems."""
_LINES = Array(int64, 2)
GROWTH = Tuple(
    [structs(POSITION), _LINES, *[INTEGERS] * 5, NUMBERS, *[INTEGERS] * 3, NUMBERS, INTEGERS, INTEGERS, NUMBERS], Growth
)


@unit(arena=ARENA, work=WALK, growth=GROWTH)
def write_pairs(arena, number, n, nodes, captures, takers, work, growth):
    """Write the pairs of check and answer that may come before the first ``number`` positions, which mate in exactly n
    plies; returns how many.

    No other answer to the check lasts longer than that of a pair. ``nodes`` bounds the search after one answer. Checks
    that captured come before one of ``captures`` positions, drawn at random. To each position a defender is added
    ``takers`` times, by the frequencies of published problems, who took the checking piece. By its merit each position
    has the same chance, and of its pairs of a sort one that brings pieces to likelier places a better one.
    """
    found = 0
    for parent in range(number):
        restore_position(arena.pos, growth.positions[parent])
        first = found
        capture = random_below(work.state, captures) == 0
        found = _pairs_before(arena, parent, n, nodes, capture, 0, found, work, growth)
        for _ in range(takers):
            restore_position(arena.pos, growth.positions[parent])
            taker = _add_taker(arena.pos, growth.lines[parent, :n], work, growth.rates)
            if taker:
                found = _pairs_before(arena, parent, n, nodes, False, taker, found, work, growth)
        _write_merits(first, found, work.state, growth)
    _group_by_sort(found, growth)
    return found


@jit
def _add_taker(pos, line, work, rates):
    """Put a defender on the board who leaves the ``line``; returns its cell, 0 if there is none."""
    king = int(pos.king[DEF])
    cell = draw_piece(pos, rates, DEF, king, work.state, work.constraints)
    near = cell != 0 and DIST[cell, king] <= _FARTHEST_TAKER
    fits = near and not in_check(pos, DEF) and not _may_hinder(int(pos.board[cell]), cell, line)
    return cell if fits and _is_legal(pos, line, work) else 0


@jit
def _is_legal(pos, line, work):
    stack, captured = work.stack, work.captured
    done, legal = 0, True
    while legal and done < len(line):
        stop = checks(pos, stack, 0) if done % 2 == 0 else evasions(pos, stack, 0)
        legal = False
        for i in range(stop):
            legal = legal or stack[i] == line[done]
        if legal:
            captured[done] = do(pos, line[done], done % 2)
            done += 1
    for ply in range(done - 1, -1, -1):
        undo(pos, line[ply], ply % 2, captured[ply])
    return legal


@jit
def _pairs_before(arena, parent, n, nodes, captures, taker, found, work, growth):
    """With a ``taker``, only the pairs in which the piece on that cell takes the checking piece."""
    pos, unevasions, unchecks = arena.pos, growth.unevasions, growth.unchecks
    added = taker << 8 | int(pos.board[taker]) if taker else 0
    for i in range(un_evasions(pos, unevasions, True)):
        answer, taken = move_of(unevasions[i]), captured_of(unevasions[i])
        if taker and (taken == 0 or target_of(answer) != taker):
            continue
        by_king = pos.board[target_of(answer)] & 15 == KING
        undo(pos, answer, DEF, taken)
        lasts = _lasts_longest(arena, answer, n + 1, work.stack, arena.search.nodes + nodes)
        for j in range(un_checks(pos, unchecks, captures) if lasts else 0):
            check, captured = move_of(unchecks[j]), captured_of(unchecks[j])
            kind = 0 if dropped(check) else int(pos.board[target_of(check)]) & 15
            sort = sort_of_check(check, kind - PROMOTION if check & PROMOTES else kind, captured != 0)
            undo(pos, check, ATT, captured)
            taken_there = not taker or target_of(check) == taker
            if taken_there and found < MAX_PAIRS and meets_position_constraints(pos, work.constraints):
                growth.parents[found] = parent
                growth.takers[found] = added
                growth.answers[found] = unevasions[i]
                growth.checks[found] = unchecks[j]
                growth.sorts[found] = sort * SORTS_OF_ANSWERS + _sort_of_unevasion(answer, taken, by_king, check)
                growth.merits[found] = value_of_position(pos, work)
                found += 1
            do(pos, check, ATT)
        do(pos, answer, DEF)
    return found


@jit_inline
def _sort_of_unevasion(answer, taken, by_king, check):
    """As `generator.kernel.traits.sort_of_answer`, which sees the board before the answer."""
    if dropped(answer):
        return PAWN_BETWEEN if dropped(answer) == PAWN else DROPPED_BETWEEN
    if taken and target_of(check) == target_of(answer):
        return TAKEN_BY_KING if by_king else TAKEN
    if taken:
        return TAKES_ANOTHER
    return KING_MOVES if by_king else MOVED_BETWEEN


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
def _write_merits(first, last, state, growth):
    """Make merits of values: the pairs of a position and a sort in the order of merit are drawn with chances by the
    exponentials of their values."""
    merits, sorts, totals = growth.merits, growth.sorts, growth.totals
    best = -1e30
    for i in range(first, last):
        best = max(best, merits[i])
        totals[sorts[i]] = 0.0
    for i in range(first, last):
        merits[i] = max(merits[i] - best, _LEAST_VALUE)
        totals[sorts[i]] += exponential(merits[i])
    for i in range(first, last):
        merits[i] += _gumbel(state) - logarithm(totals[sorts[i]])


@jit_inline
def _gumbel(state):
    """Return a random number; what it makes the greatest of several is drawn with the chance of its exponential (Gumbel
    1954)."""
    return -logarithm(-logarithm((random_below(state, 1 << 30) + 0.5) / float(1 << 30)))


@jit
def _group_by_sort(number, growth):
    starts, left = growth.starts, growth.left
    left[:] = 0
    for i in range(number):
        left[growth.sorts[i]] += 1
    start = 0
    for sort in range(SORTS):
        starts[sort] = start
        start += left[sort]
        left[sort] = 0
    for i in range(number):
        sort = growth.sorts[i]
        growth.order[starts[sort] + left[sort]] = i
        left[sort] += 1


@unit(arena=ARENA, work=WALK, growth=GROWTH)
def take_back_pair(arena, n, sort, tries, edits, work, growth):
    """Go back two plies from one of some positions, which mate in exactly n plies, to a sound one whose line begins
    with a pair of a sort (`write_pairs`).

    At most ``tries`` pairs that are left are tried, best first, and then gone. A position with second solutions is
    repaired within so many ``edits`` that leave the sorts of all moves but the last. Returns the index of the position
    before which one was found: ``arena.pos``, whose line is ``work.best``. -1: none was found.
    """
    pos, order, left, merits = arena.pos, growth.order, growth.left, growth.merits
    first = growth.starts[sort]
    for _ in range(min(tries, left[sort])):
        last = first + left[sort] - 1
        for i in range(first, last):
            if merits[order[i]] > merits[order[last]]:
                order[i], order[last] = order[last], order[i]
        left[sort] -= 1
        pair = order[last]
        parent = growth.parents[pair]
        restore_position(pos, growth.positions[parent])
        if growth.takers[pair]:
            put_piece_from_hand(pos, growth.takers[pair] & 255, growth.takers[pair] >> 8)
        answer, check = move_of(growth.answers[pair]), move_of(growth.checks[pair])
        undo(pos, answer, DEF, captured_of(growth.answers[pair]))
        undo(pos, check, ATT, captured_of(growth.checks[pair]))
        work.line[0], work.line[1] = check, answer
        for ply in range(n):
            work.line[ply + 2] = growth.lines[parent, ply]
        end = arena.search.nodes + work.options.nodes
        if _has_no_shorter_mate(arena, n + 2, end) and _becomes_sound(arena, n + 2, edits, work, growth):
            return parent
    return -1


@jit
def _has_no_shorter_mate(arena, n, end):
    for plies in range(1, n, 2):
        if (plies < 5 or plies == n - 2) and ask_mates_within(arena, plies, True, end) != NO:
            return False
    return True


@jit
def _becomes_sound(arena, n, edits, work, growth):
    """Return whether the position that mates by ``work.line`` is sound, or becomes so by edits that leave the sorts of
    its moves; ``work.best`` is its line then."""
    pos, sorts = arena.pos, growth.unchecks
    write_sorts(pos, work.line, n, work.captured, sorts)
    flaws = count_flaws(arena, n, work.stack, work.options)
    value = value_of_position(pos, work)
    second = work.stack[0]
    for _ in range(edits):
        if flaws <= 0:
            break
        if second and random_below(work.state, _GUARDED):
            other = _guard(arena, n, flaws, second, work, growth.rates)
            value = value_of_position(pos, work)
        else:
            value, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            flaws, second = other, work.stack[0]
    if flaws != 0 or not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    write_sorts(pos, work.line, n, work.captured, work.squares)
    for ply in range(n - 1):
        if sorts[ply] != work.squares[ply]:
            return False
    copy_line(work.line, work.best, n)
    return True


@jit
def _guard(arena, n, flaws, second, work, rates):
    """Add a defender against the first move of a second solution, or a later one, if that leaves fewer flaws; returns
    how many, `REFUSED` if the position is what it was."""
    pos, state, stack = arena.pos, work.state, work.stack
    end = arena.search.nodes + work.options.nodes
    cell = target_of(second)
    if random_below(state, 2):
        cell = _target_of_later_check(arena, n + work.options.margin, second, stack, state, end)
    work.saved[0] = pos
    if cell and _put_guard(pos, cell, work.line[:n], rates, state, work.constraints):
        # A guard that stands where the check came to makes it impossible.
        stands = pos.board[target_of(second)] != work.saved[0].board[target_of(second)]
        if stands or ask_mates_after(arena, second, n + work.options.margin, end) == NO:
            fewer = count_flaws(arena, n, stack, work.options)
            if 0 <= fewer < flaws:
                return fewer
    restore_position(pos, work.saved[0])
    return REFUSED


@jit
def _target_of_later_check(arena, n, check, stack, state, end):
    """Return the cell of the second check of a mate in at most n plies, after a random answer; 0 if it has none."""
    pos = arena.pos
    captured = do(pos, check, ATT)
    stop = evasions(pos, stack, 0)
    cell = 0
    if stop and n > 2:
        answer = stack[random_below(state, stop)]
        taken = do(pos, answer, DEF)
        key, _ = find_key(arena, n - 2, stack, 0, end)
        if key > 0:
            cell = target_of(key)
        undo(pos, answer, DEF, taken)
    undo(pos, check, ATT, captured)
    return cell


@export(pos=POSITION_TYPE, line=INTEGERS, rates=NUMBERS, state=STATE, constraints=struct(POSITION_CONSTRAINTS))
def _put_guard(pos, target, line, rates, state, constraints):
    """Put a defender on the board that attacks a cell, or stands on it, but may not come to a cell of a check of the
    ``line``. It is drawn by the ``rates`` of published problems; False if there is none."""
    king = int(pos.king[DEF])
    guard, cell, most = 0, 0, -1e30
    for square in range(81):
        origin = int(CELL[square])
        place = place_from_king(king, origin)
        if pos.board[origin] != 0 or place == PLACES - 1:
            continue
        for piece in range(17, 31):
            rate = rates[OFFSET + piece * PLACES + place]
            if rate > 0 and piece & 15 != KING and (origin == target or would_attack(pos, piece, origin, target)):
                merit = logarithm(rate) + _gumbel(state)
                if merit > most and not _may_hinder(piece, origin, line):
                    guard, cell, most = piece, origin, merit
    return guard != 0 and may_add_piece(guard, cell, constraints) and put_piece_from_hand(pos, guard, cell)


@jit_inline
def _could_attack(piece, cell, target):
    """Return whether a piece attacks a cell if nothing stands between."""
    direction = int(LINE[cell, target])
    near = direction >= 8 or DIST[cell, target] == 1
    return direction >= 0 and ((REACH[piece] if near else SLIDES[piece]) >> direction) & 1 == 1


@jit
def _may_hinder(piece, cell, line):
    """Return whether a piece stands on, or could attack, a cell that a check of a line comes to."""
    for ply in range(0, len(line), 2):
        if cell == target_of(line[ply]) or _could_attack(piece, cell, target_of(line[ply])):
            return True
    return False


@jit
def write_sorts(pos, line, n, captured, out):
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
