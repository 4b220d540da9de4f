# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a problem, which its page asks for after the solution."""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tsume.parallel.job_pool import JobPool
from tsume.web.pages import BoardPages
from tsume.web.result_cache import SharedResultCache
from tsume.web.work.answers import AnswerJob

_KEPT = 512
"""Answers in memory, of some KB each."""


class AnswerPart:
    """Makes answers, each within ``seconds``."""

    def __init__(self, pool: JobPool, pages: BoardPages, seconds: float) -> None:
        self._answers = SharedResultCache(pool, _KEPT)
        self._pages = pages
        self._seconds = seconds

    async def answer(self, request: Request) -> Response:
        """The answer of the address's problem, a part of its page."""
        problem = await run_in_threadpool(self._pages.requested, request)
        if problem is None:
            return self._pages.missing(request)
        language = self._pages.language_of(request)
        content = await self._answers.content(AnswerJob.of(problem, language, self._seconds))
        return self._pages.answer(json.loads(content), language)
