# SPDX-License-Identifier: GPL-3.0-or-later
"""Single changes of a position, as a composer makes them by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from tsume_rules.position import (
    HAND_KINDS,
    SQUARES,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    rank_of,
    rotated,
    square,
    structural_faults,
)

_FARTHEST = 8


class ChangeKind(StrEnum):
    """The sorts of changes."""

    ADDED = "added"
    """A piece from the defender's hand is put on the board, or into the attacker's hand."""
    TAKEN_OFF = "taken-off"
    """The reverse."""
    MOVED = "moved"
    """A piece stands elsewhere."""
    EXCHANGED = "exchanged"
    """Another piece, or the other side's, stands on the square."""
    TAKEN_IN_HAND = "taken-in-hand"
    """A piece goes from the board into the attacker's hand."""
    PUT_ON_BOARD = "put-on-board"
    """The reverse."""
    SHIFTED = "shifted"
    """All pieces on the board stand the same step away."""


class PositionChange(NamedTuple):
    """One change of a position.

    ``piece`` is the piece before the change (added: after it), on ``square``; None is the
    attacker's hand. ``to`` is where it goes, ``other`` what comes in its place. A shift has
    neither piece nor square; ``step`` says by how many files and ranks.
    """

    sort: ChangeKind
    piece: Piece | None = None
    square: Square | None = None
    to: Square | None = None
    other: Piece | None = None
    step: tuple[int, int] = (0, 0)

    @property
    def brings_promoted(self) -> bool:
        """Whether the change puts a promoted piece on the board."""
        new = self.piece if self.sort is ChangeKind.ADDED else self.other
        return new is not None and new.kind.is_promoted

    @property
    def rotated(self) -> PositionChange:
        """The same change of the board seen from the other side."""
        here, there = (None if sq is None else rotated(sq) for sq in (self.square, self.to))
        return self._replace(square=here, to=there, step=(-self.step[0], -self.step[1]))


Wanted = Callable[[PositionChange], bool]
"""Which changes are tried."""


def changed_position(position: Position, change: PositionChange) -> Position | None:
    """Return the position after a change; None if there are too few pieces, or a king would be lost."""
    piece, board = change.piece, list(position.board)
    try:
        if change.sort is ChangeKind.ADDED:
            return _with_piece_added(position, piece, change.square)
        if change.sort is ChangeKind.TAKEN_OFF:
            return _with_piece_taken_off(position, change)
        if change.sort is ChangeKind.TAKEN_IN_HAND:
            return _with_piece_added(_with_piece_taken_off(position, change), piece, None)
        if change.sort is ChangeKind.PUT_ON_BOARD:
            return _with_piece_added(_with_piece_taken_off(position, change), piece, change.to)
        if change.sort is ChangeKind.EXCHANGED:
            if change.square is None:
                raise ValueError("a piece is exchanged on a square")
            return position.with_piece(change.square, change.other)
        if change.sort is ChangeKind.MOVED:
            if change.square is None or change.to is None:
                raise ValueError("a piece moves from a square to a square")
            board[change.square], board[change.to] = None, board[change.square]
            return replace(position, board=tuple(board))
    except IllegalPosition:
        return None
    shifted: list[Piece | None] = [None] * SQUARES
    for sq, shown in enumerate(board):
        if shown is not None:
            there = square_at_step(sq, change.step)
            if there is None:
                return None
            shifted[there] = shown
    return replace(position, board=tuple(shifted))


def _with_piece_added(position: Position, piece: Piece | None, sq: Square | None) -> Position:
    if piece is None:
        raise ValueError("an added piece has no name")
    if sq is None:
        return position.with_attacker_hand(position.attacker_hand.plus(piece.kind))
    return position.with_piece(sq, piece)


def _with_piece_taken_off(position: Position, change: PositionChange) -> Position:
    if change.square is not None:
        return position.with_piece(change.square, None)
    if change.piece is None:
        raise ValueError("a piece in hand has no name")
    if not position.attacker_hand[change.piece.kind]:
        raise IllegalPosition("the attacker has none in hand")
    return position.with_attacker_hand(position.attacker_hand.plus(change.piece.kind, -1))


def bring_promoted(changes: Iterable[PositionChange]) -> bool:
    """Return whether one of the changes brings a promoted piece."""
    return any(change.brings_promoted for change in changes)


def changes_of(
    position: Position, keep: frozenset[Square] = frozenset(), wanted: Wanted | None = None
) -> Iterator[tuple[PositionChange, Position]]:
    """Every wanted change of a position that leaves a placement of one set of pieces, with what it leads to. Squares to
    ``keep`` stay as they are. Nothing is said of whether the position may be a problem's start."""
    changes = possible_changes(position, keep)
    return legal_changes(position, changes if wanted is None else filter(wanted, changes))


def legal_changes(position: Position, changes: Iterable[PositionChange]) -> Iterator[tuple[PositionChange, Position]]:
    """Yield those of some changes that leave a placement of one set of pieces, with what they lead to."""
    for change in changes:
        after = changed_position(position, change)
        if after is not None and not structural_faults(after):
            yield change, after


def possible_changes(position: Position, keep: frozenset[Square] = frozenset()) -> Iterator[PositionChange]:
    """Yield every conceivable change except those of squares to ``keep``; some are not possible."""
    free = [sq for sq in range(SQUARES) if sq not in keep and position.board[sq] is None]
    for held in (Piece(Side.ATTACKER, kind) for kind in HAND_KINDS):
        yield PositionChange(ChangeKind.ADDED, held)
        if position.attacker_hand[held.kind]:
            yield PositionChange(ChangeKind.TAKEN_OFF, held)
            yield from (PositionChange(ChangeKind.PUT_ON_BOARD, held, to=to) for to in free)
    for sq, piece in enumerate(position.board):
        if piece is None or sq in keep:
            continue
        yield from (PositionChange(ChangeKind.MOVED, piece, sq, to) for to in free)
        if piece.kind is not Kind.KING:
            yield PositionChange(ChangeKind.TAKEN_OFF, piece, sq)
            yield PositionChange(ChangeKind.TAKEN_IN_HAND, piece, sq)
            others = (other for other in _PIECES if other != piece)
            yield from (PositionChange(ChangeKind.EXCHANGED, piece, sq, other=other) for other in others)
    yield from (PositionChange(ChangeKind.ADDED, piece, sq) for sq in free for piece in _PIECES)
    if not keep:
        steps = range(-_FARTHEST, _FARTHEST + 1)
        yield from (PositionChange(ChangeKind.SHIFTED, step=step) for step in product(steps, steps) if any(step))


_PIECES = tuple(
    Piece(side, kind) for side in Side for base in HAND_KINDS for kind in dict.fromkeys((base, base.promoted))
)


def square_at_step(sq: Square, step: tuple[int, int]) -> Square | None:
    """Return the square a step of files and ranks away; None beyond the edge of the board."""
    file, rank = file_of(sq) + step[0], rank_of(sq) + step[1]
    return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None


def possible_starts(made: Iterable[tuple[PositionChange, Position]]) -> Iterator[tuple[PositionChange, Position]]:
    """Those of some changes that lead to what may be the start of a problem: the defender is not in check."""
    from tsume_rules.packed import is_in_check  # noqa: PLC0415  (loads kernels, which the names of changes do not need)

    return ((change, after) for change, after in made if not is_in_check(after, Side.DEFENDER))


# --- the kinds of improvement, and which changes belong to each ------------------------------------


class Improvement(StrEnum):
    """The kinds of improvement."""

    DEFENDERS = "defenders"
    """Defending pieces are added, or exchanged for others."""
    NATURAL = "natural"
    """Pieces stand elsewhere, are plain instead of promoted, are fewer, or everything is shifted."""
    INTRODUCTION = "introduction"
    """Moves come before the line."""


def improvement_of_changes(changes: tuple[PositionChange, ...]) -> Improvement:
    """Return what the changes of a problem that keep its line are called together."""
    return Improvement.DEFENDERS if any(map(adds_plain_defender, changes)) else Improvement.NATURAL


def adds_plain_defender(change: PositionChange) -> bool:
    """Return whether a plain defending piece is added, or comes in the place of another one."""
    if change.sort is ChangeKind.ADDED:
        return change.square is not None and _is_plain_defender(change.piece)
    was_defender = change.piece is not None and change.piece.side is Side.DEFENDER
    return change.sort is ChangeKind.EXCHANGED and was_defender and _is_plain_defender(change.other)


def _is_plain_defender(piece: Piece | None) -> bool:
    return piece is not None and piece.side is Side.DEFENDER and not piece.kind.is_promoted
