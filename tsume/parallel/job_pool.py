# SPDX-License-Identifier: GPL-3.0-or-later
"""A pool of worker processes for an event loop: jobs by slot, cancellation, replacement of lost workers.

`ProcessPoolExecutor` cannot cancel a job that runs, ends with the first worker that is killed, and returns
a result only as a whole.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing
from typing import Any

from tsume.parallel.job_worker import JobWorker, WorkerActivity
from tsume.parallel.jobs import Busy, Job, Lost, MakeContext

GRACE = 0.5
"""Seconds in which a cancelled job has to end before its process is killed."""
_LOADING_TIMEOUT = 180.0
"""Seconds that a job waits for a process to be loaded."""
_RESTART_SECONDS = 2.0
"""Seconds before a process that ended while it was loading is replaced."""


async def only_result(results: AsyncGenerator[Any, None]) -> Any:
    """The one part of a result. Raises `Lost` if there is none."""
    found = [item async for item in results]
    if not found:
        raise Lost
    return found[0]


class JobPool:
    """Runs jobs in some ``processes``, first come, first served in each slot.

    ``limits`` has for each slot how many jobs may run or wait, ``at_once`` how many may run (default: one). A
    cancelled job frees its slot at once: the next one goes to an idle process. A pool belongs to one event
    loop; close it at the end.
    """

    def __init__(
        self,
        make_context: MakeContext,
        limits: Mapping[str, int],
        processes: int,
        at_once: Mapping[str, int] | None = None,
    ) -> None:
        self._make_context = make_context
        self._processes = processes
        self._limits = limits
        self._at_once = at_once or {}
        self._jobs: Counter[str] = Counter()
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._workers: list[JobWorker] = []
        self._changed = asyncio.Event()
        self._open = False
        self._ready: asyncio.Task[object] | None = None

    def start(self, ready: Coroutine[Any, Any, object] | None = None) -> None:
        """Begin to start the processes, one after the other, once ``ready`` has ended.

        Jobs wait for that. Closing the pool cancels it.
        """
        self._slots = {slot: asyncio.Semaphore(self._at_once.get(slot, 1)) for slot in self._limits}
        self._open = True
        if ready is None:
            self._fill()
        else:
            self._ready = asyncio.get_running_loop().create_task(ready)
            self._ready.add_done_callback(lambda _: self._fill())

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        """The result of a job, part by part. Raises `Busy`, and `Lost` and `Overtime` as a worker does.

        Exhaust the iterator or close it, which cancels the job.
        """
        if self._jobs[job.slot] >= self._limits[job.slot]:
            raise Busy
        self._jobs[job.slot] += 1
        try:
            async with self._slots[job.slot]:
                worker = await self._idle(job.slot)
                async with aclosing(worker.results(job, GRACE)) as results:
                    async for item in results:
                        yield item
        finally:
            self._jobs[job.slot] -= 1

    def close(self) -> None:
        """Kill the processes; jobs that run or wait are lost."""
        self._open = False
        if self._ready is not None:
            self._ready.cancel()
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()
        self._changed.set()

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def _idle(self, slot: str) -> JobWorker:
        """An idle process, preferably the one that ran the last job of the slot."""
        try:
            if self._ready is not None:
                await asyncio.wait([self._ready])
            async with asyncio.timeout(_LOADING_TIMEOUT):
                while not (idle := [one for one in self._workers if one.state is WorkerActivity.IDLE]):
                    if not self._open:
                        raise Lost
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise Lost from None
        return min(idle, key=lambda worker: (worker.slot != slot, worker.slot is not None))

    def _fill(self) -> None:
        """Start a process if one is missing and none is loading."""
        is_loading = any(worker.state is WorkerActivity.LOADING for worker in self._workers)
        if self._open and not is_loading and len(self._workers) < self._processes:
            self._workers.append(JobWorker(self._make_context, self._update))

    def _update(self, worker: JobWorker) -> None:
        """Handle a worker's new state."""
        self._changed.set()
        if worker.state is WorkerActivity.ENDED and worker in self._workers:
            self._workers.remove(worker)
            if worker.slot is None and self._open:  # it may have ended while it was loading
                asyncio.get_running_loop().call_later(_RESTART_SECONDS, self._fill)
                return
        if worker.state in (WorkerActivity.IDLE, WorkerActivity.ENDED):
            self._fill()
