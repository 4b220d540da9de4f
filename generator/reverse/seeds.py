# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a root begins: the mates in one that lead to final positions, or a given problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from generator.acceptance.reasons import Rejection
from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.given_final import parse_final_position
from generator.constraints.options import ROOTS_PER_START, ComposingOptions
from generator.reverse.extender import Extender
from generator.reverse.given_problems import GivenProblem, given_problem
from generator.reverse.padding import with_pieces_added
from generator.reverse.pictures import PictureSampler
from generator.reverse.preferences import king_regions
from generator.reverse.variants import variants_of_given_problem
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import Record, pack

WALLED = 0.25
"""The share of final positions in which the king is shut in by its own side's pieces."""


class SeedCandidates:
    """What the roots of a run begin with; its kernels use the random state of the extender."""

    def __init__(self, engine: DfPnEngine, extender: Extender, options: ComposingOptions) -> None:
        self._engine = engine
        self._extender = extender
        self._options = options
        self._pictures = PictureSampler(extender.state)
        self._starts: dict[str, GivenProblem] = {}

    def of(self, index: int, rng: np.random.Generator, statistics: RootStatistics) -> list[Candidate]:
        """What a root begins with; asked again, other final positions are drawn."""
        if self._options.starts:
            return self._given(index)
        with statistics.timed("draw"):
            found = self._mates_in_one(self._finals(index, rng), statistics)
        if self._options.length == 1:  # extensions are counted by the extender
            statistics.counts["candidates"] += len(found)
        return found

    def _mates_in_one(self, finals: Iterable[Record | None], statistics: RootStatistics) -> list[Candidate]:
        """The mates in one that lead to final positions, a family for each."""
        found: list[Candidate] = []
        for family, final in enumerate(finals):
            candidates = [] if final is None else self._extender.first_moves(final, family)
            if not candidates:
                statistics.counts[Rejection.NO_FINAL if final is None else Rejection.NO_WAY_BACK] += 1
            found += candidates
        return found

    def _finals(self, index: int, rng: np.random.Generator) -> Iterator[Record | None]:
        """The final position given, or it with more pieces; if none is given, random ones.

        None stands for a draw without success. Each is drawn on request.
        """
        if not self._options.final:
            region = int(
                rng.choice(king_regions(self._options.wishes))
            )  # one for all: else corners would win
            for _ in range(self._options.finals):
                yield self._drawn(region, rng)
            return
        final = parse_final_position(self._options.final)
        if self._options.exact or index == 0:
            yield pack(final)
            return
        for _ in range(self._options.finals):
            yield pack(with_pieces_added(final, rng))

    def _drawn(self, region: int, rng: np.random.Generator) -> Record | None:
        """A mated position drawn at random; None if no draw was one."""
        constraints = self._options.wishes
        if not constraints.draws_picture:
            return self._extender.draw_final(region, bool(rng.random() < WALLED))
        return self._pictures.draw(constraints.picture, rng)

    def _given(self, index: int) -> list[Candidate]:
        """One of the given problems, or variants of it: each problem once as it is, then batch by batch."""
        starts = self._options.starts
        turn, number = divmod(index, len(starts))
        sfen, batch = starts[number], turn % ROOTS_PER_START
        if sfen not in self._starts:
            self._starts[sfen] = given_problem(self._engine, sfen)
            self._engine.forget()  # what follows must not depend on whether the start was known
        candidate = self._starts[sfen].candidate
        if candidate is None:
            return []
        return variants_of_given_problem(self._engine, candidate, batch - 1) if batch else [candidate]
