# SPDX-License-Identifier: GPL-3.0-or-later
"""Legal moves of a game, for moves that are read: plain Python, not for searching."""

from __future__ import annotations

from collections.abc import Iterator

from tsume_rules.moves import Move
from tsume_rules.pieces import HAND_KINDS, Kind, Piece
from tsume_rules.play import ImpossibleMove, position_after
from tsume_rules.position import Position, is_dead
from tsume_rules.reach import in_check, origins, reached, reaches
from tsume_rules.squares import Square, file_of


def legal_position_after(position: Position, move: Move) -> Position:
    """The position after a legal move of the side to move; raises `ImpossibleMove`, which says what is wrong.

    Repetition is not considered.
    """
    following = position_after(position, move)
    if fault := _movement_fault(position, move, following):
        raise ImpossibleMove(f"{move.usi}: {fault}")
    return following


def legal_moves(position: Position) -> Iterator[Move]:
    """All legal moves of the side to move, each tried: board before drops, in the order of the squares."""
    for move in _thinkable_moves(position):
        try:
            legal_position_after(position, move)
        except ImpossibleMove:
            continue
        yield move


def _thinkable_moves(position: Position) -> Iterator[Move]:
    mover, board = position.side_to_move, position.board
    for origin, piece in enumerate(board):
        if piece is not None and piece.side is mover:
            for target in sorted(reached(board, origin)):
                yield from (Move(target, origin, promotes) for promotes in (True, False))
    empty = [square for square, piece in enumerate(board) if piece is None]
    held = [kind for kind in HAND_KINDS if position.hand(mover)[kind]]
    yield from (Move(square, drop=kind) for kind in held for square in empty)


def _movement_fault(position: Position, move: Move, following: Position) -> str | None:
    """What makes a move illegal that fits the position otherwise; None for a legal one."""
    mover = position.side_to_move
    placed = following.board[move.target]
    if move.origin is not None and not reaches(position.board, move.origin, move.target):
        return "the piece does not move that way"
    if placed is not None and is_dead(placed, move.target):
        return "the piece could not move again"
    if move.drop is Kind.PAWN and _has_pawn_on_file(position, move.target):
        return "two pawns on a file"
    if in_check(following, mover):
        return "the king is left in check"
    if move.drop is Kind.PAWN and _is_mated_by(following, move.target):
        return "mate by a dropped pawn"
    return None


def _has_pawn_on_file(position: Position, target: Square) -> bool:
    pawn, file = Piece(position.side_to_move, Kind.PAWN), file_of(target)
    return any(piece == pawn and file_of(sq) == file for sq, piece in enumerate(position.board))


def _is_mated_by(position: Position, pawn: Square) -> bool:
    """Whether the side to move is mated by a pawn: it can neither be captured nor the king step away."""
    king = position.king(position.side_to_move)
    if king is None or not in_check(position, position.side_to_move):
        return False
    if any(origins(position, kind, pawn) for kind in Kind):
        return False
    return not any(origins(position, Kind.KING, square) for square in reached(position.board, king))
