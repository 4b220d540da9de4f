# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of a position; the board's geometry and the pieces' moves as constant arrays.

The board is a padded mailbox of 11 rows a file with walls around it, so that a
step off the board lands on a wall:

    cell = file * 11 + rank + 14        file 0 is the attacker's right, rank 0 the top

A piece code is its kind (1 to 14), plus 16 for the defender; 0 is empty, 32 a wall.
Directions 0 to 7 are arranged so that 7 - d is the opposite of d; 8 and 9 are the
attacker's knight, 10 and 11 the defender's:

    1 0 2      up is towards rank 0, where the attacker promotes
    3 . 4      left is towards higher files
    5 7 6
"""

import numpy as np

from tsume_rules.kernel.compile import record, struct

SIZE = 128
ON_BOARD = SIZE - 1
"""Mask for a valid cell: shows the compiler that the index is not negative."""
WALL = 32
ANY_PIECE = 31
"""Likewise for a piece code."""
ATT = 0
DEF = 1
OURS = 16

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTION = 8
SET = np.array([0, 18, 4, 4, 4, 2, 2, 4], dtype=np.int64)
"""Pieces of each unpromoted kind in a set (`tsume_rules.position.SET_COUNT`)."""
LIKE = np.array([*range(9), GOLD, GOLD, GOLD, GOLD, BISHOP, ROOK, 0], dtype=np.int64)
"""By kind, the unpromoted kind that moves alike; a horse and a dragon are taken for what they were."""

STEP = np.array([-1, 10, -12, 11, -11, 12, -10, 1, 9, -13, 13, -9], dtype=np.int64)

_GOLD = (0, 1, 2, 3, 4, 7)
_DIAGONAL, _STRAIGHT = (1, 2, 5, 6), (0, 3, 4, 7)
_STEPS = {
    PAWN: (0,), KNIGHT: (8, 9), SILVER: (0, 1, 2, 5, 6), GOLD: _GOLD, KING: tuple(range(8)),
    9: _GOLD, 10: _GOLD, 11: _GOLD, 12: _GOLD, 13: _STRAIGHT, 14: _DIAGONAL,
}  # fmt: skip
_SLIDES = {LANCE: (0,), BISHOP: _DIAGONAL, ROOK: _STRAIGHT, 13: _DIAGONAL, 14: _STRAIGHT}


def _attack_masks(moves: dict[int, tuple[int, ...]]) -> np.ndarray:
    masks = np.zeros(WALL + 1, dtype=np.int64)
    for kind, directions in moves.items():
        masks[kind] = sum(1 << d for d in directions)
        masks[kind + 16] = sum(1 << (7 - d if d < 8 else d + 2) for d in directions)
    return masks


STEPS = _attack_masks(_STEPS)
"""[piece code] -> the directions in which it moves one step, as bits."""
SLIDES = _attack_masks(_SLIDES)
"""[piece code] -> the directions in which it slides, as bits."""
REACH = STEPS | SLIDES
"""[piece code] -> the directions in which it attacks the next cell, as bits."""


def cell_of_square(sq: int) -> int:
    """Return the mailbox cell of a square (0 to 80)."""
    return sq // 9 * 11 + sq % 9 + 14


CELL = np.array([cell_of_square(sq) for sq in range(81)], dtype=np.int64)
"""The cell of each square."""
SQUARE = np.full(SIZE, -1, dtype=np.int64)
"""The square of each cell; -1 on a wall."""
SQUARE[CELL] = np.arange(81)
RANK = np.full(SIZE, -1, dtype=np.int64)
"""The rank of each cell, 0 to 8; -1 on a wall."""
RANK[CELL] = np.arange(81) % 9

LINE = np.full((SIZE, SIZE), -1, dtype=np.int8)
"""[a, b] -> the direction from cell a to cell b (8 to 11: a knight's jump); -1 if none."""
DIST = np.zeros((SIZE, SIZE), dtype=np.int8)
"""[a, b] -> the number of steps in that direction."""
for _a in CELL:
    for _d in range(12):
        _b, _steps = int(_a + STEP[_d]), 1
        while SQUARE[_b] >= 0:
            LINE[_a, _b], DIST[_a, _b] = _d, _steps
            if _d >= 8:
                break
            _b, _steps = _b + int(STEP[_d]), _steps + 1

_rng = np.random.Generator(np.random.PCG64(20260101))
ZOBRIST = np.ascontiguousarray(_rng.integers(1, 2**64, size=(2, WALL, SIZE), dtype=np.uint64).transpose(1, 2, 0))
"""[piece, cell] -> two independent random numbers: [..., 0] for a position's key, [..., 1] for its place in a table."""

POSITION = record(
    [
        ("board", np.int8, (SIZE,)),  # piece codes in a padded mailbox, see tables
        ("hand", np.int8, (2, 8)),  # [side, kind], kinds 1 to 7
        ("king", np.int16, (2,)),  # the kings' cells; 0: no king
        ("key", np.uint64),  # Zobrist key of the board, hands left out
        ("slot", np.uint64),  # a second, independent key, for the place in a table
        ("effects", np.int64, (SIZE,)),  # from which directions each cell is attacked, see `effects`
    ]
)

POSITION_TYPE = struct(POSITION)
"""The record of a position, which all kernels share."""
