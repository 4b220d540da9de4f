# SPDX-License-Identifier: GPL-3.0-or-later
"""The king's freedom a few plies ahead, by alpha-beta (Sekine, section 2, figure 1).

The attacker checks to make it small, the defender answers to make it large. At a leaf
the defender is in check, and the freedom is the number of his legal answers, all drops
on a cell counted as one; 0 is mate. If the attacker has no check, the king is free: that
counts for more than any number of answers. (The paper counts all moves of the defender at
a leaf, and does not say what a position without a check is worth.)
"""

from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.move_generation import board_evasions, checks, drops_on
from tsume_rules.kernel.state import do, undo
from tsume_rules.kernel.tables import ATT, DEF

FREE = 10
"""The freedom if the attacker has no check; smaller than this, a count of answers is cut off."""
_DEEPEST = 16


@jit
def king_freedom_after(pos, plies, out):
    """Return the king's freedom ``plies`` (an even number) ahead; the defender, in check, is to move."""
    size = _DEEPEST
    first, following, end = out[:size], out[size : 2 * size], out[2 * size : 3 * size]
    captured, low, high = out[3 * size : 4 * size], out[4 * size : 5 * size], out[5 * size : 6 * size]
    depth = 0
    low[0], high[0] = -1, FREE + 1
    entering = True
    value = 0
    while True:
        side = DEF if depth % 2 == 0 else ATT
        if entering:
            first[depth] = following[depth] = end[depth - 1] if depth else 6 * _DEEPEST
            if depth == plies:
                value = min(_append_answers(pos, out, first[depth]) - first[depth], FREE - 1)
            else:
                if side == ATT:
                    end[depth] = checks(pos, out, first[depth])
                else:
                    end[depth] = _append_answers(pos, out, first[depth])
                if end[depth] > first[depth]:
                    entering = False
                    continue
                value = 0 if side == DEF else FREE
        elif following[depth] < end[depth] and low[depth] < high[depth]:
            captured[depth] = do(pos, out[following[depth]], side)
            following[depth] += 1
            low[depth + 1], high[depth + 1] = low[depth], high[depth]
            depth += 1
            entering = True
            continue
        else:
            value = low[depth] if side == DEF else high[depth]
        if depth == 0:
            return value
        depth -= 1
        entering = False
        undo(pos, out[following[depth] - 1], ATT if side == DEF else DEF, captured[depth])
        if side == ATT:  # the move just undone was the defender's
            low[depth] = max(low[depth], value)
        else:
            high[depth] = min(high[depth], value)


@jit
def _append_answers(pos, out, end):
    """Append the defender's answers, of the drops on a cell only the first; returns the new end."""
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, end)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = min(end + 1, drops_on(pos, pos.king[DEF] + i * step, out, end))
    return end
