"""Where pieces can move: plain Python for notation and tests, not for searching."""

from __future__ import annotations

from collections.abc import Iterator

from tsume_rules.moves import Move
from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.play import position_after
from tsume_rules.position import Board, Position
from tsume_rules.squares import SQUARES, Square, file_of, rank_of, square

_Step = tuple[int, int]  # files to the left, ranks up the board, as the attacker sees them

_STRAIGHT: tuple[_Step, ...] = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL: tuple[_Step, ...] = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_GOLD: tuple[_Step, ...] = (*_STRAIGHT, (1, 1), (-1, 1))

_STEPS: dict[Kind, tuple[_Step, ...]] = {
    Kind.PAWN: ((0, 1),),
    Kind.KNIGHT: ((1, 2), (-1, 2)),
    Kind.SILVER: ((0, 1), *_DIAGONAL),
    Kind.GOLD: _GOLD,
    Kind.TOKIN: _GOLD,
    Kind.PROMOTED_LANCE: _GOLD,
    Kind.PROMOTED_KNIGHT: _GOLD,
    Kind.PROMOTED_SILVER: _GOLD,
    Kind.KING: (*_STRAIGHT, *_DIAGONAL),
    Kind.HORSE: _STRAIGHT,
    Kind.DRAGON: _DIAGONAL,
}
_SLIDES: dict[Kind, tuple[_Step, ...]] = {
    Kind.LANCE: ((0, 1),),
    Kind.BISHOP: _DIAGONAL,
    Kind.HORSE: _DIAGONAL,
    Kind.ROOK: _STRAIGHT,
    Kind.DRAGON: _STRAIGHT,
}


def reached(board: Board, origin: Square) -> frozenset[Square]:
    """The squares that the piece on ``origin`` attacks, those of its own side's pieces included.

    Empty when there is no piece.
    """
    piece = board[origin]
    if piece is None:
        return frozenset()
    return frozenset(_stepped(piece, origin)) | frozenset(_slid(board, piece, origin))


def attacked(board: Board, target: Square, side: Side) -> bool:
    """Whether a piece of ``side`` attacks a square."""
    return any(
        piece is not None and piece.side is side and target in reached(board, sq)
        for sq, piece in enumerate(board)
    )


def in_check(position: Position, side: Side) -> bool:
    """Whether a side has a king and it is attacked."""
    king = position.king(side)
    return king is not None and attacked(position.board, king, side.other)


def origins(position: Position, kind: Kind, target: Square) -> tuple[Square, ...]:
    """The squares from which a piece of a kind, of the side to move, can legally move to ``target``.

    A move that leaves one's own king in check is not legal.
    """
    mover = Piece(position.side_to_move, kind)
    occupant = position.board[target]
    if occupant is not None and (occupant.side is mover.side or occupant.kind is Kind.KING):
        return ()
    return tuple(
        origin
        for origin in range(SQUARES)
        if position.board[origin] == mover
        and target in reached(position.board, origin)
        and not in_check(position_after(position, Move(target, origin)), mover.side)
    )


def _stepped(piece: Piece, origin: Square) -> Iterator[Square]:
    for step in _STEPS.get(piece.kind, ()):
        target = _beside(origin, step, piece.side)
        if target is not None:
            yield target


def _slid(board: Board, piece: Piece, origin: Square) -> Iterator[Square]:
    for step in _SLIDES.get(piece.kind, ()):
        target = _beside(origin, step, piece.side)
        while target is not None:
            yield target
            target = None if board[target] else _beside(target, step, piece.side)


def _beside(sq: Square, step: _Step, side: Side) -> Square | None:
    sign = 1 if side is Side.ATTACKER else -1
    file, rank = file_of(sq) + sign * step[0], rank_of(sq) - sign * step[1]
    return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None
