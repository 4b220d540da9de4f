# SPDX-License-Identifier: GPL-3.0-or-later
"""What shows each defect and remark, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.explaining.explanation import Try
from solver.judging.cook_classes import CookClass
from solver.results import Finding, Readings
from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.pieces import Piece
from tsume_rules.position import PlacementFault, Position
from tsume_rules.squares import Square


@dataclass(frozen=True)
class StartFault(Finding):
    """Of an illegal start: one thing that is wrong; ``reason`` is None for a text that cannot be read."""

    fault: str = ""
    reason: PlacementFault | None = None


@dataclass(frozen=True)
class StartsInCheck(Finding):
    """Of a start in which the attacker's king is in check."""


@dataclass(frozen=True)
class AllFail(Finding):
    """Of no mate: how the legal checks, ``checks`` in number, fail; ``tries`` as far as they were found.

    ``forbidden``: a pawn drop that would be mate (打歩詰).
    """

    checks: int = 0
    tries: tuple[Try, ...] = ()
    forbidden: Move | None = None


@dataclass(frozen=True)
class OtherLength(Finding):
    """Of a wrong length: the length given, and the exact one, which ``line`` shows."""

    expected: int = 0
    actual: int = 0


@dataclass(frozen=True)
class SecondSolution(Finding):
    """Of a cook, an undetermined form or a detour: another check that mates.

    It is played instead of ``key`` after the first ``turn`` moves of ``line``, and mates
    ``length`` plies after the start, ``late`` plies later than the key. ``kind`` is its class, None if it has
    none; ``joins``, ``proved`` and ``same_check`` as in `solver.judging.cook_classes.ClassifiedCook`.
    """

    turn: int = 0
    key: Move | None = None
    check: Move | None = None
    length: int | None = None
    late: int | None = None
    kind: CookClass | None = None
    joins: int | None = None
    proved: bool = True
    same_check: bool = False


@dataclass(frozen=True)
class LeftInHand(Finding):
    """Of pieces left over: what stays in the attacker's hand after ``line``."""

    hand: Hand = field(default_factory=Hand)


@dataclass(frozen=True)
class NeedlessPiece(Finding):
    """Of an unnecessary piece: it stands on ``square`` or (None) is in hand.

    ``smaller`` is the position without it; ``line`` is a best line there too.
    """

    piece: Piece | None = None
    square: Square | None = None
    smaller: Position | None = None


@dataclass(frozen=True)
class ReadingsDiffer(Finding):
    """Of the grey zone: what the readings say and the drop on which they differ.

    ``line`` ends with the drop, which is futile by the readings in ``futile_by`` and by no
    other; it is empty if no single drop was found on which they differ.
    """

    readings: Readings | None = None
    futile_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class EqualDefence(Finding):
    """Of equal defences: after the first ``turn`` moves of ``line`` another answer lasts as long.

    ``answers`` are the answers met by this line; drops on one square may share it.
    """

    turn: int = 0
    answers: tuple[Move, ...] = ()


@dataclass(frozen=True)
class LastMoves(Finding):
    """Of alternatives of the last move: ``moves`` mate as well as the last move of ``line``."""

    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class VariationMate(Finding):
    """Of another mate in a variation: the answer after ``turn`` moves of ``line`` is a shorter defence."""

    turn: int = 0
