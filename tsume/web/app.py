"""The server as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
from tsume.growing import Grower
from tsume.language.catalogue import Language
from tsume.web.api.answers import Gone, Refused, error_answer, json_answer, not_done
from tsume.web.api.doors import Doors
from tsume.web.api.drawing import Drawing
from tsume.web.api.manual import Manual, openapi
from tsume.web.api.work import Work
from tsume.web.guard import Guard, Names
from tsume.web.pages import Pages
from tsume.web.sprite import compose_words_script, pieces_script, words_script
from tsume.web.trees import TreeMaker
from tsume.web.work.crew import Crew
from tsume.web.work.messages import SECONDS, Busy, Lost, Overtime
from tsume_rules.sfen import format_sfen

STATIC = Path(__file__).parent / "static"
_SCRIPT = "text/javascript"
DEFAULT_MEMORY = 72
"""MB of each engine."""
PROCESSES = 4
"""One judges, one makes trees, one does what takes long, and one is spare or judges what is saved."""
WAITING = {"judgement": 8, "tree": 8, "saving": 4, "long": 4}
"""For each seat of the crew how many jobs may be done or wait."""


def application(
    store: Store,
    grower: Grower,
    language: Language = "ja",
    names: Names | None = None,
    doors: Doors | None = None,
    memory: int = DEFAULT_MEMORY,
    seconds: float = SECONDS,
) -> Starlette:
    """The pages and the JSON API on the problems of a store; trees are made by ``grower``.

    ``names`` are those under which it answers, ``doors`` say who may have work done and save; each engine
    has ``memory`` MB, each search ``seconds``. Its state has the ``crew``, which may be
    closed before the end. The store is closed by who opened it.
    """
    crew = Crew(memory, grower, WAITING, PROCESSES)
    pages, trees = Pages(store, language), TreeMaker(crew, seconds)
    work, drawing, manual = Work(store, crew, doors or Doors(), seconds), Drawing(language), Manual(pages)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        crew.start()
        yield
        crew.close()

    async def tree(request: Request) -> Response:
        problem = await run_in_threadpool(pages.found, request)
        if problem is None:
            return error_answer("no such problem", 404)
        return json_answer(await trees.tree(format_sfen(problem.position)))

    async def fault(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.url.path.startswith("/api/"):
            answer = error_answer(error.detail, error.status_code)
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
            Route("/api", manual.page),
            Route("/api/openapi.json", openapi),
            Route("/api/judgement", work.judgement, methods=["POST"]),
            Route("/api/mending", work.mending, methods=["POST"]),
            Route("/api/enriching", work.enriching, methods=["POST"]),
            Route("/api/generating", work.generating, methods=["POST"]),
            Route("/api/problems", work.saving, methods=["POST"]),
            Route("/api/record", drawing.record),
            Route("/api/diagram.svg", drawing.diagram),
            Route("/static/pieces.js", _pieces),
            Route("/static/words.js", _words),
            Route("/static/compose_words.js", _compose_words),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, names=names or Names())],
        exception_handlers={
            HTTPException: fault,
            StoreError: _unreadable,
            Refused: _refused,
            Gone: _gone,
            Busy: _not_done,
            Lost: _not_done,
            Overtime: _not_done,
        },
        lifespan=running,
    )
    app.state.crew = crew
    return app


def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error_answer(str(error), error.status, **error.fields)


def _gone(_request: Request, _error: Exception) -> Response:
    """Nobody reads this answer."""
    return Response(status_code=503)


def _not_done(_request: Request, error: Exception) -> Response:
    return not_done(error)


def _unreadable(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return error_answer(str(error), 500)
    return PlainTextResponse(str(error), 500)


def _pieces(_request: Request) -> Response:
    return Response(pieces_script(), media_type=_SCRIPT)


def _compose_words(_request: Request) -> Response:
    return Response(compose_words_script(), media_type=_SCRIPT)


def _words(_request: Request) -> Response:
    return Response(words_script(), media_type=_SCRIPT)
