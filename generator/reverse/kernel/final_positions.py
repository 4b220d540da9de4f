# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mated positions: where reverse construction begins.

Positions are drawn around the defender's king until one is mate with nothing in
the attacker's hand. Random numbers come from a state that is passed in, so a
seed fixes what is drawn.
"""

import numpy as np

from generator.kernel.board import clear_board
from generator.kernel.random import STATE, random_below
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.compile import INTEGERS, jit, unit
from tsume_rules.kernel.state import POSITION_TYPE, hand_kind, has_pawn, is_dead, lift, put
from tsume_rules.kernel.tables import ATT, BISHOP, CELL, DEF, KING, LANCE, PAWN, ROOK, SQUARE

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
files and ranks 3 to 7; on an outermost file or rank, but in no corner."""


@unit(pos=POSITION_TYPE, state=STATE, buf=INTEGERS)
def draw_mate(pos, state, buf, region, walled, kinds, tries):
    """Make ``pos`` a random mated position; False if none of ``tries`` draws was one.

    No attacker's king, nothing in the attacker's hand, every attacking piece
    needed for the mate. ``region`` says where the king stands, ``walled`` that
    pieces of its own stand close around it, ``kinds`` which kinds may be on the board.
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
    """Take away, in random order, the pieces without which it is still mate.

    Half of the defender's may stay: later they can turn out to be needed.
    """
    start = random_below(state, 81)
    stride = (
        1 + 3 * random_below(state, 26) + random_below(state, 2)
    )  # not a multiple of 3: passes every square
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
