# SPDX-License-Identifier: GPL-3.0-or-later
"""Economy (使用駒の節約): what the pieces that a position uses are worth."""

from __future__ import annotations

from generator.themes.sacrifices import piece_worth
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position


def material_value(position: Position) -> int:
    """What the pieces on the board, without kings, and in the attacker's hand are worth.

    A pawn is worth 1, a lance or knight 2, a silver 3, a gold 4, a bishop or rook 5, a promoted piece 1
    more (`generator.themes.sacrifices.piece_worth`). What the defender has in hand is not used.
    """
    in_hand = zip(HAND_KINDS, position.attacker_hand.counts, strict=False)
    return sum(map(piece_value, filter(None, position.board))) + sum(
        number * piece_worth(kind) for kind, number in in_hand
    )


def piece_value(piece: Piece) -> int:
    """What one piece counts; nothing for a king."""
    return 0 if piece.kind is Kind.KING else piece_worth(piece.kind) + piece.kind.is_promoted
