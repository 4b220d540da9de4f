# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves: their USI text (``7g7f``, ``2b3c+``, ``G*5b``), playing them on a position, and which are legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, reduce

from tsume_rules.position import (
    HAND_KINDS,
    KIND_IN_HAND,
    LETTERS,
    Board,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    is_dead,
    last_rank_distance,
    mirrored,
    parse_square,
    rank_of,
    rotated,
    square,
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
    that way and whether its king is safe is not tested (see `legal_position_after`).
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


# --- where pieces can move: plain Python for notation and tests, not for searching -----------------

Step = tuple[int, int]
"""Files to the left, ranks up the board, as the attacker sees them."""

_STRAIGHT: tuple[Step, ...] = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL: tuple[Step, ...] = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_GOLD: tuple[Step, ...] = (*_STRAIGHT, (1, 1), (-1, 1))

STEPS: dict[Kind, tuple[Step, ...]] = {
    Kind.PAWN: ((0, 1),), Kind.KNIGHT: ((1, 2), (-1, 2)), Kind.SILVER: ((0, 1), *_DIAGONAL), Kind.GOLD: _GOLD,
    Kind.TOKIN: _GOLD, Kind.PROMOTED_LANCE: _GOLD, Kind.PROMOTED_KNIGHT: _GOLD, Kind.PROMOTED_SILVER: _GOLD,
    Kind.KING: (*_STRAIGHT, *_DIAGONAL), Kind.HORSE: _STRAIGHT, Kind.DRAGON: _DIAGONAL,
}  # fmt: skip
"""Where a kind moves in one step; kinds that only slide have none."""
SLIDES: dict[Kind, tuple[Step, ...]] = {
    Kind.LANCE: ((0, 1),), Kind.BISHOP: _DIAGONAL, Kind.HORSE: _DIAGONAL, Kind.ROOK: _STRAIGHT,
    Kind.DRAGON: _STRAIGHT,
}  # fmt: skip
"""The directions in which a kind slides over any number of empty squares."""


def attacked_squares(board: Board, origin: Square) -> frozenset[Square]:
    """Return the squares that the piece on ``origin`` attacks, those of its own side's pieces included.

    Empty when there is no piece.
    """
    piece = board[origin]
    if piece is None:
        return frozenset()
    steps, rays = _attacks(int(piece.side), int(piece.kind), origin)
    found = set(steps)
    for ray in rays:
        for sq in ray:
            found.add(sq)
            if board[sq] is not None:
                break
    return frozenset(found)


def attacks_square(board: Board, origin: Square, target: Square) -> bool:
    """Return whether the piece on ``origin`` attacks a square; no piece attacks none."""
    piece = board[origin]
    if piece is None:
        return False
    steps, rays = _attacks(int(piece.side), int(piece.kind), origin)
    if target in steps:
        return True
    return any(all(board[sq] is None for sq in ray[: ray.index(target)]) for ray in rays if target in ray)


def attacked(board: Board, target: Square, side: Side) -> bool:
    """Return whether a piece of ``side`` attacks a square."""
    return any(
        piece is not None and piece.side is side and attacks_square(board, sq, target) for sq, piece in enumerate(board)
    )


def in_check(position: Position, side: Side) -> bool:
    """Return whether a side has a king and it is attacked."""
    king = position.king(side)
    return king is not None and attacked(position.board, king, side.other)


def legal_origins(position: Position, kind: Kind, target: Square, *, but: Square | None = None) -> tuple[Square, ...]:
    """Return the squares from which a piece of a kind, of the side to move, can legally move to ``target``.

    ``but`` is left out. A move that leaves one's own king in check is not legal.
    """
    mover = Piece(position.side_to_move, kind)
    occupant = position.board[target]
    if occupant is not None and (occupant.side is mover.side or occupant.kind is Kind.KING):
        return ()
    return tuple(
        origin
        for origin, piece in enumerate(position.board)
        if piece == mover
        and origin != but
        and attacks_square(position.board, origin, target)
        and not in_check(position_after(position, Move(target, origin)), mover.side)
    )


_Ray = tuple[Square, ...]


@cache
def _attacks(side: int, kind: int, origin: Square) -> tuple[frozenset[Square], tuple[_Ray, ...]]:
    """Return the squares one step away, and those a slider comes to in each direction, to the board's edge.

    Of plain integers: the hash of an enum's member takes longer than the rest.
    """
    beside = (_square_at_step(origin, step, Side(side)) for step in STEPS.get(Kind(kind), ()))
    rays = []
    for step in SLIDES.get(Kind(kind), ()):
        ray, sq = [], _square_at_step(origin, step, Side(side))
        while sq is not None:
            ray.append(sq)
            sq = _square_at_step(sq, step, Side(side))
        rays.append(tuple(ray))
    return frozenset(sq for sq in beside if sq is not None), tuple(rays)


def _square_at_step(sq: Square, step: Step, side: Side) -> Square | None:
    sign = 1 if side is Side.ATTACKER else -1
    file, rank = file_of(sq) + sign * step[0], rank_of(sq) - sign * step[1]
    return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None


# --- legal moves of a game: plain Python, not for searching ----------------------------------------


def legal_position_after(position: Position, move: Move) -> Position:
    """The position after a legal move of the side to move; raises `ImpossibleMove`, which says what is wrong.

    Repetition is not considered.
    """
    following = position_after(position, move)
    if fault := _movement_fault(position, move, following):
        raise ImpossibleMove(f"{move.usi}: {fault}")
    return following


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield all legal moves of the side to move, board before drops, in the order of the squares."""
    mover, board = position.side_to_move, position.board
    moves: list[Move] = []
    for origin, piece in enumerate(board):
        if piece is not None and piece.side is mover:
            for target in sorted(attacked_squares(board, origin)):
                moves += [Move(target, origin, promotes) for promotes in (True, False)]
    empty = [square for square, piece in enumerate(board) if piece is None]
    held = [kind for kind in HAND_KINDS if position.hand(mover)[kind]]
    moves += [Move(square, drop=kind) for kind in held for square in empty]
    for move in moves:
        try:
            legal_position_after(position, move)
        except ImpossibleMove:
            continue
        yield move


def _movement_fault(position: Position, move: Move, following: Position) -> str | None:
    """Return what makes a move illegal that fits the position otherwise; None for a legal one."""
    mover = position.side_to_move
    placed = following.board[move.target]
    if move.origin is not None and not attacks_square(position.board, move.origin, move.target):
        return "the piece does not move that way"
    if placed is not None and is_dead(placed, move.target):
        return "the piece could not move again"
    pawn, file = Piece(mover, Kind.PAWN), file_of(move.target)
    on_file = (piece == pawn and file_of(sq) == file for sq, piece in enumerate(position.board))
    if move.drop is Kind.PAWN and any(on_file):
        return "two pawns on a file"
    if in_check(following, mover):
        return "the king is left in check"
    other = following.side_to_move
    king = following.king(other) if move.drop is Kind.PAWN and in_check(following, other) else None
    if king is None or any(legal_origins(following, kind, move.target) for kind in Kind):
        return None
    if not any(legal_origins(following, Kind.KING, sq) for sq in attacked_squares(following.board, king)):
        return "mate by a dropped pawn"
    return None
