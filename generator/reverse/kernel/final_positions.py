# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mated positions: where reverse construction begins.

Positions are drawn around the defender's king until one is mate with nothing in the attacker's hand. Random numbers
come from a state that is passed in, so a seed fixes what is drawn.
"""

from __future__ import annotations

import numpy as np

from generator.kernel.positions import (
    STATE,
    clear_board,
    exponential,
    put_piece_from_hand,
    random_below,
    restore_position,
)
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.attacks import find_checkers, size
from tsume_rules.kernel.compile import INTEGERS, jit, structs, unit
from tsume_rules.kernel.move_generation import king_flight_directions
from tsume_rules.kernel.state import hand_kind, has_pawn, is_dead, lift, put
from tsume_rules.kernel.tables import ATT, BISHOP, CELL, DEF, KING, LANCE, PAWN, POSITION, POSITION_TYPE, ROOK, SQUARE

# Chances, in 64ths, of each kind of attacker: the stronger pieces make more mates.
_ATTACKERS = np.array(
    [1] * 5 + [2] * 4 + [3] * 6 + [4] * 7 + [5] * 4 + [6] * 5 + [7] * 9 + [9] * 5 + [10] * 1 + [11] * 2
    + [12] * 2 + [13] * 6 + [14] * 8, dtype=np.int64
)  # fmt: skip
_DEFENDERS = np.array(
    [1] * 16 + [2] * 8 + [3] * 8 + [4] * 9 + [5] * 3 + [6] * 4 + [7] * 9 + [9] * 3 + [12] * 1 + [13] * 1
    + [14] * 2, dtype=np.int64
)  # fmt: skip
_SLIDERS = (LANCE, BISHOP, ROOK)
FAR_CORNER, FAR_RANKS, WHOLE_BOARD, MIDDLE, BORDER = 0, 1, 2, 3, 4
"""Where the king is drawn: in a far corner; on the two far ranks; on any square; on the middle
files and ranks 3 to 7; on an outermost file or rank, but in no corner. A number below zero, -1 - square: there."""


@unit(pos=POSITION_TYPE, state=STATE, buf=INTEGERS)
def draw_mate(pos, state, buf, region, walled, kinds, tries):
    """Make ``pos`` a random mated position; False if none of ``tries`` draws was one.

    No attacker's king, nothing in the attacker's hand, every attacking piece needed for the mate. ``region`` says where
    the king stands, ``walled`` that pieces of its own stand close around it, ``kinds`` which kinds may be on the board.
    """
    king = _draw_king_cell(state, region)  # once: else corners, where most draws are mate, win
    for _ in range(tries):
        clear_board(pos)
        put(pos, king, KING + 16)
        attackers = 2 + random_below(state, 4)
        defenders = 4 + random_below(state, 5) if walled else random_below(state, 6)
        for _ in range(attackers):
            kind = _ATTACKERS[random_below(state, 64)]
            far = hand_kind(kind) in _SLIDERS and random_below(state, 2)
            _place_piece_near_king(pos, state, king, ATT, kind, kinds, 8 if far else 2)
        for _ in range(defenders):
            _place_piece_near_king(
                pos, state, king, DEF, _DEFENDERS[random_below(state, 64)], kinds, 1 if walled else 2
            )
        if _is_mate(pos, buf):
            _remove_needless_pieces(pos, state, buf)
            return True
    return False


@jit
def _draw_king_cell(state, region):
    if region < 0:
        return CELL[-1 - region]
    file = random_below(state, 9)
    rank = random_below(state, 9)
    if region == FAR_CORNER:
        file = random_below(state, 3)
        rank = random_below(state, 3)
    elif region == FAR_RANKS:
        rank = random_below(state, 2)
    elif region == MIDDLE:
        file = 2 + random_below(state, 5)
        rank = 2 + random_below(state, 5)
    elif region == BORDER:
        if random_below(state, 2):
            rank = 0
            file = 3 + random_below(state, 3)
        else:
            rank = 3 + random_below(state, 3)
            file = 0
    return CELL[file * 9 + rank]


@jit
def _place_piece_near_king(pos, state, king, side, kind, kinds, reach):
    """Put a piece at most ``reach`` files and ranks from the king, if it can stand there."""
    square = SQUARE[king]
    file = square // 9 + random_below(state, 2 * reach + 1) - reach
    rank = square % 9 + random_below(state, 2 * reach + 1) - reach
    if not (0 <= file < 9 and 0 <= rank < 9):
        return
    cell = CELL[file * 9 + rank]
    base = hand_kind(kind)
    if not (kinds >> base) & 1:
        return
    if pos.board[cell] != 0 or pos.hand[DEF, base] == 0 or is_dead(kind, cell, side):
        return
    if kind == PAWN and has_pawn(pos, cell, side):
        return
    pos.hand[DEF, base] -= 1
    put(pos, cell, kind + 16 * side)


@jit
def _is_mate(pos, buf):
    checkers, _ = find_checkers(pos, DEF)
    return 1 <= checkers <= 2 and is_mated(pos, NARROW, buf, 0)


@jit
def _remove_needless_pieces(pos, state, buf):
    """Take away, in random order, the pieces without which it is still mate. Half of the defender's may stay: later
    they can turn out to be needed."""
    start = random_below(state, 81)
    stride = 1 + 3 * random_below(state, 26) + random_below(state, 2)  # not a multiple of 3: passes every square
    for i in range(81):
        cell = CELL[(start + i * stride) % 81]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING or (piece >> 4 == DEF and random_below(state, 2)):
            continue
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        if not _is_mate(pos, buf):
            put(pos, cell, piece)
            pos.hand[DEF, hand_kind(piece)] -= 1


# --- mated positions on given squares in which as many pieces as possible are needed ---------------
#
# A piece that is not needed at the mate has to be needed before, which seldom happens, so pieces are
# exchanged by simulated annealing until few are left that the mate does not need.

_KINDS = np.array([1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 9, 10, 12, 13, 13, 13, 14, 14, 14], dtype=np.int64)
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
        chance = exponential(min(0.0, (cost - new) / heat))
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
