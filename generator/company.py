"""More pieces round a given mated position: what mates alone seldom has a way back."""

from __future__ import annotations

import numpy as np

from generator.final_position import is_mate
from tsume_rules.pieces import HAND_KINDS, Kind, Piece, Side
from tsume_rules.position import IllegalPosition, Position, structural_faults
from tsume_rules.squares import file_of, rank_of, square

MOST = 6
"""At most so many pieces come."""
_TRIES = 30
_DEFENDING = 0.6
_NEAR = 2
_FAR = 0.15
"""The share of pieces that come anywhere, not within `_NEAR` files and ranks of the king."""
_PROMOTED = 0.1


def with_company(final: Position, rng: np.random.Generator) -> Position:
    """A mated position with up to `MOST` pieces more, if they leave it mate; else the same.

    What stood there stays; nothing comes into the attacker's hand.
    """
    for _ in range(_TRIES):
        position = final
        for _ in range(int(rng.integers(1, MOST + 1))):
            position = _with_one_more(position, rng)
        if position != final and is_mate(position):
            return position
    return final


def _with_one_more(position: Position, rng: np.random.Generator) -> Position:
    king = position.king(Side.DEFENDER)
    assert king is not None
    side = Side.DEFENDER if rng.random() < _DEFENDING else Side.ATTACKER
    kind: Kind = HAND_KINDS[int(rng.integers(len(HAND_KINDS)))]
    if rng.random() < _PROMOTED:
        kind = kind.promoted
    if rng.random() < _FAR:
        file, rank = (int(n) for n in rng.integers(1, 10, size=2))
    else:
        steps = rng.integers(-_NEAR, _NEAR + 1, size=2)
        file, rank = file_of(king) + int(steps[0]), rank_of(king) + int(steps[1])
    if not (1 <= file <= 9 and 1 <= rank <= 9) or position.board[square(file, rank)] is not None:
        return position
    try:
        after = position.with_piece(square(file, rank), Piece(side, kind))
    except IllegalPosition:
        return position
    return position if structural_faults(after) else after
