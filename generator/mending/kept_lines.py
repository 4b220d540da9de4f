# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes that may keep a line, and what becomes of it: the same squares, the same pieces dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.acceptance.plain_pieces import plain_kinds
from generator.changes import ChangeKind, PositionChange, square_at_step
from generator.mending.kinds import Improvement, adds_plain_defender
from tsume_rules.moves import Move
from tsume_rules.position import Kind, Piece, Square

Line = tuple[Move, ...]


def suits_improvement(change: PositionChange, kinds: frozenset[Improvement]) -> bool:
    """Whether a change that keeps the line may be part of an improvement of these kinds.

    No promoted piece and no attacker is added, and the attacker's hand and the kings stay.
    """
    if change.sort in (ChangeKind.MOVED, ChangeKind.SHIFTED):
        return change.piece is None or change.piece.kind is not Kind.KING
    if change.sort is ChangeKind.TAKEN_OFF:
        return change.square is not None
    if adds_plain_defender(change):
        return Improvement.DEFENDERS in kinds
    return change.sort is ChangeKind.EXCHANGED and _is_plainer(change.piece, change.other)


def exchanges_captured_piece(change: PositionChange, line: Line) -> bool:
    """Whether a change gives another kind to a plain piece that is captured in a line.

    It stands there to be taken: whether a rook or a gold is given up is the composer's choice.
    """
    if change.sort is not ChangeKind.EXCHANGED or change.piece is None or change.piece.kind.is_promoted:
        return False
    place = change.square
    for move in line:
        if move.origin == place:
            place = move.target
        elif move.target == place:
            return True
    return False


def line_course(line: Sequence[Move]) -> tuple[tuple[Kind | None, Square], ...]:
    """What a line must have in common with another to be the same: what is dropped, and where moves lead."""
    return tuple((move.drop, move.target) for move in line)


def lines_after_change(line: Line, change: PositionChange) -> tuple[Line, ...]:
    """The lines, likeliest first, that may be the given one after a change; none if it leaves the board.

    A piece that was moved goes from its new square. One that was promoted and is plain may promote when
    it first moves.
    """
    if change.sort is ChangeKind.SHIFTED:
        moved = tuple(_shifted_moves(line, change.step))
        return (moved,) if len(moved) == len(line) else ()
    place = _first_move_from(line, change.square)
    if place is None:
        return (line,)
    move = line[place]
    if change.sort is ChangeKind.MOVED:
        return (_with_move_replaced(line, place, replace(move, origin=change.to)),)
    if change.sort is ChangeKind.EXCHANGED and change.piece is not None and change.piece.kind.is_promoted:
        return line, _with_move_replaced(line, place, replace(move, promotes=True))
    return (line,)


def _first_move_from(line: Line, square: Square | None) -> int | None:
    """When the piece that stands on a square at the start moves; None if it does not, or is taken first."""
    for place, move in enumerate(line):
        if square is not None and move.origin == square:
            return place
        if move.target == square:
            return None
    return None


def _with_move_replaced(line: Line, place: int, move: Move) -> Line:
    return (*line[:place], move, *line[place + 1 :])


def _shifted_moves(line: Line, step: tuple[int, int]) -> Iterator[Move]:
    """The moves on squares a step away, as far as they are on the board."""
    for move in line:
        target = square_at_step(move.target, step)
        origin = None if move.origin is None else square_at_step(move.origin, step)
        if target is not None and (move.origin is None) == (origin is None):
            yield replace(move, target=target, origin=origin)


def _is_plainer(piece: Piece | None, other: Piece | None) -> bool:
    """Whether a plain piece comes for a promoted one, or one plain piece of a side for another."""
    if piece is None or other is None or piece.side is not other.side:
        return False
    return other.kind in plain_kinds(piece.kind) or not (piece.kind.is_promoted or other.kind.is_promoted)
