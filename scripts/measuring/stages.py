# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench stages`: what each test of a candidate costs and rejects, and their best order."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from statistics import median

import click
import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Effort
from generator.reverse.construction import ReverseConstruction
from generator.reverse.extender import FAILED, NODES, OF_CANDIDATE, OPEN, TESTED, Stage, new_stage_tally
from generator.reverse.kernel.extension import SEEN
from generator.run.composer import Composer
from scripts.measuring.composing import VERSION, name_of, warm_up
from scripts.measuring.kernel.stage_tests import Seen, test_all
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND, STACK
from solver.engines.dfpn.kernel.table import LAST_STAMP
from solver.limits import LimitReached
from solver.results import Limits
from tsume_rules.kernel.retract import MOST_UNMOVES, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import POSITION
from tsume_rules.packed import Record, played, retracted
from tsume_rules.position import Side

# --- candidates of reverse construction: an answer and a check taken back from a parent ------------

_OF_A_PARENT = 8
"""At most this many candidates are taken of one parent, so that many parents give some."""


@dataclass
class Sample:
    """Candidates: positions that mate in exactly ``length`` plies by their keys, if they pass all tests.

    ``tally`` counts what the tests did while these were looked for (`generator.reverse.extender`).
    """

    length: int
    positions: np.ndarray
    keys: np.ndarray
    parents: int = 0
    tally: np.ndarray = field(default_factory=new_stage_tally)


class _Watched(Composer):
    """A composer that keeps the parents of its last generations."""

    def __init__(self, seed: int, options: ComposingOptions) -> None:
        super().__init__(seed, options, VERSION)
        self.parents: list[Candidate] = []
        assert isinstance(self._source, ReverseConstruction)
        extender = self._source._extender
        children = extender.children

        def watched(parent: Candidate) -> list[Candidate]:
            if parent.length == options.length - 2:
                self.parents.append(parent)
            return children(parent)

        extender.children = watched  # type: ignore[method-assign]


def draw(length: int, number: int, seed: int) -> Sample:
    """``number`` candidates of a length, from the roots of a seed in order."""
    options = ComposingOptions.of(length)
    composer, rng = _Watched(seed, options), np.random.default_rng(seed)
    asker = Asker(DfPnEngine(), options.effort, rng)
    found: list[tuple[Record, int]] = []
    index = parents = 0
    while len(found) < number:
        composer.root(index)
        for parent in composer.parents:
            candidates = list(asker.candidates(parent))
            chosen = rng.permutation(len(candidates))[:_OF_A_PARENT]
            found += [candidates[int(i)] for i in chosen]
            parents += bool(candidates)
        composer.parents.clear()
        index += 1
    positions = np.zeros(number, dtype=POSITION).view(np.recarray)
    for i in range(number):
        positions[i] = found[i][0]
    keys = np.array([key for _, key in found[:number]], dtype=np.int64)
    return Sample(length, positions, keys, parents, composer.tally)


@dataclass
class Asker:
    """The steps of `generator.reverse.kernel.extension.extend_parent` up to the tests of a candidate."""

    engine: DfPnEngine
    effort: Effort
    rng: np.random.Generator
    _unevasions: np.ndarray = field(default_factory=lambda: np.zeros(MOST_UNMOVES, dtype=np.int64))
    _unchecks: np.ndarray = field(default_factory=lambda: np.zeros(MOST_UNMOVES, dtype=np.int64))

    def candidates(self, parent: Candidate) -> Iterator[tuple[Record, int]]:
        """The positions before a parent, answer by answer, each with its key."""
        record = parent.record.copy()
        number = un_evasions(record, self._unevasions, True)
        for i in self.rng.permutation(number)[: self.effort.answers]:
            unevasion = int(self._unevasions[i])
            with retracted(record, unevasion, Side.DEFENDER):
                if self._is_defence(record, int(move_of(unevasion)), parent.length + 1):
                    yield from self._before(record)

    def _before(self, record: Record) -> Iterator[tuple[Record, int]]:
        number = un_checks(record, self._unchecks, True)
        for i in self.rng.permutation(number)[: self.effort.checks]:
            uncheck = int(self._unchecks[i])
            with retracted(record, uncheck, Side.ATTACKER):
                yield record.copy(), int(move_of(uncheck))

    def _is_defence(self, record: Record, answer: int, n: int) -> bool:
        try:
            with self.engine.within(Limits(nodes=self.effort.nodes)):
                return self.engine.is_mated(record, n) and self._stands(record, answer, n)
        except LimitReached:
            return False

    def _stands(self, record: Record, answer: int, n: int) -> bool:
        """Whether the answer is a longest defence, and the positions after the others are sound."""
        defences = self.engine.longest_defences(record, n)
        return answer in defences and all(self._is_sound(record, d, n) for d in defences if d != answer)

    def _is_sound(self, record: Record, answer: int, n: int) -> bool:
        with played(record, answer, Side.DEFENDER):
            return self.engine.is_sound(record, n - 1, self.effort.margin, self.effort.turns) == SOUND


# --- times of the tests, alone and in order --------------------------------------------------------

LENGTHS = (5, 7, 9, 13)
REPEATS, LEAST_NANOSECONDS = 3, 200_000_000
"""Tests are run at least this often, and until they have taken this long."""
Order = tuple[Stage, ...]


@dataclass(frozen=True)
class Cost:
    """What tests in some order cost and did; ``nanoseconds`` are for each candidate of the sample."""

    order: Order
    nanoseconds: float
    tally: np.ndarray
    passed: int

    @property
    def turned_down(self) -> float:
        """The share of the candidates that do not pass; those left open are among them."""
        return 1 - self.passed / max(1, int(self.tally[0, TESTED]))


@click.command()
@click.option("--number", default=500, show_default=True, help="Candidates of each length.")
@click.option("--seed", default=1, show_default=True)
@click.argument("lengths", nargs=-1, type=int)
def stages(lengths: tuple[int, ...], number: int, seed: int) -> None:
    """Cost and yield of each test of a candidate alone, and the time that the order of the tests takes.

    The order in use is `generator.reverse.extender.OF_CANDIDATE`.
    """
    for length in lengths or LENGTHS:
        warm_up(ComposingOptions.of(length))
        sample = draw(length, number, seed)
        clock = Clock(
            sample, ComposingOptions.of(length).effort.nodes, ComposingOptions.of(length).effort.margin
        )
        print(f"{length} moves: {number} candidates of {sample.parents} parents")
        alone = [clock.cost((stage,)) for stage in in_use(length)]
        _print_alone(alone, sample)
        # Print the time of all tests: in the order in use, in the best order, without each of them.
        used = in_use(length)
        costs = [clock.cost(order) for order in permutations(used[1:])]
        ours = next(cost for cost in costs if cost.order == used[1:])
        best = min(costs, key=lambda cost: cost.nanoseconds)
        print(f"  in the order in use {ours.nanoseconds / 1000:.1f} us a candidate, {_summary(ours)}")
        print(
            f"  in the best order   {best.nanoseconds / 1000:.1f} us: {' - '.join(map(name_of, best.order))}"
        )
        for left_out in used[1:-1]:
            fewer = clock.cost(tuple(stage for stage in used[1:] if stage is not left_out))
            print(f"  without {name_of(left_out):<18}{fewer.nanoseconds / 1000:.1f} us, {fewer.passed} pass")


def in_use(length: int) -> Order:
    """The tests that candidates of a length go through, in their order."""
    left_out = {Stage.NO_MATE_IN_THREE} if length <= 3 else set()
    left_out |= {Stage.NO_SHORTER_MATE} if length <= 5 else set()
    return tuple(stage for stage in OF_CANDIDATE if stage not in left_out)


class Clock:
    """Times tests on a sample, each candidate with an empty table, less the time of the bare loop."""

    def __init__(self, sample: Sample, nodes: int, margin: int) -> None:
        self._sample, self._nodes, self._margin = sample, nodes, margin
        self._engine = DfPnEngine()
        self._stack = np.zeros(STACK, dtype=np.int64)
        self._seen = Seen(np.zeros(SEEN, dtype=np.uint64))
        self._run(in_use(sample.length))  # compiles
        self._loop = 0.0
        self._loop = self.cost(()).nanoseconds

    def cost(self, order: Order) -> Cost:
        """The cost of tests in an order: the median of some runs."""
        runs = [self._run(order)]
        while len(runs) < REPEATS or sum(run[0] for run in runs) < LEAST_NANOSECONDS:
            runs.append(self._run(order))
        spent = median(nanoseconds for nanoseconds, _, _ in runs) / len(self._sample.keys)
        return Cost(order, max(0.0, spent - self._loop), runs[0][1], runs[0][2])

    def _run(self, order: Order) -> tuple[int, np.ndarray, int]:
        sample = self._sample
        numbers = np.array(order, dtype=np.int64)
        tally = np.zeros((max(1, len(order)), 4), dtype=np.int64)
        self._seen.seen[:] = 0
        if int(self._engine.arena(sample.positions[0]).search.stamp) + len(sample.keys) > LAST_STAMP:
            self._engine = DfPnEngine()
        arena = self._engine.arena(sample.positions[0])
        started = time.process_time_ns()
        passed = test_all(
            arena, sample.positions, sample.keys, sample.length, self._margin, self._nodes, numbers,
            self._seen, self._stack, tally,
        )  # fmt: skip
        return time.process_time_ns() - started, tally, int(passed)


def _print_alone(alone: Sequence[Cost], sample: Sample) -> None:
    """Print each test by itself; the share of repeated positions is that of the whole growth."""
    rows = []
    for place, cost in enumerate(alone, start=1):
        (stage,), share = cost.order, cost.turned_down
        if stage is Stage.NEW:
            share = float(sample.tally[stage, FAILED] / max(1, sample.tally[stage, TESTED]))
        worth = cost.nanoseconds / share if share else float("inf")
        rows.append((worth, share, place, cost))
    print(f"  {'each alone':<18}{'ns':>10}{'nodes':>9}{'down %':>9}{'open %':>9}{'ns/down':>11}{'in use':>8}")
    for worth, share, place, cost in sorted(rows, key=lambda row: row[0]):
        tested, row = int(cost.tally[0, TESTED]), cost.tally[0]
        print(
            f"  {name_of(cost.order[0]):<18}{cost.nanoseconds:>10.0f}{row[NODES] / tested:>9.1f}"
            f"{100 * share:>9.1f}{100 * row[OPEN] / tested:>9.1f}{worth:>11.0f}{place:>8}"
        )


def _summary(cost: Cost) -> str:
    """How many pass, and the share that each test rejects of those it gets."""
    shares = [
        f"{name_of(stage)} {100 * row[FAILED] / max(1, row[TESTED]):.0f}%"
        for stage, row in zip(cost.order, cost.tally, strict=True)
    ]
    return f"{cost.passed} pass ({', '.join(shares)} of those tested)"
