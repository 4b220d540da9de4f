# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench stages`: what each test of a candidate costs and rejects, and their best order."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import median

import click
import numpy as np

from generator.constraints.options import ComposingOptions
from generator.reverse.kernel.extension import SEEN
from generator.reverse.stages import FAILED, NODES, OF_CANDIDATE, TESTED, UNANSWERED, Stage
from scripts.measuring.candidates import Sample, draw
from scripts.measuring.kernel.stage_tests import Seen, test_all
from scripts.measuring.throughput import name_of
from scripts.measuring.timed_roots import warm_up
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from solver.engines.dfpn.kernel.table import LAST_STAMP

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

    The order in use is `generator.reverse.stages.OF_CANDIDATE`.
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
        _print_orders(clock, in_use(length))


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
            f"{100 * share:>9.1f}{100 * row[UNANSWERED] / tested:>9.1f}{worth:>11.0f}{place:>8}"
        )


def _print_orders(clock: Clock, used: Order) -> None:
    """Print the time of all tests: in the order in use, in the best order, without each of them."""
    costs = [clock.cost(order) for order in permutations(used[1:])]
    ours = next(cost for cost in costs if cost.order == used[1:])
    best = min(costs, key=lambda cost: cost.nanoseconds)
    print(f"  in the order in use {ours.nanoseconds / 1000:.1f} us a candidate, {_summary(ours)}")
    print(f"  in the best order   {best.nanoseconds / 1000:.1f} us: {' - '.join(map(name_of, best.order))}")
    for left_out in used[1:-1]:
        fewer = clock.cost(tuple(stage for stage in used[1:] if stage is not left_out))
        print(f"  without {name_of(left_out):<18}{fewer.nanoseconds / 1000:.1f} us, {fewer.passed} pass")


def _summary(cost: Cost) -> str:
    """How many pass, and the share that each test rejects of those it gets."""
    shares = [
        f"{name_of(stage)} {100 * row[FAILED] / max(1, row[TESTED]):.0f}%"
        for stage, row in zip(cost.order, cost.tally, strict=True)
    ]
    return f"{cost.passed} pass ({', '.join(shares)} of those tested)"
