# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker process of a job pool runs: one job after the other."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

from tsume.parallel.jobs import Cancel, Cancelled, Job, JobAnswer, JobContext, JobMessageKind, MakeContext


def serve_jobs(pipe: Connection, make_context: MakeContext) -> None:
    """Make the context, then run the jobs that come through the pipe."""
    inbox = _JobInbox(pipe)
    context = make_context(inbox.look, lambda item: pipe.send((JobMessageKind.ITEM, item)))
    with suppress(OSError):  # the parent is gone
        pipe.send((JobMessageKind.READY, None))
        while (job := inbox.next()) is not None:
            for answer in _job_answers(job, context):
                pipe.send(answer)


def _job_answers(job: Job, context: JobContext) -> Iterator[JobAnswer]:
    try:
        with context.watched():
            for item in job.run(context):
                yield JobMessageKind.ITEM, item
                context.look()
        yield JobMessageKind.DONE, None
    except Cancelled:
        yield JobMessageKind.CANCELLED, None
    except Exception:
        traceback.print_exc()
        yield JobMessageKind.FAILED, None


class _JobInbox:
    """The jobs and cancellations that come through a pipe, read by a thread."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._cancelled = False
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Job | None:
        """The next job; None when no more come."""
        return self._jobs.get()

    def look(self) -> None:
        """Raise `Cancelled` if the job is cancelled."""
        if self._cancelled:
            raise Cancelled

    def _read(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                message = self._pipe.recv()
                self._cancelled = isinstance(message, Cancel)
                if not self._cancelled:
                    self._jobs.put(message)
        self._jobs.put(None)
