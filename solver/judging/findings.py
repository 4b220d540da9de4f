# SPDX-License-Identifier: GPL-3.0-or-later
"""What shows each defect and remark, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from solver.explaining.explanation import Try
from solver.results import Defect, Finding, Grade, Judgement, Readings
from tsume_rules.moves import Move
from tsume_rules.position import Hand, Piece, PlacementFault, Position, Square

if TYPE_CHECKING:
    from tsume_rules.packed import Moves


# --- the classes of second solutions, and how much each weighs (docs/rules.md, "Second solutions by name") ---

SHORT = 15
"""Up to this length a change of order is a fault, as composers see it, and there is no ending."""
LONG = 100
"""From this length on a second solution within the ending is a blemish."""
ENDING = 5
"""The plies of the ending (収束)."""


class CookClass(Enum):
    """What a second solution does; of several classes that fit, the first holds."""

    DETOUR = "detour"
    """It comes back to the turn where it left the line, or to an earlier one (迂回手順)."""
    MERGING = "merging"
    """It joins the line at a later turn, later than the line does or by other moves (合流)."""
    ORDER = "order"
    """The line's moves in another order: it joins at the same ply with the same hand (手順前後)."""
    SAME_POSITION = "same_position"
    """It promotes or not as the line does not, and the piece is captured at once (同一局面)."""
    FORM = "form"
    """The same piece does the same elsewhere or in another form; the lines run alike (非限定)."""
    ENDING = "ending"
    """It mates without the line and leaves it within its last plies (収束余詰)."""
    LEFTOVER = "leftover"
    """It mates without the line, but leaves pieces in hand (駒余り)."""
    TRUE = "true"
    """It mates without the line (余詰)."""

    def blemish(self, length: int, *, same_check: bool = False) -> Defect | None:
        """Return the blemish or remark that it is in a problem of ``length`` plies; None: it is a fault.

        ``same_check``: whether the check is the line's in another form by rule 6, and not only alike.
        """
        match self:
            case CookClass.DETOUR:
                return Defect.DETOUR
            case CookClass.MERGING:
                return Defect.MERGING
            case CookClass.ORDER:
                return Defect.ORDER if length > SHORT else None
            case CookClass.SAME_POSITION:
                return Defect.SAME_POSITION
            case CookClass.FORM:
                return Defect.UNDETERMINED_FORM if same_check or length > SHORT else None
            case CookClass.ENDING:
                return Defect.ENDING if length >= LONG else None
            case _:
                return None


@dataclass(frozen=True)
class ClassifiedCook:
    """The class of a second solution.

    ``line``: the main line up to it, then its own moves until it joins the line or mates, then the line's; None if a
    limit was reached before it was known. ``joins``: the ply of the turn at which it joins the line, None if it does
    not or that is not known. ``proved``: whether the class needs no further search; else a mate that avoids the line is
    excluded only as far as was searched. ``same_check`` as in `CookClass.blemish`.
    """

    kind: CookClass
    line: Moves | None = None
    joins: int | None = None
    proved: bool = True
    same_check: bool = False

    def blemish(self, length: int) -> Defect | None:
        """As `CookClass.blemish`."""
        return self.kind.blemish(length, same_check=self.same_check)


# --- what shows each defect and remark, as data ----------------------------------------------------


@dataclass(frozen=True)
class StartFault(Finding):
    """Of an illegal start: one thing that is wrong; ``reason`` is None for a text that cannot be read."""

    fault: str = ""
    reason: PlacementFault | None = None


@dataclass(frozen=True)
class StartsInCheck(Finding):
    """Of a start in which the attacker's king is in check."""


@dataclass(frozen=True)
class AllChecksFail(Finding):
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
    none; ``joins``, ``proved`` and ``same_check`` as in `solver.judging.findings.ClassifiedCook`.
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


# --- what a work is complete but for: second solutions that are no faults (docs/rules.md) ---------

EQUAL_DEFENCE = "equal_defence"
"""The name of a second solution that would be a fault if it were not behind an equally long defence."""


def tolerated_cooks(judgement: Judgement) -> dict[str, list[SecondSolution]]:
    """Return the second solutions of a work of more than `SHORT` plies without a fault, by their classes.

    A class has the name of its `CookClass`; one more is `EQUAL_DEFENCE`. Empty for any other work.
    """
    length = judgement.length or 0
    if judgement.grade in (None, Grade.UNSOUND) or length <= SHORT:
        return {}
    groups: dict[str, list[SecondSolution]] = {}
    found = [one for one in judgement.findings if isinstance(one, SecondSolution)]
    for one in sorted(found, key=lambda one: one.turn):
        if one.kind not in (None, CookClass.SAME_POSITION):
            blemish = one.kind.blemish(length, same_check=one.same_check)
            groups.setdefault(one.kind.value if blemish else EQUAL_DEFENCE, []).append(one)
    return groups
