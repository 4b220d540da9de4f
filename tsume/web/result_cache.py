"""Results of jobs, the most recently used ones kept in memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from tsume.parallel.job_pool import JobPool, only_result
from tsume.parallel.jobs import Job
from tsume.web.work.results import Rendered


class ResultCache:
    """Runs jobs that yield one `Rendered` and keeps the settled results, at most ``size``."""

    def __init__(self, pool: JobPool, size: int) -> None:
        self._pool = pool
        self._size = size
        self._kept: OrderedDict[Job, bytes] = OrderedDict()

    async def content(self, job: Job) -> bytes:
        """The result as JSON in UTF-8. Raises as `JobPool.results` does."""
        if job in self._kept:
            self._kept.move_to_end(job)
            return self._kept[job]
        rendered: Rendered = await only_result(self._pool.results(job))
        if rendered.settled:
            self._kept[job] = rendered.content
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return rendered.content


class SharedResultCache(ResultCache):
    """Concurrent requests for the same job share one run, which a client that leaves does not cancel."""

    def __init__(self, pool: JobPool, size: int) -> None:
        super().__init__(pool, size)
        self._running: dict[Job, asyncio.Task[bytes]] = {}

    async def content(self, job: Job) -> bytes:
        """The result as JSON in UTF-8. Raises as `JobPool.results` does."""
        if job not in self._running:
            task = asyncio.create_task(super().content(job))
            self._running[job] = task
            task.add_done_callback(lambda _: self._running.pop(job))
        return await asyncio.shield(self._running[job])
