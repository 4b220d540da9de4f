# SPDX-License-Identifier: GPL-3.0-or-later
"""Mated positions on given squares in which as many pieces as possible are needed.

A piece that is not needed at the mate has to be needed before, which seldom happens, so pieces are exchanged
by simulated annealing until few are left that the mate does not need.
"""

import numpy as np

from generator.kernel.board import clear_board
from generator.kernel.random import STATE, random_below
from generator.local_search.kernel.edits import put_piece_from_hand, restore_position
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.bits import size
from tsume_rules.kernel.compile import INTEGERS, jit, structs, unit
from tsume_rules.kernel.move_generation import king_flight_directions
from tsume_rules.kernel.state import POSITION, POSITION_TYPE, hand_kind, lift, put
from tsume_rules.kernel.tables import DEF, KING

_KINDS = np.array(
    [1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 9, 10, 12, 13, 13, 13, 14, 14, 14], dtype=np.int64
)
"""Kinds to put on the board."""
_TRIES = 20
"""Pieces tried for one square."""
NO_MATE = 100
_FLIGHT, _NO_CHECK = 4, 20
_COLD = 0.4
"""The temperature at the end, in pieces that are not needed."""


@unit(pos=POSITION_TYPE, cells=INTEGERS, saved=structs(POSITION), state=STATE, buf=INTEGERS)
def draw_mate_on_cells(pos, cells, saved, state, buf, steps):
    """Make ``pos`` a position with pieces on these cells alone, mated if one is found.

    Returns how many pieces the mate does not need; `NO_MATE` or more if it is no mate. ``saved`` is scratch
    space for a position, ``buf`` for a search.
    """
    clear_board(pos)
    king = cells[random_below(state, len(cells))]
    put(pos, king, KING + 16)
    for cell in cells:
        if cell != king and not _put_random_piece(pos, state, cell):
            return 2 * NO_MATE
    cost = _cost(pos, cells, buf)
    for step in range(steps):
        if cost == 0:
            break
        saved[0] = pos
        if not _exchange(pos, cells, state):
            restore_position(pos, saved[0])
            continue
        new = _cost(pos, cells, buf)
        heat = _COLD + 3.0 * (steps - step) / steps
        chance = np.exp(-(new - cost) / heat)
        if new <= cost or random_below(state, 1 << 20) < chance * (1 << 20):
            cost = new
        else:
            restore_position(pos, saved[0])
    return cost


@jit
def _put_random_piece(pos, state, cell):
    for _ in range(_TRIES):
        piece = _KINDS[random_below(state, len(_KINDS))] + 16 * (random_below(state, 5) < 2)
        if put_piece_from_hand(pos, piece, cell):
            return True
    return False


@jit
def _exchange(pos, cells, state):
    """Put another piece on one cell, or move the king to another one; False if that cannot be."""
    cell = cells[random_below(state, len(cells))]
    other = cell
    if pos.king[DEF] == cell:
        other = cells[random_below(state, len(cells))]
        if other == cell:
            return False
    piece = int(pos.board[other])
    if other != cell:
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        lift(pos, other)
        put(pos, other, KING + 16)
        return _put_random_piece(pos, state, cell)
    lift(pos, cell)
    pos.hand[DEF, hand_kind(piece)] += 1
    return _put_random_piece(pos, state, cell)


@jit
def _cost(pos, cells, buf):
    checkers, _ = find_checkers(pos, DEF)
    if checkers == 0 or checkers > 2:
        return NO_MATE + _NO_CHECK + _FLIGHT * size(king_flight_directions(pos))
    if not is_mated(pos, NARROW, buf, 0):
        return NO_MATE + 2 + _FLIGHT * size(king_flight_directions(pos))
    unneeded = 0
    for cell in cells:
        piece = int(pos.board[cell])
        if piece & 15 == KING:
            continue
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        checkers, _ = find_checkers(pos, DEF)
        unneeded += checkers > 0 and is_mated(pos, NARROW, buf, 0)
        put(pos, cell, piece)
        pos.hand[DEF, hand_kind(piece)] -= 1
    return unneeded
