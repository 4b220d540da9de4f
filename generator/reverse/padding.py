# SPDX-License-Identifier: GPL-3.0-or-later
"""Padding: more pieces around a given mated position, since bare mates seldom have a predecessor."""

from __future__ import annotations

import numpy as np

from generator.changes import ChangeKind, PositionChange, legal_changes, square_at_step
from generator.constraints.given_final import is_mate
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, Square, square

MOST = 6
"""Pieces added, at most."""
_TRIES = 30
_DEFENDING = 0.6
_NEAR = 2
_FAR = 0.15
"""The share of pieces that come anywhere, not within `_NEAR` files and ranks of the king."""
_PROMOTED = 0.1


def with_pieces_added(final: Position, rng: np.random.Generator) -> Position:
    """A mated position with up to `MOST` pieces more, if they leave it mate; else the same.

    What stood there stays; nothing comes into the attacker's hand.
    """
    for _ in range(_TRIES):
        position = final
        for _ in range(int(rng.integers(1, MOST + 1))):
            position = _with_one_piece_more(position, rng)
        if position != final and is_mate(position):
            return position
    return final


def _with_one_piece_more(position: Position, rng: np.random.Generator) -> Position:
    king = position.king(Side.DEFENDER)
    assert king is not None
    side = Side.DEFENDER if rng.random() < _DEFENDING else Side.ATTACKER
    kind: Kind = HAND_KINDS[int(rng.integers(len(HAND_KINDS)))]
    if rng.random() < _PROMOTED:
        kind = kind.promoted
    if rng.random() < _FAR:
        file, rank = (int(n) for n in rng.integers(1, 10, size=2))
        place: Square | None = square(file, rank)
    else:
        files, ranks = (int(n) for n in rng.integers(-_NEAR, _NEAR + 1, size=2))
        place = square_at_step(king, (files, ranks))
    if place is None or position.board[place] is not None:
        return position
    added = PositionChange(ChangeKind.ADDED, Piece(side, kind), place)
    return next((after for _, after in legal_changes(position, [added])), position)
