# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing backwards as people do: pairs of plies of chosen sorts are taken back from the end of a line.

The network draws positions that mate in three; what is left of one before the last check is a core. Before it an answer
and a check are taken back that are of the sorts which published problems of the length have at that turn, and so on
until the length is reached. Each position on the way is sound, perhaps after pieces were added, and keeps its line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.learned.search import DRAW_NODES, LearnedSearch, asked_counts, nodes_for_tests, stored_turns
from generator.likeness import LikenessModel
from generator.local_search.search import favouring_counts
from generator.quality import has_two_last_moves
from generator.reverse.kernel.unmoves import MAX_PAIRS, SORTS_OF_ANSWERS, UnMoves, pairs_before, take_back_pair
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.retract import MAX_UNMOVES
from tsume_rules.kernel.state import do

_DRAWN = 3
"""Plies of the positions that are drawn; a core has the last one of them."""
_DRAWS = 300
"""Positions drawn under the same conditions, at most."""
_TWO_LAST_MOVES = 0.05
"""The share of cores with two last moves that is kept."""
_CORES, _CHILDREN = 12, 12
"""Cores of a root, and positions of each length on the way."""
_SORTS = 96
"""Sorts of pairs that are drawn at each length, at most."""
import os
_TRIES, _EDITS = int(os.environ.get("TRIES","24")), int(os.environ.get("EDITS","20"))
"""Pairs tried of a sort drawn, and edits of a position that has the line."""
_NODES_OF_ANSWER = 1_000


@dataclass
class Link:
    """A position on the way back, and the sorts of check and answer of its turns but the last."""

    candidate: Candidate
    sorts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Pair:
    """An answer and a check that may be taken back from a position."""

    parent: Link
    answer: int
    check: int
    merit: float


class BackwardSearch(LearnedSearch):
    """Takes back pairs of plies with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        super().__init__(engine, options, state)
        self._engine = engine
        self.turns = stored_turns(options.length)
        unevasions, unchecks = np.zeros(MAX_UNMOVES, dtype=np.int64), np.zeros(MAX_UNMOVES, dtype=np.int64)
        answers, checks, sorts = (np.zeros(MAX_PAIRS, dtype=np.int64) for _ in range(3))
        self._unmoves = UnMoves(
            unevasions, unchecks, answers, checks, sorts, np.zeros(MAX_PAIRS), self._model.rates
        )

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
                population = list(self._children(population, shorter, rng))
        yield from self._statistics.timed_each("grow", self._children(population, length, rng))

    def _cores(self, rng: np.random.Generator) -> Iterator[Link]:
        """Yield positions that mate in one as published problems of the length end."""
        ends = self.turns.ends
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
        pairs = self._pairs_by_sort(parents, rng)
        wanted, sums = [], []
        for sort, weight in self.turns.before(length, self._options.length).items():
            if sort in pairs:
                wanted.append(sort)
                sums.append(weight + (sums[-1] if sums else 0.0))
        found = 0
        for _ in range(_SORTS if sums else 0):
            sort = wanted[bisect_right(sums, rng.random() * sums[-1])]
            asked = self._published[rng.integers(len(self._published))]
            model = favouring_counts(self._unbiased, *asked_counts(asked))
            for _ in range(min(_TRIES, len(pairs[sort]))):
                child = self._child(pairs[sort].pop(), sort, model)
                if child is not None:
                    yield child
                    found += 1
                    break
            if found == _CHILDREN:
                return

    def _pairs_by_sort(self, parents: list[Link], rng: np.random.Generator) -> dict[int, list[Pair]]:
        """Return the pairs before some positions by their sort, the best last. Each position has the same chance, and of
        its pairs of a sort one that brings pieces to likelier places a better one."""
        by_sort: dict[int, list[Pair]] = {}
        for parent in parents:
            one = parent.candidate
            work = self._sampler.work_for(nodes_for_tests(one.length), self._unbiased)
            arena = self._engine.arena(one.packed.copy())
            number = pairs_before(arena, one.length, _NODES_OF_ANSWER, True, work, self._unmoves)
            answers, checks, sorts, values = self._unmoves.answers, self._unmoves.checks, self._unmoves.sorts, self._unmoves.values
            logs: dict[int, float] = {}
            if number:
                best = values[:number].max()
                su: dict[int, float] = {}
                for i in range(number):
                    s = int(sorts[i]); su[s] = su.get(s, 0.0) + float(np.exp(values[i] - best))
                gum = rng.gumbel(size=number)
                for i in range(number):
                    s = int(sorts[i])
                    m = float(values[i] - best - np.log(su[s]) + gum[i])
                    by_sort.setdefault(s, []).append(Pair(parent, int(answers[i]), int(checks[i]), m))
        for v in by_sort.values():
            v.sort(key=lambda p: p.merit)
        return by_sort

    def _child(self, pair: Pair, sort: int, model: LikenessModel) -> Link | None:
        self._engine.check_limits()
        one = pair.parent.candidate
        work = self._sampler.work_for(nodes_for_tests(one.length + 2), model)
        arena = self._engine.arena(one.packed.copy())
        work.best[: one.length] = one.line
        self._statistics.counts["tried"] += 1
        if not take_back_pair(arena, one.length, pair.answer, pair.check, _EDITS, work, self._unmoves):
            return None
        line = tuple(int(move) for move in work.best[: one.length + 2])
        child = Candidate(arena.pos.copy(), one.length + 2, line, one.family, open_checks=1)
        return Link(child, (divmod(sort, SORTS_OF_ANSWERS), *pair.parent.sorts))
