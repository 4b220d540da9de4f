# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing backwards as people do: pairs of plies of chosen sorts are taken back from the end of a line.

The network draws positions that mate in three; what is left of one before the last check is a core. Before it an answer
and a check are taken back that are of the sorts which published problems of the length have at that turn, and so on
until the length is reached. Each position on the way is sound, perhaps after pieces were added, and keeps its line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from generator.candidate import Candidate
from generator.collection import deviations_from_published, rating_features, stored_rating_model
from generator.constraints.options import ComposingOptions
from generator.learned.search import DRAW_NODES, LearnedSearch, Turns, asked_counts, nodes_for_tests, stored_turns
from generator.likeness import shape_and_line
from generator.local_search.kernel.walk import LINE_ROOM
from generator.local_search.search import favouring_counts
from generator.quality import has_two_last_moves
from generator.reverse.kernel.unmoves import MAX_PAIRS, SORTS, SORTS_OF_ANSWERS, Growth, take_back_pair, write_pairs
from generator.themes.table import shown_themes
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.retract import MAX_UNMOVES
from tsume_rules.kernel.state import do
from tsume_rules.kernel.tables import POSITION

_DRAWN = 3
"""Plies of the positions that are drawn; a core has the last one of them."""
_DRAWS = 300
"""Positions drawn under the same conditions, at most."""
_TWO_LAST_MOVES = 0.05
"""The share of cores with two last moves that is kept."""
_CORES, _CHILDREN = 12, 12
"""Cores of a root, and positions of each length on the way, at most."""
_SORTS, _TRIES, _EDITS = 400, 3, 20
"""Sorts of pairs that are drawn at each length, pairs tried of each, and edits of a position that has the line."""
_CAPTURES, _TAKERS = 8, 20
"""Checks that capture are taken back before one of so many positions; defenders that are added to each to have taken
the checking piece."""
_NODES_OF_ANSWER = 1_000


@dataclass
class Link:
    """A position on the way back, and the sorts of check and answer of its turns but the last."""

    candidate: Candidate
    sorts: tuple[tuple[int, int], ...] = ()


class BackwardSearch(LearnedSearch):
    """Takes back pairs of plies with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    _most_children = _CHILDREN

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, turns: Turns | None = None
    ) -> None:
        """``turns`` replace those for the length."""
        super().__init__(engine, options, state)
        self._engine = engine
        self._turns = stored_turns(options.length) if turns is None else turns
        self._weights = {plies: self._turns.before(plies, options.length) for plies in range(3, options.length + 1, 2)}
        population = max(_CORES, _CHILDREN)
        self._growth = Growth(
            np.zeros(population, dtype=POSITION).view(np.recarray),
            np.zeros((population, LINE_ROOM), dtype=np.int64),
            _integers(MAX_PAIRS), _integers(MAX_PAIRS), _integers(MAX_PAIRS), _integers(MAX_PAIRS),
            _integers(MAX_PAIRS), np.zeros(MAX_PAIRS),
            _integers(MAX_PAIRS), _integers(SORTS), _integers(SORTS), np.zeros(SORTS),
            _integers(MAX_UNMOVES), _integers(MAX_UNMOVES), self._model.rates,
        )  # fmt: skip

    def candidates(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the positions of a root that have the length asked for, each as soon as it is met, without their
        unnecessary pieces."""
        nodes = nodes_for_tests(self._options.length)
        for link in self.links(rng):
            one = link.candidate
            minimal = self._sampler.repair(one.packed, one.length, 0, nodes, self._unbiased)
            if minimal is not None:
                yield replace(minimal, family=one.family)

    def links(self, rng: np.random.Generator) -> Iterator[Link]:
        """Yield the positions of a root with the sorts of their moves."""
        length = self._options.length
        with self._statistics.timed("draw"):
            population = list(self._cores(rng))
        for shorter in range(_DRAWN, length, 2):
            with self._statistics.timed("grow"):
                population = self._chosen(list(self._children(population, shorter, rng)))
        yield from self._statistics.timed_each("grow", self._children(population, length, rng))

    def _chosen(self, children: list[Link]) -> list[Link]:
        """Return those of a length from which the next ones come: all."""
        return children

    def _cores(self, rng: np.random.Generator) -> Iterator[Link]:
        """Yield positions that mate in one as published problems of the length end."""
        ends = self._turns.ends
        for family in range(_CORES):
            asked = ends[rng.integers(len(ends))]
            packed, drawn = self._learned.draw(_DRAWN, _DRAWS, DRAW_NODES[_DRAWN], asked)
            self._statistics.counts["drawn"] += drawn
            mate = None if packed is None else self._sampler.with_line(packed, _DRAWN, nodes_for_tests(_DRAWN))
            if mate is None:
                continue
            core, line = mate.packed, mate.line[2:]
            for ply, move in enumerate(mate.line[:2]):
                do(core, move, ply)
            if not has_two_last_moves(core, line) or rng.random() < _TWO_LAST_MOVES:
                yield Link(Candidate(core, 1, line, family))

    def _children(self, parents: list[Link], length: int, rng: np.random.Generator) -> Iterator[Link]:
        """Yield positions with two plies more than their parents, which are of the sorts that published ones have."""
        if not parents:
            return
        growth, number = self._growth, length - 2
        for i, parent in enumerate(parents):
            growth.positions[i] = parent.candidate.packed
            growth.lines[i, :number] = parent.candidate.line
        arena = self._engine.arena(parents[0].candidate.packed.copy())
        nodes = nodes_for_tests(length)
        work = self._sampler.work_for(nodes, self._unbiased)
        write_pairs(arena, len(parents), number, _NODES_OF_ANSWER, _CAPTURES, _TAKERS, work, growth)
        weights = self._weights[length]
        wanted = [sort for sort in weights if growth.left[sort]]
        sums: list[float] = []
        for sort in wanted:
            sums.append(weights[sort] + (sums[-1] if sums else 0.0))
        asked = self._published[rng.integers(len(self._published))]
        work = self._sampler.work_for(nodes, favouring_counts(self._unbiased, *asked_counts(asked)))
        found = 0
        for _ in range(_SORTS if sums else 0):
            self._engine.check_limits()
            sort = wanted[bisect_right(sums, rng.random() * sums[-1])]
            left = int(growth.left[sort])
            if not left:
                continue
            at = take_back_pair(arena, number, sort, _TRIES, _EDITS, work, growth)
            self._statistics.counts["tried"] += left - int(growth.left[sort])
            if at < 0:
                continue
            line = tuple(int(move) for move in work.best[:length])
            child = Candidate(arena.pos.copy(), length, line, parents[at].candidate.family, open_checks=1)
            yield Link(child, (divmod(sort, SORTS_OF_ANSWERS), *parents[at].sorts))
            found += 1
            if found == self._most_children:
                return


# --- problems of a higher merit, from those composed backwards -------------------------------------

_RATING_WORTH = 6.0
"""What one more of five points of an editor's rating is worth, in nats of likeness to published problems."""
_LIKE_ENOUGH = 2.5
"""Likeness beyond this is worth nothing."""
_MANY_CHILDREN = 24
_ROUNDS = ((8, 100), (3, 300), (1, 900))
_ROUNDS_OF_LONG = ((6, 2), (4, 5), (3, 10))
"""How many of the best go on, and for how many parts of a walk, in each round; for 11 plies and more the second."""
_LONG = 11
_STEPS, _STEPS_OF_LONG = 100, 1_000
"""Steps of a part of a walk: fewer edits of a long problem leave it correct."""
_TEMPERATURE = 0.4
_STALLED = 25
"""After so many parts in a row that lead nowhere, a walk ends."""


def merit_of(candidate: Candidate) -> float:
    """How good a candidate is among others of its length: its likeness to published problems, bounded, and the rating
    to expect from an editor."""
    position, line = candidate.readable
    shape = shape_and_line(position, line)
    rated = rating_features(position, line, shown_themes(candidate.replayed), {}, shape)
    rating = stored_rating_model().relative_rating(rated, deviations_from_published(shape, len(line)))
    return min(_LIKE_ENOUGH, rated["published"]) + _RATING_WORTH * rating


@dataclass
class _Walk:
    """Where a walk stands, and the best that it met."""

    at: Candidate
    merit: float
    best: Candidate
    best_merit: float
    stalled: int = 0


class RefinedSearch(BackwardSearch):
    """Composes backwards, prefers the best of each length, and goes on from them by simulated annealing
    (Kirkpatrick, Gelatt, Vecchi 1983): parts of a walk over correct positions are taken by their merit."""

    _most_children = _MANY_CHILDREN

    def _chosen(self, children: list[Link]) -> list[Link]:
        return sorted(children, key=lambda link: merit_of(link.candidate), reverse=True)[:_CHILDREN]

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the best that walks from the candidates of a root come to."""
        walks = []
        for candidate in self.candidates(index, rng):
            merit = merit_of(candidate)
            walks.append(_Walk(candidate, merit, candidate, merit))
        self._statistics.counts["candidates"] += len(walks)
        with self._statistics.timed("refine"):
            for number, parts in _ROUNDS_OF_LONG if self._options.length >= _LONG else _ROUNDS:
                walks = _best_of_families(walks, number)
                for walk in walks:
                    self._go_on(walk, parts, rng)
        yield from (walk.best for walk in _best_of_families(walks, len(walks)))

    def _go_on(self, walk: _Walk, parts: int, rng: np.random.Generator) -> None:
        steps = _STEPS_OF_LONG if self._options.length >= _LONG else _STEPS
        for _ in range(parts):
            if walk.stalled == _STALLED:
                return
            reached = next(self._sampler.walks(walk.at, 1, steps, self._model), None)
            walk.stalled += 1
            if reached is None:
                continue
            merit = merit_of(reached)
            if rng.random() < exp(min(0.0, (merit - walk.merit) / _TEMPERATURE)):
                walk.at, walk.merit, walk.stalled = replace(reached, family=walk.at.family), merit, 0
                if merit > walk.best_merit:
                    walk.best, walk.best_merit = walk.at, merit


def _best_of_families(walks: list[_Walk], number: int) -> list[_Walk]:
    """Return the best walks, two of a family, which comes from one core, at most."""
    families = Counter[int]()
    best: list[_Walk] = []
    for walk in sorted(walks, key=lambda walk: walk.best_merit, reverse=True):
        families[walk.at.family] += 1
        if families[walk.at.family] <= 2 and len(best) < number:
            best.append(walk)
    return best


def _integers(number: int) -> np.ndarray:
    return np.zeros(number, dtype=np.int64)
