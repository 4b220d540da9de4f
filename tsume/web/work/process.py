"""What a worker process runs: one job after the other, until it is killed or its server ends."""

from __future__ import annotations

import queue
import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

from generator.run.processes import end_with_parent
from tsume.growing import Grower
from tsume.web.work.context import Stopped, WorkerContext
from tsume.web.work.judging import JudgementJob
from tsume.web.work.messages import Answer, Job, Said, Stop
from tsume_rules.sfen import parse_sfen

_FIRST = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
"""A mate in three, so that all that a judgement needs is loaded."""


def work(pipe: Connection, memory: int, grower: Grower) -> None:
    """Load the engine, then answer the jobs that come through the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops its workers
    threading.Thread(target=end_with_parent, daemon=True).start()
    orders = _Orders(pipe)
    context = WorkerContext(memory, grower, orders.look)
    for _ in JudgementJob(parse_sfen(_FIRST)).run(context):
        pass
    with suppress(OSError):  # the server is gone
        pipe.send((Said.READY, None))
        while (job := orders.next()) is not None:
            for answer in _answers(job, context):
                pipe.send(answer)


def _answers(job: Job, context: WorkerContext) -> Iterator[Answer]:
    try:
        with context.watched():
            for item in job.run(context):
                yield Said.ITEM, item
                context.look()
        yield Said.DONE, None
    except Stopped:
        yield Said.STOPPED, None
    except Exception:
        traceback.print_exc()
        yield Said.FAILED, None


class _Orders:
    """The jobs and the stops that come through a pipe, read by a thread of their own."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._stopped = False
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Job | None:
        """The next job; None when no more come."""
        return self._jobs.get()

    def look(self) -> None:
        """Raise `Stopped` if the job is given up."""
        if self._stopped:
            raise Stopped

    def _read(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                order = self._pipe.recv()
                if isinstance(order, Stop):
                    self._stopped = True
                else:
                    self._stopped = False
                    self._jobs.put(order)
        self._jobs.put(None)
