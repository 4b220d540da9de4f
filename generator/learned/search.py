"""Composing from the network: a root draws positions with the line asked for, and walks on from one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.reasons import Rejection
from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import position_constraints
from generator.learned.conditions import asked_counts, has_line_conditions, theme_conditions
from generator.learned.network import stored_conditions, stored_network
from generator.learned.sampler import DRAW_NODES, LearnedSampler, nodes_for_tests
from generator.likeness.model import LikenessModel
from generator.local_search.bias import biased_to_counts
from generator.local_search.search import LocalSearch
from generator.local_search.theme_walk import PARTS_FOR_A_THEME, ThemeTarget, walk_towards_themes
from solver.engines.dfpn.engine import DfPnEngine

_TRIES = 6_000
"""Positions drawn under the same conditions, at most."""
_REPAIR_EDITS = 120
"""Edits within which a position with the right line is repaired."""


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
        self._target = ThemeTarget(themes) if themes else None
        self._published = _conditions_to_ask(options.length, themes)
        self._unbiased = self._model.with_any_opening()

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._learned.set_constraints(position_constraints(self._options, index))

    def candidates(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """The positions of a walk from a sound one that has a line as asked for."""
        for _ in range(self._options.draws):
            asked = self._published[rng.integers(len(self._published))]
            model = biased_to_counts(self._unbiased, *asked_counts(asked))
            with self._statistics.timed("draw"):
                start = self._start(asked, model)
            if start is not None:
                yield from self._statistics.timed_each("walk", self._walk(start, asked, model))
                return
            self._statistics.counts[Rejection.NOT_MENDED] += 1

    def _start(self, asked: np.ndarray, model: LikenessModel) -> Candidate | None:
        """A sound position with a line as asked for, or None."""
        length = self._options.length
        nodes = nodes_for_tests(length)
        left = _TRIES
        while left > 0:
            record, tried = self._learned.draw(length, left, DRAW_NODES[length], asked)
            left -= tried
            drawn = None if record is None else self._sampler.with_line(record, length, nodes, model)
            if drawn is None or not self._is_as_asked(drawn, asked):
                continue
            start = self._sampler.repair(drawn.record, length, _REPAIR_EDITS, nodes, model)
            if start is not None and self._is_as_asked(start, asked):
                return start
        return None

    def _walk(self, start: Candidate, asked: np.ndarray, model: LikenessModel) -> Iterator[Candidate]:
        """The positions of a walk that show the themes wanted, or else have a line as asked for."""
        options = self._options
        if self._target is not None:
            yield from walk_towards_themes(
                self._sampler, start, options.wishes.themes, PARTS_FOR_A_THEME, model
            )
            return
        yield start
        for candidate in self._sampler.walks(start, options.kept, options.steps, model):
            if self._is_as_asked(candidate, asked):
                yield candidate

    def _is_as_asked(self, candidate: Candidate, asked: np.ndarray) -> bool:
        """Whether a line shows a theme wanted or leads to one; without themes, whether it is as asked for."""
        if self._target is not None:
            return self._target.rank(candidate) > 0
        return has_line_conditions(asked, *candidate.readable)


def _conditions_to_ask(length: int, themes: tuple[str, ...]) -> list[np.ndarray]:
    """What published problems with these themes have; if there are none, what others have, and the themes."""
    published, wanted = stored_conditions(length), theme_conditions(themes)
    shown = [one for one in published if set(wanted) <= set(one.tolist())]
    return shown or [np.union1d(one, wanted) for one in published]
