# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing on many machines, by Dask's scheduler and workers (``tsume-shogi[cluster]``).

The machine with the store submits chunks of roots to the scheduler, the workers compose them. Both must have
the same build, or they would find different problems.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import queue
import signal
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click
import dask.config
import numpy as np
from distributed import Client, Future, Nanny, Security
from distributed.comm.addressing import get_address_host_port
from distributed.core import rpc
from distributed.scheduler import KilledWorker

from generator.run.composer import RootResult
from generator.run.novelty import FoundKeys, first_root_of_needed_batch
from generator.run.processes import WorkerLostError
from generator.run.roots import Chunk, PoolFactory, RunJob, WorkerPool, WorkerState

# --- what two machines must have in common to find the same problems -------------------------------
#
# NumPy guarantees equal random numbers only for equal builds. Compiled kernels compute the same on all machines. All of
# it is compared before a worker gets work.


def own_build_properties() -> dict[str, str]:
    """Return what determines the problems that this process finds, by name."""
    import numpy as np

    from generator.problem import GENERATOR_VERSION
    from tsume import __version__
    from tsume_rules.kernel.compile import kernel_sources_hash

    try:
        umath: Any = import_module("numpy._core._multiarray_umath")
    except ImportError:  # before NumPy 2
        umath = import_module("numpy.core._multiarray_umath")
    # The enabled processor features for which NumPy has its own loops.
    loops = sorted(name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name))
    return {
        "tsume": __version__,
        "recipe": str(GENERATOR_VERSION),
        "kernels": kernel_sources_hash(),
        "numpy": np.__version__,
        "numpy's processor features": " ".join(loops) or "none",
    }


def fingerprint_of_build(of: Mapping[str, str]) -> str:
    """Return a short name of a build, the same for builds that find the same problems."""
    text = "\n".join(f"{name}={value}" for name, value in sorted(of.items()))
    return f"tsume-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def differences_between_builds(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """Return the differences between two builds in words; of long lists only what one of them lacks."""
    found = []
    for name in sorted({*ours, *theirs}):
        here, there = ours.get(name, "none"), theirs.get(name, "none")
        ours_only, theirs_only = ({*one.split()} - {*other.split()} for one, other in ((here, there), (there, here)))
        if here != there and max(len({*here.split()}), len({*there.split()})) == 1:
            found.append(f"{name} {there} there, {here} here")
        elif here != there:
            lacking = (("there", theirs_only), ("here", ours_only))
            only = [f"{' '.join(sorted(some))} only {place}" for place, some in lacking if some]
            found.append(f"{name}: {', '.join(only)}")
    return found


# --- what runs in a worker: chunks of roots, composed with a state that is kept from one to the next ---

Keys = tuple[np.ndarray, np.ndarray]
"""What roots found: the roots and the keys, int64 [key] each."""


def shared_run_value_task(value: Any) -> Any:
    """Return a value that all chunks of a run need, as a task: the scheduler repeats it if it is lost."""
    return value


_run_states: dict[str, tuple[WorkerState, set[str]]] = {}
"""The state of the run that this process works on, and the shards it has learnt, by the run's name."""


def compose_chunk_task(
    run: str, job: RunJob, chunk: Chunk, last: Keys, names: tuple[str, ...], *shards: Keys
) -> list[RootResult]:
    """Return the results of a chunk. ``shards`` with their ``names``, and ``last``, are what earlier roots found."""
    if run not in _run_states:
        _run_states.clear()  # frees the memory of an earlier run
        _run_states[run] = WorkerState(job), set()
    state, learnt = _run_states[run]
    for name, shard in zip(names, shards, strict=True):
        if name not in learnt:
            state.add_known_keys(*shard)
            learnt.add(name)
    state.add_known_keys(*last)
    return state.compose_chunk(chunk)


# --- whether a scheduler answers, checked before Dask starts to retry in the background ------------

_ANSWER_SECONDS = 5.0
_PAUSE = 0.25


class NoSchedulerError(Exception):
    """No scheduler answers at an address; the message is one line."""


def require_scheduler(address: str, security: Security | None = None, wait: float = 0.0) -> None:
    """Raise `NoSchedulerError` unless a scheduler answers within a few seconds.

    If nothing listens, which is known at once, it retries for ``wait`` seconds.
    """
    for logger in ("distributed", "asyncio"):  # asyncio tells of tasks that Ctrl-C ended
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # errors are raised here
    until = time.monotonic() + wait

    async def server_kind() -> str:
        arguments = (security or Security()).get_connection_args("client")
        async with rpc(address, timeout=_ANSWER_SECONDS, connection_args=arguments) as server:
            identity = await asyncio.wait_for(server.identity(), _ANSWER_SECONDS)
        return str(identity.get("type"))

    try:
        while True:
            try:
                place = get_address_host_port(address, strict=True)
                with socket.create_connection(place, _ANSWER_SECONDS):
                    break
            except ConnectionRefusedError:
                if time.monotonic() >= until:
                    raise
            time.sleep(_PAUSE)
        kind = asyncio.run(server_kind())
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError, OverflowError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise NoSchedulerError(f"{address}: the scheduler does not respond ({why})") from None
    if kind != "Scheduler":
        raise NoSchedulerError(f"{address}: not a scheduler (it is a {kind})")


# --- a pool of a Dask scheduler's workers ----------------------------------------------------------
#
# A worker may join, leave or be killed at any time: its chunks are composed again elsewhere, with the same result. Keys
# of lines that were found are distributed in shards that workers keep, so that each key is sent to a worker once.

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
        self._build = own_build_properties()
        self._token = fingerprint_of_build(self._build)
        self._run = f"tsume-{uuid.uuid4().hex}"
        self._job = client.submit(shared_run_value_task, job, key=f"{self._run}-job", priority=10)
        # The keys found so far, in shards that are distributed as tasks; ``_last``: those in no shard yet.
        self._shards: dict[str, Future[Any]] = {}
        self._first_unsharded = self._sharded = 0
        self._last: Any = FoundKeys().keys_of_roots(0, 0)
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
            try:
                theirs = self._client.run(own_build_properties, workers=[name])[name]
            except Exception as error:  # whatever it raises: it has no tsume, or is gone
                why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                self._report(f"{name} gets no work: its tsume does not respond ({why})")
            else:
                differences = "; ".join(differences_between_builds(self._build, theirs))
                reason = differences or "it was not started by `tsume worker`"
                self._report(f"{name} gets no work: {reason}")
        self.size = max(1, len(suitable))
        self.has_no_suitable_worker = bool(workers) and not suitable
        self._counted_at = time.monotonic()

    # --- chunks --------------------------------------------------------------------------

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""
        self._count_workers()
        return max(0, _QUEUED * self.size - len(self._chunks))

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Submit a chunk to the scheduler."""
        end = first_root_of_needed_batch(chunk.first)
        self._last = finds.keys_of_roots(self._first_unsharded, end)
        number = len(self._last[0])
        if number >= max(_SHARD, self._sharded // 8):
            name = f"{self._run}-found-{len(self._shards)}"
            self._shards[name] = self._client.submit(shared_run_value_task, self._last, key=name, priority=10)
            self._first_unsharded, self._sharded = end, self._sharded + number
            self._last = finds.keys_of_roots(end, end)
        self._submit(chunk, 0)

    def _submit(self, chunk: Chunk, deaths: int) -> None:
        future = self._client.submit(
            compose_chunk_task, self._run, self._job, chunk, self._last, tuple(self._shards), *self._shards.values(),
            key=f"{self._run}-{chunk.first}-{deaths}", resources={self._token: 1}, priority=-chunk.first,
            retries=0,
        )  # fmt: skip
        self._chunks[future] = chunk, deaths
        future.add_done_callback(self._done.put)

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``."""
        until = None if seconds is None else time.monotonic() + seconds
        lost_at = None
        while True:
            wait = _POLL_SECONDS if until is None else min(_POLL_SECONDS, max(0.0, until - time.monotonic()))
            done = []
            with suppress(queue.Empty):
                done.append(self._done.get(timeout=wait))
                while True:
                    done.append(self._done.get_nowait())
            if done:
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
            if self._client.status != "running":
                lost_at = lost_at or time.monotonic()
                if time.monotonic() - lost_at > _LOST_SECONDS:
                    raise SchedulerLostError("the scheduler can no longer be reached")
            else:
                lost_at = None
            if self.capacity() or (until is not None and time.monotonic() >= until):
                return []

    def close(self) -> None:
        """Cancel the chunks that are being composed."""
        with suppress(Exception):  # the scheduler is gone
            self._client.cancel([*self._chunks, *self._shards.values(), self._job], force=True)


def cluster_pool(address: str, security: Security | None = None) -> PoolFactory:
    """Yield the factory of a pool of a scheduler's workers; the address is, for example, ``tcp://host:8786``.

    It raises `SchedulerLostError` if the scheduler cannot be reached.
    """

    @contextmanager
    def made(job: RunJob) -> Iterator[WorkerPool]:
        for logger in _LOGGERS:
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # errors are raised here
        try:
            client = Client(address, security=security, set_as_default=False, timeout=_CONNECT_SECONDS, name="tsume")
        except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
            raise SchedulerLostError(f"{address}: the scheduler does not respond ({error})") from None
        with client:
            pool = ClusterPool(client, job, lambda text: click.echo(text, err=True))
            if pool.has_no_suitable_worker:
                raise SchedulerLostError("no worker of the scheduler gets the same results as this tsume")
            try:
                yield pool
            finally:
                pool.close()

    return made


# --- workers for a scheduler: processes of this machine with one thread each, restarted when they die ---

SETTINGS: dict[str, Any] = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.daemon": True,
}
"""Without a profiler; workers are not killed for memory, which they limit themselves."""


def serve_scheduler(address: str, jobs: int, security: Security | None) -> None:
    """Work for a scheduler until it closes or a signal arrives."""
    resources = {fingerprint_of_build(own_build_properties()): 1.0}

    async def serve_until_closed() -> None:
        logging.getLogger("distributed").setLevel(logging.WARNING)
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        nannies = [
            Nanny(address, nthreads=1, memory_limit=0, security=security, resources=resources, config=SETTINGS)
            for _ in range(jobs)
        ]
        try:
            await asyncio.gather(*nannies)
            ends = [asyncio.ensure_future(nanny.finished()) for nanny in nannies]
            await asyncio.wait([*ends, asyncio.ensure_future(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await asyncio.gather(*(nanny.close(timeout=5) for nanny in nannies), return_exceptions=True)

    with dask.config.set(SETTINGS):
        asyncio.run(serve_until_closed())
