"""From one random root to problems: draw, grow, minimise, judge, score.

Everything here depends on the seed, the root's index and the options only: the
table is emptied at the root, limits are counted in nodes, random numbers come
from the root's own generator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from generator.growth import Effort, Grower, Sprout
from generator.kernel.final import ANYWHERE, CORNER, EDGE, draw_mate
from generator.problem import Problem, Provenance
from generator.reasons import Counts, Rejection
from rules.packing import pack, unpack
from rules.pieces import Side
from rules.position import Position
from rules.sfen import parse_sfen
from rules.symmetry import canonical
from solver.difficulty import Scorer
from solver.engine import Solver
from solver.grey import is_grey
from solver.judge import Judge, Rigour
from solver.limits import LimitReached
from solver.minimal import minimised
from solver.results import Judgement, Limits, Remark
from solver.tree import TreeBuilder

MARGINS = (0, 2, 4)
"""How far beyond the end second solutions are looked for before all are excluded at any length."""
WALLED = 0.25
"""The share of roots in which the king is shut in by pieces of its own."""
_DRAWS = 4000
_REGIONS = (CORNER, CORNER, EDGE, EDGE, ANYWHERE)
_EMPTY = "8k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"


@dataclass(frozen=True)
class Options:
    """What is asked for: problems of ``length`` plies.

    ``beam`` parents are grown in each generation; of the last one ``finalists`` at
    most are judged (what cooks one cooks its siblings) and ``per_root`` kept, so
    that problems differ; ``judge_nodes`` bound the judgement of one. ``table_bits``
    are those of the solver: where nodes run out, its size has an influence.
    """

    length: int
    beam: int = 10
    per_root: int = 1
    finalists: int = 2
    effort: Effort = field(default_factory=Effort)
    judge_nodes: int = 400_000
    table_bits: int = 20

    def record(self) -> dict[str, Any]:
        """All options by name, for the run's record."""
        return asdict(self)


@dataclass
class RootResult:
    """What one root gave."""

    index: int
    problems: list[Problem]
    counts: Counts


class Composer:
    """Composes problems, root by root, with one solver."""

    def __init__(self, seed: int, options: Options, version: str) -> None:
        self._seed = seed
        self._options = options
        self._version = version
        self._solver = Solver(table_bits=options.table_bits)
        self._judge = Judge(self._solver, Rigour(MARGINS, required=len(MARGINS), first_defect=True))
        self._scorer = Scorer()
        self._scratch = np.zeros(8192, dtype=np.int64)

    @property
    def nodes(self) -> int:
        """Positions the search has expanded so far."""
        return self._solver.nodes

    def root(self, index: int) -> RootResult:
        """The problems that grow from one root."""
        self._solver.forget()
        rng = np.random.default_rng([self._seed, index])
        counts: Counts = Counter()
        counts["roots"] += 1
        problems = list(self._problems(index, rng, counts))
        return RootResult(index, problems, counts)

    def _problems(self, index: int, rng: np.random.Generator, counts: Counts) -> Iterator[Problem]:
        grower = Grower(self._solver, rng, self._options.effort, counts)
        population = list(self._first_moves(grower, rng))
        while population and population[0].length < self._options.length:
            population = self._next_generation(grower, population, rng)
        found = 0
        for sprout in population[: self._options.finalists]:
            problem = self._accept(sprout, counts, index)
            if problem is not None:
                yield problem
                found += 1
                if found >= self._options.per_root:
                    return

    def _first_moves(self, grower: Grower, rng: np.random.Generator) -> Iterator[Sprout]:
        record = pack(parse_sfen(_EMPTY).position)
        state = rng.integers(0, 2**63, size=1, dtype=np.uint64)
        region = int(rng.choice(_REGIONS))
        walled = bool(rng.random() < WALLED)
        if not draw_mate(record, state, self._scratch, region, walled, _DRAWS):
            grower.counts[Rejection.NO_FINAL] += 1
            return
        yield from grower.first_moves(record)

    def _next_generation(
        self, grower: Grower, population: list[Sprout], rng: np.random.Generator
    ) -> list[Sprout]:
        """Grow a random part of the population; at most one beam's worth of parents."""
        order = rng.permutation(len(population))[: self._options.beam]
        children: list[Sprout] = []
        for i in order:
            children += grower.children(population[int(i)])
        return [children[int(i)] for i in rng.permutation(len(children))]

    def _accept(self, sprout: Sprout, counts: Counts, index: int) -> Problem | None:
        """The last, full tests: minimal, not grey, correct by the judge."""
        counts["finalists"] += 1
        try:
            with self._solver.within(Limits(nodes=self._options.judge_nodes)):
                position = self._minimal(sprout)
                judgement = self._judge.judge(position, sprout.length) if position else None
        except LimitReached:
            counts[Rejection.UNRESOLVED] += 1
            return None
        reason = _refusal(judgement)
        if reason is not None or position is None or judgement is None:
            counts[reason or Rejection.GREY] += 1
            return None
        counts["problems"] += 1
        provenance = Provenance(self._seed, index, self._version)
        return Problem(position, judgement, self._scorer.score(position, sprout.length), provenance)

    def _minimal(self, sprout: Sprout) -> Position | None:
        """The position without unnecessary pieces; None if it lies in the grey zone."""
        tree = TreeBuilder(self._solver).turn(sprout.record, sprout.length)
        line = tree.line()
        if len(line) != sprout.length or is_grey(self._solver, sprout.record, line):
            return None
        position = unpack(sprout.record, Side.ATTACKER)
        return canonical(minimised(self._solver, position, line))


def _refusal(judgement: Judgement | None) -> Rejection | None:
    if judgement is None:
        return Rejection.GREY
    if judgement.unresolved:
        return Rejection.NOT_EXCLUDED if judgement.searched else Rejection.UNRESOLVED
    if judgement.verdict:
        return Rejection.NOT_CORRECT
    if judgement.remarks & Remark.LEFTOVER_IN_VARIATION:
        return Rejection.LEFTOVER
    if judgement.searched is not None:
        return Rejection.NOT_EXCLUDED
    return None
