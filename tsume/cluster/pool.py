"""A pool of the workers that a Dask scheduler has, wherever they are.

A worker may come, go or be killed at any time: its chunks are composed again elsewhere, with the same
result. What was found is handed on in volumes that workers keep, so that each hears of a line once.
"""

from __future__ import annotations

import logging
import queue
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click
from distributed import Client, Future, Security
from distributed.scheduler import KilledWorker

from generator.run.batches import first_needed
from generator.run.composer import RootResult
from generator.run.novelty import Finds
from generator.run.processes import WorkerLostError
from generator.run.worker_pool import Chunk, Job, PoolFactory, WorkerPool
from tsume.cluster.build import build, differences, token
from tsume.cluster.tasks import composed, handed_on

_CHUNK_SECONDS = 10.0
"""Long enough for a scheduler that needs a millisecond or two for each, for thousands of workers."""
_EACH = 2
"""Chunks that a worker has, so that it need not wait for the next one."""
_LOOK_SECONDS = 2.0
"""How often the workers are counted."""
_PATIENCE = 60.0
"""Seconds without connection after which the scheduler is taken for lost."""
_DEATHS = 50
"""A chunk that so many workers died of is taken for the cause."""
_VOLUME = 4096
"""Keys in a volume, at least; later ones have an eighth of those before."""
_CONNECT_SECONDS = 30
_LOGGERS = ("distributed", "distributed.client", "distributed.core", "distributed.comm", "tornado", "asyncio")


class SchedulerLostError(WorkerLostError):
    """The scheduler is gone, or cannot be reached."""


class Cluster:
    """A pool of a scheduler's workers; only those of the same build as this process get work."""

    chunk_seconds = _CHUNK_SECONDS

    def __init__(self, client: Client, job: Job, tell: Callable[[str], None]) -> None:
        self._client = client
        self._tell = tell
        self._build = build()
        self._token = token(self._build)
        self._run = f"tsume-{uuid.uuid4().hex}"
        self._orders = client.submit(handed_on, job, key=f"{self._run}-job", priority=10)
        self._volumes = _Volumes(client, self._run)
        self._chunks: dict[Future[Any], tuple[Chunk, int]] = {}
        """The chunks that are handed out, and how often a worker died of each."""
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._looked_at = 0.0
        self._refused: set[str] = set()
        self.size = 1
        self._look()

    # --- the workers ---------------------------------------------------------------------

    def _look(self) -> None:
        """Count the workers; say once of each one why it gets nothing to do."""
        if time.monotonic() - self._looked_at < _LOOK_SECONDS:
            return
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        fitting = [name for name, worker in workers.items() if self._token in worker["resources"]]
        for name in set(workers) - set(fitting) - self._refused:
            self._refused.add(name)
            self._tell(f"{name} gets no work: {self._why(name)}")
        self.size = max(1, len(fitting))
        self._looked_at = time.monotonic()

    def _why(self, worker: str) -> str:
        try:
            theirs = self._client.run(build, workers=[worker])[worker]
        except Exception as error:  # it has no tsume, or is gone: whatever it says
            return f"its tsume does not answer ({type(error).__name__}: {' '.join(str(error).split())[:200]})"
        return "; ".join(differences(self._build, theirs)) or "it was not started by `tsume worker`"

    def require_workers(self) -> None:
        """Raise `SchedulerLostError` if there are workers, but none that fits."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if workers and not any(self._token in worker["resources"] for worker in workers.values()):
            raise SchedulerLostError("no worker of the scheduler finds what this tsume finds")

    # --- chunks --------------------------------------------------------------------------

    def room(self) -> int:
        """How many more chunks it can be given now."""
        self._look()
        return max(0, _EACH * self.size - len(self._chunks))

    def hand_out(self, chunk: Chunk, finds: Finds) -> None:
        """Give the scheduler a chunk."""
        self._volumes.fill(finds, first_needed(chunk.first))
        self._submit(chunk, 0)

    def _submit(self, chunk: Chunk, deaths: int) -> None:
        names, volumes, last = self._volumes.names, self._volumes.futures, self._volumes.last
        future = self._client.submit(
            composed, self._run, self._orders, chunk, last, names, *volumes,
            key=f"{self._run}-{chunk.first}-{deaths}", resources={self._token: 1}, priority=-chunk.first,
            retries=0,
        )  # fmt: skip
        self._chunks[future] = chunk, deaths
        future.add_done_callback(self._done.put)

    def gather(self, seconds: float | None) -> list[list[RootResult]]:
        """The results of chunks that are done; waits for one, for ``seconds`` at most."""
        until = None if seconds is None else time.monotonic() + seconds
        lost_at = None
        while True:
            wait = _LOOK_SECONDS if until is None else min(_LOOK_SECONDS, max(0.0, until - time.monotonic()))
            done = _taken(self._done, wait)
            if done:
                return self._results(done)
            if self._client.status != "running":
                lost_at = lost_at or time.monotonic()
                if time.monotonic() - lost_at > _PATIENCE:
                    raise SchedulerLostError("the scheduler cannot be reached any more")
            else:
                lost_at = None
            if self.room() or (until is not None and time.monotonic() >= until):
                return []

    def _results(self, done: list[Future[Any]]) -> list[list[RootResult]]:
        results = []
        for future in done:
            if future.status == "cancelled":
                raise SchedulerLostError("the scheduler is gone, and what it was told with it")
            chunk, deaths = self._chunks.pop(future)
            try:
                results.append(future.result())
            except KilledWorker:
                if deaths >= _DEATHS:
                    raise WorkerLostError(f"workers die of root {chunk.first}") from None
                self._submit(chunk, deaths + 1)
            except (OSError, TimeoutError) as error:
                raise SchedulerLostError(f"the scheduler is gone: {error}") from None
            future.release()
        return results

    def dismiss(self) -> None:
        """Give up what is being composed."""
        with suppress(Exception):  # the scheduler is gone
            self._client.cancel([*self._chunks, *self._volumes.futures, self._orders], force=True)


def _taken(done: queue.SimpleQueue[Future[Any]], seconds: float) -> list[Future[Any]]:
    """What is in a queue; waits for something, for so many seconds at most."""
    taken = []
    with suppress(queue.Empty):
        taken.append(done.get(timeout=seconds))
        while True:
            taken.append(done.get_nowait())
    return taken


class _Volumes:
    """What was found, in volumes that are handed on as tasks, and the last few that make no volume yet."""

    def __init__(self, client: Client, run: str) -> None:
        self._client = client
        self._run = run
        self._start = 0
        self._size = 0
        self.names: tuple[str, ...] = ()
        self.futures: tuple[Future[Any], ...] = ()
        self.last: Any = Finds().between(0, 0)

    def fill(self, finds: Finds, end: int) -> None:
        """Add what the roots below ``end`` found."""
        self.last = finds.between(self._start, end)
        number = len(self.last[0])
        if number >= max(_VOLUME, self._size // 8):
            name = f"{self._run}-found-{len(self.names)}"
            volume = self._client.submit(handed_on, self.last, key=name, priority=10)
            self.names, self.futures = (*self.names, name), (*self.futures, volume)
            self._start, self._size = end, self._size + number
            self.last = finds.between(end, end)


def cluster(address: str, security: Security | None = None) -> PoolFactory:
    """Hires the workers of the scheduler at an address, such as ``tcp://host:8786``.

    Raises `SchedulerLostError` when it cannot be reached.
    """

    @contextmanager
    def made(job: Job) -> Iterator[WorkerPool]:
        for logger in _LOGGERS:
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # what matters is raised here
        try:
            client = Client(
                address, security=security, set_as_default=False, timeout=_CONNECT_SECONDS, name="tsume"
            )
        except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
            raise SchedulerLostError(f"{address}: no scheduler answers ({error})") from None
        with client:
            pool = Cluster(client, job, lambda text: click.echo(text, err=True))
            pool.require_workers()
            try:
                yield pool
            finally:
                pool.dismiss()

    return made
