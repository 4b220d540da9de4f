# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as a set of small numbers, one for each piece, relative to the defender's king.

Problems whose sets are equal have the same pieces on the same squares around the king. A piece of the
defender is the same whatever its kind, as most of them only block (`generator.resemblance.comparison`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tsume_rules.moves import Move
from tsume_rules.position import HAND_KINDS, SQUARES, Kind, Position, Side, Square, file_of, mirrored, rank_of

_REACH = 8
_WIDTH = 2 * _REACH + 1
_AREA = _WIDTH * _WIDTH
"""Squares around the king, as far as the board can reach."""
_DEFENDER, _OCCUPIED = 15, 16
"""Codes beside the attacker's kinds, 1 to 14: any piece of the defender, any piece at all."""
_HAND = 17 * _AREA
_MOST_IN_HAND = 18
_EDGE_REACH = 3
"""An edge farther from the king than this is the same wherever it is."""

Item = int
"""A piece with its square relative to the king, or the n-th piece of a kind in hand."""


@dataclass(frozen=True)
class Placement:
    """The pieces of a position relative to the defender's king, in one of its two orientations.

    ``line`` is the main line, empty if unknown. Raises ValueError without a defender's king.
    """

    position: Position
    line: tuple[Move, ...] = ()
    is_mirrored: bool = False

    @cached_property
    def king(self) -> Square:
        """The square of the defender's king in the position as given."""
        found = self.position.king(Side.DEFENDER)
        if found is None:
            raise ValueError("no defender's king")
        return found

    @cached_property
    def mirror_image(self) -> Placement:
        """The same position with left and right exchanged."""
        return Placement(self.position, self.line, not self.is_mirrored)

    @cached_property
    def pieces(self) -> frozenset[Item]:
        """All pieces but the defender's king, those of the defender without their kinds."""
        found = [_code(side, kind) * _AREA + self._offset(sq) for sq, side, kind in self._on_board()]
        return frozenset([*found, *self._hand])

    @cached_property
    def kinds(self) -> frozenset[tuple[Item, Kind]]:
        """The same with the kinds of the defender's pieces, without the hand."""
        return frozenset(
            (_code(side, kind) * _AREA + self._offset(sq), kind) for sq, side, kind in self._on_board()
        )

    @cached_property
    def occupied(self) -> frozenset[Item]:
        """The occupied squares and the hand."""
        found = [_OCCUPIED * _AREA + self._offset(sq) for sq, _, _ in self._on_board()]
        return frozenset([*found, *self._hand])

    @cached_property
    def line_squares(self) -> frozenset[int]:
        """The squares, as `square_of` gives them, from and to which the moves of the line lead."""
        targets = {move.target for move in self.line}
        origins = {move.origin for move in self.line if move.origin is not None}
        return frozenset(map(self._offset, targets | origins))

    @cached_property
    def edges(self) -> tuple[int, int, int, int]:
        """How far the edges of the board are from the king; distant ones are equally far."""
        king = mirrored(self.king) if self.is_mirrored else self.king
        file, rank = file_of(king), rank_of(king)
        right, left, top, bottom = (min(one, _EDGE_REACH) for one in (file - 1, 9 - file, rank - 1, 9 - rank))
        return right, left, top, bottom

    @cached_property
    def _hand(self) -> list[Item]:
        counts = zip(HAND_KINDS, self.position.attacker_hand.counts, strict=True)
        return [_HAND + kind * _MOST_IN_HAND + n for kind, number in counts for n in range(number)]

    def _on_board(self) -> list[tuple[Square, Side, Kind]]:
        board, king = self.position.board, self.king
        return [(sq, *piece) for sq, piece in enumerate(board) if piece is not None and sq != king]

    def _offset(self, sq: Square) -> int:
        return _OFFSETS[self.is_mirrored][self.king][sq]


def square_of(item: Item) -> int | None:
    """The square of a piece relative to the king, as a number; None for one in hand."""
    return None if item >= _HAND else item % _AREA


def piece_of(item: Item) -> tuple[Side, Kind | None]:
    """The piece of an item; its kind is None for one of the defender."""
    if item >= _HAND:
        return Side.ATTACKER, Kind((item - _HAND) // _MOST_IN_HAND)
    code = item // _AREA
    return (Side.DEFENDER, None) if code == _DEFENDER else (Side.ATTACKER, Kind(code))


def items_hash(items: Iterable[Item]) -> int:
    """64 bits for a set of items; taking out an item takes out `item_hash` of it by exclusive or."""
    found = 0
    for item in items:
        found ^= _HASHES[item]
    return found


def item_hash(item: Item) -> int:
    """The part that an item has in `items_hash`."""
    return _HASHES[item]


def _code(side: Side, kind: Kind) -> int:
    return _DEFENDER if side is Side.DEFENDER else int(kind)


def _offset_tables(*, is_mirrored: bool) -> list[list[int]]:
    """The number of each square relative to each other one."""
    sign = -1 if is_mirrored else 1
    return [
        [
            (sign * (file_of(sq) - file_of(king)) + _REACH) * _WIDTH + rank_of(sq) - rank_of(king) + _REACH
            for sq in range(SQUARES)
        ]
        for king in range(SQUARES)
    ]


_OFFSETS = [_offset_tables(is_mirrored=False), _offset_tables(is_mirrored=True)]
_random = Random(1970)  # Zobrist, "A New Hashing Method with Application for Game Playing", 1970
_HASHES = [_random.getrandbits(64) for _ in range(_HAND + 8 * _MOST_IN_HAND)]
