"""A run: roots one after the other, or on several processes, results in order.

The roots' results come in the order of their indices, and the lines that a root knows of
earlier ones do not depend on the number of workers (`generator.novelty`): the same seed,
options and version give the same problems.
"""

from __future__ import annotations

import errno
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from multiprocessing.connection import Connection, wait

from generator.compose import Composer, RootResult
from generator.finalists import Proof
from generator.novelty import Lines, first_needed
from generator.options import Options
from generator.processes import Worker, stop_signals_blocked
from generator.reasons import KNOWN_AGAIN, Rejection

_AHEAD = 4
"""Roots that each worker may be ahead of the next result."""
_LONGEST_WAIT = 3600.0


Orders = tuple[int, Options, str, Proof | None]
"""The arguments of a `Composer`."""


def run(
    seed: int,
    options: Options,
    version: str,
    jobs: int = 1,
    first: int = 0,
    deadline: float | None = None,
    earlier: Iterable[tuple[int, str]] = (),
    proof: Proof | None = None,
) -> Generator[RootResult]:
    """The results of the roots ``first``, ``first`` + 1, ... in order.

    ``earlier``: what roots before ``first`` found, as (root's index, a key of
    `generator.sameness`). If natural problems are asked for, those that repeat an earlier one of
    the run are left out. The results never end unless there is a ``deadline`` (by
    `time.monotonic`): then roots are composed in worker processes, and what is not done when
    it has passed is given up. ``proof``, a module's function, is called with each problem in
    the process that composed it; what it raises ends the run. Raises
    `generator.processes.WorkerLostError`.
    """
    lines = Lines(earlier)
    if jobs == 1 and deadline is None:
        yield from compose_alone(Composer(seed, options, version, proof), first, lines)
    else:
        with _workers(jobs, (seed, options, version, proof)) as workers:
            yield from _ordered(workers, first, deadline, lines, options)


def compose_alone(composer: Composer, first: int, lines: Lines) -> Iterator[RootResult]:
    """The results of the roots from ``first`` on, one after the other in this process; ``lines`` grow."""
    told = 0
    for index in count(first):
        news = lines.known(index, told)
        told += len(news)
        yield _noted(composer.root(index, news), lines, composer.options)


def _noted(result: RootResult, lines: Lines, options: Options) -> RootResult:
    """Add what a root found to ``lines``; natural problems that repeat an earlier one are left out.

    The root could not know those of its own round and of the one before.
    """
    kept = []
    for problem in result.problems:
        if not (options.natural and lines.any_known(problem.keys)):
            lines.add(result.index, problem.keys)
            kept.append(problem)
    if len(kept) == len(result.problems):
        return result
    number = len(result.problems) - len(kept)
    repeats = Counter({Rejection.SAME_PROBLEM.value: number, KNOWN_AGAIN: number})
    return replace(result, problems=kept, counts=result.counts + repeats)


class _Worker(Worker):
    """A process that composes one root at a time."""

    def __init__(self, orders: Orders) -> None:
        super().__init__(_work, orders)
        self._told = 0

    def hand_out(self, index: int, lines: Lines) -> None:
        """Send a root to be composed, with the new lines it may know of earlier ones."""
        news = lines.known(index, self._told)
        self._told += len(news)
        self.send((index, news))


@contextmanager
def _workers(jobs: int, orders: Orders) -> Iterator[list[_Worker]]:
    workers: list[_Worker] = []
    try:
        with stop_signals_blocked():
            for _ in range(jobs):
                workers.append(_Worker(orders))
        yield workers
    finally:
        for worker in workers:
            worker.stop()


def _ordered(
    workers: list[_Worker], first: int, deadline: float | None, lines: Lines, options: Options
) -> Iterator[RootResult]:
    upcoming = first
    idle, busy = list(workers), list[_Worker]()
    done: dict[int, RootResult] = {}
    for wanted in count(first):
        while wanted not in done:
            while idle and len(done) < _AHEAD * len(workers) and first_needed(upcoming) <= wanted:
                worker = idle.pop()
                worker.hand_out(upcoming, lines)
                upcoming += 1
                busy.append(worker)
            ready = wait([worker.pipe for worker in busy], _seconds_to(deadline))
            if deadline is not None and time.monotonic() >= deadline:
                return
            for worker in [worker for worker in busy if worker.pipe in ready]:
                result: RootResult = worker.receive()
                done[result.index] = result
                busy.remove(worker)
                idle.append(worker)
        yield _noted(done.pop(wanted), lines, options)


def _seconds_to(deadline: float | None) -> float | None:
    return None if deadline is None else min(max(0.0, deadline - time.monotonic()), _LONGEST_WAIT)


def _work(pipe: Connection, orders: Orders) -> None:
    """What a worker process runs."""
    try:
        composer = Composer(*orders)
    except MemoryError:
        sys.exit(errno.ENOMEM)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            pipe.send(composer.root(*pipe.recv()))
