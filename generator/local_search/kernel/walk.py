# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing by local search: a walk through positions that mate in exactly n plies.

A position's weight is the model's (`generator.likeness.kernel.traits`): likely pieces in likely places,
with a likely line. A step edits the position and is taken with the chance of Metropolis and others (1953).
The walk goes from one sound position without unnecessary pieces to the next; in between it may pass some
that have second solutions, each of which costs. The cheapest tests come first: the position, then the
length, then second solutions, then the line.
"""

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.position_constraints import POSITION_CONSTRAINTS, meets_position_constraints
from generator.kernel.random import STATE, random_below
from generator.likeness.kernel.traits import line_traits, position_traits
from generator.local_search.kernel.edits import edit_position_randomly, restore_position
from generator.local_search.kernel.soundness import (
    MOST_COOKS,
    REFUSED,
    count_flaws,
    find_best_line,
    remove_unnecessary_pieces,
)
from solver.engines.dfpn.kernel.arena import ARENA
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import (
    INTEGERS,
    NUMBERS,
    jit,
    jit_inline,
    struct,
    structs,
    unit,
)
from tsume_rules.kernel.state import POSITION, packed_hand
from tsume_rules.kernel.tables import ATT, CELL, DEF

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

_ALWAYS = 16
"""One in this many edits that only add an unnecessary piece is examined all the same."""


# --- the walk -----------------------------------------------------------------------------


@unit(arena=ARENA, work=WALK)
def repair_position(arena, n, steps, work):
    """Go from ``arena.pos``, which mates in exactly n plies, to a sound position.

    False if none is met, or at random if its line is rare in published problems.
    """
    pos, options = arena.pos, work.options
    value = _value_of_position(pos, work)
    flaws = count_flaws_in_time(arena, n, work)
    for _ in range(steps):
        if flaws == 0:
            break
        new, other = _edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            value, flaws = new, other
    if flaws != 0 or not _find_line_and_minimise(arena, n, work):
        return False
    last = line_traits(pos, work.best, n, work.captured, work.traits, 0)
    return _sum_of_trait_values(work.opening, work.traits, last) - options.level >= _log_of_random_number(
        work.state
    )


@unit(arena=ARENA, work=WALK)
def count_flaws_in_time(arena, n, work):
    """`count_flaws` of ``arena.pos``; 2 + `MOST_COOKS` if they are not known for lack of nodes."""
    flaws = count_flaws(arena, n, work.stack, work.options)
    return flaws if flaws >= 0 else 2 + MOST_COOKS


@unit(arena=ARENA, work=WALK)
def mend_by_one_edit(arena, n, steps, flaws, work):
    """Try edits of ``arena.pos``, which mates in exactly n plies and has so many flaws, until one is taken.

    The flaws then; `REFUSED` if none of ``steps`` edits was taken, and the position is what it was.
    """
    value = _value_of_position(arena.pos, work)
    for _ in range(steps):
        _, other = _edit_towards_fewer_flaws(arena, n, value, flaws, work)
        if other >= 0:
            return other
    return REFUSED


@jit
def _edit_towards_fewer_flaws(arena, n, value, flaws, work):
    """Edit a position of this value with so many flaws; its new value and flaws.

    The flaws are `REFUSED` if the edit is not taken, and the position is what it was.
    """
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
    """Write a best line of ``arena.pos``, which mates in exactly n plies, to ``work.best``.

    False if pieces are left in the hand at its end, or the nodes ran out.
    """
    if not find_best_line(arena, n, work, arena.search.nodes + work.options.nodes):
        return False
    _copy_line(work.line, work.best, n)
    return True


@unit(arena=ARENA, work=WALK)
def metropolis_walk(arena, n, steps, work):
    """Go ``steps`` steps from a position `repair_position` or this found; how often another was reached."""
    pos, options = arena.pos, work.options
    work.saved[2] = pos
    best = value = _value_of_position(pos, work)
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
            _copy_line(work.line, work.best, n)
            best, best_rest = _value_of_position(pos, work), _value_of_line(arena, n, work, work.best)
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
    new = _value_of_position(pos, work)
    return new if new - value >= _log_of_random_number(work.state) else np.nan


@jit
def _accepts_sound_position(arena, n, old, at_once, work):
    """Whether a sound position is taken for one of value ``old``; its unnecessary pieces are removed.

    ``at_once``: one edit parts it from that one.
    """
    pos = arena.pos
    if not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    if (
        at_once
        and _walk_keeps_line(work, n)
        and _only_adds_pieces(pos, work.saved[0])
        and random_below(work.state, _ALWAYS)
    ):
        return False  # the added piece is not needed
    remove_unnecessary_pieces(arena, n, work)
    new = _value_of_position(pos, work) + _value_of_line(arena, n, work, work.line)
    return new - old >= _log_of_random_number(work.state)


@jit
def _find_line_and_minimise(arena, n, work):
    """Find the line of a sound position and remove its unnecessary pieces; False if no line is found."""
    if not find_best_line(arena, n, work, arena.search.nodes + 2 * work.options.nodes):
        return False
    remove_unnecessary_pieces(arena, n, work)
    _copy_line(work.line, work.best, n)
    return True


@jit_inline
def _copy_line(line, to, n):
    for ply in range(n):
        to[ply] = line[ply]


@jit
def _walk_keeps_line(work, n):
    for ply in range(n):
        if work.line[ply] != work.best[ply]:
            return False
    return True


@jit
def _only_adds_pieces(pos, before):
    """Whether all pieces are where they were; there may be more."""
    for kind in range(1, 8):
        if pos.hand[ATT, kind] < before.hand[ATT, kind]:
            return False
    for sq in range(81):
        if before.board[CELL[sq]] != 0 and pos.board[CELL[sq]] != before.board[CELL[sq]]:
            return False
    return True


@jit_inline
def _log_of_random_number(state):
    return np.log((random_below(state, 1 << 30) + 1) / float(1 << 30))


@jit
def _value_of_position(pos, work):
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
