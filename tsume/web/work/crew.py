"""The worker processes of the server: who does which job, who waits, and who takes a lost one's place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from tsume.growing import Grower
from tsume.web.work.messages import Busy, Job, Lost
from tsume.web.work.worker import State, Worker

GRACE = 0.5
"""Seconds in which a job that is given up has to end, before its process is killed."""
_LONGEST_LOADING = 180.0
"""Seconds that a job waits for a process to be loaded."""
_AGAIN = 2.0
"""Seconds before another process is started where one ended while it was loading."""


async def only(results: AsyncGenerator[Any, None]) -> Any:
    """The one part of a result. Raises `Lost` where there is none."""
    found = [item async for item in results]
    if not found:
        raise Lost
    return found[0]


class Crew:
    """Does jobs, one of each slot at a time, by some ``processes``.

    ``waiting`` says for each slot how many jobs may be done or wait. A job that is given up leaves its slot
    at once: the next goes to a process that is idle. Belongs to one event loop; close it at the end.
    """

    def __init__(self, memory: int, grower: Grower, waiting: Mapping[str, int], processes: int) -> None:
        self._memory, self._grower = memory, grower
        self._processes = processes
        self._most = waiting
        self._asked: Counter[str] = Counter()
        self._slots: dict[str, asyncio.Lock] = {}
        self._workers: list[Worker] = []
        self._changed = asyncio.Event()
        self._open = False

    def start(self) -> None:
        """Begin to start the processes, one after the other."""
        self._slots = {slot: asyncio.Lock() for slot in self._most}
        self._open = True
        self._fill()

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        """The result of a job, part by part. Raises `Busy`, and `Lost` and `Overtime` as a worker does.

        Who does not iterate to the end must close the iterator: then the job is given up.
        """
        if self._asked[job.slot] >= self._most[job.slot]:
            raise Busy
        self._asked[job.slot] += 1
        try:
            async with self._slots[job.slot]:
                worker = await self._idle(job.slot)
                async with aclosing(worker.results(job, GRACE)) as results:
                    async for item in results:
                        yield item
        finally:
            self._asked[job.slot] -= 1

    def close(self) -> None:
        """Kill the processes: what they do is lost, and what waits too."""
        self._open = False
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

    async def _idle(self, slot: str) -> Worker:
        """A process that has nothing to do; best the one that did the last job of the slot."""
        try:
            async with asyncio.timeout(_LONGEST_LOADING):
                while not (idle := [one for one in self._workers if one.state is State.IDLE]):
                    if not self._open:
                        raise Lost
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise Lost from None
        return min(idle, key=lambda worker: (worker.slot != slot, worker.slot is not None))

    def _fill(self) -> None:
        """Start a process if one is missing and none is loading."""
        is_loading = any(worker.state is State.LOADING for worker in self._workers)
        if self._open and not is_loading and len(self._workers) < self._processes:
            self._workers.append(Worker(self._memory, self._grower, self._note))

    def _note(self, worker: Worker) -> None:
        """A worker's state has changed."""
        self._changed.set()
        if worker.state is State.GONE and worker in self._workers:
            self._workers.remove(worker)
            if worker.slot is None and self._open:  # it may have ended while it was loading
                asyncio.get_running_loop().call_later(_AGAIN, self._fill)
                return
        if worker.state in (State.IDLE, State.GONE):
            self._fill()
