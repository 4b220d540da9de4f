"""Single changes of a position, as a composer makes them by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from tsume_rules.pieces import HAND_KINDS, Kind, Piece, Side
from tsume_rules.position import IllegalPosition, Position, structural_faults
from tsume_rules.squares import SQUARES, Square, file_of, rank_of, rotated, square

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


class Change(NamedTuple):
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
    def rotated(self) -> Change:
        """The same change of the board seen from the other side."""
        here, there = (None if sq is None else rotated(sq) for sq in (self.square, self.to))
        return self._replace(square=here, to=there, step=(-self.step[0], -self.step[1]))


Wanted = Callable[[Change], bool]
"""Which changes are tried."""


def changed(position: Position, change: Change) -> Position | None:
    """The position after a change; None if there are too few pieces, or a king would be lost."""
    try:
        return _EFFECTS[change.sort](position, change)
    except IllegalPosition:
        return None


def bring_promoted(changes: Iterable[Change]) -> bool:
    """Whether one of the changes brings a promoted piece."""
    return any(change.brings_promoted for change in changes)


def changes_of(
    position: Position, keep: frozenset[Square] = frozenset(), wanted: Wanted | None = None
) -> Iterator[tuple[Change, Position]]:
    """Every wanted change of a position that leaves a placement of one set of pieces, with what it leads to.

    Squares to ``keep`` stay as they are. Nothing is said of whether the position may be a problem's start.
    """
    changes = every_change(position, keep)
    return legal_changes(position, changes if wanted is None else filter(wanted, changes))


def legal_changes(position: Position, changes: Iterable[Change]) -> Iterator[tuple[Change, Position]]:
    """Those of some changes that leave a placement of one set of pieces, with what they lead to."""
    for change in changes:
        after = changed(position, change)
        if after is not None and not structural_faults(after):
            yield change, after


def every_change(position: Position, keep: frozenset[Square] = frozenset()) -> Iterator[Change]:
    """Every change that can be thought of, but for those of squares to ``keep``; some are not possible."""
    free = [sq for sq in range(SQUARES) if sq not in keep and position.board[sq] is None]
    yield from _of_hand(position, free)
    for sq, piece in enumerate(position.board):
        if piece is not None and sq not in keep:
            yield from _of_piece(sq, piece, free)
    yield from (Change(ChangeKind.ADDED, piece, sq) for sq in free for piece in _PIECES)
    if not keep:
        steps = range(-_FARTHEST, _FARTHEST + 1)
        yield from (Change(ChangeKind.SHIFTED, step=step) for step in product(steps, steps) if any(step))


def _of_hand(position: Position, free: Sequence[Square]) -> Iterator[Change]:
    for piece in (Piece(Side.ATTACKER, kind) for kind in HAND_KINDS):
        yield Change(ChangeKind.ADDED, piece)
        if position.attacker_hand[piece.kind]:
            yield Change(ChangeKind.TAKEN_OFF, piece)
            yield from (Change(ChangeKind.PUT_ON_BOARD, piece, to=to) for to in free)


def _of_piece(sq: Square, piece: Piece, free: Sequence[Square]) -> Iterator[Change]:
    yield from (Change(ChangeKind.MOVED, piece, sq, to) for to in free)
    if piece.kind is not Kind.KING:
        yield Change(ChangeKind.TAKEN_OFF, piece, sq)
        yield Change(ChangeKind.TAKEN_IN_HAND, piece, sq)
        yield from (
            Change(ChangeKind.EXCHANGED, piece, sq, other=other) for other in _PIECES if other != piece
        )


_PIECES = tuple(
    Piece(side, kind) for side in Side for base in HAND_KINDS for kind in dict.fromkeys((base, base.promoted))
)


def _added(position: Position, change: Change) -> Position:
    if change.piece is None:
        raise ValueError("an added piece has no name")
    if change.square is None:
        return position.with_attacker_hand(position.attacker_hand.plus(change.piece.kind))
    return position.with_piece(change.square, change.piece)


def _taken_off(position: Position, change: Change) -> Position:
    if change.square is not None:
        return position.with_piece(change.square, None)
    if change.piece is None:
        raise ValueError("a piece in hand has no name")
    if not position.attacker_hand[change.piece.kind]:
        raise IllegalPosition("the attacker has none in hand")
    return position.with_attacker_hand(position.attacker_hand.plus(change.piece.kind, -1))


def _moved(position: Position, change: Change) -> Position:
    board = list(position.board)
    if change.square is None or change.to is None:
        raise ValueError("a piece moves from a square to a square")
    board[change.square], board[change.to] = None, board[change.square]
    return replace(position, board=tuple(board))


def _exchanged(position: Position, change: Change) -> Position:
    if change.square is None:
        raise ValueError("a piece is exchanged on a square")
    return position.with_piece(change.square, change.other)


def _taken_in_hand(position: Position, change: Change) -> Position:
    if change.piece is None:
        raise ValueError("a piece has no name")
    return _added(_taken_off(position, change), Change(ChangeKind.ADDED, change.piece))


def _put_on_board(position: Position, change: Change) -> Position:
    return _added(_taken_off(position, change), Change(ChangeKind.ADDED, change.piece, change.to))


def _shifted(position: Position, change: Change) -> Position:
    board: list[Piece | None] = [None] * SQUARES
    for sq, piece in enumerate(position.board):
        if piece is not None:
            there = stepped(sq, change.step)
            if there is None:
                raise IllegalPosition("a piece leaves the board")
            board[there] = piece
    return replace(position, board=tuple(board))


def stepped(sq: Square, step: tuple[int, int]) -> Square | None:
    """The square a step of files and ranks away; None beyond the edge of the board."""
    file, rank = file_of(sq) + step[0], rank_of(sq) + step[1]
    return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None


_EFFECTS: dict[ChangeKind, Callable[[Position, Change], Position]] = {
    ChangeKind.ADDED: _added,
    ChangeKind.TAKEN_OFF: _taken_off,
    ChangeKind.MOVED: _moved,
    ChangeKind.EXCHANGED: _exchanged,
    ChangeKind.TAKEN_IN_HAND: _taken_in_hand,
    ChangeKind.PUT_ON_BOARD: _put_on_board,
    ChangeKind.SHIFTED: _shifted,
}


def possible_starts(made: Iterable[tuple[Change, Position]]) -> Iterator[tuple[Change, Position]]:
    """Those of some changes that lead to what may be the start of a problem: the defender is not in check."""
    from tsume_rules.game import is_in_check  # noqa: PLC0415  (loads numba, which the names of changes do not need)

    return ((change, after) for change, after in made if not is_in_check(after, Side.DEFENDER))
