"""The requests that have work done by other processes."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from db.store import Store
from tsume.web.api.answers import Lines, attended, json_answer
from tsume.web.api.asking import Posed, body_of
from tsume.web.api.doors import Doors
from tsume.web.api.forms import ENRICHING, GENERATING, JUDGEMENT, MENDING, SAVING
from tsume.web.api.saving import Saver
from tsume.web.api.verdicts import Verdicts
from tsume.web.work.changing import Enrich, Mend
from tsume.web.work.crew import Crew
from tsume.web.work.generating import Generate
from tsume.web.work.judging import Judge
from tsume.web.work.messages import Job, as_json

_DRAWN = 2**32
"""Seeds below this are drawn where none is given."""


@dataclass
class Work:
    """Answers requests with the work of a crew; a search may take ``seconds``, composing ten times that."""

    store: Store
    crew: Crew
    doors: Doors
    seconds: float

    def __post_init__(self) -> None:
        self._verdicts = Verdicts(self.crew)
        self._saver = Saver(self.store, self.crew, self.seconds)

    async def judgement(self, request: Request) -> Response:
        """What `tsume check` says of a position."""
        self.doors.require_worker(request)
        values = await body_of(request, JUDGEMENT)
        posed = Posed.of(values)
        asked = Judge(posed.parsed, posed.line, values.get("moves"), self.seconds)
        return json_answer(await attended(request.receive, self._verdicts.told(asked)))

    async def mending(self, request: Request) -> Response:
        """The judgement, then repairs."""
        self.doors.require_worker(request)
        values = await body_of(request, MENDING)
        posed = Posed.of(values)
        keep = posed.seen(values.pop("keep", []))
        return self._lines(Mend(posed.parsed, posed.line, keep=keep, limit=self.seconds, **values))

    async def enriching(self, request: Request) -> Response:
        """The judgement, then suggestions."""
        self.doors.require_worker(request)
        values = await body_of(request, ENRICHING)
        posed = Posed.of(values)
        keep = posed.seen(values.pop("keep", []))
        return self._lines(Enrich(posed.parsed, posed.line, keep=keep, limit=self.seconds, **values))

    async def generating(self, request: Request) -> Response:
        """New problems as they are found."""
        self.doors.require_worker(request)
        values = await body_of(request, GENERATING)
        seed = values.pop("seed", None)
        themes = tuple(values.pop("themes", ()))
        seed = secrets.randbelow(_DRAWN) if seed is None else seed
        job = Generate(seed=seed, themes=themes, limit=10 * self.seconds, **values)
        return self._lines(job, seed=job.seed)

    async def saving(self, request: Request) -> Response:
        """The id of a problem, saved if it was not known."""
        self.doors.require_saver(request)
        values = await body_of(request, SAVING)
        posed = Posed.of(values)
        number, known = await attended(request.receive, self._saver.saved(posed, values))
        return json_answer(as_json({"id": number, "known": known}), 200 if known else 201)

    def _lines(self, job: Job, **last: Any) -> Lines:
        """The results of a job; ``last`` are fields of the last object where work is cut short."""

        def end(fault: str) -> dict[str, Any]:
            return {"event": "end", "complete": False, **last, "error": fault}

        return Lines(self._results(job), end)

    async def _results(self, job: Job) -> AsyncGenerator[bytes, None]:
        async with aclosing(self.crew.results(job)) as results:
            async for item in results:
                yield item
