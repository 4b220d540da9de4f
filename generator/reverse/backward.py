# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing backwards as people do: a short core, then pairs of plies of chosen sorts are taken back.

The network draws cores of three plies. Before each, an answer and a check are taken back that are of the sorts which
published problems of the length have at that turn, and so on until the length is reached. Each position on the way is
sound, with the line wanted.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from generator.acceptance.reasons import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.learned.search import DRAW_NODES, LearnedSampler, LearnedSearch, has_line_conditions, nodes_for_tests
from generator.likeness import fitted_for_length
from generator.local_search.kernel import walk
from generator.local_search.search import favouring_counts
from generator.learned.search import asked_counts
from generator.quality import has_two_last_moves
from generator.reverse.kernel.unmoves import longest_lasting_answers, take_back_pair
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.retract import MAX_UNMOVES
from tsume_rules.kernel.state import do

_FILE = Path(__file__).with_name("turns.npz")
CORE = 1
"""Plies of a core."""


@cache
def stored_turns() -> dict[int, tuple[np.ndarray, list[np.ndarray]]]:
    """By length, of published problems: the sorts of check and answer of each turn but the last [problem, turn, 2],
    and the conditions that the last three plies meet."""
    with _FILE.open("rb") as file, np.load(file) as data:
        lengths = sorted({int(name.split()[0]) for name in data.files})
        return {
            n: (data[f"{n} pairs"].astype(np.int64), [row[row >= 0].astype(np.int64) for row in data[f"{n} cores"]])
            for n in lengths
        }


P = int(os.environ.get("CORES", "12"))
T = int(os.environ.get("TARGETS", "48"))
TR = int(os.environ.get("TRIES", "6"))
PER = int(os.environ.get("PER", "3"))
EDITS = int(os.environ.get("EDITS", "80"))
PARENTS = int(os.environ.get("PARENTS", "12"))


class BackwardSearch(LearnedSearch):
    """Search backwards from cores that the network draws; random choices of kernels follow ``state``."""

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray) -> None:
        super().__init__(engine, options, state)
        self._engine = engine
        self._pairs, self._cores = fitted_for_length(stored_turns(), options.length)
        self._unmoves = tuple(np.zeros(MAX_UNMOVES, dtype=np.int64) for _ in range(3)) + (np.zeros(2 * MAX_UNMOVES),)
        self.count = Counter()
        path = os.environ.get("WEIGHTS")
        self.weights = np.load(path)["w"] if path and os.path.exists(path) else None

    def candidates(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        with self._statistics.timed("draw"):
            population = self._drawn_cores(rng)
        for length in range(CORE + 2, self._options.length + 1, 2):
            with self._statistics.timed("grow"):
                population = self._children(population, length, rng)
        self.count["final"] += len(population)
        steps = int(os.environ.get("STEPS", "0"))
        if not steps:
            yield from population
            return
        with self._statistics.timed("walk"):
            for one in population:
                asked = self._published[rng.integers(len(self._published))]
                model = favouring_counts(self._unbiased, *asked_counts(asked))
                last = one
                one2 = self._sampler.repair(one.packed, one.length, 0, 60000, model)
                if one2 is None:
                    continue
                for last in self._sampler.walks(one2, int(os.environ.get("PARTS", "1")), steps, model):
                    pass
                last.sorts = one.sorts
                last.family = one.family
                yield last

    def _drawn_cores(self, rng: np.random.Generator) -> list[Candidate]:
        """Positions that mate in one, as published problems end: those before the last check of mates in three."""
        found: list[Candidate] = []
        while len(found) < P:
            asked = self._cores[rng.integers(len(self._cores))]
            for packed in self._learned.mates(3, 300, DRAW_NODES[3], asked):
                self.count["core mates"] += 1
                drawn = self._sampler.with_line(packed, 3, nodes_for_tests(3))
                if drawn is None:
                    continue
                core = drawn.packed.copy()
                for ply, move in enumerate(drawn.line[:2]):
                    do(core, move, ply % 2)
                if has_two_last_moves(core, drawn.line[2:]) and rng.random() > 0.05:
                    continue
                found.append(Candidate(core, 1, drawn.line[2:], len(found)))
                break
        self.count["cores"] += len(found)
        return found

    def _children(self, parents: list[Candidate], length: int, rng: np.random.Generator) -> list[Candidate]:
        turn = (self._options.length - length) // 2
        sorts = self._pairs[:, turn]
        if self.weights is None:
            chances = None
        else:
            chances = self.weights[turn][sorts[:, 0], sorts[:, 1]]
            chances = chances / chances.sum()
        found: list[Candidate] = []
        for _ in range((2 * T if length == CORE + 2 else T) if parents else 0):
            check, answer = sorts[rng.choice(len(sorts), p=chances)]
            for i in rng.permutation(len(parents))[:PARENTS]:
                self.count[f"tried {length}"] += 1
                child = self._child(parents[int(i)], 1 << int(answer), 1 << int(check))
                if child is not None:
                    self.count[f"child {length}"] += 1
                    child.sorts = ((int(check), int(answer)), *getattr(parents[int(i)], "sorts", ()))
                    found.append(child)
                    break
        return found

    def _child(self, parent: Candidate, answers: int, checks: int) -> Candidate | None:
        self._engine.check_limits()
        n = parent.length
        work = self._sampler._work_for(nodes_for_tests(n + 2), self._model)
        work.best[:n] = parent.line
        arena = self._engine.arena(parent.packed.copy())
        unevasions = self._unmoves[0]
        if not hasattr(parent, "answers"):
            number = longest_lasting_answers(arena, n, 1000, work, unevasions)
            self.count[f"answers {n}"] += number
            self.count[f"parents {n}"] += 1
            parent.answers = unevasions[:number].copy()
        number = len(parent.answers)
        unevasions[:number] = parent.answers
        if not take_back_pair(arena, n, number, answers, checks, TR, PER, EDITS, work, *self._unmoves, self._model.rates):
            return None
        line = tuple(int(move) for move in work.best[: n + 2])
        return Candidate(arena.pos.copy(), n + 2, line, parent.family, open_checks=1)
