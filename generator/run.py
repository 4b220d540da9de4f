"""A run: roots one after the other, or on several processes, results in order.

The roots' results come back in the order of their indices whatever the number
of workers, so the same seed, options and version give the same problems.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.pool import AsyncResult, Pool

from generator.compose import Composer, Options, RootResult

_AHEAD = 4
"""Roots handed out in advance to each worker."""


def run(seed: int, options: Options, version: str, jobs: int = 1, first: int = 0) -> Generator[RootResult]:
    """The results of the roots ``first``, ``first`` + 1, ... without end, in order."""
    if jobs == 1:
        composer = Composer(seed, options, version)
        yield from map(composer.root, count(first))
    else:
        with _workers(seed, options, version, jobs) as pool:
            yield from _ordered(pool, jobs, first)


@contextmanager
def _workers(seed: int, options: Options, version: str, jobs: int) -> Iterator[Pool]:
    context = multiprocessing.get_context("spawn")
    pool = context.Pool(jobs, _start_worker, (seed, options, version))
    try:
        yield pool
    finally:
        pool.terminate()
        pool.join()


def _ordered(pool: Pool, jobs: int, first: int) -> Iterator[RootResult]:
    waiting: deque[AsyncResult[RootResult]] = deque()
    for index in count(first):
        waiting.append(pool.apply_async(_compose_root, (index,)))
        if len(waiting) >= jobs * _AHEAD:
            yield waiting.popleft().get()


_composer: Composer


def _start_worker(seed: int, options: Options, version: str) -> None:
    global _composer  # noqa: PLW0603  (one composer a worker process)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_die_with_parent, daemon=True).start()
    _composer = Composer(seed, options, version)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _compose_root(index: int) -> RootResult:
    return _composer.root(index)
