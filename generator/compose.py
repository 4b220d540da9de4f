"""From one random root to problems: draw, grow, settle, minimise, judge, score.

Everything here depends on the seed, the root's index, the options and the lines of
earlier roots that it is told only: the table is emptied at the root, limits are counted in
nodes, random numbers come from the root's own generators.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from generator.acceptance import Examiner, refusal
from generator.lines import frame_key, line_key
from generator.nursery import Effort, Nursery, Sprout
from generator.preferences import Leaning, bounds, labels, leaning, may_fit, merit, regions
from generator.problem import Problem, Provenance
from generator.quality import appraise
from generator.reasons import Counts, Rejection
from generator.recipe import RECIPE
from generator.selection import varied
from generator.stages import FAILED, UNANSWERED, Stage
from generator.starts import Start, start_of
from generator.wishes import Wishes
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from solver.scoring.difficulty import Scorer
from tsume_rules.packing import unpack_move
from tsume_rules.position import Position
from tsume_rules.symmetry import canonical

WALLED = 0.25
"""The share of final positions in which the king is shut in by pieces of its own."""
STAGE_OF = {
    Stage.ANSWER_HOLDS: Rejection.LONGER_DEFENCE,
    Stage.ANSWER_LASTS: Rejection.SHORTER_DEFENCE,
    Stage.OTHER_ANSWERS: Rejection.OTHER_DEFENCE,
    Stage.NEW: Rejection.ALREADY_SEEN,
    Stage.NO_MATE_IN_ONE: Rejection.MATE_IN_ONE,
    Stage.NO_MATE_IN_THREE: Rejection.MATE_IN_THREE,
    Stage.NO_SHORTER_MATE: Rejection.SHORTER_MATE,
    Stage.ONE_KEY: Rejection.SECOND_MATE,
}
"""What a candidate that fails a test of the growth is turned down for."""


@dataclass(frozen=True)
class Options:
    """What is asked for: problems of ``length`` plies, as ``wishes`` say.

    A root starts from ``finals`` mated positions, or from one of ``starts`` (SFENs of shorter
    problems). ``beam`` parents are grown in each generation, chosen for variety
    (`generator.selection`) with ``temperature``; of the last one ``finalists`` at most are
    judged and ``per_root`` kept, ``per_final`` of one final position; ``judge_nodes`` bound
    the judgement of one, and the settling of a parent. ``table_bits`` are those of the
    solver: where nodes run out, its size has an influence.
    """

    length: int
    wishes: Wishes = field(default_factory=Wishes)
    starts: tuple[str, ...] = ()
    finals: int = 4
    beam: int = 12
    temperature: float = 1.0
    per_root: int = 8
    per_final: int = 2
    finalists: int = 24
    effort: Effort = field(default_factory=Effort)
    judge_nodes: int = 400_000
    table_bits: int = 20

    @classmethod
    def of(cls, length: int, **given: Any) -> Options:
        """The options that suit a length: short problems are found so quickly
        that most of the work is to judge them, so more is kept of each root.
        """
        wished = given.get("wishes", Wishes()).asks
        return cls(length, **{**(_MINED if wished else _SUITED.get(length, {})), **given})

    def record(self) -> dict[str, Any]:
        """All options by name, for the run's record."""
        return {**asdict(self), "wishes": self.wishes.record(), "starts": list(self.starts)}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Options:
        """The options of a record; what it lacks is as usual. Raises ``TypeError`` for other names."""
        values = dict(record)
        values["wishes"] = Wishes.of_record(values.get("wishes", {}))
        values["starts"] = tuple(values.get("starts", ()))
        values["effort"] = Effort(**values.get("effort", {}))
        return cls(**values)


FRAMES_FROM = 5
"""The length from which no two problems of a root may have one first move and final position."""
SOWINGS = 25
"""How often final positions are drawn for a root that leans to a theme, at the most."""
_MINED: dict[str, int] = {"finals": 2, "finalists": 64, "per_root": 24, "per_final": 12}
"""Where something is wished, a root's growth is used to the full: what fits is rare enough."""
_SUITED: dict[int, dict[str, int]] = {
    1: {"finals": 2, "per_final": 8, "finalists": 16},
    3: {"finals": 2, "per_final": 8, "finalists": 16},
    5: {"finals": 2, "beam": 8, "per_final": 6},
    7: {"per_final": 4, "per_root": 12},
    9: {"per_final": 3, "per_root": 12},
}


Proof = Callable[[Problem], None]
"""A second look at a problem, which raises what should stop the run."""


@dataclass
class RootResult:
    """What one root gave; ``seconds`` of CPU by stage are no part of what it is equal by."""

    index: int
    problems: list[Problem]
    counts: Counts
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def lines(self) -> list[str]:
        """The lines of the problems (`generator.lines.line_key`)."""
        return [line_key(problem.line) for problem in self.problems]


class Composer:
    """Composes problems, root by root, with one solver."""

    def __init__(self, seed: int, options: Options, version: str, proof: Proof | None = None) -> None:
        """``proof`` is called with each problem; what it raises goes through."""
        self._proof = proof
        self._seed = seed
        self._options = options
        self._version = version
        self._engine = DfPnEngine(table_bits=options.table_bits)
        self._examiner = Examiner(self._engine)
        self._scorer = Scorer()
        self._nursery = Nursery(self._engine, options.effort, np.zeros(1, dtype=np.uint64))
        self._nursery.keep_to(bounds(options.wishes))
        self._starts: dict[str, Start] = {}
        self._known: set[str] = set()
        self._counts: Counts = Counter()
        self._seconds: dict[str, float] = {}
        self._leaning = Leaning()

    @property
    def nodes(self) -> int:
        """Positions the search has expanded so far."""
        return self._engine.nodes

    @property
    def tally(self) -> np.ndarray:
        """What the tests of the growth did so far (`generator.stages`)."""
        return self._nursery.tally

    def root(self, index: int, news: Iterable[str] = ()) -> RootResult:
        """The problems that grow from one root.

        ``news`` are lines found by earlier roots (`generator.novelty`) that it was not told yet:
        they are taken only where there is nothing else, and not at all where lines shall be distinct.
        """
        self._known.update(news)
        self._engine.forget()
        self._nursery.forget()
        rng = np.random.default_rng([self._seed, index])
        self._nursery.state[0] = rng.integers(0, 2**63, dtype=np.uint64)
        self._counts, self._seconds = Counter(roots=1), {}
        before = self._nursery.tally.copy()
        problems = list(self._problems(index, rng))
        self._count_tests(self._nursery.tally - before)
        return RootResult(index, problems, self._counts, self._seconds)

    def _problems(self, index: int, rng: np.random.Generator) -> Iterator[Problem]:
        self._leaning = leaning(self._options.wishes, self._options.length, index)
        population = self._sown(index, rng)
        while population and population[0].length < self._options.length:
            with self._timed("grow"):
                population = self._next_generation(population, rng)
        if not population or population[0].length != self._options.length:
            return
        with self._timed("choose"):
            finalists = self._finalists(population, rng)
        yield from self._accepted(finalists, index)

    def _finalists(self, population: list[Sprout], rng: np.random.Generator) -> list[Sprout]:
        """Those to be judged, of each line one; a known line only where there is no other, if at all."""
        wishes, most = self._options.wishes, self._options.finalists
        by_line = {population[int(i)].line_key: population[int(i)] for i in rng.permutation(len(population))}
        new = [sprout for line, sprout in by_line.items() if line not in self._known]
        old = [] if wishes.distinct_lines else [s for line, s in by_line.items() if line in self._known]
        self._counts[Rejection.SAME_LINE] += len(population) - len(new) - len(old)
        fitting = [sprout for sprout in new if may_fit(wishes, sprout)]
        known = [] if fitting else [sprout for sprout in old if may_fit(wishes, sprout)]
        self._counts[Rejection.NOT_WISHED] += len(new) - len(fitting)
        return self._chosen(fitting, most, rng) or self._chosen(known, 1, rng)

    # --- growing -------------------------------------------------------------------------

    def _sown(self, index: int, rng: np.random.Generator) -> list[Sprout]:
        """The positions that a root goes on from.

        Where a theme is looked for, final positions are drawn until, a few plies on, there are
        some whose line shows it: short lines are found far more quickly than long ones.
        """
        if self._options.starts:
            return self._given(self._options.starts[index % len(self._options.starts)])
        population = self._first(rng)
        best: list[Sprout] = []
        height = self._leaning.height
        for _ in range(SOWINGS if height else 0):
            while population and population[0].length < height:
                with self._timed("grow"):
                    population = self._next_generation(population, rng)
            most = max((self._leaning.of(sprout) for sprout in (*best, *population)), default=0)
            best = [sprout for sprout in (*best, *population) if self._leaning.of(sprout) == most > 0]
            if most >= len(self._leaning.themes):
                return best
            population = self._first(rng)
        return best or population

    def _first(self, rng: np.random.Generator) -> list[Sprout]:
        """Mates in one that lead to mated positions drawn at random."""
        found: list[Sprout] = []
        with self._timed("draw"):
            region = int(rng.choice(regions(self._options.wishes)))  # one for all: corners would win
            for family in range(self._options.finals):
                final = self._nursery.draw_final(region, bool(rng.random() < WALLED))
                sprouts = [] if final is None else self._nursery.first_moves(final, family)
                if not sprouts:
                    self._counts[Rejection.NO_FINAL if final is None else Rejection.NO_WAY_BACK] += 1
                found += sprouts
        return found

    def _given(self, sfen: str) -> list[Sprout]:
        if sfen not in self._starts:
            self._starts[sfen] = start_of(self._engine, sfen)
            self._engine.forget()  # a root that finds the start known must fare no better or worse
        sprout = self._starts[sfen].sprout
        return [] if sprout is None else [sprout]

    def _next_generation(self, population: list[Sprout], rng: np.random.Generator) -> list[Sprout]:
        """The children of a varied part of the population."""
        children: list[Sprout] = []
        for parent in self._chosen(population, self._options.beam, rng):
            if parent.length == 1 or self._is_settled(parent):
                children += self._nursery.children(parent)
        return children

    def _is_settled(self, sprout: Sprout) -> bool:
        """Whether the first turn has no second solution at any length: it would be its children's too."""
        if not sprout.still:
            return True
        try:
            with self._engine.within(Limits(nodes=self._options.judge_nodes)):
                why = self._examiner.settled(sprout.record, sprout.line[0], sprout.length)
        except LimitReached:
            why = Rejection.NOT_EXCLUDED
        if why is not None:
            self._counts[why] += 1
        sprout.still = 0
        return why is None

    def _chosen(self, sprouts: list[Sprout], most: int, rng: np.random.Generator) -> list[Sprout]:
        if not sprouts:
            return []
        wishes = self._options.wishes
        merits = [merit(wishes, sprout) + self._leaning.merit(sprout) for sprout in sprouts]
        return varied(
            sprouts, [labels(sprout) for sprout in sprouts], merits, most, rng, self._options.temperature
        )

    # --- accepting -----------------------------------------------------------------------

    def _accepted(self, finalists: list[Sprout], index: int) -> Iterator[Problem]:
        """The problems among the finalists: so many of a final position, no line twice."""
        families: Counts = Counter()
        seen: set[str] = set()
        for sprout in finalists:
            if sum(families.values()) >= self._options.per_root:
                return
            if families[str(sprout.family)] >= self._options.per_final:
                continue
            problem = self._accept(sprout, index, seen)
            if problem is not None:
                seen |= {line_key(problem.line), frame_key(problem.position, problem.line)}
                families[str(sprout.family)] += 1
                if self._proof is not None:
                    self._proof(problem)
                self._counts["problems"] += 1
                yield problem

    def _accept(self, sprout: Sprout, index: int, seen: set[str]) -> Problem | None:
        """The last, full tests: settled, a new line, minimal, correct by the judge, as wished."""
        self._counts["finalists"] += 1
        try:
            with self._engine.within(Limits(nodes=self._options.judge_nodes)):
                found = self._examined(sprout, index, seen)
        except LimitReached:
            found = Rejection.UNRESOLVED
        if isinstance(found, Rejection):
            self._counts[found] += 1
            return None
        return found

    def _examined(self, sprout: Sprout, index: int, seen: set[str]) -> Problem | Rejection:
        wishes = self._options.wishes
        with self._timed("settle"):
            why = self._examiner.settled(sprout.record, sprout.line[0], sprout.length)
            line = None if why else self._examiner.line(sprout.record, sprout.length)
        if line is None:
            return why or Rejection.GREY
        if self._is_taken(replace(sprout, line=line).line_key, seen):
            return Rejection.SAME_LINE
        with self._timed("minimise"):
            position = self._examiner.minimised(sprout.record, line)
        if sprout.length >= FRAMES_FROM:
            frame = frame_key(position, tuple(unpack_move(move) for move in line))
            if frame in seen:
                return Rejection.SAME_FRAME
        position = canonical(position)
        if not wishes.fit_position(position):
            return Rejection.NOT_WISHED
        problem = self._judged(position, sprout.length, index)
        if isinstance(problem, Problem) and self._is_taken(line_key(problem.line), seen):
            return Rejection.SAME_LINE  # of several best lines another one is told
        return problem

    def _is_taken(self, line: str, seen: set[str]) -> bool:
        return line in seen or (self._options.wishes.distinct_lines and line in self._known)

    def _judged(self, position: Position, length: int, index: int) -> Problem | Rejection:
        with self._timed("judge"):
            judgement = self._examiner.judge(position, length, self._options.judge_nodes)
        why = refusal(judgement)
        if why is not None:
            return why
        with self._timed("score"):
            score = self._scorer.score(position, length)
        with self._timed("appraise"):
            appraisal = appraise(position, judgement.line)
        provenance = Provenance(self._seed, index, self._version, RECIPE)
        problem = Problem(position, judgement, score, provenance, appraisal.themes, appraisal.quality)
        return problem if self._options.wishes.fit(problem) else Rejection.NOT_WISHED

    # --- counting ------------------------------------------------------------------------

    def _count_tests(self, tally: np.ndarray) -> None:
        self._counts["defences"] += int(tally[Stage.ANSWER_HOLDS, 0])
        self._counts["candidates"] += int(tally[Stage.NEW, 0])
        for stage, reason in STAGE_OF.items():
            self._counts[reason] += int(tally[stage, FAILED])
            self._counts[Rejection.UNRESOLVED] += int(tally[stage, UNANSWERED])
        self._counts = Counter({name: number for name, number in self._counts.items() if number})

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.process_time()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + time.process_time() - started
