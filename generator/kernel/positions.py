# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions as kernels make them: random numbers, an empty board, single edits, and the hard constraints."""

from __future__ import annotations

from math import factorial

import numpy as np

from tsume_rules.kernel.compile import INTEGERS, Array, boolean, export, jit, jit_inline, record, struct, uint64, void
from tsume_rules.kernel.state import hand_kind, has_pawn, is_dead, lift, put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, PAWN, POSITION_TYPE, SET, SIZE, SQUARE

# --- random numbers, from a state that is passed in: a seed fixes what is drawn --------------------

STATE = Array(uint64)
"""The type of a state, uint64 [1], for units."""


@jit
def random_below(state, bound):
    """Return a random whole number from 0 to bound - 1 (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(33)) % np.uint64(bound))


# --- real numbers ----------------------------------------------------------------------------------
#
# Exponentials and logarithms are computed here from additions and multiplications alone: the same on every machine, and
# so are the positions from a seed.

_LOG2_E = 1.4426950408889634
_LN_2 = 0.6931471805599453
_POWERS_OF_2 = 2.0 ** np.arange(-127, 1)
_TERMS = np.array([1 / factorial(power) for power in range(11, -1, -1)])
"""The exponential's power series, the highest power first."""
_LOG_TERMS = np.array([2 / power for power in range(23, 0, -2)])
"""That of log((1 + s) / (1 - s)), divided by s, in powers of s * s."""
_ROOT_HALF = 0.7071067811865476


@jit_inline
def exponential(x):
    """e to a number of at most 0; 0 below -87."""
    whole = np.floor(max(x, -87.0) * _LOG2_E + 0.5)
    rest = x - whole * _LN_2
    total = 0.0
    for term in _TERMS:
        total = total * rest + term
    return total * _POWERS_OF_2[int(whole) + 127] if x >= -87.0 else 0.0


@jit
def logarithm(x):
    """The natural logarithm of a positive number."""
    power = 0
    while x < _ROOT_HALF:
        x *= 2.0
        power -= 1
    while x >= 2 * _ROOT_HALF:
        x *= 0.5
        power += 1
    s = (x - 1.0) / (x + 1.0)
    square = s * s
    total = 0.0
    for term in _LOG_TERMS:
        total = total * square + term
    return power * _LN_2 + s * total


# ---------------------------------------------------------------------------------------------------
#
# Emptying the board, and the kinds of piece as bits: what both ways of composing begin with.

KINDS = 254
"""A bit for each unpromoted kind, pawn (1) to gold (7)."""


@export(void, pos=POSITION_TYPE)
def clear_board(pos):
    """Take everything off the board; the defender's hand gets the whole set."""
    for i in range(81):
        if pos.board[CELL[i]] != 0:
            lift(pos, CELL[i])
    for kind in range(1, 8):
        pos.hand[ATT, kind] = 0
        pos.hand[DEF, kind] = SET[kind]


# ---------------------------------------------------------------------------------------------------
#
# Edits of a position: what a composer does to it by hand, one at a time and at random.
#
# Pieces that are not on the board or in the attacker's hand are in the defender's. An edit may leave the
# defender's king in check; callers ask.

_KINDS = np.array(
    [1] * 14 + [2] * 6 + [3] * 7 + [4] * 10 + [5] * 5 + [6] * 6 + [7] * 10 + [9, 12, 13, 13, 14, 14], dtype=np.int64
)
"""Kinds to put on the board, in 64ths."""
EDIT_ROOM = 82


@export(void, pos=POSITION_TYPE, saved=POSITION_TYPE)
def restore_position(pos, saved):
    """Make a position what it was when it was saved."""
    for t in range(SIZE):
        pos.board[t] = saved.board[t]
        pos.effects[t] = saved.effects[t]
    for side in range(2):
        pos.king[side] = saved.king[side]
        for kind in range(8):
            pos.hand[side, kind] = saved.hand[side, kind]
    pos.key = saved.key
    pos.slot = saved.slot


@export(boolean, pos=POSITION_TYPE, state=STATE, squares=INTEGERS)
def edit_position_randomly(pos, state, squares):
    """Change a position at random; False if the change is not possible (the position may then be spoilt). ``squares``
    is scratch space, `EDIT_ROOM` integers."""
    sort = random_below(state, 32)
    if sort < 8:
        piece = _KINDS[random_below(state, 64)] + 16 * random_below(state, 2)
        return put_piece_from_hand(pos, piece, _random_cell_near(state, int(pos.king[DEF])))
    if sort == 8:
        return _shift_all_pieces(pos, squares, random_below(state, 3) - 1, random_below(state, 3) - 1)
    if sort == 9:
        square = SQUARE[int(pos.king[DEF])]
        file = square // 9 + random_below(state, 3) - 1
        rank = square % 9 + random_below(state, 3) - 1
        if not (0 <= file < 9 and 0 <= rank < 9) or pos.board[CELL[file * 9 + rank]] != 0:
            return False
        lift(pos, int(pos.king[DEF]))
        put(pos, CELL[file * 9 + rank], KING + 16)
        return True
    if sort == 10:
        return move_between_hands(pos, 1 + random_below(state, 7), DEF)
    if sort == 11:
        return move_between_hands(pos, 1 + random_below(state, 7), ATT)
    cell = _random_piece_cell(pos, state)
    if cell == 0:
        return False
    piece = int(pos.board[cell])
    if sort < 16:
        _take_piece_off(pos, cell, piece)
        return True
    if sort < 20:
        _take_piece_off(pos, cell, piece)
        return put_piece_from_hand(pos, piece, _random_cell_near(state, int(pos.king[DEF])))
    if sort < 25:
        _take_piece_off(pos, cell, piece)
        return put_piece_from_hand(pos, piece, _random_cell_near(state, cell))
    if sort < 29:
        _take_piece_off(pos, cell, piece)
        return put_piece_from_hand(pos, _KINDS[random_below(state, 64)] + (piece & 16), cell)
    if sort == 29:
        _take_piece_off(pos, cell, piece)
        return move_between_hands(pos, hand_kind(piece), DEF)
    if sort == 30:
        kind = 1 + random_below(state, 7)
        return move_between_hands(pos, kind, ATT) and put_piece_from_hand(
            pos, kind, _random_cell_near(state, int(pos.king[DEF]))
        )
    _take_piece_off(pos, cell, piece)
    return put_piece_from_hand(pos, piece ^ 16, cell)


@jit_inline
def _take_piece_off(pos, cell, piece):
    lift(pos, cell)
    pos.hand[DEF, hand_kind(piece)] += 1


@export(boolean, pos=POSITION_TYPE)
def put_piece_from_hand(pos, piece, cell):
    """Put a piece of those in the defender's hand on the board; False if it cannot stand there."""
    kind = hand_kind(piece)
    side = piece >> 4
    if piece & 15 == KING or cell == 0 or pos.board[cell] != 0 or pos.hand[DEF, kind] == 0:
        return False
    if is_dead(piece & 15, cell, side):
        return False
    if piece & 15 == PAWN and has_pawn(pos, cell, side):
        return False
    pos.hand[DEF, kind] -= 1
    put(pos, cell, piece)
    return True


@export(boolean, pos=POSITION_TYPE)
def move_between_hands(pos, kind, giver):
    """Move a piece from one side's hand to the other's; False if the giver has none."""
    if pos.hand[giver, kind] == 0:
        return False
    pos.hand[giver, kind] -= 1
    pos.hand[1 - giver, kind] += 1
    return True


@jit
def _random_cell_near(state, cell):
    """Return a cell at most 1, 2 or, now and then, 8 files and ranks away; 0 if it lies off the board."""
    reach = random_below(state, 8)
    reach = 1 if reach < 3 else 2 if reach < 7 else 8
    square = SQUARE[cell]
    file = square // 9 + random_below(state, 2 * reach + 1) - reach
    rank = square % 9 + random_below(state, 2 * reach + 1) - reach
    return CELL[file * 9 + rank] if 0 <= file < 9 and 0 <= rank < 9 else 0


@jit
def _random_piece_cell(pos, state):
    number = 0
    for i in range(81):
        piece = int(pos.board[CELL[i]])
        number += piece != 0 and piece & 15 != KING
    if number == 0:
        return 0
    which = random_below(state, number)
    for i in range(81):
        piece = int(pos.board[CELL[i]])
        if piece != 0 and piece & 15 != KING:
            if which == 0:
                return CELL[i]
            which -= 1
    return 0


@export(boolean, pos=POSITION_TYPE, squares=INTEGERS)
def _shift_all_pieces(pos, squares, files, ranks):
    number = 0
    for sq in range(81):
        piece = int(pos.board[CELL[sq]])
        if piece:
            file, rank = sq // 9 + files, sq % 9 + ranks
            if not (0 <= file < 9 and 0 <= rank < 9):
                return False
            if is_dead(piece & 15, CELL[file * 9 + rank], piece >> 4):
                return False
            squares[number] = file * 9 + rank
            squares[number + 41] = piece
            number += 1
    for sq in range(81):
        if pos.board[CELL[sq]] != 0:
            lift(pos, CELL[sq])
    for i in range(number):
        put(pos, CELL[squares[i]], squares[i + 41])
    return True


# ---------------------------------------------------------------------------------------------------
#
# What every position of a walk must keep to: the hand, kinds, where the king stands, pieces given.

POSITION_CONSTRAINTS = record(
    [
        ("asks", np.int64),  # 0: nothing is asked, and the rest is not looked at
        ("hand", np.int64, (8,)),  # exactly so many of each kind in the attacker's hand, -1: any number
        ("hand_bounds", np.int64, (2, 8)),  # at least and at most so many of each kind in that hand
        ("kinds", np.int64),  # a bit for each unpromoted kind that may be on the board or in that hand
        ("promoted", np.int64),  # 0: no promoted piece
        ("pieces", np.int64),  # most pieces on the board and in that hand
        ("king_may_stand", np.int8, (SIZE,)),  # 0: the defender's king may not stand on the cell
        ("most", np.int64, (2,)),  # most pieces of a side on the board, its king apart
        ("own_king", np.int64),  # not 0: the attacker has a king on the board
        ("kept", np.int64, (SIZE,)),  # the piece code that stands on a cell, 0: none; -1: any or none
    ]
)


@export(boolean, pos=POSITION_TYPE, constraints=struct(POSITION_CONSTRAINTS))
def meets_position_constraints(pos, constraints):
    """Return whether a position keeps to the constraints."""
    if constraints.asks == 0:
        return True
    for kind in range(1, 8):
        held = pos.hand[ATT, kind]
        if constraints.hand[kind] >= 0 and held != constraints.hand[kind]:
            return False
        if held < constraints.hand_bounds[0, kind] or held > constraints.hand_bounds[1, kind]:
            return False
        if held > 0 and not (constraints.kinds >> kind) & 1:
            return False
    attackers = defenders = 0
    for i in range(81):
        cell = CELL[i]
        piece = int(pos.board[cell])
        if constraints.kept[cell] >= 0 and piece != constraints.kept[cell]:
            return False
        if piece != 0 and piece & 15 != KING:
            if not _is_allowed_piece(piece, constraints):
                return False
            attackers += piece < 16
            defenders += piece > 16
    if attackers > constraints.most[ATT] or defenders > constraints.most[DEF]:
        return False
    in_play = 40 - (pos.king[ATT] == 0)
    for kind in range(1, 8):
        in_play -= pos.hand[DEF, kind]
    return in_play <= constraints.pieces and constraints.king_may_stand[pos.king[DEF]] != 0


@jit_inline
def may_add_piece(piece, cell, constraints):
    """Return whether a piece may come to an empty cell that is asked to be anything."""
    return constraints.asks == 0 or (constraints.kept[cell] < 0 and _is_allowed_piece(piece, constraints))


@jit_inline
def _is_allowed_piece(piece, constraints):
    return (constraints.kinds >> hand_kind(piece)) & 1 and (constraints.promoted or piece & 15 <= KING)
