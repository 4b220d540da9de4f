# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker pools: processes of this machine that compose chunks of roots.

A chunk is a few consecutive roots of one batch. Its size does not change the results: it is chosen so that
composing a chunk takes longer than sending it.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Protocol

import numpy as np

from generator.acceptance.pipeline import Proof
from generator.acceptance.reasons import Rejection, failure_name
from generator.constraints.options import ComposingOptions
from generator.run.composer import Composer, RootResult
from generator.run.novelty import FoundKeys, KeyIndex, KnownKeysView, first_root_of_needed_batch, known_keys_view
from generator.run.processes import WorkerProcess, started_processes

_CHUNK_SECONDS = 1.0
"""Seconds that a chunk takes in a process of this machine, and the longest delay of a problem."""


@dataclass(frozen=True)
class RunJob:
    """What a pool composes: the arguments of a `Composer`."""

    seed: int
    options: ComposingOptions
    version: str
    proof: Proof | None = None


@dataclass(frozen=True)
class Chunk:
    """``number`` roots of one batch from ``first`` on."""

    first: int
    number: int

    @property
    def roots(self) -> range:
        """The indices of the roots."""
        return range(self.first, self.first + self.number)


class WorkerPool(Protocol):
    """Composes chunks and returns them in any order. ``size``: the number of processes; ``chunk_seconds``: how long a
    chunk should take."""

    size: int
    chunk_seconds: float

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Submit a chunk; ``finds`` has all that its roots may know."""

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``. Raises
        `generator.run.processes.WorkerLostError`, and what a proof raised."""


PoolFactory = Callable[[RunJob], AbstractContextManager[WorkerPool]]
"""Makes a pool for a job; it is closed at the end of the block, and unfinished chunks are cancelled."""


class WorkerState:
    """The state of one worker: a composer, and the finds of earlier roots."""

    def __init__(self, job: RunJob) -> None:
        self._job = job
        self._composer = self._new_composer()
        self._known = KeyIndex()

    def _new_composer(self) -> Composer:
        job = self._job
        return Composer(job.seed, job.options, job.version, job.proof)

    def add_known_keys(self, roots: np.ndarray, keys: np.ndarray) -> None:
        """Add finds of earlier roots."""
        self._known.add(roots, keys)

    def compose_chunk(self, chunk: Chunk) -> list[RootResult]:
        """Return the results of a chunk."""
        return [self.root(index, known_keys_view(index, self._known)) for index in chunk.roots]

    def root(self, index: int, known: KnownKeysView) -> RootResult:
        """The result of a root. An error, a bug, is a result without problems, unless memory is out."""
        try:
            return self._composer.root(index, known)
        except MemoryError:
            raise
        except Exception as error:
            self._composer = self._new_composer()  # whatever state the error left behind
            counts = Counter({"roots": 1, Rejection.FAILED.value: 1, failure_name(index, error): 1})
            return RootResult(index, [], counts, failure="".join(traceback.format_exception(error)))


class _RootWorker(WorkerProcess):
    def __init__(self, job: RunJob) -> None:
        super().__init__(_compose_chunks, job)
        self.busy = False
        self._sent = 0

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Send a chunk with the finds it may know, as far as they were not sent before."""
        end = first_root_of_needed_batch(chunk.first)
        unsent = finds.keys_of_roots(self._sent, end)
        self._sent = max(self._sent, end)
        self.busy = True
        self.send((chunk, *unsent))

    def results(self) -> list[RootResult]:
        """Wait for the results of its chunk."""
        results: list[RootResult] = self.receive()
        self.busy = False
        return results


class LocalPool:
    """A pool of processes of this machine."""

    chunk_seconds = _CHUNK_SECONDS

    def __init__(self, workers: list[_RootWorker]) -> None:
        self.size = len(workers)
        self._workers = workers

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""
        return sum(not worker.busy for worker in self._workers)

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Send a chunk to an idle process."""
        next(worker for worker in self._workers if not worker.busy).submit(chunk, finds)

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``."""
        busy = [worker for worker in self._workers if worker.busy]
        ready = wait([worker.pipe for worker in busy], seconds)
        return [worker.results() for worker in busy if worker.pipe in ready]


def local_pool(jobs: int) -> PoolFactory:
    """Return a factory of pools of ``jobs`` processes of this machine."""

    @contextmanager
    def made(job: RunJob) -> Iterator[WorkerPool]:
        with started_processes(jobs, partial(_RootWorker, job)) as processes:
            yield LocalPool(processes)

    return made


def _compose_chunks(pipe: Connection, job: RunJob) -> None:
    try:
        state = WorkerState(job)
    except MemoryError:
        sys.exit(errno.ENOMEM)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            chunk, roots, keys = pipe.recv()
            state.add_known_keys(roots, keys)
            pipe.send(state.compose_chunk(chunk))
