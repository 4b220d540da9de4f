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
from generator.learned.search import DRAW_NODES, LearnedSearch, Turns, asked_counts, nodes_for_tests, stored_turns
from generator.local_search.kernel.walk import LINE_ROOM
from generator.local_search.search import favouring_counts
from generator.quality import has_two_last_moves
from generator.reverse.kernel.unmoves import MAX_PAIRS, SORTS, SORTS_OF_ANSWERS, Growth, take_back_pair, write_pairs
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
                population = list(self._children(population, shorter, rng))
        yield from self._statistics.timed_each("grow", self._children(population, length, rng))

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
            if found == _CHILDREN:
                return


def _integers(number: int) -> np.ndarray:
    return np.zeros(number, dtype=np.int64)
