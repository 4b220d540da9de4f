# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing from the network: a root draws positions with the line asked for, and walks on from one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import position_constraints
from generator.learned.conditions import asked_counts, has_line_conditions, theme_conditions
from generator.learned.network import stored_conditions, stored_network
from generator.learned.sampler import DRAW_NODES, LearnedSampler, nodes_for_tests
from generator.local_search.bias import biased_to_counts
from generator.local_search.sampler import REPAIR_EDITS
from generator.local_search.search import LocalSearch
from solver.engines.dfpn.engine import DfPnEngine

_TRIES = 6_000
"""Positions drawn under the same conditions, at most."""


class LearnedSearch(LocalSearch):
    """Local search whose walks start from positions that the network draws.

    What is easily sound is bare and has a plain line, and a walk seldom changes that. So positions are asked
    for what some published problem has (`generator.learned.conditions`) or for the themes wanted. Only those
    that mate by such a line are tested, and repaired if they have second solutions.
    """

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        super().__init__(engine, options, state)
        themes = options.wishes.themes
        self._learned = LearnedSampler(engine, state, stored_network())
        self._published = _conditions_to_ask(options.length, themes)
        self._asked = self._published[0]
        self._unbiased = self._model.with_any_opening()

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._learned.set_constraints(position_constraints(self._options, index))

    def _draw_start(self, rng: np.random.Generator) -> Candidate | None:
        """A sound position with a line as a published problem has it, drawn at random, or None."""
        self._asked = self._published[rng.integers(len(self._published))]
        self._model = biased_to_counts(self._unbiased, *asked_counts(self._asked))
        nodes = nodes_for_tests(self._options.length)
        for drawn in self._drawn(nodes, rng):
            start = self._repaired(drawn, nodes)
            if start is not None:
                return start
        return None

    def _drawn(self, nodes: int, _rng: np.random.Generator) -> Iterator[Candidate]:
        """Positions of the length, with a line, drawn under the conditions asked; not yet sound."""
        length = self._options.length
        for record in self._learned.mates(length, _TRIES, DRAW_NODES[length], self._asked):
            drawn = self._sampler.with_line(record, length, nodes)
            if drawn is not None:
                yield drawn

    def _repaired(self, drawn: Candidate, nodes: int) -> Candidate | None:
        """A sound position near a drawn one with a line as asked for, or None."""
        if self._target is not None:
            return self._repaired_for_themes(drawn, nodes, self._unbiased)
        if not self._is_as_asked(drawn):
            return None
        start = self._sampler.repair(drawn.record, drawn.length, REPAIR_EDITS, nodes, self._model)
        return start if start is not None and self._is_as_asked(start) else None

    def _walked(self, start: Candidate) -> Iterator[Candidate]:
        """The positions of the walk that still have a line as asked for."""
        return filter(self._is_as_asked, super()._walked(start))

    def _is_as_asked(self, candidate: Candidate) -> bool:
        """Whether a line has what was asked for; with themes it is the walk that looks for them."""
        return self._target is not None or has_line_conditions(self._asked, *candidate.readable)


def _conditions_to_ask(length: int, themes: tuple[str, ...]) -> list[np.ndarray]:
    """What published problems with these themes have; if there are none, what others have, and the themes."""
    published, wanted = stored_conditions(length), theme_conditions(themes)
    shown = [one for one in published if set(wanted) <= set(one.tolist())]
    return shown or [np.union1d(one, wanted) for one in published]
