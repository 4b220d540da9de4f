"""Unnecessary pieces (不要駒): those without which the problem is the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solver.engines.base import MateEngine
from solver.judging.cooks import CookKind, DecisionPoint, cook_kind, decision_points, refute
from solver.judging.grey import is_grey
from solver.solving.tree import TreeBuilder, Turn
from tsume_rules.game import start_faults
from tsume_rules.packing import Record, pack
from tsume_rules.pieces import HAND_KINDS, Kind, Piece, Side
from tsume_rules.position import Position
from tsume_rules.record_play import Moves
from tsume_rules.squares import square_name

MARGINS = (0, 2, 4, 8)
"""How far beyond the end to search for second solutions of a reduced problem, in plies."""


class Removed(NamedTuple):
    """A removed piece, from a square or (None) from the attacker's hand."""

    piece: Piece
    square: int | None

    @property
    def name(self) -> str:
        """The piece and its place, in English."""
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
    engine: MateEngine, reduced: Position, line: Moves, margins: tuple[int, ...] = MARGINS
) -> bool:
    """Whether a position is a correct problem (except for rule 7) with this line as a best line.

    Raises `LimitReached`.
    """
    record = pack(reduced)
    length = len(line)
    if not engine.keeps_line(record, line):  # true of nearly all
        return False
    if start_faults(reduced):
        return False
    if not engine.mates(record, length) or (length > 1 and engine.mates(record, length - 2)):
        return False
    root = TreeBuilder(engine, main_line=False).turn(record, length)
    if root.leftover or not contains_line(root, line):
        return False
    points = decision_points(record, root)
    for margin in margins:
        if any(_is_cooked(engine, record, point, margin) for point in points):
            return False
    return not is_grey(engine, record, line)


def _is_cooked(engine: MateEngine, record: Record, point: DecisionPoint, margin: int) -> bool:
    """Whether there is a second solution at a turn other than a detour."""
    while cook := refute(engine, record, point, margin):
        if cook_kind(engine, record, cook, MARGINS[-1]) is CookKind.COOK:
            return True
    return False


def contains_line(root: Turn, line: Moves) -> bool:
    """Whether a line is one of the best lines of a main tree."""
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
