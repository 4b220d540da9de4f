# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are refuted at a glance: the attacker runs out of checks within three plies of them."""

from tsume_rules.kernel.compile import INTEGERS, jit, unit
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions
from tsume_rules.kernel.state import POSITION_TYPE, do, undo
from tsume_rules.kernel.tables import ATT, DEF

ROOM = 4 * MAX_MOVES
"""Elements that `refuted_at_a_glance` may need."""


@unit(pos=POSITION_TYPE, out=INTEGERS)
def refuted_at_a_glance(pos, check, out):
    """Return whether some answer to a check leaves no check, or only checks with an answer that leaves none.
    ``out`` is scratch space."""
    captured = do(pos, check, ATT)
    found = False
    for i in range(evasions(pos, out, 0)):
        answer = out[i]
        taken = do(pos, answer, DEF)
        found = _runs_out(pos, out)
        undo(pos, answer, DEF, taken)
        if found:
            break
    undo(pos, check, ATT, captured)
    return found


@jit
def _runs_out(pos, out):
    """Return whether every check of the attacker, who is to move, has an answer that leaves none."""
    first, second, free = MAX_MOVES, 2 * MAX_MOVES, 3 * MAX_MOVES
    for i in range(first, checks(pos, out, first)):
        check = out[i]
        captured = do(pos, check, ATT)
        ended = False
        for j in range(second, evasions(pos, out, second)):
            answer = out[j]
            taken = do(pos, answer, DEF)
            ended = checks(pos, out, free) == free
            undo(pos, answer, DEF, taken)
            if ended:
                break
        undo(pos, check, ATT, captured)
        if not ended:
            return False
    return True
