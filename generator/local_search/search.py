"""Local search: a root draws a position, repairs it and goes on from it in a Metropolis walk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.reasons import Rejection
from generator.acceptance.shortlist import may_fit
from generator.acceptance.statistics import Statistics
from generator.candidate import Candidate
from generator.constraints.options import Options
from generator.constraints.position import position_constraints
from generator.likeness.choice import Trees, trees_of
from generator.likeness.model import Model, model_of
from generator.local_search.bias import biased
from generator.local_search.sampler import REPAIR_EDITS, Sampler
from generator.local_search.theme_walk import themed
from solver.engines.dfpn.engine import DfPnEngine

_PARTS_FOR_A_THEME = 300


class LocalSearch:
    """Composes by edits with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    def __init__(
        self, engine: DfPnEngine, options: Options, state: np.ndarray, model: Model | None = None
    ) -> None:
        """``model`` is the target distribution; None: the model for the length."""
        self._options = options
        self._sampler = Sampler(engine, state)
        model = biased(model or model_of(options.length), options.wishes, options.length)
        self._model = model.with_any_opening() if options.restricts else model
        self._statistics = Statistics()

    def begin(self, index: int, statistics: Statistics) -> None:
        """Begin a root."""
        self._sampler.keep_to(position_constraints(self._options, index))
        self._statistics = statistics

    def end(self) -> None:
        """End a root: everything is counted already."""

    def shortlist(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """The candidates of a root that are worth the last tests, each as soon as it is met."""
        trees = None if self._options.restricts else trees_of(self._options.length)
        for candidate in self.candidates(_index, rng):
            self._statistics.counts["candidates"] += 1
            with self._statistics.timed("choose"):
                why = self._unfit(candidate, trees, rng)
            if why is None:
                yield candidate
            else:
                self._statistics.counts[why] += 1

    def candidates(self, _index: int, _rng: np.random.Generator) -> Iterator[Candidate]:
        """The positions of a walk from a drawn and repaired one; none if no drawn one can be repaired."""
        for _ in range(self._options.draws):
            with self._statistics.timed("draw"):
                start = self._sampler.start(self._options.length, REPAIR_EDITS, self._model)
            if start is not None:
                yield from self._walked(start)
                return
            self._statistics.counts[Rejection.NOT_MENDED] += 1

    def _walked(self, start: Candidate) -> Iterator[Candidate]:
        options, timed_each = self._options, self._statistics.timed_each
        if options.wishes.themes:
            themes = themed(self._sampler, start, options.wishes.themes, _PARTS_FOR_A_THEME, self._model)
            yield from timed_each("walk", themes)
            return
        with self._statistics.timed("walk"):
            first = next(self._sampler.walks(start, 1, options.unseen, self._model), start)
        yield first
        yield from timed_each("walk", self._sampler.walks(first, options.kept, options.steps, self._model))

    def _unfit(self, candidate: Candidate, trees: Trees | None, rng: np.random.Generator) -> Rejection | None:
        """Why a position is not looked at further."""
        if not may_fit(self._options.wishes, candidate):
            return Rejection.NOT_WISHED
        likely = trees is None or rng.random() < trees.chance(*candidate.readable)
        return None if likely else Rejection.UNLIKELY
