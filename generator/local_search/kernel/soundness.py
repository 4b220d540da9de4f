# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position of a walk is a sound problem: its second solutions, its line, its unnecessary pieces."""

from generator.kernel.random import random_below
from generator.likeness.kernel.traits import king_steps_between, sort_of_answer
from generator.local_search.kernel.edits import restore_position
from solver.engines.dfpn.kernel.sound import (
    LEFTOVER,
    NO,
    SECOND,
    SOUND,
    UNANSWERED,
    YES,
    ask,
    ask_after,
    find_key,
    is_sound,
    keeps_line,
    leaves_same_position,
    longest_defences,
)
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.state import PROMOTES, do, hand_kind, lift, packed_hand, target_of, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, RANK

REFUSED = -1
MOST_COOKS = 5
"""Second solutions are counted up to this number."""


@jit
def count_flaws(arena, n, stack, options):
    """How many second solutions were found, few of them; `REFUSED` if the length is another or not known."""
    end = arena.search.nodes + options.nodes
    if n > 1 and ask(arena, n - 2, True, end) != NO:
        return REFUSED
    key, stop = find_key(arena, n, stack, 0, end)
    if key <= 0:
        return REFUSED
    cooks = 0
    for i in range(stop):
        if stack[i] == key:
            continue
        answer = ask_after(arena, stack[i], n + options.margin, end)
        if answer == YES:
            same = leaves_same_position(arena, key, stack[i], n, stack, stop, end)
            answer = UNANSWERED if same == UNANSWERED else NO if same == YES else YES
        if answer == UNANSWERED:
            return REFUSED
        cooks += answer == YES
        if cooks == MOST_COOKS:
            break
    if cooks:
        return 1 + cooks
    found = is_sound(arena, n, options.margin, stack, options.turns, end)
    if found == SOUND:
        return 0
    return 1 if found in (SECOND, LEFTOVER) else REFUSED


@jit
def find_best_line(arena, n, work, end):
    """Write a best line to ``work.line``; False if the nodes ran out."""
    pos = arena.pos
    done = 0
    good = True
    while good and done < n:
        left = n - done
        if done % 2 == 0:
            move = (
                _final_mating_check(arena, work.stack)
                if left == 1
                else find_key(arena, left, work.stack, 0, end)[0]
            )
        else:
            last = longest_defences(arena, left, work.stack, 0, end)
            move = _likely_answer(pos, work.stack, last, target_of(work.line[done - 1])) if last > 0 else 0
        good = move > 0
        if good:
            work.line[done] = move
            work.captured[done] = do(pos, move, done % 2)
            done += 1
    for ply in range(done - 1, -1, -1):
        undo(pos, work.line[ply], ply % 2, work.captured[ply])
    return good


@jit
def _final_mating_check(arena, stack):
    """The mating check that takes nothing, promotes and comes nearest, if it can."""
    pos = arena.pos
    stop = checks(pos, stack, 0)
    best = 0
    least = 1000
    for i in range(stop):
        move = stack[i]
        takes = pos.board[target_of(move)] != 0
        cost = (
            100 * takes
            + 20 * (move & PROMOTES == 0)
            + king_steps_between(int(pos.king[DEF]), target_of(move))
        )
        captured = do(pos, move, ATT)
        mated = packed_hand(pos) == 0 and ask(arena, 0, False, arena.search.nodes) == YES
        undo(pos, move, ATT, captured)
        if mated and cost < least:
            best, least = move, cost
    return best


@jit
def _likely_answer(pos, moves, last, checked_from):
    """Of some answers the likeliest in a main line, roughly as `solver.solving.tree` weighs them."""
    best = 0
    most = -10000
    for i in range(last):
        move = moves[i]
        sort = sort_of_answer(pos, move, checked_from)
        if sort <= 1:
            worth = 305 + 32 * (sort == 0)
        elif sort == 2:
            king = int(pos.king[DEF])
            worth = (
                -166 if RANK[target_of(move)] < RANK[king] else -79 * (RANK[target_of(move)] == RANK[king])
            )
        elif sort == 3:
            worth = 86
        else:
            worth = -76 if sort == 4 else 39 if sort == 5 else -234
        if move & PROMOTES:
            worth += 104
        if worth > most:
            best, most = move, worth
    return best


@jit
def remove_unnecessary_pieces(arena, n, work):
    """Take off, in random order, the pieces without which the line stays the only solution.

    Each is tried once: a piece that becomes unnecessary later stays.
    """
    pos, options, constraints = arena.pos, work.options, work.constraints
    start = random_below(work.state, 81)
    stride = (
        1 + 3 * random_below(work.state, 26) + random_below(work.state, 2)
    )  # not a multiple of 3: passes every square
    for i in range(81):
        cell = CELL[(start + i * stride) % 81]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING or (constraints.asks and constraints.kept[cell] == piece):
            continue
        work.saved[1] = pos
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        if in_check(pos, DEF) or not _keeps_only_solution(arena, n, work, options):
            restore_position(pos, work.saved[1])
    for kind in range(1, 8):
        while pos.hand[ATT, kind] > 0 and not (constraints.asks and constraints.hand[kind] >= 0):
            pos.hand[ATT, kind] -= 1
            pos.hand[DEF, kind] += 1
            if not _keeps_only_solution(arena, n, work, options):
                pos.hand[ATT, kind] += 1
                pos.hand[DEF, kind] -= 1
                break


@jit_inline
def _keeps_only_solution(arena, n, work, options):
    end = arena.search.nodes + options.nodes
    return (
        keeps_line(arena, work.line[:n], work.stack, end) == YES
        and is_sound(arena, n, options.margin, work.stack, options.turns, end) == SOUND
    )
