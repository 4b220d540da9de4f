"""Timing: the process's CPU time, contestants in turn, medians over repeats."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import process_time_ns

SLOW = 1_000_000
"""Nanoseconds for a position beside which reading the clock is nothing."""


@dataclass(frozen=True)
class Contestant:
    """A way to find the length of the mate of each of some positions.

    ``all`` does all positions, ``one`` the one of an index; ``lengths`` does all untimed
    and tells the lengths found: 0 for no mate, negative where it did not find out.
    ``adds_up``: ``all`` does just what ``one`` does for each.
    """

    name: str
    all: Callable[[], object]
    one: Callable[[int], object]
    lengths: Callable[[], Sequence[int]]
    adds_up: bool = False


@dataclass
class Times:
    """What a contestant took, in nanoseconds, one item a repeat."""

    totals: list[int] = field(default_factory=list)
    singles: list[list[int]] = field(default_factory=list)

    @property
    def total(self) -> float:
        """All positions at one go."""
        return median(self.totals)

    @property
    def each(self) -> list[float]:
        """Each position by itself, in ascending order."""
        return sorted(median(of_one) for of_one in zip(*self.singles, strict=True))

    @property
    def median(self) -> float:
        """The median position."""
        return median(self.each)

    @property
    def p95(self) -> float:
        """The position that 95% of the positions are no slower than."""
        return percentile(self.each, 0.95)


def percentile(ascending: Sequence[float], share: float) -> float:
    """The least value that at least this share of the values does not exceed."""
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]


def measure(contestants: Sequence[Contestant], number: int, repeats: int, seconds: float) -> list[Times]:
    """Time contestants on positions 0 to ``number - 1``, in turn in each repeat, so that noise hits all.

    So many repeats, and more until they have taken so many seconds of CPU time. They must
    have been run before: the first run compiles.
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
