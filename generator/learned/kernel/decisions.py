# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as a sequence of decisions: the king's square, the hand, then piece after piece outwards.

A decision is one of numbered options. Positions are written with the defender's king on files 1 to 5 (mirror
images are the same problem); pieces come in the order of `PLACE_FILES` and `PLACE_RANKS`, from the king
outwards, so that what a piece may give check from is known when it comes. The network sees the position so
far as *features*, numbers below `FEATURES`.
"""

import numpy as np

from generator.likeness.kernel.traits import TRAITS, legal_check_traits, position_traits
from tsume_rules.kernel.attacks import by_side
from tsume_rules.kernel.bits import size
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit
from tsume_rules.kernel.state import POSITION_TYPE, hand_kind, has_pawn, is_dead
from tsume_rules.kernel.tables import (
    ATT,
    CELL,
    DEF,
    DIST,
    LINE,
    PAWN,
    REACH,
    SLIDES,
    SQUARE,
    STEP,
)

KING_SQUARE, HAND_PIECE, PLACE, PIECE = range(4)
"""The kinds of decision."""

_OFFSETS = sorted(
    ((file, rank) for file in range(-8, 9) for rank in range(-8, 9) if (file, rank) != (0, 0)),
    key=lambda offset: (max(map(abs, offset)), offset[1], offset[0]),
)
PLACE_FILES = np.array([file for file, _ in _OFFSETS], dtype=np.int64)
"""[place]: files from the king; nearer places come first."""
PLACE_RANKS = np.array([rank for _, rank in _OFFSETS], dtype=np.int64)
"""[place]: ranks from the king."""
PLACES = len(_OFFSETS)
PLACE_OF_OFFSET = np.full((17, 17), -1, dtype=np.int64)
"""[files + 8, ranks + 8]: the place with this offset from the king."""
PLACE_OF_OFFSET[PLACE_FILES + 8, PLACE_RANKS + 8] = np.arange(PLACES)

PIECE_CODES = np.array(
    [kind + 16 * side for side in range(2) for kind in (*range(1, 8), *range(9, 15))], dtype=np.int64
)
"""[option]: piece code; option 13 and above are the defender's."""
HAND_END = 7
"""The option that ends the hand; options 0 to 6 add a pawn (0) to a gold (6), in ascending order."""
PLACE_END = PLACES
"""The option that ends the position."""
OPTIONS = np.array([45, HAND_END + 1, PLACES + 1, len(PIECE_CODES)], dtype=np.int64)
"""[kind of decision]: its number of options."""
MOST_OPTIONS = PLACES + 1
LARGEST_HAND = 12
"""Pieces in the attacker's hand, at most."""

STATES = 18
"""What a cell may be: empty, the attacker's, the defender's; attacked by 0, 1, more of the attacker's pieces;
protected by a piece of the defender other than his king, or not."""
PLIES = TRAITS
"""[plies // 2]: the length asked for, at most 31 plies."""
CONDITIONS = PLIES + 16
"""[condition]: what else is asked for (`generator.learned.conditions`)."""
MOST_CONDITIONS = 128
STAGE = CONDITIONS + MOST_CONDITIONS
"""[kind of decision]"""
LAST_KIND = STAGE + 4
"""[kind added to the hand last, 0: none]"""
LAST_PLACE = LAST_KIND + 8
"""[place of the piece added last, the last: none]"""
AROUND = LAST_PLACE + PLACES + 1
"""[one of the nearest 24 places, state of its cell]"""
FEATURES = AROUND + 24 * STATES
FEATURE_ROOM = 4096
"""The length of an array that features are written to; the rest is scratch space."""


@jit_inline
def cell_of_place(king, place):
    """The cell at a place; 0 if it is not on the board."""
    file = SQUARE[king] // 9 + PLACE_FILES[place]
    rank = SQUARE[king] % 9 + PLACE_RANKS[place]
    return CELL[file * 9 + rank] if 0 <= file < 9 and 0 <= rank < 9 else 0


@jit
def state_of_cell(pos, cell):
    """What a cell is, below `STATES`."""
    piece = int(pos.board[cell])
    occupant = 0 if piece == 0 else 1 + (piece >> 4)
    attackers = min(size(by_side(pos.effects[cell], ATT)), 2)
    protectors = size(by_side(pos.effects[cell], DEF))
    king = int(pos.king[DEF])
    protectors -= LINE[king, cell] >= 0 and LINE[king, cell] < 8 and DIST[king, cell] == 1
    return occupant * 6 + attackers * 2 + (protectors > 0)


@unit(pos=POSITION_TYPE, conditions=INTEGERS, out=INTEGERS)
def write_features(pos, plies, conditions, stage, last, out):
    """Write the features of an unfinished position to ``out`` (`FEATURE_ROOM`); returns their number.

    ``last`` is the kind or the place of the piece added last, 0 or `PLACES` if there is none.
    """
    end = 0
    if stage != KING_SQUARE:
        end = position_traits(pos, out, 0)
        king = int(pos.king[DEF])
        if stage == HAND_PIECE:
            out[end] = LAST_KIND + last
            end += 1
        else:
            end = legal_check_traits(pos, out, end)
            out[end] = LAST_PLACE + last
            end += 1
            for place in range(24):
                cell = cell_of_place(king, place)
                if cell != 0:
                    out[end] = AROUND + place * STATES + state_of_cell(pos, cell)
                    end += 1
    out[end] = PLIES + min(plies // 2, 15)
    out[end + 1] = STAGE + min(stage, PLACE)
    end += 2
    for condition in conditions:
        out[end] = CONDITIONS + condition
        end += 1
    return end


@unit(pos=POSITION_TYPE, allowed=INTEGERS)
def write_options(pos, stage, last, allowed):
    """Set ``allowed`` to 1 for each option of a decision that there is, else to 0; returns their number.

    For `PIECE`, ``last`` is the place that the piece comes to.
    """
    number = int(OPTIONS[stage])
    king = int(pos.king[DEF])
    if stage == KING_SQUARE:
        allowed[:number] = 1
    elif stage == HAND_PIECE:
        held = 0
        for kind in range(1, 8):
            held += pos.hand[ATT, kind]
        for kind in range(1, 8):
            allowed[kind - 1] = kind >= last and pos.hand[DEF, kind] > 0 and held < LARGEST_HAND
        allowed[HAND_END] = 1
    elif stage == PLACE:
        for place in range(PLACES):
            allowed[place] = (last == PLACES or place > last) and cell_of_place(king, place) != 0
        allowed[PLACE_END] = 1
    else:
        cell = cell_of_place(king, last)
        line = int(LINE[cell, king])
        is_open = _is_line_open(pos, cell, king, line)
        for i in range(number):
            piece = int(PIECE_CODES[i])
            side = piece >> 4
            allowed[i] = (
                pos.hand[DEF, hand_kind(piece)] > 0
                and not is_dead(piece & 15, cell, side)
                and not (piece & 15 == PAWN and has_pawn(pos, cell, side))
                and not (side == ATT and _attacks_along(piece, cell, king, line, is_open))
            )
    found = 0
    for i in range(number):
        found += allowed[i]
    return found


@jit_inline
def _is_line_open(pos, cell, king, line):
    """Whether nothing stands between two cells in a direction from the first to the second."""
    if line < 0 or line > 7:
        return False
    t = cell + STEP[line]
    while t != king and pos.board[t] == 0:
        t += STEP[line]
    return t == king


@jit_inline
def _attacks_along(piece, cell, king, line, is_open):
    """Whether a piece on a cell would attack the king."""
    if line < 0:
        return False
    near = DIST[cell, king] == 1
    return bool((REACH[piece] >> line) & 1 and (near or (is_open and (SLIDES[piece] >> line) & 1)))
