# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of measurements: perft, and the tests of a candidate."""

from __future__ import annotations

from generator.reverse.kernel import extension
from solver.engines.dfpn.kernel.arena import ARENA, Arena
from solver.engines.dfpn.kernel.sound import NO, UNANSWERED, YES, ask_mates_within, has_other_mate
from tsume_rules.kernel.compile import INTEGERS, Array, Tuple, export, int64, jit_inline, named_tuple, structs, uint64
from tsume_rules.kernel.move_generation import checks, evasions
from tsume_rules.kernel.state import do, undo
from tsume_rules.kernel.tables import POSITION, POSITION_TYPE

# --- perft: the size of the tree of checks and answers, every move made and taken back -------------


NEXT, END, CAPTURED = 0, 1, 2
LEVEL = 3
"""The stack's fields for a ply: the move being looked at, the end of its moves, what it captured."""


@export(pos=POSITION_TYPE, moves=INTEGERS, stack=Array(int64, 2))
def perft(pos, depth, moves, stack):
    """How many moves the tree of ``depth`` plies has; the attacker begins.

    ``moves`` is scratch space for ``depth`` lists of moves, ``stack`` an int64 array of
    shape (depth, LEVEL): kernels are not recursive.
    """
    nodes = 0
    ply = 0
    stack[0, NEXT] = 0
    stack[0, END] = checks(pos, moves, 0)
    while True:
        if stack[ply, NEXT] < stack[ply, END]:
            stack[ply, CAPTURED] = do(pos, moves[stack[ply, NEXT]], ply & 1)
            nodes += 1
            if ply + 1 < depth:
                start = stack[ply, END]
                ply += 1
                stack[ply, NEXT] = start
                stack[ply, END] = evasions(pos, moves, start) if ply & 1 else checks(pos, moves, start)
                continue
        elif ply == 0:
            return nodes
        else:
            ply -= 1
        undo(pos, moves[stack[ply, NEXT]], ply & 1, stack[ply, CAPTURED])
        stack[ply, NEXT] += 1


# --- the tests of a candidate, asked of many candidates in one call, in any order ------------------


Seen = named_tuple("Seen", "seen")
"""The part of an `ExtensionWork` (`generator.reverse.kernel.extension`) that tests for new positions use."""
_SEEN = Tuple([Array(uint64)], Seen)


@export(
    a=ARENA, positions=structs(POSITION), keys=INTEGERS, stages=INTEGERS, work=_SEEN, stack=INTEGERS,
    tally=Array(int64, 2),
)  # fmt: skip
def run_candidate_tests(a, positions, keys, n, margin, nodes, stages, work, stack, tally):
    """Put each position, with an empty table, to the tests ``stages`` until it fails one.

    The positions would mate in exactly n plies by their keys. ``nodes`` bound all tests of a position; ``tally`` is
    int64 [len(stages), TESTED | FAILED | OPEN | NODES]. There must be stamps left for all. Returns how many pass.
    """
    search = a.search
    passed = 0
    for i in range(len(positions)):
        search.stamp += 1
        b = Arena(positions[i], a.table, search, a.frames, a.kids, a.barred, a.candidates, a.handed, a.buf, a.shared)
        end = search.nodes + nodes
        passes = True
        for j in range(len(stages)):
            before = search.nodes
            answer = _fails(b, keys[i], n, margin, stages[j], work, stack, end)
            tally[j, extension.TESTED] += 1
            tally[j, extension.NODES] += search.nodes - before
            tally[j, extension.FAILED] += answer == YES
            tally[j, extension.OPEN] += answer == UNANSWERED
            if answer != NO:
                passes = False
                break
        passed += passes
    return passed


@jit_inline
def _fails(a, key, n, margin, stage, work, stack, end):
    """YES: it fails the test; NO; UNANSWERED."""
    if stage == extension.NEW:
        return NO if extension._is_new_position(a.pos, work) else YES
    if stage <= extension.SHORTER:
        plies = 1 if stage == extension.IN_ONE else 3 if stage == extension.IN_THREE else n - 2
        return ask_mates_within(a, plies, True, end)
    stop = checks(a.pos, stack, 0)
    answer, _ = has_other_mate(a, key, n, margin, stack, 0, stop, end)
    return answer
