# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of jobs, the most recently used ones kept in memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from tsume.parallel.job_pool import Job, JobPool, only_result
from tsume.web.work.results import Refused, RefusedJobError, Rendered


class ResultCache:
    """Runs jobs that yield one `Rendered` and keeps the settled results, at most ``size``."""

    def __init__(self, pool: JobPool, size: int) -> None:
        self._pool = pool
        self._size = size
        self._kept: OrderedDict[Job, bytes] = OrderedDict()

    def kept(self, job: Job) -> bytes | None:
        """Return the settled result of a job, if it is in memory."""
        if job not in self._kept:
            return None
        self._kept.move_to_end(job)
        return self._kept[job]

    def keep(self, job: Job, content: bytes) -> None:
        """Keep the settled result of a job."""
        self._kept[job] = content
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)

    async def content(self, job: Job) -> bytes:
        """Return the content of the result. Raises `RefusedJobError`, and as `JobPool.results` does."""
        if (kept := self.kept(job)) is not None:
            return kept
        result: Rendered | Refused = await only_result(self._pool.results(job))
        if isinstance(result, Refused):
            raise RefusedJobError(result.fault)
        if result.settled:
            self.keep(job, result.content)
        return result.content


class SharedResultCache(ResultCache):
    """Concurrent requests for the same job share one run, which a client that leaves does not cancel."""

    def __init__(self, pool: JobPool, size: int) -> None:
        super().__init__(pool, size)
        self._running: dict[Job, asyncio.Task[bytes]] = {}

    async def content(self, job: Job) -> bytes:
        """Return the content of the result. Raises `RefusedJobError`, and as `JobPool.results` does."""
        if job not in self._running:
            task = asyncio.create_task(super().content(job))
            self._running[job] = task
            task.add_done_callback(lambda _: self._running.pop(job))
        return await asyncio.shield(self._running[job])
