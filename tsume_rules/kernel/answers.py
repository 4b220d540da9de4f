# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks with all answers to each, in one call."""

from tsume_rules.kernel.checks import MAX_MOVES, checks
from tsume_rules.kernel.compile import INTEGERS, unit
from tsume_rules.kernel.evasions import evasions
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.state import POSITION_TYPE
from tsume_rules.kernel.tables import ATT

ROOM = MAX_MOVES * (MAX_MOVES + 3)
"""Elements that `answered_checks` may need."""


@unit(pos=POSITION_TYPE, out=INTEGERS)
def answered_checks(pos, out):
    """Write each legal check, the number of its answers and these, from ``out[MAX_MOVES]`` on.

    Returns the end.
    """
    end = MAX_MOVES
    for i in range(checks(pos, out, 0)):
        move = out[i]
        captured = do(pos, move, ATT)
        last = evasions(pos, out, end + 2)
        undo(pos, move, ATT, captured)
        out[end] = move
        out[end + 1] = last - end - 2
        end = last
    return end
