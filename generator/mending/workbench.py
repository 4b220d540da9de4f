# SPDX-License-Identifier: GPL-3.0-or-later
"""What repairs and improvements share: changed positions, and the tests that make one a correct problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.acceptance.validation import CandidateValidator
from generator.changes import PositionChange, Wanted, changes_of, possible_starts
from generator.problem import STORED
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from solver.judging.judge import Judge, Rigour
from solver.results import Grade, Judgement, Limits
from tsume_rules.moves import Move
from tsume_rules.packing import Record, unpack_move
from tsume_rules.position import Position
from tsume_rules.squares import Square

Line = tuple[Move, ...]
QUICK_NODES = 10_000
"""For one quick test of one position."""
_JUDGING = Limits(nodes=200_000)


class ChangedPosition(NamedTuple):
    """A position that ``changes`` lead to."""

    changes: tuple[PositionChange, ...]
    position: Position


@dataclass(frozen=True)
class ReworkedProblem:
    """A correct problem, and the ``changes`` that lead to it from the one that was given."""

    changes: tuple[PositionChange, ...]
    position: Position
    judgement: Judgement

    @property
    def grade(self) -> Grade:
        """Perfect, or sound with blemishes."""
        assert self.judgement.grade is not None
        return self.judgement.grade


def possible_starts_after_change(
    position: Position, keep: frozenset[Square] = frozenset(), wanted: Wanted | None = None
) -> Iterator[tuple[PositionChange, Position]]:
    """Those of `changes_of` that lead to what may be the start of a problem."""
    return possible_starts(changes_of(position, keep, wanted))


class ChangeTester:
    """Tests changed positions with one engine."""

    def __init__(self, engine: DfPnEngine | None = None) -> None:
        self.engine = engine or DfPnEngine(table_bits=18, method=REPEATABLE)
        self.validator = CandidateValidator(self.engine)
        self._judge = Judge(self.engine, Rigour(evidence=False, classes=False))
        self._seen: set[Position] = set()

    def begin(self, position: Position) -> None:
        """Forget everything, so that no answer depends on earlier positions; this one has been met."""
        self.engine.forget()
        self._seen = {position}

    def positions_after_change(
        self, parent: ChangedPosition, keep: frozenset[Square], wanted: Wanted | None = None
    ) -> list[ChangedPosition]:
        """What one change more leads to, if it was not met before and may be the start of a problem."""
        new = [
            ChangedPosition((*parent.changes, change), position)
            for change, position in possible_starts_after_change(parent.position, keep, wanted)
            if position not in self._seen
        ]
        self._seen.update(one.position for one in new)
        return new

    def is_sound(self, record: Record, length: int) -> bool:
        """Whether there is one solution as far as a small margin goes; no where the nodes run out."""
        self.engine.check_limits()
        found = self.engine.answered_within(
            QUICK_NODES, lambda: self.validator.has_one_solution(record, length)
        )
        return found is True

    def line(self, record: Record, length: int) -> Line:
        """The best line; empty if only a futile interposition lasts as long, or the nodes run out."""
        found = self.engine.answered_within(QUICK_NODES, lambda: self.validator.line(record, length))
        return readable_line(found or ())

    def may_be_perfect(self, one: ChangedPosition, length: int) -> bool:
        """Whether the judge finds no defect when he looks less far, and stops at the first."""
        judgement = self.validator.judge(one.position, length, _JUDGING.nodes or 0)
        self.engine.check_limits()
        return not judgement.defects

    def judged_if_correct(self, one: ChangedPosition, length: int) -> ReworkedProblem | None:
        """The changed position if the judge calls it correct. Raises `LimitReached`."""
        judgement = self._judge.judge(one.position, length, _JUDGING)
        self.engine.check_limits()
        return ReworkedProblem(*one, judgement) if judgement.grade in STORED else None


def readable_line(line: Sequence[int]) -> Line:
    """A packed line as moves."""
    return tuple(unpack_move(move) for move in line)
