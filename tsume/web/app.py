# SPDX-License-Identifier: GPL-3.0-or-later
"""The ASGI application."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from db.errors import StoreError
from db.store import Store
from tsume.language.catalogue import Language
from tsume.parallel.job_pool import Busy, JobPool, Lost, Overtime
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.api.access import Permissions
from tsume.web.api.openapi import DocsPage, openapi
from tsume.web.api.parsing import ClientGone, RequestError, error_response, unavailable_response
from tsume.web.api.problems import CollectionOffer, Exports, JobEndpoints, reading
from tsume.web.api.training import TrainingEndpoints
from tsume.web.api.trees import TreeEndpoint
from tsume.web.assets import (
    STATIC,
    compose_words_script,
    pieces_script,
    static_version,
    training_words_script,
    words_script,
)
from tsume.web.compiling import BuildCommand, SolverPart, SolverScripts, finished
from tsume.web.delivery import Delivery
from tsume.web.guard import HostNames, RequestGuard
from tsume.web.pages import AnswerPart, BoardPages
from tsume.web.work.judging import loaded_context
from tsume.web.work.results import SECONDS, RefusedJobError

_SCRIPT = "text/javascript"
DEFAULT_MEMORY = 72
"""MB of each engine."""
TREES_AT_ONCE = min(4, os.cpu_count() or 1)
"""Trees of short problems that are made at once."""
PROCESSES = 3 + TREES_AT_ONCE
"""Worker processes: for judgements, trees, long jobs, and one spare for long trees and what is saved."""
WAITING = {"judgement": 8, "tree": 256, "long tree": 64, "saving": 4, "long": 4}
"""The number of running and waiting jobs of each slot. Who opens a problem waits; the bound is for floods."""


def application(
    store: Store,
    builder: ReplyTreeBuilder,
    language: Language = "ja",
    names: HostNames | None = None,
    permissions: Permissions | None = None,
    memory: int = DEFAULT_MEMORY,
    seconds: float = SECONDS,
    solver: SolverScripts | None = None,
    compiling: Sequence[str] | None = None,
    building: BuildCommand | None = None,
    *,
    asks_browser: bool = False,
) -> Starlette:
    """Return the pages and the JSON API on the problems of a store; ``builder`` makes reply trees.

    ``names`` are the host names it answers to. Each engine has ``memory`` MB, each search ``seconds``.
    ``compiling`` is a command that ends before the first search; pages and diagrams do not wait for it.
    ``solver`` gives the scripts of the solver in the browser, by name, when a page wants them; if they must
    be built first, the command of ``building`` does that in a process of its own, and the page says so.
    With ``asks_browser`` pages are in the browser's language, and in ``language`` only if it names none.
    ``app.state.pool`` may be closed before the application ends. The caller closes the store.
    """
    permissions = permissions or Permissions()
    pool = JobPool(partial(loaded_context, memory, builder), WAITING, PROCESSES, {"tree": TREES_AT_ONCE})
    saves = permissions.saving and not store.read_only
    offer = CollectionOffer(store, permissions if saves else replace(permissions, saving=False))
    pages = BoardPages(store, language, offer.number_for, has_solver=solver is not None, asks_browser=asks_browser)
    trees = TreeEndpoint(store, pool, pages, builder.name, seconds, saves=saves)
    answers = AnswerPart(pool, pages, seconds)
    jobs, training = JobEndpoints(store, pool, permissions, seconds), TrainingEndpoints(store, permissions)
    exports, docs = Exports(language), DocsPage(pages)
    scripts = None if solver is None else SolverPart(solver, building)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        pool.start(None if compiling is None else finished(compiling))
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
            Route("/problems/{id:int}", pages.problem),
            Route("/problems/{id:int}.svg", pages.diagram),
            Route("/problems/{id:int}/answer", answers.answer),
            Route("/problems/{id:int}/line", pages.line),
            Route("/api/problems/{id:int}/tree", trees.tree),
            Route("/api/problems/{id:int}/position", trees.position),
            Route("/api", docs.page),
            Route("/api/openapi.json", openapi),
            Route("/api/judgement", jobs.judgement, methods=["POST"]),
            Route("/api/mending", jobs.mending, methods=["POST"]),
            Route("/api/enriching", jobs.enriching, methods=["POST"]),
            Route("/api/generating", jobs.generating, methods=["POST"]),
            Route("/api/reading", reading, methods=["POST"]),
            Route("/api/problems", jobs.saving, methods=["POST"]),
            Route("/api/collection", offer.add, methods=["POST"]),
            Route("/api/record", exports.record),
            Route("/api/diagram.svg", exports.diagram),
            *training.routes(),
            Route("/static/pieces.js", _script(pieces_script)),
            Route("/static/words.js", _script(words_script)),
            Route("/static/compose_words.js", _script(compose_words_script)),
            Route("/static/training_words.js", _script(training_words_script)),
            *([] if scripts is None else scripts.routes()),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(RequestGuard, names=names or HostNames()), Middleware(Delivery, lasts=_is_versioned)],
        exception_handlers={
            HTTPException: http_error,
            StoreError: _store_error,
            RequestError: _rejected,
            RefusedJobError: lambda _request, error: error_response(str(error), 422),
            ClientGone: lambda _request, _error: Response(status_code=503),  # it is not sent
            Busy: _unavailable,
            Lost: _unavailable,
            Overtime: _unavailable,
        },
        lifespan=running,
    )
    app.state.pool = pool
    return app


def _is_versioned(scope: Scope) -> bool:
    """Return whether an address has the version of what it names."""
    version: bytes = f"v={static_version()}".encode()
    return str(scope["path"]).startswith("/static/") and scope["query_string"] == version


def _rejected(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(str(error), error.status, retry=error.retry, **error.fields)


def _unavailable(_request: Request, error: Exception) -> Response:
    return unavailable_response(error)


def _store_error(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return error_response(str(error), 500)
    return PlainTextResponse(str(error), 500)


def _script(made: Callable[[], str]) -> Callable[[Request], Response]:
    return lambda _request: Response(made(), media_type=_SCRIPT)
