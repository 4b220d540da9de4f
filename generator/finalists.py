"""From the finalists of a root to its problems: settle, minimise, judge, score, appraise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from generator.acceptance import Examiner
from generator.ledger import Ledger
from generator.lenience import LenientExaminer
from generator.lines import frame_key, line_key
from generator.nursery import Sprout
from generator.options import Options
from generator.problem import Problem, Provenance
from generator.quality import appraise
from generator.reasons import Counts, Rejection
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from solver.scoring.difficulty import Scorer
from tsume_rules.packing import unpack_move
from tsume_rules.position import Position
from tsume_rules.symmetry import canonical

FRAMES_FROM = 5
"""From this length on, a root gives one problem per (first move, final position)."""

Proof = Callable[[Problem], None]
"""A further check of a problem; it raises what must stop the run."""


class FinalTests:
    """Makes finalists into problems, with the engine of their root.

    ``known`` are the lines of earlier roots, a set that its owner adds to; ``proof`` is called
    with each problem, and what it raises is passed on.
    """

    def __init__(
        self,
        engine: DfPnEngine,
        options: Options,
        known: set[str],
        proof: Proof | None = None,
    ) -> None:
        self._engine = engine
        self._options = options
        self._known = known
        self._proof = proof
        self._examiner = (LenientExaminer if options.lenient else Examiner)(engine)
        self._scorer = Scorer()
        self._ledger = Ledger()

    @property
    def examiner(self) -> Examiner:
        """The tests of candidates; the growth settles parents with them."""
        return self._examiner

    def problems(self, finalists: list[Sprout], provenance: Provenance, ledger: Ledger) -> Iterator[Problem]:
        """The problems among the finalists: at most ``per_final`` of a final position, no line twice."""
        self._ledger = ledger
        families: Counts = Counter()
        seen: set[str] = set()
        for sprout in finalists:
            if sum(families.values()) >= self._options.per_root:
                return
            if families[str(sprout.family)] >= self._options.per_final:
                continue
            problem = self._accept(sprout, provenance, seen)
            if problem is not None:
                seen |= {line_key(problem.line), frame_key(problem.position, problem.line)}
                families[str(sprout.family)] += 1
                if self._proof is not None:
                    self._proof(problem)
                self._ledger.counts["problems"] += 1
                yield problem

    def _accept(self, sprout: Sprout, provenance: Provenance, seen: set[str]) -> Problem | None:
        """The last, full tests: settled, a new line, minimal, correct by the judge, as wished."""
        self._ledger.counts["finalists"] += 1
        try:
            with self._engine.within(Limits(nodes=self._options.judge_nodes)):
                found = self._examined(sprout, provenance, seen)
        except LimitReached:
            found = Rejection.UNRESOLVED
        if isinstance(found, Rejection):
            self._ledger.counts[found] += 1
            return None
        return found

    def _examined(self, sprout: Sprout, provenance: Provenance, seen: set[str]) -> Problem | Rejection:
        wishes = self._options.wishes
        with self._ledger.timed("settle"):
            why = self._examiner.settled(sprout.record, sprout.line[0], sprout.length)
            line = None if why else self._examiner.line(sprout.record, sprout.length)
        if line is None:
            return why or Rejection.GREY
        if self._is_taken(replace(sprout, line=line).line_key, seen):
            return Rejection.SAME_LINE
        with self._ledger.timed("minimise"):
            position = self._examiner.minimised(sprout.record, line)
        if sprout.length >= FRAMES_FROM:
            frame = frame_key(position, tuple(unpack_move(move) for move in line))
            if frame in seen:
                return Rejection.SAME_FRAME
        position = canonical(position)
        if not wishes.fit_position(position):
            return Rejection.NOT_WISHED
        problem = self._judged(position, sprout.length, provenance)
        if isinstance(problem, Problem) and self._is_taken(line_key(problem.line), seen):
            return Rejection.SAME_LINE  # the judge gives another one of several best lines
        return problem

    def _is_taken(self, line: str, seen: set[str]) -> bool:
        return line in seen or (self._options.wishes.distinct_lines and line in self._known)

    def _judged(self, position: Position, length: int, provenance: Provenance) -> Problem | Rejection:
        with self._ledger.timed("judge"):
            judgement = self._examiner.judge(position, length, self._options.judge_nodes)
        why = self._examiner.refusal(position, judgement)
        if why is not None:
            return why
        with self._ledger.timed("score"):
            score = self._scorer.score(position, length)
        with self._ledger.timed("appraise"):
            appraisal = appraise(position, judgement.line)
        problem = Problem(position, judgement, score, provenance, appraisal.themes, appraisal.quality)
        return problem if self._options.wishes.fit(problem) else Rejection.NOT_WISHED
