# SPDX-License-Identifier: GPL-3.0-or-later
"""Where pieces stand: each piece at its offset from the defender's king, the king's square, the hand."""

from __future__ import annotations

from generator.likeness.shape import Features, kind_feature_name
from tsume_rules.position import HAND_KINDS, Position, Side, file_of, rank_of

_MIDDLE = 5


def placement_features(position: Position) -> Features:
    """The features of a position; a name that is missing counts as 0, since most would be 0.

    The same for a position and its mirror image: the king stands on files 1 to 5; if on file 5, most
    pieces stand on its right.
    """
    position = _with_king_on_the_right(position)
    king = _king_square(position)
    found: Features = {
        f"king on {file_of(king)}{rank_of(king)}": 1.0,
        "king file": file_of(king),
        "king rank": rank_of(king),
    }
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            found[f"hand {kind_feature_name(kind)}"] = position.attacker_hand[kind]
    for sq, piece in enumerate(position.board):
        if piece is not None and sq != king:
            file, rank = file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)
            found[f"{piece.side.name.lower()} {kind_feature_name(piece.kind)} at {file:+d}{rank:+d}"] = 1.0
    return found


def _with_king_on_the_right(position: Position) -> Position:
    """The position or its mirror image, whichever has the king on the right."""
    return max(position, position.mirrored, key=_mirror_image_preference)


def _mirror_image_preference(position: Position) -> tuple[bool, int, tuple[tuple[int, int, int], ...]]:
    """Greater for the image that is described; equal only if both images are the same."""
    file = file_of(_king_square(position))
    pieces = [(sq, piece) for sq, piece in enumerate(position.board) if piece is not None]
    balance = sum((file_of(sq) < _MIDDLE) - (file_of(sq) > _MIDDLE) for sq, _ in pieces)
    return file <= _MIDDLE, balance * (file == _MIDDLE), tuple((sq, *piece) for sq, piece in pieces)


def _king_square(position: Position) -> int:
    king = position.king(Side.DEFENDER)
    assert king is not None
    return king
