"""What is done with a given problem before it is stored: it is judged, scored, appraised and proofread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from generator.problem import STORED, Problem
from solver.defects import Defect
from solver.results import Grade, Judgement, Limits, Reason
from tsume.appraisal import appraised
from tsume.files.composer_records import kept_record
from tsume.files.entries import Entry
from tsume.proofread import proofread
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

SECONDS = 60.0
"""Time limit for the judgement of one problem, and for its score."""


@dataclass(frozen=True)
class Examined:
    """The judgement, and the problem if it may be stored.

    ``limit`` says why a correct problem has no score; then it may not be stored.
    """

    judgement: Judgement
    problem: Problem | None = None
    limit: Reason | None = None


class Examiner:
    """Examines problems; those of a grade of ``grades`` may be stored.

    With ``evidence`` the judgement has findings. Judgement and score may take ``seconds`` each.
    """

    def __init__(
        self,
        grades: Collection[Grade] = STORED,
        engine: DfPnEngine | None = None,
        *,
        evidence: bool = False,
        seconds: float | None = None,
    ) -> None:
        warm_up(Part.ENGINE)
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.judging.judge import Judge, Rigour
        from solver.scoring.difficulty import Scorer

        self._grades = grades
        self._limits = Limits(seconds=SECONDS if seconds is None else seconds)
        self._engine = engine or DfPnEngine()
        self._judge = Judge(self._engine, Rigour(evidence=evidence, all_findings=False))
        self._scorer = Scorer()

    def examined(self, entry: Entry) -> Examined:
        """The judgement of an entry whose position was read, and what of it may be stored."""
        assert entry.parsed is not None
        judgement = self._judged(entry.parsed.position, entry.line)
        return self._completed(entry, judgement) if judgement.grade in self._grades else Examined(judgement)

    def _judged(self, position: Position, line: tuple[Move, ...]) -> Judgement:
        """The judgement; a given line that is not best counts for nothing but is named."""
        self._engine.forget()
        judgement = self._judge.judge(position, limits=self._limits, line=line)
        given = judgement.given
        if given is None or given.reading or not _is_line_alone_at_fault(judgement):
            return judgement
        return replace(self._judge.judge(position, limits=self._limits), given=given)

    def _completed(self, entry: Entry, judgement: Judgement) -> Examined:
        from solver.judging.counted import same_when_counted
        from solver.limits import LimitReached

        assert entry.parsed is not None
        assert judgement.length is not None
        position, given = entry.parsed.position, judgement.given
        try:
            difficulty = self._scorer.score(position, judgement.length, self._limits)
        except LimitReached as limit:
            return Examined(judgement, limit=limit.reason)
        line = given.moves if given and given.reading == "narrow" else judgement.line
        problem = Problem(
            position, replace(judgement, line=line), difficulty, record=kept_record(entry, line, given),
            same_when_counted=same_when_counted(self._scorer.engine, position, judgement.length),
        )  # fmt: skip
        problem = appraised(problem, self._scorer.engine)
        proofread(problem)
        return Examined(judgement, problem)


def _is_line_alone_at_fault(judgement: Judgement) -> bool:
    """Whether nothing but the length of the given line makes the problem unsound."""
    return bool(judgement.faults) and judgement.faults in Defect.EARLY_MATE | Defect.WRONG_LENGTH
