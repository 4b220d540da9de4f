"""Who attacks what."""

from tsume_rules.kernel.bits import lowest, size
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.effects import SLIDE_BIT, by_side, source
from tsume_rules.kernel.tables import DEF, DIST, LINE, STEP


@jit
def attacked(pos, cell, side):
    """Whether a side attacks a cell (whatever stands on it)."""
    return by_side(pos.effects[cell], side) != 0


@jit
def in_check(pos, side):
    """Whether a side has a king and it is attacked."""
    king = int(pos.king[side])
    return king != 0 and attacked(pos, king, 1 - side)


@jit
def find_checkers(pos, side):
    """How many pieces attack a side's king, and the cell of one of them (0: none)."""
    king = int(pos.king[side])
    if king == 0:
        return 0, 0
    found = by_side(pos.effects[king], 1 - side)
    if found == 0:
        return 0, 0
    return size(found), source(pos, king, lowest(found))


@jit
def is_pinned(pos, cell, side):
    """Whether the piece on a cell shields its own side's king from a slider.

    The line of the pin is not looked at: callers ask for pieces that would
    leave it (to answer a check on another line).
    """
    king = int(pos.king[side])
    d = int(LINE[cell, king])
    if d < 0 or d > 7 or not (by_side(pos.effects[cell], 1 - side) >> (SLIDE_BIT + d)) & 1:
        return False
    step = STEP[d]
    t = cell + step
    while pos.board[t] == 0:
        t += step
    return t == king


@jit_inline
def between(king, checker):
    """The cells between a king and what checks it: how many, and the step from one to the next.

    The i-th (from 1) is ``king + i * step``. There are none beside the king, nor for a knight.
    """
    d = int(LINE[king, checker])
    if d < 0 or d > 7:
        return 0, 0
    return int(DIST[king, checker]) - 1, STEP[d]


@jit_inline
def blocking_cells(pos, count, checker):
    """The cells on which the defender could block a check, as `between`; none if it is a double one.

    ``count`` and ``checker`` are what `find_checkers` says of him.
    """
    if count != 1:
        return 0, 0
    return between(int(pos.king[DEF]), checker)
