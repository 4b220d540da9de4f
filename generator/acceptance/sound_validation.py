# SPDX-License-Identifier: GPL-3.0-or-later
"""The last tests where blemishes pass: the problem must be sound (docs/rules.md, "Grades")."""

from __future__ import annotations

from collections.abc import Callable

from generator.acceptance.reasons import Rejection
from generator.acceptance.validation import CandidateValidator
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.cooks import of_other_kind
from solver.judging.judge import Judge, Rigour
from solver.results import Grade, Judgement, Limits
from tsume_rules.packed import Moves, Record, legal_checks, line_played, pack, pack_move
from tsume_rules.position import Position

EXCLUSION_NODES = 5_000
"""More than for perfect problems: of positions with blemishes more second solutions are hard to exclude."""


class SoundCandidateValidator(CandidateValidator):
    """Tests candidates for what spoils a problem. All methods raise `LimitReached`."""

    exclusion_nodes = EXCLUSION_NODES

    def __init__(self, engine: DfPnEngine, exclusion_nodes: int = 0) -> None:
        super().__init__(engine, exclusion_nodes)
        self._grader = Judge(engine, Rigour(evidence=False, classes=False))

    def solution(self, record: Record, length: int) -> Moves | None:
        """As of `CandidateValidator`: only a second solution of another kind along the line counts."""
        line = self.line(record, length) if self.mates_in(record, length) else None
        if line is None or self._second_solution_on(record, line) is Rejection.LONGER_COOK:
            return None
        return line

    def _rivals(self, record: Record, key: int, length: int) -> list[int]:  # noqa: ARG002
        """The checks that are neither a form of the key nor of its mirror image."""
        return of_other_kind(record, key, [check for check in legal_checks(record) if check != key])

    def _same_problem(self, record: Record, line: Moves) -> Callable[[Record], bool]:
        """Fewer pieces must not add a second solution, nor another form of a check."""
        checks, alone = self._checks_in_time(record, line), self.has_one_solution(record, len(line))
        return lambda reduced: (
            checks == self._checks_in_time(reduced, line)
            and (not alone or self.has_one_solution(reduced, len(line)))
            and self._second_solution_on(reduced, line) is None
        )

    def _checks_in_time(self, record: Record, line: Moves) -> list[list[int]] | None:
        """The checks that mate as soon as the line's, at each turn before the last.

        None where the line is not a shortest mate against longest defences.
        """
        found: list[list[int]] = []
        if len(line) > 1 and self._engine.mates(record, len(line) - 2):
            return None
        for ply, move in enumerate(line):
            n = len(line) - ply
            with line_played(record, line[:ply]):
                if ply % 2:
                    good = move in self._engine.longest_defences(record, n)
                else:
                    checks = sorted(legal_checks(record))
                    good = move in checks and self._engine.mates_after(record, move, n)
                    if good and (n > 1 or not ply):
                        found.append(self._engine.mating(record, checks, n))
            if not good:
                return None
        return found

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """The full judgement with its grade, within ``nodes`` nodes."""
        return self._grader.judge(position, length, Limits(nodes=nodes))

    def refusal(self, position: Position, judgement: Judgement) -> Rejection | None:
        """Why a judgement keeps a problem from being published.

        No second solution of another kind may be left possible along the main line, at any length.
        """
        if not judgement.settled or judgement.grade is None:
            return Rejection.UNRESOLVED
        if judgement.grade is Grade.UNSOUND:
            return Rejection.NOT_CORRECT
        if judgement.searched is None:
            return None
        return self._second_solution_on(pack(position), tuple(map(pack_move, judgement.line)))

    def _second_solution_on(self, record: Record, line: Moves) -> Rejection | None:
        """Why a turn of a line before the last may have a second solution at any length."""
        for ply in range(0, max(len(line) - 1, 1), 2):
            with line_played(record, line[:ply]):
                why = self.second_solution(record, line[ply], len(line) - ply)
            if why is not None:
                return why
        return None
