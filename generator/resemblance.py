# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems equal published or other ones, or nearly so: by their pieces, wherever the king stands."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from random import Random
from typing import NamedTuple

import numpy as np

from generator.problem import line_key
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import HAND_KINDS, SQUARES, Kind, Position, Side, Square, file_of, mirrored, rank_of
from tsume_rules.sfen import format_sfen, parse_sfen

# --- A position as a set of small numbers, one for each piece, relative to the defender's king -----
#
# Problems whose sets are equal have the same pieces on the same squares around the king. A piece of the
# defender is the same whatever its kind, as most of them only block (`generator.resemblance`).

_REACH = 8
_WIDTH = 2 * _REACH + 1
_AREA = _WIDTH * _WIDTH
"""Squares around the king, as far as the board can reach."""
_DEFENDER, _OCCUPIED = 15, 16
"""Codes beside the attacker's kinds, 1 to 14: any piece of the defender, any piece at all."""
_HAND = 17 * _AREA
_MAX_IN_HAND = 18
_EDGE_REACH = 3
"""An edge farther from the king than this is the same wherever it is."""

Item = int
"""A piece with its square relative to the king, or the n-th piece of a kind in hand."""


@dataclass(frozen=True)
class Placement:
    """The pieces of a position relative to the defender's king, in one of its two orientations. ``line`` is the main
    line, empty if unknown. Raises ValueError without a defender's king."""

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
        return frozenset((_code(side, kind) * _AREA + self._offset(sq), kind) for sq, side, kind in self._on_board())

    @cached_property
    def occupied(self) -> frozenset[Item]:
        """The occupied squares and the hand."""
        found = [_OCCUPIED * _AREA + self._offset(sq) for sq, _, _ in self._on_board()]
        return frozenset([*found, *self._hand])

    @cached_property
    def line_squares(self) -> frozenset[int]:
        """The squares relative to the king from and to which the moves of the line lead."""
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
        return [_HAND + kind * _MAX_IN_HAND + n for kind, number in counts for n in range(number)]

    def _on_board(self) -> list[tuple[Square, Side, Kind]]:
        board, king = self.position.board, self.king
        return [(sq, *piece) for sq, piece in enumerate(board) if piece is not None and sq != king]

    def _offset(self, sq: Square) -> int:
        return _OFFSETS[self.is_mirrored][self.king][sq]


def _square_of(item: Item) -> int | None:
    """Return the square of a piece relative to the king, as a number; None for one in hand."""
    return None if item >= _HAND else item % _AREA


def _piece_of(item: Item) -> tuple[Side, Kind | None]:
    """Return the piece of an item; its kind is None for one of the defender."""
    if item >= _HAND:
        return Side.ATTACKER, Kind((item - _HAND) // _MAX_IN_HAND)
    code = item // _AREA
    return (Side.DEFENDER, None) if code == _DEFENDER else (Side.ATTACKER, Kind(code))


def _hash_of(items: Iterable[Item]) -> int:
    """Return 64 bits for a set of items, of which exclusive or takes one out."""
    found = 0
    for item in items:
        found ^= _HASHES[item]
    return found


def _code(side: Side, kind: Kind) -> int:
    return _DEFENDER if side is Side.DEFENDER else int(kind)


def _offset_tables(*, is_mirrored: bool) -> list[list[int]]:
    """Return the number of each square relative to each other one."""
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
_HASHES = [_random.getrandbits(64) for _ in range(_HAND + 8 * _MAX_IN_HAND)]


# --- what two problems have in common: the definition, for a pair of them --------------------------


class Resemblance(IntEnum):
    """How much two problems are alike, most first. Up to `IDLE` they are one problem: the same position, mirrored, with
    all pieces moved alike, or with other pieces that do not move. From `KINDS` on they differ, but little."""

    SAME = 0
    MIRRORED = 1
    SHIFTED = 2
    IDLE = 3
    KINDS = 4
    """The defender's pieces are of other kinds, and the line is another one."""
    EDGE = 5
    """The same pieces around the king, which stands at another distance from the edges."""
    ONE_PIECE = 6
    """One piece more or less, of another kind, or on another square."""

    @property
    def is_equal(self) -> bool:
        """Whether two problems are one, not only near."""
        return self <= Resemblance.IDLE


def resemblance(one: Placement, other: Placement) -> Resemblance | None:
    """Return how much two problems are alike; None if they are different.

    Positions are compared relative to the defender's king, and mirrored. Kinds of the defender's pieces make
    no difference unless both lines are known and differ. Of problems whose lines are the same, distances
    from the edges make none, nor do the kinds and sides of pieces that stay where they are in the line.
    """
    found = [_resemblance_as_placed(one, placed) for placed in (other, other.mirror_image)]
    return min((kind for kind in found if kind is not None), default=None)


def _resemblance_as_placed(one: Placement, other: Placement) -> Resemblance | None:
    fewer, more = one.pieces - other.pieces, other.pieces - one.pieces
    is_near = len(fewer) <= 1 and len(more) <= 1
    if not is_near and one.occupied != other.occupied:
        return None
    # Both lines are known, and one is the other mirrored or moved on the board.
    is_as_long = bool(one.line) and len(one.line) == len(other.line)
    has_same_line = is_as_long and line_key(one.line) == line_key(other.line)
    if one.edges != other.edges and not has_same_line:
        return None if fewer or more else Resemblance.EDGE
    if not fewer and not more:
        if one.kinds != other.kinds:
            return Resemblance.IDLE if has_same_line or not (one.line and other.line) else Resemblance.KINDS
        if other.is_mirrored:
            here = other.position.mirrored
            return Resemblance.MIRRORED if one.position == here else Resemblance.SHIFTED
        return Resemblance.SAME if one.position == other.position else Resemblance.SHIFTED
    if has_same_line and one.occupied == other.occupied:
        changed = {_square_of(item) for item in fewer | more}
        if changed.isdisjoint(one.line_squares | other.line_squares):
            return Resemblance.IDLE
    if not is_near:
        return None
    # A piece was added, taken away, exchanged for another, or moved, also to or from the hand.
    is_one_change = all(
        _square_of(item) == _square_of(same) or _piece_of(item) == _piece_of(same) for item in fewer for same in more
    )
    return Resemblance.ONE_PIECE if is_one_change else None


# --- an index of problems: those that resemble a given one, without comparing it with all ----------
#
# Each problem has a hash of its pieces (`generator.resemblance`), and one for each piece that is
# left out. Problems that differ by one piece share one of these; the pairs found so are compared.


class Resembling(NamedTuple):
    """A problem of an index, by its number, and how much it is alike."""

    kind: Resemblance
    number: int


class _HashTable:
    """Numbers of problems by hashes of 64 bits: two sorted arrays, 12 bytes an entry."""

    def __init__(self) -> None:
        self._hashes, self._numbers = array("Q"), array("i")

    def add(self, hashes: Iterable[int], number: int) -> None:
        """Add a problem under several hashes."""
        before = len(self._hashes)
        self._hashes.extend(hashes)
        self._numbers.extend([number] * (len(self._hashes) - before))

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        hashes = np.frombuffer(self._hashes, dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], np.frombuffer(self._numbers, dtype=np.int32)[order]

    def find(self, hashes: list[int]) -> set[int]:
        """Return the problems under any of these hashes."""
        if not self._hashes:
            return set()
        known, numbers = self._sorted
        wanted = np.array(hashes, dtype=np.uint64)
        first, after = np.searchsorted(known, wanted), np.searchsorted(known, wanted, side="right")
        return {int(number) for i in np.flatnonzero(first < after) for number in numbers[first[i] : after[i]]}


class ResemblanceIndex:
    """Problems that others are compared with; all are added before the first is looked for. A problem takes about 400
    bytes."""

    def __init__(self) -> None:
        self._problems: list[tuple[str, str]] = []
        self._by_pieces, self._by_squares = _HashTable(), _HashTable()

    def __len__(self) -> int:
        return len(self._problems)

    def add(self, problem: Placement) -> int:
        """Add a problem; returns its number, from 0 on."""
        number = len(self._problems)
        line = " ".join(move.usi for move in problem.line)
        self._problems.append((format_sfen(problem.position), line))
        self._by_pieces.add(_hashes_with_deletions(problem), number)
        if line:
            self._by_squares.add([_hash_of(problem.occupied)], number)
        return number

    def find(self, problem: Placement) -> Iterator[Resembling]:
        """Yield the problems that resemble this one, in any order; itself too if it was added."""
        both = (problem, problem.mirror_image)
        found = self._by_pieces.find([one for placed in both for one in _hashes_with_deletions(placed)])
        if problem.line:
            found |= self._by_squares.find([_hash_of(placed.occupied) for placed in both])
        for number in found:
            sfen, line = self._problems[number]
            kind = resemblance(problem, Placement(parse_sfen(sfen).position, tuple(map(parse_move, line.split()))))
            if kind is not None:
                yield Resembling(kind, number)

    def nearest(self, problem: Placement) -> Resembling | None:
        """Return the problem that is most alike, of several the first; None without any."""
        return min(self.find(problem), default=None)


def _hashes_with_deletions(problem: Placement) -> list[int]:
    whole = _hash_of(problem.pieces)
    return [whole, *(whole ^ _HASHES[item] for item in problem.pieces)]
