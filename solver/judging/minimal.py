# SPDX-License-Identifier: GPL-3.0-or-later
"""Unnecessary pieces (不要駒): those without which the problem is the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solver.engines.base import MateEngine
from solver.judging.cooks import (
    Cook,
    CookKind,
    DecisionPoint,
    cook_kind,
    decision_points,
    leaves_same_position,
    refute,
    refute_with_growing_nodes,
)
from solver.judging.readings import is_grey
from solver.results import Limits
from solver.solving.tree import TreeBuilder, Turn
from tsume_rules.game import start_faults
from tsume_rules.packed import Moves, Record, line_played, pack
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, square_name

MARGINS = (0, 2, 4, 8)
"""How far beyond the end to search for second solutions of a reduced problem, in plies."""
_NEAR = 2
"""So many of the margins are searched before other lengths."""


class Removed(NamedTuple):
    """A removed piece, from a square or (None) from the attacker's hand."""

    piece: Piece
    square: int | None

    @property
    def name(self) -> str:
        """Return the piece and its place, in English."""
        kind = self.piece.kind.name.lower().replace("_", " ")
        if self.square is None:
            return f"{kind} in hand"
        return f"{self.piece.side.name.lower()}'s {kind} on {square_name(self.square)}"


def reductions(position: Position) -> Iterator[tuple[Removed, Position]]:
    """Each piece that can be moved to the defender's hand, with the resulting position."""
    for sq, piece in enumerate(position.board):
        if piece is not None and piece.kind is not Kind.KING:
            yield Removed(piece, sq), position.with_piece(sq, None)
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            hand = position.attacker_hand.plus(kind, -1)
            yield Removed(Piece(Side.ATTACKER, kind), None), position.with_attacker_hand(hand)


def is_same_problem(
    engine: MateEngine,
    reduced: Position,
    line: Moves,
    margins: tuple[int, ...] = MARGINS,
    unbounded: Limits | None = None,
) -> bool:
    """Return whether a position is a correct problem (except for rule 7) with this line as a best line.

    Second solutions are searched for within the first two ``margins``, at any length within the
    ``unbounded`` limits, if given, and within the other margins. A detour is none. Raises `LimitReached`.
    """
    record, length = pack(reduced), len(line)
    if not engine.keeps_line(record, line) or start_faults(reduced):  # the first is true of nearly all
        return False
    if not engine.mates(record, length) or (length > 1 and engine.mates(record, length - 2)):
        return False
    root = TreeBuilder(engine, main_line=False).turn(record, length)
    if root.leftover or not contains_line(root, line):
        return False
    points = decision_points(record, root)
    if _is_cooked(engine, record, points, margins[:_NEAR]):
        return False
    if unbounded is not None and _cook_at_any_length(engine, record, points, unbounded):
        return False
    return not _is_cooked(engine, record, points, margins[_NEAR:]) and not is_grey(engine, record, line)


def _is_cooked(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...]
) -> bool:
    """Return whether there is a second solution at a turn, and not only a detour or another form of the key
    that leaves the same position."""
    for margin in margins:
        for point in points:
            while cook := refute(engine, record, point, margin):
                if _is_second_solution(engine, record, cook):
                    return True
    return False


def cook_at_any_length(engine: MateEngine, reduced: Position, line: Moves, limits: Limits) -> Cook | None:
    """Return a second solution of a position of which ``line`` is a best line, other than a detour, if found.

    Raises `LimitReached` only for outer limits.
    """
    record = pack(reduced)
    root = TreeBuilder(engine, main_line=False).turn(record, len(line))
    return _cook_at_any_length(engine, record, decision_points(record, root), limits)


def _cook_at_any_length(
    engine: MateEngine, record: Record, points: list[DecisionPoint], limits: Limits
) -> Cook | None:
    cooks = refute_with_growing_nodes(engine, record, points, limits)
    return next((cook for cook in cooks if _is_second_solution(engine, record, cook)), None)


def _is_second_solution(engine: MateEngine, record: Record, cook: Cook) -> bool:
    with line_played(record, cook.path):
        if leaves_same_position(engine, record, cook):
            return False
    return cook_kind(engine, record, cook, MARGINS[-1]) is CookKind.COOK


def contains_line(root: Turn, line: Moves) -> bool:
    """Return whether a line is one of the best lines of a main tree."""
    turn: Turn | None = root
    rest = line
    while turn is not None and rest:
        if rest[0] != turn.key and rest[0] not in turn.finals:
            return False
        rest = rest[1:]
        reply = next((r for r in turn.replies if rest and rest[: len(r.moves)] == r.moves), None)
        if reply is None:
            return not rest and not turn.replies
        rest = rest[len(reply.moves) :]
        turn = reply.turn
    return turn is None and not rest
