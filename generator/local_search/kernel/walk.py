"""Composing by local search: a walk through positions that mate in exactly n plies.

A position's weight is the model's (`generator.likeness.kernel.traits`): likely pieces in likely places, with
a likely line. A step edits the position and is taken with the chance of Metropolis and others (1953). The
walk goes from one sound position without a needless piece to the next; in between it may pass some that have
second solutions, each of which costs. What is asked first is what costs least: the position, then the length,
then second solutions, then the line.
"""

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.position_constraints import POSITION_CONSTRAINTS, meets
from generator.kernel.random import STATE, draw
from generator.likeness.kernel.traits import apart, line_traits, position_traits, sort_of_answer
from generator.local_search.kernel.edits import edit, restore
from solver.engines.dfpn.kernel.arena import ARENA
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
    longest_defences,
)
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import INTEGERS, NUMBERS, jit, jit_inline, struct, structs, unit
from tsume_rules.kernel.play import PROMOTES, do, hand_kind, lift, target_of, undo
from tsume_rules.kernel.state import POSITION, packed_hand
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, RANK

WALK_OPTIONS = np.dtype(
    [
        ("nodes", np.int64),  # for the tests of one position
        ("margin", np.int64),  # plies beyond the end within which second solutions are looked for
        ("turns", np.int64),  # of the main tree that are looked at
        ("away", np.int64),  # steps that the walk may go on without meeting a sound position
        ("cook", np.float64),  # what a second solution costs
        ("hurry", np.float64),  # the same before the first sound position
        ("level", np.float64),  # the opening value from which every first sound position is gone on from
    ],
    align=True,
)
"""How the walk goes."""

Walk = namedtuple(
    "Walk", "options values opening state stack traits line best captured squares saved constraints"
)
"""Arrays of a walk: the options, the value of each trait, the same for lines to begin with, the random state;
the line of the position it has come to is ``best``; all positions keep to the ``constraints``. The rest is
scratch space: the stack of `is_sound`, traits, a line and what it takes, squares, and `SAVED` positions: the
one before an edit, the one before a piece is taken off, the last sound one."""
LINE_ROOM = 64
"""The longest line."""
SAVED = 3

WALK = types.NamedTuple(
    [
        struct(WALK_OPTIONS), NUMBERS, NUMBERS, STATE, INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS,
        INTEGERS, structs(POSITION), struct(POSITION_CONSTRAINTS),
    ],
    Walk,
)  # fmt: skip
"""The type of a `Walk`, for units."""

REFUSED = -1
_MOST_COOKS = 5
_ALWAYS = 16
"""Of so many edits that only add a piece which is not needed, one is looked at all the same."""


# --- the walk -----------------------------------------------------------------------------


@unit(a=ARENA, work=WALK)
def repair(a, n, steps, work):
    """Go from ``a.pos``, which mates in exactly n plies, to a sound position.

    False if none is met, or by chance if its line is one that people have rarely.
    """
    pos, options = a.pos, work.options
    value = _value_of_position(pos, work)
    flaws = _flaws(a, n, work.stack, options)
    if flaws < 0:
        flaws = 2 + _MOST_COOKS  # not known for lack of nodes
    for _ in range(steps):
        if flaws == 0:
            break
        work.saved[0] = pos
        new = _edited(pos, value, work)
        other = REFUSED if np.isnan(new) else _flaws(a, n, work.stack, options)
        if other < 0 or options.hurry * (flaws - other) < _log_chance(work.state):
            restore(pos, work.saved[0])
        else:
            value, flaws = new, other
    if flaws != 0 or not _settle(a, n, work):
        return False
    last = line_traits(pos, work.best, n, work.captured, work.traits, 0)
    return _value(work.opening, work.traits, last) - options.level >= _log_chance(work.state)


@unit(a=ARENA, work=WALK)
def walk(a, n, steps, work):
    """Go ``steps`` steps from a position that `repair` or this found; how often another one was reached."""
    pos, options = a.pos, work.options
    work.saved[2] = pos
    best = value = _value_of_position(pos, work)
    best_rest = rest = _value_of_line(a, n, work, work.best)
    away = 0
    moved = 0
    for _ in range(steps):
        if away > options.away:
            restore(pos, work.saved[2])
            value, rest, away = best, best_rest, 0
        away += away > 0
        work.saved[0] = pos
        new = _edited(pos, value, work)
        flaws = REFUSED if np.isnan(new) else _flaws(a, n, work.stack, options)
        if flaws != 0:
            new_rest = best_rest - options.cook * flaws
            if flaws < 0 or new_rest - rest < _log_chance(work.state):
                restore(pos, work.saved[0])
            else:
                value, rest, away = new, new_rest, max(away, 1)
            continue
        if _is_better(a, n, best + best_rest, away == 0, work):
            moved += pos.key != work.saved[2].key or packed_hand(pos) != packed_hand(work.saved[2])
            work.saved[2] = pos
            _copy(work.line, work.best, n)
            best, best_rest = _value_of_position(pos, work), _value_of_line(a, n, work, work.best)
        else:
            restore(pos, work.saved[2])
        value, rest, away = best, best_rest, 0
    restore(pos, work.saved[2])
    return moved


@jit
def _edited(pos, value, work):
    """Edit the position; its new value, or nan if the edit is not possible or not taken."""
    if not edit(pos, work.state, work.squares) or in_check(pos, DEF) or not meets(pos, work.constraints):
        return np.nan
    new = _value_of_position(pos, work)
    return new if new - value >= _log_chance(work.state) else np.nan


@jit
def _is_better(a, n, old, at_once, work):
    """Whether a sound position is taken for one of value ``old``; it loses its needless pieces.

    ``at_once``: one edit parts it from that one.
    """
    pos = a.pos
    if not _find_line(a, n, work, a.search.nodes + 2 * work.options.nodes):
        return False
    if at_once and _is_same_line(work, n) and _is_only_more(pos, work.saved[0]) and draw(work.state, _ALWAYS):
        return False  # what came is not needed
    _strip(a, n, work)
    new = _value_of_position(pos, work) + _value_of_line(a, n, work, work.line)
    return new - old >= _log_chance(work.state)


@jit
def _settle(a, n, work):
    """Find the line of a sound position and strip it of needless pieces; False if that does not succeed."""
    if not _find_line(a, n, work, a.search.nodes + 2 * work.options.nodes):
        return False
    _strip(a, n, work)
    _copy(work.line, work.best, n)
    return True


@jit_inline
def _copy(line, to, n):
    for ply in range(n):
        to[ply] = line[ply]


@jit
def _is_same_line(work, n):
    for ply in range(n):
        if work.line[ply] != work.best[ply]:
            return False
    return True


@jit
def _is_only_more(pos, before):
    """Whether all pieces are where they were; there may be more."""
    for kind in range(1, 8):
        if pos.hand[ATT, kind] < before.hand[ATT, kind]:
            return False
    for sq in range(81):
        if before.board[CELL[sq]] != 0 and pos.board[CELL[sq]] != before.board[CELL[sq]]:
            return False
    return True


@jit_inline
def _log_chance(state):
    return np.log((draw(state, 1 << 30) + 1) / float(1 << 30))


@jit
def _value_of_position(pos, work):
    return _value(work.values, work.traits, position_traits(pos, work.traits, 0))


@jit
def _value_of_line(a, n, work, line):
    last = line_traits(a.pos, line, n, work.captured, work.traits, 0)
    return _value(work.values, work.traits, last)


@jit
def _value(values, traits, number):
    total = 0.0
    for i in range(number):
        total += values[traits[i]]
    return total


@jit
def _flaws(a, n, stack, options):
    """How many second solutions were found, few of them; `REFUSED` if the length is another or not known."""
    end = a.search.nodes + options.nodes
    if n > 1 and ask(a, n - 2, True, end) != NO:
        return REFUSED
    key, stop = find_key(a, n, stack, 0, end)
    if key <= 0:
        return REFUSED
    cooks = 0
    for i in range(stop):
        if stack[i] == key:
            continue
        answer = ask_after(a, stack[i], n + options.margin, end)
        if answer == UNANSWERED:
            return REFUSED
        cooks += answer == YES
        if cooks == _MOST_COOKS:
            break
    if cooks:
        return 1 + cooks
    found = is_sound(a, n, options.margin, stack, options.turns, end)
    if found == SOUND:
        return 0
    return 1 if found in (SECOND, LEFTOVER) else REFUSED


@jit
def _find_line(a, n, work, end):
    """Write a best line to ``work.line``; False if the nodes ran out."""
    pos = a.pos
    done = 0
    good = True
    while good and done < n:
        left = n - done
        if done % 2 == 0:
            move = _last_check(a, work.stack) if left == 1 else find_key(a, left, work.stack, 0, end)[0]
        else:
            last = longest_defences(a, left, work.stack, 0, end)
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
def _last_check(a, stack):
    """The mating check that takes nothing, promotes and comes nearest, if it can."""
    pos = a.pos
    stop = checks(pos, stack, 0)
    best = 0
    least = 1000
    for i in range(stop):
        move = stack[i]
        takes = pos.board[target_of(move)] != 0
        cost = 100 * takes + 20 * (move & PROMOTES == 0) + apart(int(pos.king[DEF]), target_of(move))
        captured = do(pos, move, ATT)
        mated = packed_hand(pos) == 0 and ask(a, 0, False, a.search.nodes) == YES
        undo(pos, move, ATT, captured)
        if mated and cost < least:
            best, least = move, cost
    return best


@jit
def _likely_answer(pos, moves, last, checked_from):
    """Of some answers the likeliest in a main line, roughly as `solver.solving.main_line` weighs them."""
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
def _strip(a, n, work):
    """Take off, in random order, the pieces without which the line stays the only solution.

    Each is tried once: one that becomes needless when a later one is gone stays.
    """
    pos, options, constraints = a.pos, work.options, work.constraints
    start = draw(work.state, 81)
    stride = 1 + 3 * draw(work.state, 26) + draw(work.state, 2)  # not a multiple of 3: passes every square
    for i in range(81):
        cell = CELL[(start + i * stride) % 81]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING or (constraints.asks and constraints.kept[cell] == piece):
            continue
        work.saved[1] = pos
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        if in_check(pos, DEF) or not _keeps(a, n, work, options):
            restore(pos, work.saved[1])
    for kind in range(1, 8):
        while pos.hand[ATT, kind] > 0 and not (constraints.asks and constraints.hand[kind] >= 0):
            pos.hand[ATT, kind] -= 1
            pos.hand[DEF, kind] += 1
            if not _keeps(a, n, work, options):
                pos.hand[ATT, kind] += 1
                pos.hand[DEF, kind] -= 1
                break


@jit_inline
def _keeps(a, n, work, options):
    end = a.search.nodes + options.nodes
    return (
        keeps_line(a, work.line[:n], work.stack, end) == YES
        and is_sound(a, n, options.margin, work.stack, options.turns, end) == SOUND
    )
