# SPDX-License-Identifier: GPL-3.0-or-later
"""The times of contestants: the process's CPU time, one after the other, medians over repeats."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import process_time_ns

from scripts.metrics import quantile

SLOW = 1_000_000
"""Nanoseconds for a position from which on the time to read the clock does not matter."""


@dataclass(frozen=True)
class Contestant:
    """A way to find the lengths of the mates of some positions.

    ``all`` searches all positions, ``one`` the one with an index. ``lengths`` searches all,
    untimed, and returns the lengths: 0 for no mate, negative if the length was not found.
    ``adds_up`` means that ``all`` does what ``one`` does for each position and nothing else.
    """

    name: str
    all: Callable[[], object]
    one: Callable[[int], object]
    lengths: Callable[[], Sequence[int]]
    adds_up: bool = False


@dataclass
class Times:
    """The times of a contestant in nanoseconds, one item for each repeat.

    ``totals`` are for all positions, ``singles`` a list for each position by itself.
    """

    totals: list[int] = field(default_factory=list)
    singles: list[list[int]] = field(default_factory=list)

    @property
    def total(self) -> float:
        """The time for all positions together."""
        return median(self.totals)

    @property
    def each(self) -> list[float]:
        """The time for each position by itself, in ascending order."""
        return sorted(median(of_one) for of_one in zip(*self.singles, strict=True))

    @property
    def median(self) -> float:
        """The time for the median position."""
        return median(self.each)

    @property
    def p95(self) -> float:
        """The time that 95% of the positions do not exceed."""
        return quantile(self.each, 0.95)


def measure(contestants: Sequence[Contestant], number: int, repeats: int, seconds: float) -> list[Times]:
    """Time contestants on positions 0 to ``number - 1``, one after the other in each repeat.

    So noise hits them all alike. There are at least ``repeats`` repeats, and more until they
    have taken ``seconds`` of CPU time. The contestants must have been run before: the first
    run compiles.
    """
    end = process_time_ns() + seconds * 1e9
    times = [Times() for _ in contestants]
    with _no_garbage_collection():
        while len(times[0].totals) < repeats or process_time_ns() < end:
            for contestant, taken in zip(contestants, times, strict=True):
                singles = [_time_one(contestant, i) for i in range(number)]
                adds_up = contestant.adds_up and sum(singles) >= number * SLOW
                taken.singles.append(singles)
                taken.totals.append(sum(singles) if adds_up else _time_all(contestant))
    return times


def _time_all(contestant: Contestant) -> int:
    started = process_time_ns()
    contestant.all()
    return process_time_ns() - started


def _time_one(contestant: Contestant, i: int) -> int:
    started = process_time_ns()
    contestant.one(i)
    return process_time_ns() - started


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
