# SPDX-License-Identifier: GPL-3.0-or-later
"""A pool of a Dask scheduler's workers.

A worker may join, leave or be killed at any time: its chunks are composed again elsewhere, with the same
result. Keys of lines that were found are distributed in shards that workers keep, so that each key is sent
to a worker once.
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

from generator.run.composer import RootResult
from generator.run.novelty import FoundKeys, first_root_of_needed_batch
from generator.run.processes import WorkerLostError
from generator.run.worker_pool import Chunk, PoolFactory, RunJob, WorkerPool
from tsume.cluster.build import build_differences, build_of_this_process, build_token
from tsume.cluster.tasks import compose_chunk_task, shared_run_value

_CHUNK_SECONDS = 10.0
"""Long enough for thousands of workers: a scheduler needs a millisecond or two for each chunk."""
_QUEUED = 2
"""Chunks for each worker, so that none waits for its next one."""
_POLL_SECONDS = 2.0
"""Seconds between two counts of the workers."""
_LOST_SECONDS = 60.0
"""Seconds without connection after which the scheduler counts as lost."""
_DEATHS = 50
"""Workers that die while they compose a chunk, until it counts as the cause."""
_SHARD = 4096
"""Keys in a shard, at least; later ones have an eighth of all before."""
_CONNECT_SECONDS = 30
_LOGGERS = ("distributed", "distributed.client", "distributed.core", "distributed.comm", "tornado", "asyncio")


class SchedulerLostError(WorkerLostError):
    """The scheduler ended or cannot be reached."""


class ClusterPool:
    """A pool of a scheduler's workers; only those of the same build as this process get work."""

    chunk_seconds = _CHUNK_SECONDS

    def __init__(self, client: Client, job: RunJob, report: Callable[[str], None]) -> None:
        self._client = client
        self._report = report
        self._build = build_of_this_process()
        self._token = build_token(self._build)
        self._run = f"tsume-{uuid.uuid4().hex}"
        self._job = client.submit(shared_run_value, job, key=f"{self._run}-job", priority=10)
        self._shards = _KeyShards(client, self._run)
        self._chunks: dict[Future[Any], tuple[Chunk, int]] = {}
        """The submitted chunks, and how many workers died while they composed each."""
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._counted_at = 0.0
        self._refused: set[str] = set()
        self.size = 1
        self._count_workers()

    # --- the workers ---------------------------------------------------------------------

    def _count_workers(self) -> None:
        """Count the workers; report once for each unsuitable one why it gets no work."""
        if time.monotonic() - self._counted_at < _POLL_SECONDS:
            return
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        suitable = [name for name, worker in workers.items() if self._token in worker["resources"]]
        for name in set(workers) - set(suitable) - self._refused:
            self._refused.add(name)
            self._report(f"{name} gets no work: {self._why_unsuitable(name)}")
        self.size = max(1, len(suitable))
        self._counted_at = time.monotonic()

    def _why_unsuitable(self, worker: str) -> str:
        try:
            theirs = self._client.run(build_of_this_process, workers=[worker])[worker]
        except Exception as error:  # whatever it raises: it has no tsume, or is gone
            why = " ".join(str(error).split())[:200]
            return f"its tsume does not respond ({type(error).__name__}: {why})"
        return "; ".join(build_differences(self._build, theirs)) or "it was not started by `tsume worker`"

    def require_workers(self) -> None:
        """Raise `SchedulerLostError` if there are workers, but no suitable one."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if workers and not any(self._token in worker["resources"] for worker in workers.values()):
            raise SchedulerLostError("no worker of the scheduler gets the same results as this tsume")

    # --- chunks --------------------------------------------------------------------------

    def capacity(self) -> int:
        """How many more chunks can be submitted now."""
        self._count_workers()
        return max(0, _QUEUED * self.size - len(self._chunks))

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Submit a chunk to the scheduler."""
        self._shards.fill(finds, first_root_of_needed_batch(chunk.first))
        self._submit(chunk, 0)

    def _submit(self, chunk: Chunk, deaths: int) -> None:
        names, shards, last = self._shards.names, self._shards.futures, self._shards.last
        future = self._client.submit(
            compose_chunk_task, self._run, self._job, chunk, last, names, *shards,
            key=f"{self._run}-{chunk.first}-{deaths}", resources={self._token: 1}, priority=-chunk.first,
            retries=0,
        )  # fmt: skip
        self._chunks[future] = chunk, deaths
        future.add_done_callback(self._done.put)

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """The results of finished chunks; waits for one for at most ``seconds``."""
        until = None if seconds is None else time.monotonic() + seconds
        lost_at = None
        while True:
            wait = _POLL_SECONDS if until is None else min(_POLL_SECONDS, max(0.0, until - time.monotonic()))
            done = _finished_futures(self._done, wait)
            if done:
                return self._results(done)
            if self._client.status != "running":
                lost_at = lost_at or time.monotonic()
                if time.monotonic() - lost_at > _LOST_SECONDS:
                    raise SchedulerLostError("the scheduler can no longer be reached")
            else:
                lost_at = None
            if self.capacity() or (until is not None and time.monotonic() >= until):
                return []

    def _results(self, done: list[Future[Any]]) -> list[list[RootResult]]:
        results = []
        for future in done:
            if future.status == "cancelled":
                raise SchedulerLostError("the scheduler is gone, and its tasks are lost")
            chunk, deaths = self._chunks.pop(future)
            try:
                results.append(future.result())
            except KilledWorker:
                if deaths >= _DEATHS:
                    raise WorkerLostError(f"workers crash on root {chunk.first}") from None
                self._submit(chunk, deaths + 1)
            except (OSError, TimeoutError) as error:
                raise SchedulerLostError(f"the scheduler is gone: {error}") from None
            future.release()
        return results

    def close(self) -> None:
        """Cancel the chunks that are being composed."""
        with suppress(Exception):  # the scheduler is gone
            self._client.cancel([*self._chunks, *self._shards.futures, self._job], force=True)


def _finished_futures(done: queue.SimpleQueue[Future[Any]], seconds: float) -> list[Future[Any]]:
    """All that is in a queue; waits for the first for ``seconds`` at most."""
    taken = []
    with suppress(queue.Empty):
        taken.append(done.get(timeout=seconds))
        while True:
            taken.append(done.get_nowait())
    return taken


class _KeyShards:
    """The keys found so far, in shards that are distributed as tasks; ``last``: those in no shard yet."""

    def __init__(self, client: Client, run: str) -> None:
        self._client = client
        self._run = run
        self._start = 0
        self._size = 0
        self.names: tuple[str, ...] = ()
        self.futures: tuple[Future[Any], ...] = ()
        self.last: Any = FoundKeys().keys_of_roots(0, 0)

    def fill(self, finds: FoundKeys, end: int) -> None:
        """Add the keys that the roots below ``end`` found."""
        self.last = finds.keys_of_roots(self._start, end)
        number = len(self.last[0])
        if number >= max(_SHARD, self._size // 8):
            name = f"{self._run}-found-{len(self.names)}"
            shard = self._client.submit(shared_run_value, self.last, key=name, priority=10)
            self.names, self.futures = (*self.names, name), (*self.futures, shard)
            self._start, self._size = end, self._size + number
            self.last = finds.keys_of_roots(end, end)


def cluster_pool(address: str, security: Security | None = None) -> PoolFactory:
    """The factory of a pool of a scheduler's workers; the address is, for example, ``tcp://host:8786``.

    It raises `SchedulerLostError` if the scheduler cannot be reached.
    """

    @contextmanager
    def made(job: RunJob) -> Iterator[WorkerPool]:
        for logger in _LOGGERS:
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # errors are raised here
        try:
            client = Client(
                address, security=security, set_as_default=False, timeout=_CONNECT_SECONDS, name="tsume"
            )
        except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
            raise SchedulerLostError(f"{address}: the scheduler does not respond ({error})") from None
        with client:
            pool = ClusterPool(client, job, lambda text: click.echo(text, err=True))
            pool.require_workers()
            try:
                yield pool
            finally:
                pool.close()

    return made
