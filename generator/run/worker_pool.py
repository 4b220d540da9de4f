# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker pools: processes of this machine that compose chunks of roots.

A chunk is a few consecutive roots of one batch. Its size does not change the results: it is chosen so that
composing a chunk takes longer than sending it.
"""

from __future__ import annotations

import atexit
import errno
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar

import numpy as np

from generator.acceptance.pipeline import Proof
from generator.acceptance.reasons import Rejection, failure_name
from generator.constraints.options import ComposingOptions
from generator.run.composer import Composer, RootResult
from generator.run.novelty import (
    FoundKeys,
    KeyIndex,
    KnownKeysView,
    first_root_of_needed_batch,
    known_keys_view,
)

# ---------------------------------------------------------------------------------------------------
#
# Worker processes: they ignore the signals that stop a run, and end with their parent.
#
# `concurrent.futures` has no way to kill a running task, to keep state in one worker or to say which of its
# workers died; these processes and their pipes do.

_STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class WorkerLostError(RuntimeError):
    """A worker process ended by itself: by a bug, by a signal, or out of memory."""


class WorkerProcess:
    """A process at the other end of a pipe: ``work``, a module's function, gets that end and the arguments.

    It ends with its parent. ``work`` exits with ENOMEM where it runs out of memory and cannot go on.
    """

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_run_in_worker, args=(work, far_end, *arguments), daemon=True
        )
        with stop_signals_blocked():
            self._process.start()
            # It ignores the signal by which `multiprocessing` ends daemons.
            atexit.register(self._process.kill)
        far_end.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Raises `WorkerLostError`."""
        try:
            self.pipe.send(message)
        except OSError:
            raise self._lost() from None

    def receive(self) -> Any:
        """Wait for a message of the process. Raises `WorkerLostError`."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def join(self) -> None:
        """Wait for the end of the process."""
        self._process.join()
        atexit.unregister(self._process.kill)

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        self.join()
        self.pipe.close()

    def _lost(self) -> WorkerLostError:
        self._process.join()
        if self._process.exitcode == errno.ENOMEM:
            return WorkerLostError("out of memory in a worker process")
        return WorkerLostError(f"a worker process ended with status {self._process.exitcode}")


W = TypeVar("W", bound=WorkerProcess)


@contextmanager
def started_processes(number: int, start: Callable[[], W]) -> Iterator[list[W]]:
    """Start some workers; they are killed at the end of the block."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(start())) for _ in range(number)]


def _run_in_worker(work: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be blocked
    threading.Thread(target=end_with_parent, daemon=True).start()
    work(*arguments)


@contextmanager
def stop_signals_blocked() -> Iterator[None]:
    """Processes started in the block never receive Ctrl-C: the parent decides when to stop."""
    if sys.platform == "win32":  # no signals to block
        yield
        return
    resource_tracker.ensure_running()  # started later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Wait for the parent to end, then end this process at once. To be run in a thread of its own."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# ---------------------------------------------------------------------------------------------------

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
    """Composes chunks and returns them in any order.

    ``size``: the number of processes; ``chunk_seconds``: how long a chunk should take.
    """

    size: int
    chunk_seconds: float

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Submit a chunk; ``finds`` has all that its roots may know."""

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``.

        Raises `generator.run.worker_pool.WorkerLostError`, and what a proof raised.
        """


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
    """A process that composes one chunk at a time."""

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
