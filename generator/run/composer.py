"""From one random root to problems: draw, grow, settle, minimise, judge, score.

The result depends only on the seed, the root's index, the options and the lines of earlier
roots that are passed in: the table is emptied for each root, limits are counted in nodes,
random numbers come from the root's own generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from generator.acceptance.pipeline import Acceptance, Proof
from generator.acceptance.reasons import KNOWN_AGAIN, Counts, Rejection
from generator.acceptance.shortlist import may_fit
from generator.acceptance.statistics import Statistics
from generator.candidate import Candidate
from generator.constraints.options import Options
from generator.constraints.position import position_constraints
from generator.likeness.choice import Trees, trees_of
from generator.likeness.model import Model
from generator.local_search.sampler import Sampler
from generator.local_search.search import samples
from generator.problem import Problem, Provenance
from generator.reverse.extender import Extender
from generator.reverse.preferences import ThemeBias, labels, material_limits, merit, theme_bias
from generator.reverse.seeds import Seeds
from generator.reverse.selection import varied
from generator.reverse.stages import add_tests
from generator.run.novelty import NOTHING, View
from generator.run.version import GENERATOR_VERSION
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE

SOWINGS = 25
"""At most this often are final positions drawn for a root that leans to a theme."""


@dataclass
class RootResult:
    """What one root gave; ``seconds``, the CPU time by stage, are left out when results are compared."""

    index: int
    problems: list[Problem]
    counts: Counts
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def lines(self) -> list[int]:
        """The hashes of the problems' keys (`generator.problem_keys`), for free ones those of their lines."""
        return [key for problem in self.problems for key in problem.keys]


class Composer:
    """Composes problems, root by root, with one engine."""

    def __init__(
        self,
        seed: int,
        options: Options,
        version: str,
        proof: Proof | None = None,
        model: Model | None = None,
    ) -> None:
        """``proof`` is called with each problem; what it raises is passed on.

        ``model`` says what is likely, instead of the model for the length.
        """
        self._seed = seed
        self._options = options
        self._version = version
        self._engine = DfPnEngine(table_bits=options.table_bits, method=REPEATABLE)
        state = np.zeros(1, dtype=np.uint64)
        self._extender = Extender(self._engine, options.effort, state, lenient=options.lenient)
        self._extender.keep_to(material_limits(options.wishes))
        self._seeds = Seeds(self._engine, self._extender, options)
        self._tests = Acceptance(self._engine, options, NOTHING, proof)
        self._statistics = Statistics()
        self._bias = ThemeBias()
        self._sampler = Sampler(self._engine, state)
        self._model = model

    @property
    def options(self) -> Options:
        """What is asked for."""
        return self._options

    @property
    def nodes(self) -> int:
        """Positions the search has expanded so far."""
        return self._engine.nodes

    def watched(self, look: Callable[[], None]) -> AbstractContextManager[None]:
        """Inside the block, call ``look`` every few milliseconds of a search.

        What it raises ends the root; the composer is of no use then.
        """
        return self._engine.watched(look)

    @property
    def tally(self) -> np.ndarray:
        """Counts of what the growth's tests did so far (`generator.reverse.stages`)."""
        return self._extender.tally

    def root(self, index: int, known: View = NOTHING) -> RootResult:
        """The problems that grow from one root.

        ``known`` is what earlier roots have found. A root gives a known line only if it has nothing else, and
        never if distinct lines or natural problems are asked for.
        """
        self._tests.known = known
        rng = self._begun(index)
        before = self._extender.tally.copy()
        problems = list(self._problems(index, rng))
        add_tests(self._statistics.counts, self._extender.tally - before)
        return RootResult(index, problems, self._statistics.counts, self._statistics.seconds)

    def candidates(self, index: int) -> list[Candidate]:
        """The positions of one root, of the length asked for, before the last tests."""
        rng = self._begun(index)
        return list(self._sampled()) if self._options.samples else self._grown(index, rng)

    def settled_candidates(self, index: int, step: int = 1) -> list[Candidate]:
        """Each ``step``-th of `candidates`, if it passes the first of the last tests, which rejects most."""
        return [candidate for candidate in self.candidates(index)[::step] if self._is_settled(candidate)]

    def _begun(self, index: int) -> np.random.Generator:
        """The random numbers of a root, before which nothing is remembered of others."""
        self._engine.forget()
        self._extender.forget()
        rng = np.random.default_rng([self._seed, index])
        if self._options.samples:
            self._sampler.keep_to(position_constraints(self._options, index))
        self._extender.state[0] = rng.integers(0, 2**63, dtype=np.uint64)
        self._statistics = Statistics()
        return rng

    def _problems(self, index: int, rng: np.random.Generator) -> Iterator[Problem]:
        provenance = Provenance(self._seed, index, self._version, GENERATOR_VERSION)
        likely = self._likely(rng) if self._options.samples else self._best(index, rng)
        return self._tests.problems(islice(likely, self._options.finalists), provenance, self._statistics)

    def _best(self, index: int, rng: np.random.Generator) -> list[Candidate]:
        """The finalists of those that grow from a root."""
        population = self._grown(index, rng)
        if not population or population[0].length != self._options.length:
            return []
        with self._statistics.timed("choose"):
            return self._finalists(population, rng)

    def _finalists(self, population: list[Candidate], rng: np.random.Generator) -> list[Candidate]:
        """The shortlist: one candidate for each line; a known line only if there is no other, if at all."""
        wishes, most = self._options.wishes, self._options.finalists
        by_line: dict[int, tuple[Candidate, bool]] = {}
        for i in rng.permutation(len(population)):
            keys = self._tests.keys(population[int(i)])
            by_line[keys[0]] = population[int(i)], not self._tests.known.has_any(keys)
        new = [candidate for candidate, is_new in by_line.values() if is_new]
        old = (
            []
            if self._options.distinct
            else [candidate for candidate, is_new in by_line.values() if not is_new]
        )
        self._statistics.counts[self._tests.same] += len(population) - len(new) - len(old)
        self._statistics.counts[KNOWN_AGAIN] += (len(by_line) - len(new)) * self._options.distinct
        fitting = [candidate for candidate in new if may_fit(wishes, candidate)]
        known = [] if fitting else [candidate for candidate in old if may_fit(wishes, candidate)]
        self._statistics.counts[Rejection.NOT_WISHED] += len(new) - len(fitting)
        return self._chosen(fitting, most, rng) or self._chosen(known, 1, rng)

    # --- sketching -----------------------------------------------------------------------

    def _sampled(self) -> Iterator[Candidate]:
        return samples(self._sampler, self._options, self._model, self._statistics)

    def _likely(self, rng: np.random.Generator) -> Iterator[Candidate]:
        """Some of what is sampled, each as soon as it is met: the likelier ones sooner."""
        trees = None if self._options.restricts else trees_of(self._options.length)
        for candidate in self._sampled():
            self._statistics.counts["candidates"] += 1
            with self._statistics.timed("choose"):
                why = self._unfit(candidate, trees, rng)
            if why is None:
                yield candidate
            else:
                self._statistics.counts[why] += 1

    def _unfit(self, candidate: Candidate, trees: Trees | None, rng: np.random.Generator) -> Rejection | None:
        """Why a position is not looked at further."""
        if not may_fit(self._options.wishes, candidate):
            return Rejection.NOT_WISHED
        likely = trees is None or rng.random() < trees.chance(*candidate.readable)
        return None if likely else Rejection.UNLIKELY

    # --- growing -------------------------------------------------------------------------

    def _grown(self, index: int, rng: np.random.Generator) -> list[Candidate]:
        """Positions that grew from a root, of the length asked for unless they died out before."""
        self._bias = theme_bias(self._options.wishes, self._options.length, index)
        population = self._sown(index, rng)
        while population and population[0].length < self._options.length:
            with self._statistics.timed("grow"):
                population = self._next_generation(population, rng)
        return population

    def _sown(self, index: int, rng: np.random.Generator) -> list[Candidate]:
        """The positions that a root goes on from.

        If it leans to a theme, final positions are drawn until some short lines that end in them
        show it: short lines are found far more quickly than long ones.
        """
        population = self._seeds.of(index, rng, self._statistics)
        if self._options.starts or self._options.final:
            return population
        best: list[Candidate] = []
        height = self._bias.height
        for _ in range(SOWINGS if height else 0):
            while population and population[0].length < height:
                with self._statistics.timed("grow"):
                    population = self._next_generation(population, rng)
            most = max((self._bias.of(candidate) for candidate in (*best, *population)), default=0)
            best = [candidate for candidate in (*best, *population) if self._bias.of(candidate) == most > 0]
            if most >= len(self._bias.themes):
                return best
            population = self._seeds.of(index, rng, self._statistics)
        return best or population

    def _next_generation(self, population: list[Candidate], rng: np.random.Generator) -> list[Candidate]:
        """The children of a varied part of the population."""
        children: list[Candidate] = []
        for parent in self._chosen(population, self._options.beam, rng):
            if parent.length == 1 or self._is_settled(parent):
                children += self._extender.children(parent)
        return children

    def _is_settled(self, candidate: Candidate) -> bool:
        """Whether the first turn has no second solution at any length; its children would have it too."""
        if not candidate.still:
            return True
        why = self._tests.validator.settled_within(
            self._options.judge_nodes, candidate.record, candidate.line[0], candidate.length
        )
        if why is not None:
            self._statistics.counts[why] += 1
        candidate.still = 0
        return why is None

    def _chosen(self, candidates: list[Candidate], most: int, rng: np.random.Generator) -> list[Candidate]:
        if not candidates:
            return []
        wishes = self._options.wishes
        merits = [merit(wishes, candidate) + self._bias.merit(candidate) for candidate in candidates]
        return varied(
            candidates,
            [labels(candidate) for candidate in candidates],
            merits,
            most,
            rng,
            self._options.temperature,
        )
