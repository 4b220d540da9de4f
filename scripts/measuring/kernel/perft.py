# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of the tree of checks and answers, every move made and taken back."""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.move_generation import checks, evasions
from tsume_rules.kernel.state import do, undo

NEXT, END, CAPTURED = 0, 1, 2
LEVEL = 3
"""The stack's fields for a ply: the move being looked at, the end of its moves, what it captured."""


@jit
def perft(pos, depth, moves, stack):
    """How many moves the tree of ``depth`` plies has; the attacker begins.

    ``moves`` is scratch space for ``depth`` lists of moves, ``stack`` an int64 array of
    shape (depth, LEVEL): compiled code that calls itself could not be cached.
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
