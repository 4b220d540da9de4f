# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints whose work is done by worker processes."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from db.store import Store
from tsume.parallel.job_pool import JobPool
from tsume.parallel.jobs import Job
from tsume.web.api.forms import ENRICHING, GENERATING, JUDGEMENT, MENDING, SAVING
from tsume.web.api.parsing import PositionInput, parsed_body
from tsume.web.api.permissions import Permissions
from tsume.web.api.responses import NdjsonResponse, json_response, while_connected
from tsume.web.api.saving import ProblemSaver
from tsume.web.result_cache import ResultCache
from tsume.web.work.changing import EnrichingJob, MendingJob
from tsume.web.work.generating import GeneratingJob
from tsume.web.work.judging import JudgementJob
from tsume.web.work.results import json_bytes

_SEEDS = 2**32
"""Seeds below this are drawn where none is given."""
_KEPT_JUDGEMENTS = 512
"""Judgements in the cache: 3 KB each, up to 30 KB with many second solutions."""


@dataclass
class JobEndpoints:
    """Answers requests with results of worker processes.

    A search takes at most ``seconds``, composing ten times that.
    """

    store: Store
    pool: JobPool
    permissions: Permissions
    seconds: float

    def __post_init__(self) -> None:
        self._judgements = ResultCache(self.pool, _KEPT_JUDGEMENTS)
        self._saver = ProblemSaver(self.store, self.pool, self.seconds)

    async def judgement(self, request: Request) -> Response:
        """The judgement of `tsume check`."""
        self.permissions.require_work(request)
        values = await parsed_body(request, JUDGEMENT)
        given = PositionInput.of(values)
        job = JudgementJob(given.parsed, given.line, values.get("moves"), self.seconds)
        return json_response(await while_connected(request.receive, self._judgements.content(job)))

    async def mending(self, request: Request) -> Response:
        """The judgement, then repairs."""
        self.permissions.require_work(request)
        return self._lines(MendingJob(**self._change(await parsed_body(request, MENDING))))

    async def enriching(self, request: Request) -> Response:
        """The judgement, then suggestions."""
        self.permissions.require_work(request)
        return self._lines(EnrichingJob(**self._change(await parsed_body(request, ENRICHING))))

    def _change(self, values: dict[str, Any]) -> dict[str, Any]:
        given = PositionInput.of(values)
        keep = given.parsed.seen_by_attacker(values.pop("keep", []))
        return {**values, "parsed": given.parsed, "line": given.line, "keep": keep, "limit": self.seconds}

    async def generating(self, request: Request) -> Response:
        """New problems as they are found."""
        self.permissions.require_work(request)
        values = await parsed_body(request, GENERATING)
        values.setdefault("seed", secrets.randbelow(_SEEDS))
        themes = tuple(values.pop("themes", ()))
        job = GeneratingJob(themes=themes, limit=10 * self.seconds, **values)
        return self._lines(job, seed=job.seed)

    async def saving(self, request: Request) -> Response:
        """The id of a problem; a new one is saved, the texts of a known one are replaced on request."""
        self.permissions.require_saving(request)
        values = await parsed_body(request, SAVING)
        given, replaces = PositionInput.of(values), values.pop("replace", False)
        work = self._saver.save(given, values, replaces=replaces)
        saved = await while_connected(request.receive, work)
        return json_response(json_bytes(saved.fields), 200 if saved.known else 201)

    def _lines(self, job: Job, **last: Any) -> NdjsonResponse:
        """The results of a job; ``last`` are fields of the last object of interrupted work."""

        def end(fault: str) -> dict[str, Any]:
            return {"event": "end", "complete": False, **last, "error": fault}

        return NdjsonResponse(self._results(job), end)

    async def _results(self, job: Job) -> AsyncGenerator[bytes, None]:
        async with aclosing(self.pool.results(job)) as results:
            async for item in results:
                yield item
