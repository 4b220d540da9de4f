# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker process that runs jobs, as its event loop sees it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from enum import Enum
from typing import Any

from generator.run.processes import WorkerProcess
from tsume.parallel.job_process import serve_jobs
from tsume.parallel.jobs import Cancel, Job, JobAnswer, JobMessageKind, Lost, MakeContext, Overtime


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
        """The result of a job, part by part.

        Raises `Lost` if the process ends or meets a bug, and `Overtime` if the job's timeout passes. If the
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
                answer = await self._next(answers, deadline)
                ended = answer is None or answer[0] is not JobMessageKind.ITEM
                if answer is None or answer[0] in (JobMessageKind.FAILED, JobMessageKind.CANCELLED):
                    raise Lost
                if ended:
                    return
                yield answer[1]
        finally:
            if not ended:
                self._post(Cancel())
                self._loop.call_later(grace, self._kill_if_at, answers)

    async def _next(self, answers: asyncio.Queue[JobAnswer | None], deadline: float) -> JobAnswer | None:
        if not answers.empty():  # the time of a client that reads slowly does not count
            return answers.get_nowait()
        try:
            return await asyncio.wait_for(answers.get(), deadline - self._loop.time())
        except TimeoutError:
            self._kill_if_at(answers)
            raise Overtime from None

    def _post(self, message: Job | Cancel) -> None:
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
        with suppress(EOFError, OSError):
            while True:
                self._pass_on(self.pipe.recv())
        super().join()
        self._pass_on(None)

    def _pass_on(self, answer: JobAnswer | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._receive_answer, answer)

    def _receive_answer(self, answer: JobAnswer | None) -> None:
        self._answers.put_nowait(answer)
        if answer is None:
            self._set_state(WorkerActivity.ENDED)
        elif answer[0] is not JobMessageKind.ITEM:
            self._set_state(WorkerActivity.IDLE)

    def _set_state(self, state: WorkerActivity) -> None:
        if self.state is not WorkerActivity.ENDED:
            self.state = state
            self._changed(self)
