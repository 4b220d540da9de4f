# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing one root: a search makes candidates, the acceptance makes them problems.

The result depends only on the seed, the root's index, the options and the lines of earlier roots that are passed in:
the table is emptied for each root, limits are counted in nodes, random numbers come from the root's own generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from generator.acceptance import Counts, RootStatistics
from generator.acceptance.pipeline import CandidateAcceptance, Proof
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.learned.backward import BackwardSearch, RefinedSearch
from generator.learned.search import LearnedSearch, MotifSearch, motif_for
from generator.likeness import LikenessModel
from generator.local_search.search import LocalSearch
from generator.problem import GENERATOR_VERSION, Problem, Provenance
from generator.reverse.construction import (
    LongConstruction,
    RepeatingConstruction,
    ReverseConstruction,
    SmokeConstruction,
)
from generator.reverse.extender import new_stage_tally
from generator.run.novelty import NOTHING, KnownKeysView
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE


@dataclass
class RootResult:
    """The result of one root.

    ``repeated``: the places of problems that an earlier one of the run resembles (`generator.run.novelty`).
    ``seconds``: the CPU time by stage. Both are left out when results are compared: they depend on the run.
    ``failure``: the traceback of an error that ended the root (`generator.run.roots`), else empty.
    """

    index: int
    problems: list[Problem]
    counts: Counts
    repeated: frozenset[int] = field(default=frozenset(), compare=False)
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    failure: str = field(default="", compare=False)

    @property
    def lines(self) -> list[int]:
        """The hashes of the problems' keys (`generator.problem_keys`), for free ones those of their lines."""
        return [key for problem in self.problems for key in problem.keys]


class Composer:
    """Composes problems, root by root, with one engine."""

    def __init__(
        self,
        seed: int,
        options: ComposingOptions,
        version: str,
        proof: Proof | None = None,
        model: LikenessModel | None = None,
    ) -> None:
        """``proof`` is called with each problem; what it raises is passed on. ``model`` replaces the model for the
        length."""
        self._seed = seed
        self._options = options
        self._version = version
        self._engine = DfPnEngine(table_bits=options.table_bits, method=REPEATABLE)
        self._state = np.zeros(1, dtype=np.uint64)
        self._acceptance = CandidateAcceptance(self._engine, options, NOTHING, proof)
        self._source: LocalSearch | ReverseConstruction
        motif = motif_for(options)
        if options.composes_long:
            construction = (
                SmokeConstruction if options.composes_smoke
                else RepeatingConstruction if options.composes_repetitions
                else LongConstruction
            )  # fmt: skip
            self._source = construction(self._engine, options, self._state, self._acceptance)
        elif motif is not None:
            self._source = MotifSearch(self._engine, options, self._state, motif)
        elif options.composes_backwards:
            search = RefinedSearch if options.refines else BackwardSearch
            self._source = search(self._engine, options, self._state)
        elif options.uses_network:
            self._source = LearnedSearch(self._engine, options, self._state)
        elif options.uses_local_search:
            self._source = LocalSearch(self._engine, options, self._state, model)
        else:
            self._source = ReverseConstruction(self._engine, options, self._state, self._acceptance)

    @property
    def options(self) -> ComposingOptions:
        """The options of the roots."""
        return self._options

    @property
    def nodes(self) -> int:
        """Positions the search has expanded so far."""
        return self._engine.nodes

    @contextmanager
    def watched(self, look: Callable[[], None]) -> Iterator[None]:
        """Inside the block, call ``look`` every few milliseconds of a search. What it raises ends the root; the
        composer is of no use then."""
        with self._engine.watched(look), self._acceptance.judging.watched(look):
            yield

    @property
    def tally(self) -> np.ndarray:
        """Counts of the tests of extensions so far (`generator.reverse.extender`)."""
        return self._source.tally if isinstance(self._source, ReverseConstruction) else new_stage_tally()

    def root(self, index: int, known: KnownKeysView = NOTHING) -> RootResult:
        """Return the problems of one root. ``known`` is what earlier roots have found. A root gives a known line only
        if it has nothing else, and never if distinct lines or natural problems are asked for."""
        self._acceptance.known = known
        rng, statistics = self._begin_root(index)
        shortlist = islice(self._source.shortlist(index, rng), self._options.finalists)
        provenance = Provenance(self._seed, index, self._version, GENERATOR_VERSION)
        problems = list(self._acceptance.problems(shortlist, provenance, statistics))
        self._source.end()
        return RootResult(index, problems, +statistics.counts, seconds=statistics.seconds)

    def candidates(self, index: int) -> list[Candidate]:
        """Return the positions of one root, of the length asked for, before the last tests."""
        rng, _ = self._begin_root(index)
        return list(self._source.candidates(index, rng))

    def accepted_candidates(self, index: int, step: int = 1) -> list[Candidate]:
        """Each ``step``-th of `candidates`, if it passes the last tests: these prefer bare positions."""
        provenance, statistics = Provenance(self._seed, index, self._version, GENERATOR_VERSION), RootStatistics()
        return [
            candidate for candidate in self.candidates(index)[::step]
            if any(self._acceptance.problems([candidate], provenance, statistics))
        ]  # fmt: skip

    def _begin_root(self, index: int) -> tuple[np.random.Generator, RootStatistics]:
        """Return the random numbers and the statistics of a root; nothing is remembered of others."""
        self._engine.forget()
        statistics = RootStatistics()
        self._source.begin(index, statistics)
        rng = np.random.default_rng([self._seed, index])
        self._state[0] = rng.integers(0, 2**63, dtype=np.uint64)
        return rng, statistics
