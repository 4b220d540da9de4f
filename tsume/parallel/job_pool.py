# SPDX-License-Identifier: GPL-3.0-or-later
"""A pool of worker processes for an event loop: jobs by slot, cancellation, replacement of lost workers.

`ProcessPoolExecutor` cannot cancel a job that runs, ends with the first worker that is killed, and returns
a result only as a whole.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, aclosing, suppress
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, Protocol

from generator.run.processes import WorkerProcess

# --- jobs for worker processes, and the messages between a worker and its pool ---------------------


class JobContext(Protocol):
    """What a worker process keeps from one job to the next."""

    def look(self) -> None:
        """Raise `JobCancelled` once the job is cancelled; called often while a job runs."""

    def watched(self) -> AbstractContextManager[None]:
        """Inside the block searches end when the job is cancelled."""


class Job(Protocol):
    """A request's work; it is sent to the process, so it is plain data."""

    @property
    def slot(self) -> str:
        """Jobs of one slot wait for each other."""

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""

    def run(self, context: Any) -> Iterator[Any]:
        """Return the result, part by part."""


MakeContext = Callable[[Callable[[], None], Callable[[Any], None]], JobContext]
"""Makes a worker's context, given its ``look``, and what sends a part of a result at once; it is pickled."""


class JobMessageKind(Enum):
    """What an answer of a worker is."""

    READY = "ready"
    """The context is made."""
    ITEM = "item"
    """A part of the result."""
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """The job met a bug; stderr has the traceback."""


JobAnswer = tuple[JobMessageKind, Any]
"""With a `JobMessageKind.ITEM` comes the part of the result."""


class JobCancelled(Exception):
    """The job was cancelled."""


class PoolBusy(Exception):
    """Too many jobs of a slot wait."""


class WorkerLost(Exception):
    """A worker process ended while it worked."""


class JobTimeout(Exception):
    """A job exceeded its timeout; its process was killed."""


# --- what a worker process of a job pool runs: one job after the other -----------------------------


def serve_jobs(pipe: Connection, make_context: MakeContext) -> None:
    """Make the context, then run the jobs that come through the pipe."""
    jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
    cancelled = threading.Event()

    def look() -> None:
        if cancelled.is_set():
            raise JobCancelled

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                message = pipe.recv()
                if message is None:
                    cancelled.set()
                else:
                    cancelled.clear()
                    jobs.put(message)
        jobs.put(None)

    threading.Thread(target=read, daemon=True).start()
    context = make_context(look, lambda item: pipe.send((JobMessageKind.ITEM, item)))
    with suppress(OSError):  # the parent is gone
        pipe.send((JobMessageKind.READY, None))
        while (job := jobs.get()) is not None:
            end = JobMessageKind.DONE
            try:
                with context.watched():
                    for item in job.run(context):
                        pipe.send((JobMessageKind.ITEM, item))
                        context.look()
            except JobCancelled:
                end = JobMessageKind.CANCELLED
            except Exception:
                traceback.print_exc()
                end = JobMessageKind.FAILED
            pipe.send((end, None))


# --- a worker process that runs jobs, as its event loop sees it ------------------------------------


class WorkerActivity(Enum):
    """What a worker does."""

    LOADING = "loading"
    IDLE = "idle"
    BUSY = "busy"
    ENDED = "ended"


class JobWorker(WorkerProcess):
    """A process that runs one job at a time. ``changed`` is called when its state has changed."""

    def __init__(self, make_context: MakeContext, changed: Callable[[JobWorker], None]) -> None:
        super().__init__(serve_jobs, make_context)
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._answers: asyncio.Queue[JobAnswer | None] = asyncio.Queue()
        self.state = WorkerActivity.LOADING
        self.slot: str | None = None
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    async def results(self, job: Job, grace: float) -> AsyncGenerator[Any, None]:
        """Yield the result of a job, part by part.

        Raises `WorkerLost` if the process ends or meets a bug, and `JobTimeout` if the job's timeout passes. If the
        iterator is closed before its end, the job is cancelled; a process that then goes on for longer than
        ``grace`` seconds is killed.
        """
        assert self.state is WorkerActivity.IDLE
        answers = self._answers = asyncio.Queue[JobAnswer | None]()
        self._set_state(WorkerActivity.BUSY)
        self.slot = job.slot
        ended = False
        try:
            self._post(job)
            deadline = self._loop.time() + job.timeout
            while True:
                if answers.empty():
                    try:
                        answer = await asyncio.wait_for(answers.get(), deadline - self._loop.time())
                    except TimeoutError:
                        self._kill_if_at(answers)
                        raise JobTimeout from None
                else:  # the time of a client that reads slowly does not count
                    answer = answers.get_nowait()
                ended = answer is None or answer[0] is not JobMessageKind.ITEM
                if answer is None or answer[0] in (JobMessageKind.FAILED, JobMessageKind.CANCELLED):
                    raise WorkerLost
                if ended:
                    return
                yield answer[1]
        finally:
            if not ended:
                self._post(None)
                self._loop.call_later(grace, self._kill_if_at, answers)

    def _post(self, message: Job | None) -> None:
        """Send a job, or None, which cancels it."""
        with suppress(OSError):  # the process is gone, as the listener will notice
            self.pipe.send(message)

    def _kill_if_at(self, answers: asyncio.Queue[JobAnswer | None]) -> None:
        """End the process if it still works on the job with these answers."""
        if self.state is WorkerActivity.BUSY and self._answers is answers:
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        super().kill()
        self._set_state(WorkerActivity.ENDED)

    def join(self) -> None:
        """Wait for the end of a process that was killed."""
        self._listener.join()

    def _listen(self) -> None:
        """Pass the answers to the event loop until the process ends."""

        def receive(answer: JobAnswer | None) -> None:
            self._answers.put_nowait(answer)
            if answer is None:
                self._set_state(WorkerActivity.ENDED)
            elif answer[0] is not JobMessageKind.ITEM:
                self._set_state(WorkerActivity.IDLE)

        def pass_on(answer: JobAnswer | None) -> None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(receive, answer)

        with suppress(EOFError, OSError):
            while True:
                pass_on(self.pipe.recv())
        super().join()
        pass_on(None)

    def _set_state(self, state: WorkerActivity) -> None:
        if self.state is not WorkerActivity.ENDED:
            self.state = state
            self._changed(self)


# --- a pool of worker processes for an event loop --------------------------------------------------

GRACE = 0.5
"""Seconds in which a cancelled job has to end before its process is killed."""
_LOADING_TIMEOUT = 180.0
"""Seconds that a job waits for a process to be loaded."""
_RESTART_SECONDS = 2.0
"""Seconds before a process that ended while it was loading is replaced."""


async def single_result(results: AsyncGenerator[Any, None]) -> Any:
    """Return the one part of a result. Raises `WorkerLost` if there is none."""
    found = [item async for item in results]
    if not found:
        raise WorkerLost
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

    def start(self) -> None:
        """Begin to start the processes, one after the other."""
        self._slots = {slot: asyncio.Semaphore(self._at_once.get(slot, 1)) for slot in self._limits}
        self._open = True
        self._fill()

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        """Yield the result of a job, part by part. Raises `PoolBusy`, or `WorkerLost` and `JobTimeout` as workers do.

        Exhaust the iterator or close it, which cancels the job.
        """
        if self._jobs[job.slot] >= self._limits[job.slot]:
            raise PoolBusy
        self._jobs[job.slot] += 1
        try:
            async with self._slots[job.slot]:
                try:
                    async with asyncio.timeout(_LOADING_TIMEOUT):
                        while not (idle := [one for one in self._workers if one.state is WorkerActivity.IDLE]):
                            if not self._open:
                                raise WorkerLost
                            self._changed.clear()
                            await self._changed.wait()
                except TimeoutError:
                    raise WorkerLost from None
                # Preferably the one that ran the last job of the slot.
                worker = min(idle, key=lambda one: (one.slot != job.slot, one.slot is not None))
                async with aclosing(worker.results(job, GRACE)) as results:
                    async for item in results:
                        yield item
        finally:
            self._jobs[job.slot] -= 1

    def close(self) -> None:
        """Kill the processes; jobs that run or wait are lost."""
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

    def _fill(self) -> None:
        """Start a process if one is missing and none is loading."""
        is_loading = any(worker.state is WorkerActivity.LOADING for worker in self._workers)
        if self._open and not is_loading and len(self._workers) < self._processes:
            self._workers.append(JobWorker(self._make_context, self._update))

    def _update(self, worker: JobWorker) -> None:
        self._changed.set()
        if worker.state is WorkerActivity.ENDED and worker in self._workers:
            self._workers.remove(worker)
            if worker.slot is None and self._open:  # it may have ended while it was loading
                asyncio.get_running_loop().call_later(_RESTART_SECONDS, self._fill)
                return
        if worker.state in (WorkerActivity.IDLE, WorkerActivity.ENDED):
            self._fill()
