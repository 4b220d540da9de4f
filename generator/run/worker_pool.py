"""Worker pools: processes of this machine that compose chunks of roots.

A chunk is a few consecutive roots of one batch. Its size does not change the results: it is chosen so that
composing a chunk takes longer than sending it.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Protocol

import numpy as np

from generator.acceptance.pipeline import Proof
from generator.constraints.options import Options
from generator.run.batches import first_needed
from generator.run.composer import Composer, RootResult
from generator.run.novelty import Finds, KeyIndex, view_of
from generator.run.processes import WorkerProcess, started

_CHUNK_SECONDS = 1.0
"""How long a chunk takes in a process of this machine: so much later may a problem be printed."""


@dataclass(frozen=True)
class RunJob:
    """What a pool is to compose: the arguments of a `Composer`."""

    seed: int
    options: Options
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
    """Composes chunks; they come back in any order.

    ``size`` processes are at work; ``chunk_seconds`` is how long a chunk should take.
    """

    size: int
    chunk_seconds: float

    def room(self) -> int:
        """How many more chunks it can be given now."""

    def hand_out(self, chunk: Chunk, finds: Finds) -> None:
        """Give it a chunk; what its first root needs is found."""

    def gather(self, seconds: float | None) -> list[list[RootResult]]:
        """The results of chunks that are done; waits for one, for ``seconds`` at most.

        Raises `generator.run.processes.WorkerLostError`, and what a proof raised.
        """


PoolFactory = Callable[[RunJob], AbstractContextManager[WorkerPool]]
"""Makes a pool for a job; it is closed at the end of the block, and unfinished chunks are cancelled."""


class WorkerState:
    """Where one process composes: a composer, and what it knows of earlier roots."""

    def __init__(self, job: RunJob) -> None:
        self._composer = Composer(job.seed, job.options, job.version, job.proof)
        self._known = KeyIndex()

    def learn(self, roots: np.ndarray, keys: np.ndarray) -> None:
        """Hear what earlier roots have found."""
        self._known.add(roots, keys)

    def composed(self, chunk: Chunk) -> list[RootResult]:
        """The results of a chunk."""
        return [self._composer.root(index, view_of(index, self._known)) for index in chunk.roots]


class _Worker(WorkerProcess):
    """A process that composes one chunk at a time."""

    def __init__(self, job: RunJob) -> None:
        super().__init__(_work, job)
        self.busy = False
        self._told = 0

    def hand_out(self, chunk: Chunk, finds: Finds) -> None:
        """Send a chunk, with the finds it may know and that were not sent before."""
        end = first_needed(chunk.first)
        news = finds.between(self._told, end)
        self._told = max(self._told, end)
        self.busy = True
        self.send((chunk, *news))

    def results(self) -> list[RootResult]:
        """The results of its chunk; waits for them."""
        results: list[RootResult] = self.receive()
        self.busy = False
        return results


class LocalPool:
    """A pool of processes of this machine."""

    chunk_seconds = _CHUNK_SECONDS

    def __init__(self, workers: list[_Worker]) -> None:
        self.size = len(workers)
        self._workers = workers

    def room(self) -> int:
        """How many more chunks it can be given now."""
        return sum(not worker.busy for worker in self._workers)

    def hand_out(self, chunk: Chunk, finds: Finds) -> None:
        """Give a chunk to a process that has none."""
        next(worker for worker in self._workers if not worker.busy).hand_out(chunk, finds)

    def gather(self, seconds: float | None) -> list[list[RootResult]]:
        """The results of chunks that are done; waits for one, for ``seconds`` at most."""
        busy = [worker for worker in self._workers if worker.busy]
        ready = wait([worker.pipe for worker in busy], seconds)
        return [worker.results() for worker in busy if worker.pipe in ready]


def local_pool(jobs: int) -> PoolFactory:
    """A factory of pools of ``jobs`` processes of this machine."""

    @contextmanager
    def made(job: RunJob) -> Iterator[WorkerPool]:
        with started(jobs, partial(_Worker, job)) as processes:
            yield LocalPool(processes)

    return made


def _work(pipe: Connection, job: RunJob) -> None:
    """What a worker process runs."""
    try:
        state = WorkerState(job)
    except MemoryError:
        sys.exit(errno.ENOMEM)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            chunk, roots, keys = pipe.recv()
            state.learn(roots, keys)
            pipe.send(state.composed(chunk))
