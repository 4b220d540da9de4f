"""One worker process as the server sees it. It belongs to the event loop that made it."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from enum import Enum
from typing import Any

from generator.run.processes import stop_signals_blocked
from tsume.growing import Grower
from tsume.web.work.messages import Answer, Job, Lost, Overtime, Said, Stop
from tsume.web.work.process import work


class State(Enum):
    """What a worker does."""

    LOADING = "loading"
    IDLE = "idle"
    WORKING = "working"
    GONE = "gone"


class Worker:
    """A process that does one job at a time. ``changed`` is called when its state has changed."""

    def __init__(self, memory: int, grower: Grower, changed: Callable[[Worker], None]) -> None:
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._answers: asyncio.Queue[Answer | None] = asyncio.Queue()
        self.state = State.LOADING
        self.slot: str | None = None
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._process = context.Process(target=work, args=(far_end, memory, grower), daemon=True)
        with stop_signals_blocked():
            self._process.start()
        far_end.close()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    async def results(self, job: Job, grace: float) -> AsyncGenerator[Any, None]:
        """The result of a job, part by part.

        Raises `Lost` where the process ends or meets a bug, and `Overtime` where it had to be killed. If the
        iterator is closed before its end, the job is given up; a process that then goes on for longer than
        ``grace`` seconds is killed.
        """
        assert self.state is State.IDLE
        answers = self._answers = asyncio.Queue[Answer | None]()
        self._turn(State.WORKING)
        self.slot = job.slot
        ended = False
        try:
            self._send(job)
            deadline = self._loop.time() + job.seconds
            while True:
                answer = await self._next(answers, deadline)
                ended = answer is None or answer[0] is not Said.ITEM
                if answer is None or answer[0] in (Said.FAILED, Said.STOPPED):
                    raise Lost
                if ended:
                    return
                yield answer[1]
        finally:
            if not ended:
                self._send(Stop())
                self._loop.call_later(grace, self._kill_if_at, answers)

    async def _next(self, answers: asyncio.Queue[Answer | None], deadline: float) -> Answer | None:
        if not answers.empty():  # a client that reads slowly takes no time of the job's
            return answers.get_nowait()
        try:
            return await asyncio.wait_for(answers.get(), deadline - self._loop.time())
        except TimeoutError:
            self._kill_if_at(answers)
            raise Overtime from None

    def _send(self, order: Job | Stop) -> None:
        with suppress(OSError):  # the process is gone: its end is heard soon
            self._pipe.send(order)

    def _kill_if_at(self, answers: asyncio.Queue[Answer | None]) -> None:
        """End the process if it still works on the job with these answers."""
        if self.state is State.WORKING and self._answers is answers:
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._turn(State.GONE)

    def join(self) -> None:
        """Wait for a process that was killed."""
        self._listener.join()

    def _listen(self) -> None:
        """Hand the answers to the event loop, until the process ends."""
        with suppress(EOFError, OSError):
            while True:
                self._tell(self._pipe.recv())
        self._process.join()
        self._tell(None)

    def _tell(self, answer: Answer | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._hear, answer)

    def _hear(self, answer: Answer | None) -> None:
        self._answers.put_nowait(answer)
        if answer is None:
            self._turn(State.GONE)
        elif answer[0] is not Said.ITEM:
            self._turn(State.IDLE)

    def _turn(self, state: State) -> None:
        if self.state is not State.GONE:
            self.state = state
            self._changed(self)
