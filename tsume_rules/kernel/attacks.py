# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on cells and kings as sets of bits, pins, and the cells on which a check can be blocked."""

from __future__ import annotations

from tsume_rules.kernel.compile import PAIR, boolean, export, export_inline, intrinsic, jit, jit_inline
from tsume_rules.kernel.tables import ANY_PIECE, DEF, DIST, LINE, ON_BOARD, POSITION_TYPE, SLIDES, STEP, STEPS

# --- sets of small numbers as the bits of an integer -----------------------------------------------


@intrinsic
def lowest(bits):
    """Return the smallest number in a set that is not empty."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def size(bits):
    """Return the number of elements."""
    return int(bits).bit_count()


# ---------------------------------------------------------------------------------------------------
#
# The effects of each cell: from which directions it is attacked (利き), updated with every move.
#
# Each cell has a set of directions for each side: bit d (0 to 11) if a piece attacks it by a
# step in direction d, bit 12 + d (d 0 to 7) if one attacks it by a slide. The attacker's set
# is in bits 0 to 19, the defender's in bits 20 to 39. A slider attacks up to and including the
# first piece in its way, whichever side owns it. The effects of walls are meaningless.
#
# All updates are their own inverse: lifting a piece undoes putting it there.

SIDE_BITS = 20
SLIDE_BIT = 12
"""Bit SLIDE_BIT + d: attacked by a slide in direction d."""
BY_ATTACKER = (1 << SIDE_BITS) - 1
_BOTH = (1 << SLIDE_BIT) | (1 << (SIDE_BITS + SLIDE_BIT))
_EIGHT = 255


@export_inline()
def effects_of_side(effects, side):
    """One side's set of directions in a cell's effects."""
    return (effects >> (SIDE_BITS * side)) & BY_ATTACKER


@jit_inline
def slides_of(effects):
    """Return the directions (bits 0 to 7) of the slides in one side's set."""
    return effects >> SLIDE_BIT


@jit
def toggle_attacks_of_piece(pos, cell, piece):
    """Add or remove the effects of a piece on a cell."""
    effects = pos.effects
    shift = SIDE_BITS * (piece >> 4)
    steps = STEPS[piece & ANY_PIECE]
    while steps:
        d = lowest(steps)
        steps &= steps - 1
        effects[(cell + STEP[d]) & ON_BOARD] ^= 1 << (d + shift)
    slides = SLIDES[piece & ANY_PIECE]
    while slides:
        d = lowest(slides)
        slides &= slides - 1
        _toggle_attacks_on_ray(pos, cell, d, 1 << (d + shift + SLIDE_BIT))


@jit
def toggle_slides_through(pos, cell):
    """Shorten or lengthen the slides through a cell when a piece is put on it or lifted."""
    here = pos.effects[cell]
    through = ((here >> SLIDE_BIT) | (here >> (SIDE_BITS + SLIDE_BIT))) & _EIGHT
    while through:
        d = lowest(through)
        through &= through - 1
        _toggle_attacks_on_ray(pos, cell, d, here & (_BOTH << d))


@jit
def _toggle_attacks_on_ray(pos, cell, d, bits):
    board, effects = pos.board, pos.effects
    step = STEP[d]
    t = (cell + step) & ON_BOARD
    effects[t] ^= bits
    while board[t] == 0:
        t = (t + step) & ON_BOARD
        effects[t] ^= bits


@export(pos=POSITION_TYPE)
def attacker_cell(pos, cell, bit):
    """Return the cell of the piece that attacks a cell; ``bit``: its bit in its side's set."""
    if bit < SLIDE_BIT:
        return cell - STEP[bit]
    step = STEP[bit - SLIDE_BIT]
    t = (cell - step) & ON_BOARD
    while pos.board[t] == 0:
        t = (t - step) & ON_BOARD
    return t


# --- attacks on cells and kings --------------------------------------------------------------------


@jit_inline
def attacked(pos, cell, side):
    """Return whether a side attacks a cell, occupied or not."""
    return effects_of_side(pos.effects[cell], side) != 0


@export(boolean, pos=POSITION_TYPE)
def in_check(pos, side):
    """Return whether a side has a king and it is attacked."""
    king = int(pos.king[side])
    return king != 0 and attacked(pos, king, 1 - side)


@export(PAIR, pos=POSITION_TYPE)
def find_checkers(pos, side):
    """Return the number of pieces that attack a side's king, and the cell of one of them (0: none)."""
    king = int(pos.king[side])
    if king == 0:
        return 0, 0
    found = effects_of_side(pos.effects[king], 1 - side)
    if found == 0:
        return 0, 0
    return size(found), attacker_cell(pos, king, lowest(found))


@jit
def is_pinned(pos, cell, side):
    """Return whether the piece on a cell shields its own side's king from a slider.

    A pinned piece may still move along the pin; callers ask only about moves that leave it.
    """
    king = int(pos.king[side])
    d = int(LINE[cell, king])
    if d < 0 or d > 7 or not (effects_of_side(pos.effects[cell], 1 - side) >> (SLIDE_BIT + d)) & 1:
        return False
    step = STEP[d]
    t = cell + step
    while pos.board[t] == 0:
        t += step
    return t == king


@export_inline(PAIR)
def cells_between_count(king, checker):
    """Return the number of cells between a king and a checking piece, and the step from one to the next.

    The i-th cell (from 1) is ``king + i * step``. A neighbour and a knight have none between.
    """
    d = int(LINE[king, checker])
    if d < 0 or d > 7:
        return 0, 0
    return int(DIST[king, checker]) - 1, STEP[d]


@jit_inline
def blocking_cells(pos, count, checker):
    """Return the cells on which the defender could block a check, as in `cells_between_count`; none for a double check.

    ``count`` and ``checker``: the result of `find_checkers` for his king.
    """
    if count != 1:
        return 0, 0
    return cells_between_count(int(pos.king[DEF]), checker)
