# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction: mated positions or given problems are extended backwards, move by move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.pipeline import CandidateAcceptance, may_meet_constraints
from generator.acceptance.reasons import KNOWN_AGAIN, Rejection, RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.reverse.extender import Extender, add_stage_counts
from generator.reverse.seeds import SeedCandidates
from generator.reverse.selection import material_limits, merit, select_varied, similarity_labels, theme_bias
from solver.engines.dfpn.engine import DfPnEngine

_LOOKED_AT = 200
"""Children of which the unnecessary pieces are counted."""
RESTARTS = 25
"""How often a root with a theme bias draws final positions at most."""


class ReverseConstruction:
    """Composes backwards with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, acceptance: CandidateAcceptance
    ) -> None:
        self._options = options
        self._acceptance = acceptance
        self._extender = Extender(engine, options.effort, state, lenient=options.accepts_blemishes)
        self._extender.keep_to(material_limits(options.wishes))
        self._seeds = SeedCandidates(engine, self._extender, options)
        self._draws_picture = options.wishes.draws_picture
        self._statistics = RootStatistics()
        self._before = self._extender.tally.copy()

    @property
    def tally(self) -> np.ndarray:
        """Counts of the tests of extensions so far (`generator.reverse.extender`)."""
        return self._extender.tally

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root: nothing is remembered of others."""
        self._extender.forget()
        self._statistics = statistics
        self._before = self._extender.tally.copy()
        self._bias = theme_bias(self._options.wishes, self._options.length, index)

    def end(self) -> None:
        """Add the tests of extensions to the statistics of the root."""
        add_stage_counts(self._statistics.counts, self._extender.tally - self._before)

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root that are worth the last tests."""
        population = self.candidates(index, rng)
        if population and population[0].length == self._options.length:
            with self._statistics.timed("choose"):
                # One candidate for each line; a known line only if there is no other, if at all.
                options, counts = self._options, self._statistics.counts
                by_line: dict[int, tuple[Candidate, bool]] = {}
                for i in rng.permutation(len(population)):
                    candidate = population[int(i)]
                    keys = self._acceptance.key_hashes(candidate)
                    by_line[keys[0]] = candidate, not self._acceptance.known.has_any(keys)
                new = [candidate for candidate, is_new in by_line.values() if is_new]
                old = [candidate for candidate, is_new in by_line.values() if not is_new]
                if options.has_distinct_lines:
                    counts[self._acceptance.repeat_rejection] += len(population) - len(new)
                    counts[KNOWN_AGAIN] += len(old)
                    old = []
                else:
                    counts[self._acceptance.repeat_rejection] += len(population) - len(by_line)
                fitting = [one for one in new if may_meet_constraints(options.wishes, one)]
                counts[Rejection.NOT_WISHED] += len(new) - len(fitting)
                chosen = self._chosen(fitting, options.finalists, rng)
                if not fitting:
                    known = [one for one in old if may_meet_constraints(options.wishes, one)]
                    chosen = self._chosen(known, 1, rng)
            yield from chosen

    def candidates(self, index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return positions of the length asked for; shorter ones if the population died out before.

        With a theme bias, final positions are drawn until some short lines that end in them show the theme:
        short lines are found far more quickly than long ones.
        """
        population = self._seeds.of(index, rng, self._statistics)
        given = self._options.starts or self._options.final
        best: list[Candidate] = []
        height = 0 if given else self._bias.height
        for _ in range(RESTARTS if height else 0):
            while population and population[0].length < height:
                population = self._next_generation(population, rng)
            most = max((self._bias.of(candidate) for candidate in (*best, *population)), default=0)
            best = [candidate for candidate in (*best, *population) if self._bias.of(candidate) == most > 0]
            if most >= len(self._bias.themes):
                break
            population = self._seeds.of(index, rng, self._statistics)
        population = best or population
        while population and population[0].length < self._options.length:
            population = self._next_generation(population, rng)
        return population

    def _next_generation(self, population: list[Candidate], rng: np.random.Generator) -> list[Candidate]:
        """Return the extensions of a varied part of the population."""
        children: list[Candidate] = []
        with self._statistics.timed("grow"):
            for parent in self._chosen(population, self._options.beam, rng):
                if parent.length == 1 or self._acceptance.has_one_solution(parent, self._statistics):
                    children += self._extender.children(parent)
            if not self._draws_picture:
                return children
            # A picture needs all its pieces. One that is unnecessary may become necessary later, so children
            # are kept that have not the fewest.
            some = [children[int(i)] for i in rng.permutation(len(children))[:_LOOKED_AT]]
            numbers = [self._extender.unnecessary_pieces(child) for child in some]
            order = sorted(range(len(some)), key=lambda place: numbers[place])
            return [some[i] for i in order[: 2 * self._options.beam]]

    def _chosen(self, candidates: list[Candidate], most: int, rng: np.random.Generator) -> list[Candidate]:
        if not candidates:
            return []
        constraints, temperature = self._options.wishes, self._options.temperature
        merits = [merit(constraints, candidate) + self._bias.merit(candidate) for candidate in candidates]
        return select_varied(candidates, list(map(similarity_labels, candidates)), merits, most, rng, temperature)
