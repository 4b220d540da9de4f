"""Composing from the network: a root draws positions and hands on the sound ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.reasons import Rejection
from generator.acceptance.shortlist import rejection_of
from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import position_constraints
from generator.learned.network import stored_network
from generator.learned.sampler import DRAW_NODES, LONGEST_DRAW_NODES, LearnedSampler, nodes_for_tests
from generator.likeness.choice import trees_for_length
from generator.likeness.model import model_for_length
from generator.local_search.sampler import PositionSampler
from solver.engines.dfpn.engine import DfPnEngine


class LearnedSearch:
    """Composes from the network with one engine; random choices follow ``state``, a uint64 array [1]."""

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        self._options = options
        self._learned = LearnedSampler(engine, state, stored_network())
        self._sampler = PositionSampler(engine, state)
        self._model = model_for_length(options.length).with_any_opening()
        self._statistics = RootStatistics()

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        constraints = position_constraints(self._options, index)
        self._learned.set_constraints(constraints)
        self._sampler.set_constraints(constraints)
        self._statistics = statistics

    def end(self) -> None:
        """End a root: everything is counted already."""

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """The candidates of a root that are worth the last tests, each as soon as it is drawn."""
        trees = trees_for_length(self._options.length)
        for candidate in self.candidates(index, rng):
            self._statistics.counts["candidates"] += 1
            with self._statistics.timed("choose"):
                why = rejection_of(candidate, self._options.wishes, trees, rng)
            if why is None:
                yield candidate
            else:
                self._statistics.counts[why] += 1

    def candidates(self, _index: int, _rng: np.random.Generator) -> Iterator[Candidate]:
        """The sound positions among those that a root draws, repaired where a few edits are enough."""
        length = self._options.length
        left = self._options.samples
        family = 0
        while left > 0:
            with self._statistics.timed("draw"):
                record, number = self._learned.draw(length, left, DRAW_NODES.get(length, LONGEST_DRAW_NODES))
            left -= number
            if record is None:
                return
            with self._statistics.timed("repair"):
                candidate = self._sampler.repair(record, length, 0, nodes_for_tests(length), self._model)
            if candidate is None:
                self._statistics.counts[Rejection.NOT_MENDED] += 1
                continue
            family += 1
            candidate.family = family
            yield candidate
