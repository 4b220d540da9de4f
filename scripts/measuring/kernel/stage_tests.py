# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests of a candidate, asked of many candidates in one call, in any order."""

from collections import namedtuple

from generator.reverse.kernel.extension import (
    FAILED,
    IN_ONE,
    IN_THREE,
    NEW,
    NODES,
    OPEN,
    SHORTER,
    TESTED,
    _is_new_position,
)
from solver.engines.dfpn.kernel.arena import Arena
from solver.engines.dfpn.kernel.sound import NO, UNANSWERED, YES, ask, other_mates
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.move_generation import checks

Seen = namedtuple("Seen", "seen")
"""The part of an `ExtensionWork` (`generator.reverse.kernel.extension`) that tests for new positions use."""


@jit
def test_all(a, positions, keys, n, margin, nodes, stages, work, stack, tally):
    """Put each position, with an empty table, to the tests ``stages`` until it fails one.

    The positions would mate in exactly n plies by their keys. ``nodes`` bound all tests of a
    position; ``tally`` is int64 [len(stages), TESTED | FAILED | OPEN | NODES]. There must be
    stamps left for all. Returns how many pass.
    """
    search = a.search
    passed = 0
    for i in range(len(positions)):
        search.stamp += 1
        b = Arena(
            positions[i], a.table, search, a.frames, a.kids, a.barred, a.candidates, a.handed, a.buf,
            a.shared,
        )  # fmt: skip
        end = search.nodes + nodes
        passes = True
        for j in range(len(stages)):
            before = search.nodes
            answer = _fails(b, keys[i], n, margin, stages[j], work, stack, end)
            tally[j, TESTED] += 1
            tally[j, NODES] += search.nodes - before
            tally[j, FAILED] += answer == YES
            tally[j, OPEN] += answer == UNANSWERED
            if answer != NO:
                passes = False
                break
        passed += passes
    return passed


@jit_inline
def _fails(a, key, n, margin, stage, work, stack, end):
    """YES: it fails the test; NO; UNANSWERED."""
    if stage == NEW:
        return NO if _is_new_position(a.pos, work) else YES
    if stage <= SHORTER:
        plies = 1 if stage == IN_ONE else 3 if stage == IN_THREE else n - 2
        return ask(a, plies, True, end)
    stop = checks(a.pos, stack, 0)
    answer, _ = other_mates(a, key, n, margin, stack, 0, stop, end)
    return answer
