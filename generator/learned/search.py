"""Composing from the network: a root draws a sound position and walks on from it, as local search does."""

from __future__ import annotations

import numpy as np

from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import position_constraints
from generator.learned.conditions import asked_counts
from generator.learned.network import stored_conditions, stored_network
from generator.learned.sampler import DRAW_NODES, LearnedSampler, nodes_for_tests
from generator.local_search.bias import biased_to_counts
from generator.local_search.search import LocalSearch
from solver.engines.dfpn.engine import DfPnEngine

_TRIES = 6_000
"""Positions drawn under the same conditions, at most."""


class LearnedSearch(LocalSearch):
    """Local search whose walks start from positions that the network draws.

    A walk moves pieces, but seldom adds necessary ones or changes the character of the line. So a start is
    asked for what some published problem has (`generator.learned.conditions`), and the walk keeps to as many
    pieces.
    """

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        super().__init__(engine, options, state)
        self._learned = LearnedSampler(engine, state, stored_network())
        self._published = stored_conditions(options.length)
        self._unbiased = self._model

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._learned.set_constraints(position_constraints(self._options, index))

    def _draw_start(self, rng: np.random.Generator) -> Candidate | None:
        """A sound position that the network has drawn; at random None if its line is rare."""
        length = self._options.length
        asked = self._published[rng.integers(len(self._published))]
        self._model = biased_to_counts(self._unbiased, *asked_counts(asked))
        left = _TRIES
        while left > 0:
            record, number = self._learned.draw(length, left, DRAW_NODES[length], asked)
            left -= number
            if record is None:
                break
            start = self._sampler.repair(record, length, 0, nodes_for_tests(length), self._model)
            if start is not None:
                return start
        return None
