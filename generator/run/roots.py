# SPDX-License-Identifier: GPL-3.0-or-later
"""A run: roots one after the other, or by a pool of processes, results in order.

The roots' results come in the order of their indices, and what a root knows of earlier ones depends on its index alone
(`generator.run.novelty`): the same seed, options and version give the same problems for any number of processes.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count

from generator.acceptance.reasons import KNOWN_AGAIN, MAX_FAILED_ROOTS, Rejection, RootsFailedError, failure_of
from generator.constraints.options import ComposingOptions
from generator.run.composer import Composer, RootResult
from generator.run.novelty import FoundKeys, end_of_batch_of_root, first_root_of_needed_batch, known_keys_view
from generator.run.worker_pool import Chunk, PoolFactory, RunJob, WorkerPool, WorkerState

_AHEAD = 16
"""Chunks for each process that may be done before an earlier one is."""
_LONGEST_WAIT = 3600.0
_YIELD_SECONDS = 1.0
"""Seconds between two yields of results, at least."""


def compose_root_ranges(
    job: RunJob,
    pool_factory: PoolFactory | None,
    first: int = 0,
    deadline: float | None = None,
    finds: FoundKeys | None = None,
) -> Generator[list[RootResult]]:
    """Yield the results of the roots ``first``, ``first`` + 1, ... in order, some at a time.

    They are composed by the pool that is made; None: in this process, which knows no deadline. A pool's
    results come about once a second. ``finds``: what roots before ``first`` found. If natural problems are
    asked for, those that repeat an earlier one of the run are left out. The results never end unless there
    is a ``deadline`` (by `time.monotonic`): unfinished roots are then cancelled.
    ``job.proof``, a module's function, is called with each problem in the process that composed it; a root
    in which it raises fails. Raises `generator.run.processes.WorkerLostError` and `RootsFailedError`.
    """
    finds = finds or FoundKeys()
    if pool_factory is None:
        alone, failed = WorkerState(job), 0
        for index in count(first):
            result = alone.root(index, known_keys_view(index, finds.known))
            failed = _failed_roots(failed, result)
            yield [_without_repeated_problems(result, finds, job.options)]
    else:
        with pool_factory(job) as pool:
            yield from _results_in_order(pool, first, deadline, finds, job.options)


def compose_alone(composer: Composer, first: int = 0, finds: FoundKeys | None = None) -> Iterator[RootResult]:
    """Yield the results of the roots from ``first`` on, one after the other in this process; ``finds`` grow. What a
    root raises is passed on."""
    finds = finds or FoundKeys()
    for index in count(first):
        yield _without_repeated_problems(
            composer.root(index, known_keys_view(index, finds.known)), finds, composer.options
        )


def compose_until(
    composer: Composer, end: float, look: Callable[[], None] = lambda: None, finds: FoundKeys | None = None
) -> Iterator[RootResult]:
    """As `compose_alone` from the first root on, until a moment by `time.monotonic`. The root under way is given up
    then. While one is composed, ``look`` is called every few milliseconds; what it raises is passed on."""

    def check() -> None:
        look()
        if time.monotonic() > end:
            raise _TimeIsUp

    roots = compose_alone(composer, finds=finds)
    with suppress(_TimeIsUp):
        while True:
            with composer.watched(check):
                check()
                root = next(roots)
            yield root


class _TimeIsUp(Exception):
    """No more time to compose."""


def _failed_roots(before: int, result: RootResult) -> int:
    """Return how many roots up to this one failed in succession, ``before`` without it."""
    failed = before + 1 if result.failure else 0
    if failed == MAX_FAILED_ROOTS:
        raise RootsFailedError(f"{failed} roots in succession failed; the last one, {failure_of(result.counts)}")
    return failed


def _without_repeated_problems(result: RootResult, finds: FoundKeys, options: ComposingOptions) -> RootResult:
    """Return a root's result, noted in ``finds``, without natural problems that repeat an earlier one."""
    kept, repeated = finds.without_repeats(result.index, result.problems, unique=options.is_natural)
    number = len(result.problems) - len(kept)
    repeats = Counter({Rejection.SAME_PROBLEM.value: number, KNOWN_AGAIN: number})
    counts = result.counts + repeats if number else result.counts
    return replace(result, problems=kept, repeated=repeated, counts=counts)


def _results_in_order(
    pool: WorkerPool, first: int, deadline: float | None, finds: FoundKeys, options: ComposingOptions
) -> Iterator[list[RootResult]]:
    """Yield the results in order, some at a time; what ends them is passed on after those that are ready."""
    ready: list[RootResult] = []
    done: dict[int, list[RootResult]] = {}
    wanted = upcoming = first
    failed, yield_at = 0, 0.0
    pace = _ChunkPace(pool.chunk_seconds)
    try:
        while True:
            while pool.capacity() and len(done) < _AHEAD * pool.size and first_root_of_needed_batch(upcoming) <= wanted:
                left = end_of_batch_of_root(upcoming) - upcoming
                chunk = Chunk(upcoming, min(pace.chunk_size, 1 + left // (2 * pool.size), left))
                pool.submit(chunk, finds)
                upcoming += chunk.number
            times = [at for at in (yield_at if ready else None, deadline) if at is not None]
            wait = min(max(0.0, min(times) - time.monotonic()), _LONGEST_WAIT) if times else None
            for results in pool.collect(wait):
                done[results[0].index] = results
                pace.record_times(results)
            while wanted in done:
                results = done.pop(wanted)
                for result in results:
                    failed = _failed_roots(failed, result)
                ready += [_without_repeated_problems(result, finds, options) for result in results]
                wanted += len(results)
            now = time.monotonic()
            is_over = deadline is not None and now >= deadline
            if ready and (is_over or now >= yield_at):
                handed_out, ready = ready, []
                yield handed_out
                yield_at = time.monotonic() + _YIELD_SECONDS
            if is_over:
                return
    except (KeyboardInterrupt, RootsFailedError):
        if ready:
            yield ready
        raise


class _ChunkPace:
    """How many roots make a chunk that takes a number of seconds, by those that were composed last."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: deque[tuple[int, float]] = deque(maxlen=32)

    def record_times(self, results: list[RootResult]) -> None:
        """Note how long a chunk took."""
        self._last.append((len(results), sum(sum(result.seconds.values()) for result in results)))

    @property
    def chunk_size(self) -> int:
        """The roots of the next chunk; one as long as nothing is known."""
        roots, seconds = (sum(column) for column in zip(*self._last, strict=True)) if self._last else (0, 1.0)
        return max(1, int(self._seconds * roots / max(seconds, 1e-6)))
