# SPDX-License-Identifier: GPL-3.0-or-later
"""The ASGI application."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from db.errors import StoreError
from db.store import Store
from tsume.language.catalogue import Language
from tsume.parallel.job_pool import JobPool, JobTimeout, PoolBusy, WorkerLost
from tsume.uses.engines import DEFAULT_MEMORY
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web import templates
from tsume.web.api.access import Permissions
from tsume.web.api.openapi import docs_page, openapi_description
from tsume.web.api.parsing import ClientGone, RequestError, error_response, unavailable_response
from tsume.web.api.problems import CollectionOffer, JobEndpoints, TreeEndpoint, position_diagram, read_text, record_file
from tsume.web.api.training import TrainingEndpoints
from tsume.web.delivery import Delivery
from tsume.web.guard import HostNames, RequestGuard
from tsume.web.pages import BoardPages
from tsume.web.solver_scripts import API, WORKER
from tsume.web.work.positions import warmed_up_context
from tsume.web.work.results import SECONDS, RefusedJobError


async def wait_for_process(command: Sequence[str]) -> None:
    """Wait for a process; it ends if the task is cancelled. It shows its progress on stderr.

    Its standard input is a pipe to which nothing is written (`tsume.child_processes.child_command`).

    Ctrl-C does not reach it: the server decides when it ends.
    """
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, start_new_session=True)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


# --- the scripts of the solver in the browser: found, or built by another process while the server answers ---

STATE = "solver.json"
SolverScripts = Callable[[], Mapping[str, str | bytes] | None]
"""Gives the scripts by name; None if they must be built, none at all if they cannot be made."""
BuildCommand = Callable[[], Sequence[str] | None]
"""Gives the command of a process that builds the scripts (`tsume.web.app.wait_for_process`); None: none can."""


class SolverScriptRoutes:
    """Serves the scripts, and says how far they are. What is missing is built once, for all requests."""

    def __init__(self, scripts: SolverScripts, command: BuildCommand | None) -> None:
        self._find = scripts
        self._command = command
        self._scripts: Mapping[str, str | bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self._began = 0.0

    def routes(self) -> list[Route]:
        """Return the routes of the scripts and of their state."""
        scripts = [Route(f"/static/{name}", partial(self._script, name)) for name in (API, WORKER)]
        return [*scripts, Route(f"/static/{STATE}", self._state)]

    def close(self) -> None:
        """End the process that builds."""
        if self._task is not None:
            self._task.cancel()

    async def _script(self, name: str, _request: Request) -> Response:
        scripts = await self._found()
        if scripts is None:
            raise HTTPException(503, headers={"Retry-After": "2"})
        if name not in scripts:
            raise HTTPException(404)
        return Response(scripts[name], media_type="text/javascript")

    async def _state(self, _request: Request) -> Response:
        """Return whether the scripts are ``ready``, ``building`` for so many ``seconds``, or ``missing``."""
        scripts = await self._found()
        state: dict[str, Any] = {"state": "ready" if scripts else "missing"}
        if scripts is None:
            state = {"state": "building", "seconds": round(time.monotonic() - self._began)}
        return JSONResponse(state, headers={"Cache-Control": "no-store"})

    async def _found(self) -> Mapping[str, str | bytes] | None:
        """Return the scripts; None while they are built, which begins with the first request."""
        if self._scripts is None and self._task is None:
            self._began = time.monotonic()
            self._task = asyncio.create_task(self._made())
            await asyncio.wait([self._task], timeout=_QUICK)
        return self._scripts

    async def _made(self) -> None:
        """Find the scripts, or have them built and find them then."""
        found = await run_in_threadpool(self._find)
        if found is None and self._command is not None:
            command = await run_in_threadpool(self._command)
            if command is not None:
                await wait_for_process(command)
                found = await run_in_threadpool(self._find)
        self._scripts = found or {}


_QUICK = 5.0
"""Seconds that the first request waits: scripts that were built before are found in less."""

_GENERATED: dict[str, Callable[[], str]] = {
    "pieces": templates.pieces_script,
    "piece_sets": templates.piece_sets_script,
    "words": templates.words_script,
    "compose_words": templates.compose_words_script,
    "training_words": templates.training_words_script,
    "class_words": templates.class_words_script,
}
TREES_AT_ONCE = min(4, os.cpu_count() or 1)
"""Trees of short problems that are made at once."""
PROCESSES = 3 + TREES_AT_ONCE
"""Worker processes: for judgements, trees, long jobs, and one spare for long trees and what is saved."""
WAITING = {"judgement": 8, "tree": 256, "long tree": 64, "saving": 4, "long": 4}
"""The number of running and waiting jobs of each slot. Who opens a problem waits; the bound is for floods."""


def web_application(
    store: Store,
    builder: ReplyTreeBuilder,
    language: Language = "ja",
    names: HostNames | None = None,
    permissions: Permissions | None = None,
    memory: int = DEFAULT_MEMORY,
    seconds: float = SECONDS,
    solver: SolverScripts | None = None,
    building: BuildCommand | None = None,
    *,
    asks_browser: bool = False,
) -> Starlette:
    """Return the pages and the JSON API on the problems of a store; ``builder`` makes reply trees.

    ``names`` are the host names it answers to. Each engine has ``memory`` MB, each search ``seconds``.
    ``solver`` gives the scripts of the solver in the browser, by name, when a page wants them; if they must
    be built first, the command of ``building`` does that in a process of its own, and the page says so.
    With ``asks_browser`` pages are in the browser's language, and in ``language`` only if it names none.
    ``app.state.pool`` may be closed before the application ends. The caller closes the store.
    """
    permissions = permissions or Permissions()
    pool = JobPool(partial(warmed_up_context, memory, builder), WAITING, PROCESSES, {"tree": TREES_AT_ONCE})
    saves = permissions.saving and not store.read_only
    offer = CollectionOffer(store, permissions if saves else replace(permissions, saving=False))
    jobs, training = JobEndpoints(store, pool, permissions, seconds), TrainingEndpoints(store, permissions)
    pages = BoardPages(
        store, language, offer.number_for, training.person, pool, seconds, has_solver=solver is not None,
        asks_browser=asks_browser,
    )  # fmt: skip
    trees = TreeEndpoint(store, pool, pages, builder.name, seconds, saves=saves)
    scripts = None if solver is None else SolverScriptRoutes(solver, building)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        pool.start()
        trees.start()
        yield
        if scripts is not None:
            scripts.close()
        trees.close()
        pool.close()

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.url.path.startswith("/api/"):
            answer = error_response(error.detail, error.status_code)
            answer.headers.update(error.headers or {})
            return answer
        if error.status_code == 404:
            return pages.missing(request)
        return Response(error.detail, error.status_code, error.headers)

    app = Starlette(
        routes=[
            Route("/", pages.problems),
            Route("/compose", pages.compose),
            Route("/training", pages.training),
            Route("/day.xml", partial(training.feed, pages)),
            Route("/games", pages.games),
            Route("/problems/{id:int}", pages.problem),
            Route("/problems/{id:int}.svg", pages.diagram),
            Route("/problems/{id:int}/answer", pages.answer),
            Route("/problems/{id:int}/line", pages.line),
            Route("/api/problems/{id:int}/tree", trees.tree),
            Route("/api/problems/{id:int}/position", trees.position),
            Route("/api", partial(docs_page, pages)),
            Route("/api/openapi.json", lambda _request: JSONResponse(openapi_description())),
            Route("/api/judgement", jobs.judgement, methods=["POST"]),
            Route("/api/mending", jobs.mending, methods=["POST"]),
            Route("/api/enriching", jobs.enriching, methods=["POST"]),
            Route("/api/generating", jobs.generating, methods=["POST"]),
            Route("/api/reading", read_text, methods=["POST"]),
            Route("/api/problems", jobs.saving, methods=["POST"]),
            Route("/api/collection", offer.add, methods=["POST"]),
            Route("/api/record", record_file),
            Route("/api/diagram.svg", partial(position_diagram, language)),
            *training.routes(),
            *(Route(f"/static/{name}.js", partial(_script, made)) for name, made in _GENERATED.items()),
            *([] if scripts is None else scripts.routes()),
            Mount("/static", StaticFiles(directory=templates.STATIC)),
        ],
        middleware=[Middleware(RequestGuard, names=names or HostNames()), Middleware(Delivery, lasts=_is_versioned)],
        exception_handlers={
            HTTPException: http_error,
            StoreError: _store_error,
            RequestError: _rejected,
            RefusedJobError: lambda _request, error: error_response(str(error), 422),
            ClientGone: lambda _request, _error: Response(status_code=503),  # it is not sent
            **dict.fromkeys((PoolBusy, WorkerLost, JobTimeout), lambda _request, error: unavailable_response(error)),
        },
        lifespan=running,
    )
    app.state.pool = pool
    return app


def _is_versioned(scope: Scope) -> bool:
    """Return whether an address has the version of what it names."""
    version: bytes = f"v={templates.static_version()}".encode()
    return str(scope["path"]).startswith("/static/") and scope["query_string"] == version


def _rejected(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(str(error), error.status, retry=error.retry, **error.fields)


def _store_error(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return error_response(str(error), 500)
    return PlainTextResponse(str(error), 500)


def _script(made: Callable[[], str], _request: Request) -> Response:
    return Response(made(), media_type="text/javascript")
