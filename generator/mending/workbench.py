# SPDX-License-Identifier: GPL-3.0-or-later
"""What repairs and improvements share: changed positions, and the tests that make one a correct problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.acceptance.sound_validation import SoundCandidateValidator
from generator.acceptance.validation import CandidateValidator
from generator.changes import ChangeKind, PositionChange, Wanted, changes_of, possible_starts
from generator.problem import STORED
from solver.defects import Defect
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from solver.judging.judge import Judge, Rigour
from solver.results import Grade, Judgement, Limits
from tsume_rules.moves import Move
from tsume_rules.packing import Record, pack, pack_move, unpack_move
from tsume_rules.pieces import HAND_KINDS, Piece, Side
from tsume_rules.position import Position
from tsume_rules.squares import Square

Line = tuple[Move, ...]
QUICK_NODES = 10_000
"""For one quick test of one position."""
_JUDGING = Limits(nodes=200_000)
_SETTLING = Limits(nodes=1_000_000)
"""For what the judge left open in a problem that is to be shown."""


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
        made = self.judged(one, length)
        return made if made.judgement.grade in STORED else None

    def judged(self, one: ChangedPosition, length: int) -> ReworkedProblem:
        """The changed position with its judgement, whatever that says. Raises `LimitReached`."""
        judgement = self._judge.judge(one.position, length, _JUDGING)
        self.engine.check_limits()
        return ReworkedProblem(*one, judgement)

    def settled(self, made: ReworkedProblem) -> ReworkedProblem | None:
        """A correct problem, judged with more nodes if something was left open.

        None if that shows a fault or a piece that is unnecessary. Raises `LimitReached`.
        """
        if not made.judgement.unresolved:
            return made
        judgement = self._judge.judge(made.position, made.judgement.length, _SETTLING)
        self.engine.check_limits()
        if judgement.grade not in STORED or Defect.UNNECESSARY_PIECE in judgement.blemishes:
            return None
        return replace(made, judgement=judgement)

    def without_unnecessary_pieces(self, made: ReworkedProblem, edits: int) -> ReworkedProblem | None:
        """A correct problem after the pieces that the judge calls unnecessary are taken off as well.

        None if that takes more than ``edits`` changes, or undoes one. Raises `LimitReached`.
        """
        if Defect.UNNECESSARY_PIECE not in made.judgement.blemishes:
            return made
        record, line = pack(made.position), tuple(map(pack_move, made.judgement.line))
        validator = SoundCandidateValidator(self.engine)
        position = self.engine.answered_within(QUICK_NODES, lambda: validator.minimised(record, line))
        self.engine.check_limits()
        if position is None or position == made.position:
            return None
        changes = combined_changes(made.changes, removals_between(made.position, position))
        if not len(made.changes) < len(changes) <= edits:
            return None
        smaller = self.judged_if_correct(ChangedPosition(changes, position), len(line))
        if smaller is None or Defect.UNNECESSARY_PIECE in smaller.judgement.blemishes:
            return None
        return smaller


def readable_line(line: Sequence[int]) -> Line:
    """A packed line as moves."""
    return tuple(unpack_move(move) for move in line)


def removals_between(before: Position, after: Position) -> Iterator[PositionChange]:
    """The pieces that a position has not any more."""
    for sq, piece in enumerate(before.board):
        if piece is not None and after.board[sq] is None:
            yield PositionChange(ChangeKind.TAKEN_OFF, piece, sq)
    for kind, number in zip(HAND_KINDS, before.attacker_hand.counts, strict=False):
        gone = number - after.attacker_hand[kind]
        yield from [PositionChange(ChangeKind.TAKEN_OFF, Piece(Side.ATTACKER, kind))] * gone


def combined_changes(
    changes: tuple[PositionChange, ...], missing: Iterator[PositionChange]
) -> tuple[PositionChange, ...]:
    """Changes one after the other; what is added and then taken off was never there."""
    found = list(changes)
    for change in missing:
        added = change._replace(sort=ChangeKind.ADDED)
        if added in found:
            found.remove(added)
        else:
            found.append(change)
    return tuple(found)
