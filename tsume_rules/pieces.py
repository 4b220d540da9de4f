# SPDX-License-Identifier: GPL-3.0-or-later
"""Sides, kinds of piece and pieces.

The attacker (攻方) is Black and moves up the board; the defender (玉方) is White.
The numbers of the kinds are the codes the kernels use: promotion adds 8.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Side(IntEnum):
    """The two players of a tsume-shogi problem."""

    ATTACKER = 0
    DEFENDER = 1

    @property
    def other(self) -> Side:
        """The opponent."""
        return _OTHER[self]


_OTHER = (Side.DEFENDER, Side.ATTACKER)


class Kind(IntEnum):
    """The fourteen kinds of piece."""

    PAWN = 1
    LANCE = 2
    KNIGHT = 3
    SILVER = 4
    BISHOP = 5
    ROOK = 6
    GOLD = 7
    KING = 8
    TOKIN = 9
    PROMOTED_LANCE = 10
    PROMOTED_KNIGHT = 11
    PROMOTED_SILVER = 12
    HORSE = 13
    DRAGON = 14

    @property
    def promoted(self) -> Kind:
        """The kind this one promotes to; itself where it does not promote."""
        return Kind(self + PROMOTION) if self <= Kind.ROOK else self

    @property
    def base(self) -> Kind:
        """The unpromoted kind, which a captured piece becomes in hand."""
        return Kind(self - PROMOTION) if self > Kind.KING else self

    @property
    def is_promoted(self) -> bool:
        """Whether this is a promoted kind."""
        return self > Kind.KING


PROMOTION = 8
HAND_KINDS = tuple(Kind(k) for k in range(Kind.PAWN, Kind.KING))
"""The kinds that a hand can hold, pawn to gold."""
HAND_ORDER = (Kind.ROOK, Kind.BISHOP, Kind.GOLD, Kind.SILVER, Kind.KNIGHT, Kind.LANCE, Kind.PAWN)
"""The order in which a hand is written."""
LETTERS = dict(zip(Kind, "PLNSBRGK", strict=False))
"""SFEN letters of the unpromoted kinds, in the order of their numbers."""
LETTERS_IN_HAND = "".join(LETTERS[kind] for kind in HAND_KINDS)
KIND_IN_HAND = {LETTERS[kind]: kind for kind in HAND_KINDS}
"""The kinds that a hand can hold, by their letters."""

SET_COUNT: dict[Kind, int] = {
    Kind.PAWN: 18,
    Kind.LANCE: 4,
    Kind.KNIGHT: 4,
    Kind.SILVER: 4,
    Kind.BISHOP: 2,
    Kind.ROOK: 2,
    Kind.GOLD: 4,
}
"""How many of each kind a set of shogi pieces holds (kings apart)."""
ALL_PIECES = sum(SET_COUNT.values()) + 2
"""The number of pieces in a set, both kings counted."""


class Piece(NamedTuple):
    """A piece on the board: whose it is and what it is."""

    side: Side
    kind: Kind

    @property
    def rotated(self) -> Piece:
        """The same kind on the other side."""
        return Piece(self.side.other, self.kind)
