"""The ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from db.errors import StoreError
from db.store import Store
from tsume.language.catalogue import Language
from tsume.parallel.job_pool import JobPool
from tsume.parallel.jobs import Busy, Lost, Overtime
from tsume.services.trees import ReplyTreeBuilder
from tsume.web.api.docs_page import DocsPage, openapi
from tsume.web.api.exports import Exports
from tsume.web.api.jobs import JobEndpoints
from tsume.web.api.permissions import Permissions
from tsume.web.api.reading import reading
from tsume.web.api.responses import (
    ClientGone,
    RequestError,
    error_response,
    json_response,
    unavailable_response,
)
from tsume.web.assets import compose_words_script, pieces_script, words_script
from tsume.web.guard import HostNames, RequestGuard
from tsume.web.pages import BoardPages
from tsume.web.result_cache import SharedResultCache
from tsume.web.work.loading import loaded_context
from tsume.web.work.results import SECONDS
from tsume.web.work.trees import TreeJob
from tsume_rules.sfen import format_sfen

STATIC = Path(__file__).parent / "static"
_SCRIPT = "text/javascript"
DEFAULT_MEMORY = 72
"""MB of each engine."""
PROCESSES = 4
"""Worker processes: for judgements, trees, long jobs, and one spare, which also judges what is saved."""
WAITING = {"judgement": 8, "tree": 8, "saving": 4, "long": 4}
"""The number of running and waiting jobs of each slot."""
_KEPT_TREES = 256
"""Reply trees in the cache, of about 100 KB each for 9 plies."""


def application(
    store: Store,
    builder: ReplyTreeBuilder,
    language: Language = "ja",
    names: HostNames | None = None,
    permissions: Permissions | None = None,
    memory: int = DEFAULT_MEMORY,
    seconds: float = SECONDS,
) -> Starlette:
    """The pages and the JSON API on the problems of a store; ``builder`` makes reply trees.

    ``names`` are the host names it answers to. Each engine has ``memory`` MB, each search ``seconds``.
    ``app.state.pool`` may be closed before the application ends. The caller closes the store.
    """
    pool = JobPool(partial(loaded_context, memory, builder), WAITING, PROCESSES)
    pages, trees = BoardPages(store, language), SharedResultCache(pool, _KEPT_TREES)
    jobs = JobEndpoints(store, pool, permissions or Permissions(), seconds)
    exports, docs = Exports(language), DocsPage(pages)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        pool.start()
        yield
        pool.close()

    async def tree(request: Request) -> Response:
        problem = await run_in_threadpool(pages.requested, request)
        if problem is None:
            return error_response("no such problem", 404)
        job = TreeJob(format_sfen(problem.position), seconds)
        return json_response(await trees.content(job))

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
            Route("/problems/{id:int}", pages.problem),
            Route("/problems/{id:int}.svg", pages.diagram),
            Route("/api/problems/{id:int}/tree", tree),
            Route("/api", docs.page),
            Route("/api/openapi.json", openapi),
            Route("/api/judgement", jobs.judgement, methods=["POST"]),
            Route("/api/mending", jobs.mending, methods=["POST"]),
            Route("/api/enriching", jobs.enriching, methods=["POST"]),
            Route("/api/generating", jobs.generating, methods=["POST"]),
            Route("/api/reading", reading, methods=["POST"]),
            Route("/api/problems", jobs.saving, methods=["POST"]),
            Route("/api/record", exports.record),
            Route("/api/diagram.svg", exports.diagram),
            Route("/static/pieces.js", _pieces),
            Route("/static/words.js", _words),
            Route("/static/compose_words.js", _compose_words),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(RequestGuard, names=names or HostNames())],
        exception_handlers={
            HTTPException: http_error,
            StoreError: _store_error,
            RequestError: _rejected,
            ClientGone: _gone,
            Busy: _unavailable,
            Lost: _unavailable,
            Overtime: _unavailable,
        },
        lifespan=running,
    )
    app.state.pool = pool
    return app


def _rejected(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(str(error), error.status, **error.fields)


def _gone(_request: Request, _error: Exception) -> Response:  # it is not sent
    return Response(status_code=503)


def _unavailable(_request: Request, error: Exception) -> Response:
    return unavailable_response(error)


def _store_error(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return error_response(str(error), 500)
    return PlainTextResponse(str(error), 500)


def _pieces(_request: Request) -> Response:
    return Response(pieces_script(), media_type=_SCRIPT)


def _compose_words(_request: Request) -> Response:
    return Response(compose_words_script(), media_type=_SCRIPT)


def _words(_request: Request) -> Response:
    return Response(words_script(), media_type=_SCRIPT)
