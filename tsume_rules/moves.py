# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves: their USI text (``7g7f``, ``2b3c+``, ``G*5b``), and playing them on a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce

from tsume_rules.position import (
    KIND_IN_HAND,
    LETTERS,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    last_rank_distance,
    mirrored,
    parse_square,
    rotated,
    square_name,
)


@dataclass(frozen=True, order=True)
class Move:
    """A move of a piece on the board (``origin`` set) or a drop (``drop`` set)."""

    target: Square
    origin: Square | None = None
    promotes: bool = False
    drop: Kind | None = None

    @cached_property
    def usi(self) -> str:
        """The move in USI notation."""
        target = square_name(self.target)
        if self.drop is not None:
            return f"{LETTERS[self.drop]}*{target}"
        assert self.origin is not None
        return square_name(self.origin) + target + ("+" if self.promotes else "")

    def __str__(self) -> str:
        return self.usi

    @property
    def mirrored(self) -> Move:
        """The move with left and right exchanged."""
        origin = None if self.origin is None else mirrored(self.origin)
        return Move(mirrored(self.target), origin, self.promotes, self.drop)

    @property
    def rotated(self) -> Move:
        """The move seen from the other side of the board."""
        origin = None if self.origin is None else rotated(self.origin)
        return Move(rotated(self.target), origin, self.promotes, self.drop)


@lru_cache(maxsize=2**14)  # all there are
def parse_move(usi: str) -> Move:
    """Return the move of a USI text. Raises ValueError for any other text."""
    try:
        if usi[1:2] == "*":
            return Move(parse_square(usi[2:]), drop=KIND_IN_HAND[usi[0]])
        if usi[4:] not in ("", "+"):
            raise ValueError(usi)
        return Move(parse_square(usi[2:4]), parse_square(usi[:2]), promotes=len(usi) == 5)
    except (ValueError, KeyError):
        raise ValueError(f"not a move in USI notation: {usi!r}") from None


# --- playing a move on a position ------------------------------------------------------------------


class ImpossibleMove(ValueError):
    """A move that cannot be played on a position; the message says why."""


def position_after(position: Position, move: Move) -> Position:
    """Return the position after a move of the side to move.

    Captured pieces go to the hand of the side that moved, unpromoted. Raises
    `ImpossibleMove` when the move does not fit the position: no piece or the
    other side's on the origin, a dropped piece that is not in hand, an own piece
    or a king on the target, a promotion outside the zone. Whether the piece moves
    that way and whether its king is safe is not tested (see `tsume_rules.legality`).
    """
    placed, held = _piece_and_remaining_hand(position, move)
    captured = position.board[move.target]
    if captured is not None:
        _require_possible(captured.side is not placed.side, move, "the target is occupied by an own piece")
        _require_possible(captured.kind is not Kind.KING, move, "a king cannot be captured")
        held = held.plus(captured.kind)
    squares = list(position.board)
    if move.origin is not None:
        squares[move.origin] = None
    squares[move.target] = placed
    if position.side_to_move is Side.ATTACKER:
        return Position(tuple(squares), held, position.defender_hand, Side.DEFENDER)
    return Position(tuple(squares), position.attacker_hand, held, Side.ATTACKER)


def position_after_all(position: Position, moves: Iterable[Move]) -> Position:
    """Return the position after moves by turns. Raises `ImpossibleMove`."""
    return reduce(position_after, moves, position)


def can_promote(piece: Piece, origin: Square, target: Square) -> bool:
    """Return whether a piece on the board may promote when it moves from ``origin`` to ``target``."""
    zone = min(last_rank_distance(piece.side, origin), last_rank_distance(piece.side, target)) < 3
    return zone and piece.kind.promoted is not piece.kind


def _piece_and_remaining_hand(position: Position, move: Move) -> tuple[Piece, Hand]:
    """Return the piece as it will stand on the target, and the mover's hand without it."""
    mover, hand = position.side_to_move, position.hand(position.side_to_move)
    if move.drop is not None:
        if move.drop > Kind.GOLD:
            raise ImpossibleMove(f"a {move.drop.name.lower()} cannot be dropped")  # and has no USI text
        is_plain = move.origin is None and not move.promotes
        _require_possible(is_plain, move, "a drop has no origin and does not promote")
        _require_possible(hand[move.drop] > 0, move, f"no {move.drop.name.lower()} in hand")
        _require_possible(position.board[move.target] is None, move, "the square is occupied")
        return Piece(mover, move.drop), hand.plus(move.drop, -1)
    if move.origin is None:
        raise ImpossibleMove(f"a move to {square_name(move.target)} with neither origin nor drop")
    piece = position.board[move.origin]
    if piece is None:
        raise ImpossibleMove(f"{move.usi}: no piece on {square_name(move.origin)}")
    _require_possible(piece.side is mover, move, f"it is the {mover.name.lower()}'s turn")
    if not move.promotes:
        return piece, hand
    _require_possible(can_promote(piece, move.origin, move.target), move, "the piece cannot promote here")
    return Piece(piece.side, piece.kind.promoted), hand


def _require_possible(holds: bool, move: Move, reason: str) -> None:
    if not holds:
        raise ImpossibleMove(f"{move.usi}: {reason}")
