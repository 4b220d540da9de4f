"""What a problem's page asks for after the solution: the answer, and positions of its analysis."""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tsume.parallel.job_pool import JobPool
from tsume.web.api.forms import POSITION
from tsume.web.api.parsing import parsed_query
from tsume.web.api.responses import RequestError, error_response, json_response
from tsume.web.pages import BoardPages
from tsume.web.result_cache import SharedResultCache
from tsume.web.work.answers import AnswerJob
from tsume.web.work.positions import PositionJob
from tsume.web.work.results import RefusedJobError
from tsume_rules.sfen import format_sfen

_KEPT = 1024
"""Answers and positions in memory, of some KB each."""


class AnswerPart:
    """Makes answers and looks at positions, each within ``seconds``."""

    def __init__(self, pool: JobPool, pages: BoardPages, seconds: float) -> None:
        self._results = SharedResultCache(pool, _KEPT)
        self._pages = pages
        self._seconds = seconds

    async def answer(self, request: Request) -> Response:
        """The answer of the address's problem, a part of its page."""
        problem = await run_in_threadpool(self._pages.requested, request)
        if problem is None:
            return self._pages.missing(request)
        language = self._pages.language_of(request)
        content = await self._results.content(AnswerJob.of(problem, language, self._seconds))
        return self._pages.answer(json.loads(content), language)

    async def position(self, request: Request) -> Response:
        """What each move of a position leads to."""
        moves = parsed_query(request, POSITION).get("moves", ())
        problem = await run_in_threadpool(self._pages.requested, request)
        if problem is None:
            return error_response("no such problem", 404)
        job = PositionJob(format_sfen(problem.position), problem.length, moves, self._seconds)
        try:
            return json_response(await self._results.content(job))
        except RefusedJobError as error:
            raise RequestError(422, str(error)) from None
