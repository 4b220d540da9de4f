"""Mated positions whose pieces draw a picture (曲詰): where such problems begin backwards."""

from __future__ import annotations

import numpy as np

from generator.constraints.given_final import is_mate
from generator.themes.pictures import patterns_of
from tsume_rules.hands import Hand
from tsume_rules.pieces import HAND_KINDS, SET_COUNT, Kind, Piece, Side
from tsume_rules.position import IllegalPosition, Position, structural_faults
from tsume_rules.squares import square

_TRIES = 400
_PROMOTED, _DEFENDING = 0.25, 0.4
_LOWEST = 2
"""A picture begins at most this many ranks below the top, where kings are mated more easily."""


def draw_picture(name: str | None, rng: np.random.Generator) -> Position | None:
    """A mated position that draws a picture, any if there is no ``name``; None if no draw was mate."""
    patterns = patterns_of(name)
    pattern = sorted(patterns[int(rng.integers(len(patterns)))])
    for _ in range(_TRIES):
        position = _drawn_pattern(pattern, rng)
        if position is not None and is_mate(position):
            return position
    return None


def _drawn_pattern(pattern: list[tuple[int, int]], rng: np.random.Generator) -> Position | None:
    """Random pieces on the squares of a pattern somewhere on the board, one of them the king."""
    width, height = (max(place[axis] for place in pattern) + 1 for axis in (0, 1))
    right = int(rng.integers(10 - width))
    down = int(rng.integers(min(_LOWEST, 9 - height) + 1))
    squares = [square(9 - x - right, 1 + y + down) for x, y in pattern]
    king = squares[int(rng.integers(len(squares)))]
    board: list[Piece | None] = [None] * 81
    left = dict(SET_COUNT)
    for sq in squares:
        kind = Kind.KING if sq == king else _drawn_kind(left, rng)
        side = Side.DEFENDER if sq == king or rng.random() < _DEFENDING else Side.ATTACKER
        board[sq] = Piece(side, kind)
    try:
        position = Position.completed(tuple(board), Hand.of({}))
    except IllegalPosition:
        return None
    return None if structural_faults(position) else position


def _drawn_kind(left: dict[Kind, int], rng: np.random.Generator) -> Kind:
    """One of the kinds of which some are left."""
    kinds = [kind for kind in HAND_KINDS if left[kind]]
    kind = kinds[int(rng.integers(len(kinds)))]
    left[kind] -= 1
    return kind.promoted if rng.random() < _PROMOTED else kind
