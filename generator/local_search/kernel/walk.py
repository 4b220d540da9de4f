# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing by local search: a walk through positions that mate in exactly n plies.

A position's weight is the model's (`generator.kernel.traits`): likely pieces in likely places, with a likely line. A
step edits the position and is taken with the chance of Metropolis and others (1953). The walk goes from one sound
position without unnecessary pieces to the next; in between it may pass some that have second solutions, each of which
costs. The cheapest tests come first: the position, then the length, then second solutions, then the line.
"""

from __future__ import annotations

import numpy as np

from generator.kernel.positions import (
    POSITION_CONSTRAINTS,
    STATE,
    clear_board,
    edit_position_randomly,
    logarithm,
    may_add_piece,
    meets_position_constraints,
    move_between_hands,
    put_piece_from_hand,
    random_below,
    restore_position,
)
from generator.kernel.traits import (
    ATTACKERS,
    DEFENDERS,
    HANDS,
    KINGS,
    OFFSET,
    PLACES,
    REACH,
    king_steps_between,
    line_traits,
    position_traits,
    sort_of_answer,
)
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import (
    LEFTOVER,
    NO,
    SECOND,
    SOUND,
    UNANSWERED,
    YES,
    ask_mates_after,
    ask_mates_within,
    find_key,
    is_sound,
    keeps_line,
    leaves_same_position,
    longest_defences,
    mates_in_exactly,
)
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import (
    INTEGERS,
    NUMBERS,
    Tuple,
    jit,
    jit_inline,
    named_tuple,
    record,
    struct,
    structs,
    unit,
)
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.state import PROMOTES, do, hand_kind, lift, packed_hand, put, target_of, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, POSITION, RANK, SQUARE

# ---------------------------------------------------------------------------------------------------
#
# Whether a position of a walk is a sound problem: its second solutions, its line, its unnecessary pieces.

REFUSED = -1
MAX_COOKS = 5
"""Second solutions are counted up to this number."""


@jit
def count_flaws(arena, n, stack, options):
    """How many second solutions were found, few of them; `REFUSED` if the length is another or not known. The last one
    found is ``stack[0]``, 0 if there is none at the first turn."""
    end = arena.search.nodes + options.nodes
    if n > 1 and ask_mates_within(arena, n - 2, True, end) != NO:
        return REFUSED
    key, stop = find_key(arena, n, stack, 0, end)
    if key <= 0:
        return REFUSED
    cooks = 0
    cook = 0
    for i in range(stop):
        if stack[i] == key:
            continue
        answer = ask_mates_after(arena, stack[i], n + options.margin, end)
        if answer == YES:
            same = leaves_same_position(arena, key, stack[i], n, stack, stop, end)
            answer = UNANSWERED if same == UNANSWERED else NO if same == YES else YES
        if answer == UNANSWERED:
            return REFUSED
        if answer == YES:
            cooks += 1
            cook = stack[i]
        if cooks == MAX_COOKS:
            break
    if cooks:
        stack[0] = cook
        return 1 + cooks
    found = is_sound(arena, n, options.margin, stack, options.turns, end)
    stack[0] = 0
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
            move = _final_mating_check(arena, work.stack) if left == 1 else find_key(arena, left, work.stack, 0, end)[0]
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
    """Return the mating check that takes nothing, promotes and comes nearest, if it can."""
    pos = arena.pos
    stop = checks(pos, stack, 0)
    best = 0
    least = 1000
    for i in range(stop):
        move = stack[i]
        takes = pos.board[target_of(move)] != 0
        cost = 100 * takes + 20 * (move & PROMOTES == 0) + king_steps_between(int(pos.king[DEF]), target_of(move))
        captured = do(pos, move, ATT)
        mated = packed_hand(pos) == 0 and ask_mates_within(arena, 0, False, arena.search.nodes) == YES
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
            worth = -166 if RANK[target_of(move)] < RANK[king] else -79 * (RANK[target_of(move)] == RANK[king])
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
    """Take off, in random order, the pieces without which the line stays the only solution. Each is tried once: a piece
    that becomes unnecessary later stays."""
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


# --- composing by local search ---------------------------------------------------------------------

WALK_OPTIONS = record(
    [
        ("nodes", np.int64),  # for the tests of one position
        ("margin", np.int64),  # plies beyond the end within which second solutions are looked for
        ("turns", np.int64),  # of the main tree that are looked at
        ("away", np.int64),  # steps that the walk may go on without meeting a sound position
        ("cook", np.float64),  # what a second solution costs
        ("hurry", np.float64),  # the same before the first sound position
        ("level", np.float64),  # the opening value from which every first sound position is gone on from
    ]
)
"""How the walk goes."""

Walk = named_tuple("Walk", "options values opening state stack traits line best captured squares saved constraints")
"""Arrays of a walk: the options, the value of each trait, the same for lines to begin with, the random state;
the line of the position it has come to is ``best``; all positions keep to the ``constraints``. The rest is
scratch space: the stack of `is_sound`, traits, a line and what it takes, squares, and `SAVED` positions: the
one before an edit, the one before a piece is taken off, the last sound one."""
LINE_ROOM = 64
"""The longest line."""
SAVED = 3

WALK = Tuple(
    [
        struct(WALK_OPTIONS), NUMBERS, NUMBERS, STATE, INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS,
        INTEGERS, structs(POSITION), struct(POSITION_CONSTRAINTS),
    ],
    Walk,
)  # fmt: skip
"""The type of a `Walk`, for units."""

_ALWAYS = 16
"""One in this many edits that only add an unnecessary piece is examined all the same."""


# --- the walk -----------------------------------------------------------------------------


@unit(arena=ARENA, work=WALK)
def repair_position(arena, n, steps, work):
    """Go from ``arena.pos``, which mates in exactly n plies, to a sound position. False if none is met, or at random if
    its line is rare in published problems."""
    pos, options = arena.pos, work.options
    value = value_of_position(pos, work)
    flaws = count_flaws_in_time(arena, n, work)
    for _ in range(steps):
        if flaws == 0:
            break
        new, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            value, flaws = new, other
    if flaws != 0 or not find_best_line(arena, n, work, arena.search.nodes + 2 * options.nodes):
        return False
    remove_unnecessary_pieces(arena, n, work)
    copy_line(work.line, work.best, n)
    last = line_traits(pos, work.best, n, work.captured, work.traits, 0)
    return _sum_of_trait_values(work.opening, work.traits, last) - options.level >= _log_of_random_number(work.state)


@unit(arena=ARENA, work=WALK)
def count_flaws_in_time(arena, n, work):
    """`count_flaws` of ``arena.pos``; 2 + `MAX_COOKS` if they are not known for lack of nodes."""
    flaws = count_flaws(arena, n, work.stack, work.options)
    return flaws if flaws >= 0 else 2 + MAX_COOKS


@unit(arena=ARENA, work=WALK)
def mend_by_one_edit(arena, n, steps, flaws, work):
    """Try edits of ``arena.pos``, which mates in exactly n plies and has so many flaws, until one is taken. The flaws
    then; `REFUSED` if none of ``steps`` edits was taken, and the position is what it was."""
    value = value_of_position(arena.pos, work)
    for _ in range(steps):
        _, other = edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            return other
    return REFUSED


@jit
def edit_towards_fewer_flaws(arena, n, value, flaws, work):
    """Edit a position of this value with so many flaws; its new value and flaws. The flaws are `REFUSED` if the edit is
    not taken, and the position is what it was."""
    pos, options = arena.pos, work.options
    work.saved[0] = pos
    new = _edit_and_evaluate(pos, value, work)
    other = REFUSED if np.isnan(new) else count_flaws(arena, n, work.stack, options)
    if other >= 0 and options.hurry * (flaws - other) >= _log_of_random_number(work.state):
        return new, other
    restore_position(pos, work.saved[0])
    return value, REFUSED


@unit(arena=ARENA, work=WALK)
def find_line_in_time(arena, n, work):
    """Write a best line of ``arena.pos``, which mates in exactly n plies, to ``work.best``. False if pieces are left in
    the hand at its end, or the nodes ran out."""
    if not find_best_line(arena, n, work, arena.search.nodes + work.options.nodes):
        return False
    copy_line(work.line, work.best, n)
    return True


@unit(arena=ARENA, work=WALK)
def metropolis_walk(arena, n, steps, work):
    """Go ``steps`` steps of a Metropolis walk over correct positions; return how often it reached another one.

    It starts from a correct position, as `repair_position` or this leaves one. ``work.saved[2]`` is the last correct
    one, at which it ends; for at most ``options.away`` steps in a row it may stand at an incorrect one, worth less.
    """
    pos, options = arena.pos, work.options
    work.saved[2] = pos
    best = value = value_of_position(pos, work)
    best_rest = rest = _value_of_line(arena, n, work, work.best)
    away = 0
    moved = 0
    for _ in range(steps):
        if away > options.away:
            restore_position(pos, work.saved[2])
            value, rest, away = best, best_rest, 0
        away += away > 0
        work.saved[0] = pos
        new = _edit_and_evaluate(pos, value, work)
        flaws = REFUSED if np.isnan(new) else count_flaws(arena, n, work.stack, options)
        if flaws != 0:
            new_rest = best_rest - options.cook * flaws
            if flaws < 0 or new_rest - rest < _log_of_random_number(work.state):
                restore_position(pos, work.saved[0])
            else:
                value, rest, away = new, new_rest, max(away, 1)
            continue
        if _accepts_sound_position(arena, n, best + best_rest, away == 0, work):
            moved += pos.key != work.saved[2].key or packed_hand(pos) != packed_hand(work.saved[2])
            work.saved[2] = pos
            copy_line(work.line, work.best, n)
            best, best_rest = value_of_position(pos, work), _value_of_line(arena, n, work, work.best)
        else:
            restore_position(pos, work.saved[2])
        value, rest, away = best, best_rest, 0
    restore_position(pos, work.saved[2])
    return moved


@jit
def _edit_and_evaluate(pos, value, work):
    """Edit the position; its new value, or nan if the edit is not possible or not taken."""
    if (
        not edit_position_randomly(pos, work.state, work.squares)
        or in_check(pos, DEF)
        or not meets_position_constraints(pos, work.constraints)
    ):
        return np.nan
    new = value_of_position(pos, work)
    return new if new - value >= _log_of_random_number(work.state) else np.nan


@jit
def _accepts_sound_position(arena, n, old, at_once, work):
    """Return whether a sound position is taken for one of value ``old``; its unnecessary pieces are removed.
    ``at_once``: one edit parts it from that one."""
    pos = arena.pos
    if not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    keeps_line = at_once != 0
    for ply in range(n):
        keeps_line = keeps_line and work.line[ply] == work.best[ply]
    if keeps_line and _only_adds_pieces(pos, work.saved[0]) and random_below(work.state, _ALWAYS):
        return False  # the added piece is not needed
    remove_unnecessary_pieces(arena, n, work)
    new = value_of_position(pos, work) + _value_of_line(arena, n, work, work.line)
    return new - old >= _log_of_random_number(work.state)


@jit_inline
def copy_line(line, to, n):
    """Copy a line of n plies."""
    for ply in range(n):
        to[ply] = line[ply]


@jit
def _only_adds_pieces(pos, before):
    for kind in range(1, 8):
        if pos.hand[ATT, kind] < before.hand[ATT, kind]:
            return False
    for sq in range(81):
        if before.board[CELL[sq]] != 0 and pos.board[CELL[sq]] != before.board[CELL[sq]]:
            return False
    return True


@jit_inline
def _log_of_random_number(state):
    return logarithm((random_below(state, 1 << 30) + 1) / float(1 << 30))


@jit
def value_of_position(pos, work):
    """Return the sum of the values of a position's traits."""
    return _sum_of_trait_values(work.values, work.traits, position_traits(pos, work.traits, 0))


@jit
def _value_of_line(arena, n, work, line):
    last = line_traits(arena.pos, line, n, work.captured, work.traits, 0)
    return _sum_of_trait_values(work.values, work.traits, last)


@jit
def _sum_of_trait_values(values, traits, number):
    total = 0.0
    for i in range(number):
        total += values[traits[i]]
    return total


# ---------------------------------------------------------------------------------------------------
#
# Drawing positions with the frequencies of published problems until one mates in n plies.

MORE = 3
"""Some pieces turn out unnecessary, so up to this many additional defenders are drawn."""
_TRIES = 8
_TRIES_OF_KING = 64


@unit(arena=ARENA, rates=NUMBERS, state=STATE, constraints=struct(POSITION_CONSTRAINTS))
def draw_likely_position(arena, n, tries, nodes, rates, state, constraints):
    """Draw positions into ``arena.pos`` until one mates in exactly n plies; their number, 0 if none does.

    ``rates`` are the frequencies of traits in published problems (`generator.kernel.traits`);
    ``nodes`` bounds the search of one. All keep to the ``constraints``.
    """
    pos = arena.pos
    for number in range(tries):
        _draw_position(pos, rates, state, constraints)
        if in_check(pos, DEF) or not meets_position_constraints(pos, constraints):
            continue
        if mates_in_exactly(arena, n, arena.search.nodes + nodes):
            return number + 1
    return 0


@jit
def _draw_position(pos, rates, state, constraints):
    """Empty the board and put pieces on it, and into the attacker's hand, with their frequencies. Those that are
    required come first."""
    clear_board(pos)
    king = _draw_king_cell(rates, state, constraints)
    put(pos, king, KING + 16)
    if constraints.asks:
        for i in range(81):
            piece = constraints.kept[CELL[i]]
            if piece == KING:
                put(pos, CELL[i], KING)
            elif piece > 0 and piece != KING + 16:
                put_piece_from_hand(pos, piece, CELL[i])
        tries = _TRIES_OF_KING if constraints.own_king else 0
        while tries > 0 and pos.king[ATT] == 0:
            cell = CELL[random_below(state, 81)]
            if pos.board[cell] == 0 and constraints.kept[cell] < 0:
                put(pos, cell, KING)
            tries -= 1
    for kind in range(1, 8):
        held = _draw_by_rate(rates, HANDS + 20 * kind, HANDS + 20 * kind + 20, state) - HANDS - 20 * kind
        if constraints.asks and constraints.hand[kind] >= 0:
            held = constraints.hand[kind]
        for _ in range(min(held, int(pos.hand[DEF, kind]))):
            move_between_hands(pos, kind, DEF)
    for side in range(2):
        first = ATTACKERS if side == ATT else DEFENDERS
        number = _draw_by_rate(rates, first, first + 40, state) - first
        if side == DEF:
            number += random_below(state, 1 + MORE)
        if constraints.asks:
            kept = 0
            for i in range(81):
                piece = constraints.kept[CELL[i]]
                kept += piece > 0 and piece & 15 != KING and piece >> 4 == side
            number = min(number, constraints.most[side]) - kept
        for _ in range(number):
            draw_piece(pos, rates, side, king, state, constraints)


@jit
def _draw_king_cell(rates, state, constraints):
    """Return the king's cell: a kept one, else drawn with the published frequencies."""
    if constraints.asks:
        for i in range(81):
            if constraints.kept[CELL[i]] == KING + 16:
                return CELL[i]
    king = CELL[0]
    for _ in range(_TRIES_OF_KING):
        king = CELL[_draw_by_rate(rates, KINGS, HANDS, state) - KINGS]
        if constraints.asks == 0 or (constraints.kept[king] < 0 and constraints.king_may_stand[king] != 0):
            break
    return king


@jit
def draw_piece(pos, rates, side, king, state, constraints):
    """Put a piece of a side on the board, drawn by the ``rates`` of published problems; returns its cell, 0 if none was
    found."""
    for _ in range(_TRIES):
        begin = OFFSET + 16 * side * PLACES
        drawn = _draw_by_rate(rates, begin, begin + 16 * PLACES, state) - OFFSET
        piece, place = drawn // PLACES, drawn % PLACES
        if place == PLACES - 1 or piece & 15 == KING:
            continue
        file = SQUARE[king] // 9 + place // (2 * REACH + 1) - REACH
        rank = SQUARE[king] % 9 + place % (2 * REACH + 1) - REACH
        if 0 <= file < 9 and 0 <= rank < 9:
            cell = CELL[file * 9 + rank]
            if may_add_piece(piece, cell, constraints) and put_piece_from_hand(pos, piece, cell):
                return cell
    return 0


@jit
def _draw_by_rate(rates, begin, end, state):
    """Return a place between ``begin`` and ``end``, each with the chance of its rate among theirs."""
    total = 0.0
    for i in range(begin, end):
        total += rates[i]
    left = total * (random_below(state, 1 << 30) / float(1 << 30))
    for i in range(begin, end):
        left -= rates[i]
        if left < 0:
            return i
    return end - 1
