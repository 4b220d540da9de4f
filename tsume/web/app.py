"""The server as an ASGI application. Nothing it does changes the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from db.errors import StoreError
from db.store import Store
from tsume.growing import Grower
from tsume.language.catalogue import Language
from tsume.web.guard import LOOPBACK, Guard
from tsume.web.pages import Pages
from tsume.web.sprite import pieces_script, words_script
from tsume.web.trees import Busy, TreeMaker
from tsume_rules.sfen import format_sfen

STATIC = Path(__file__).parent / "static"
_SCRIPT = "text/javascript"
_RETRY = {"Retry-After": "2"}


def application(
    store: Store, grower: Grower, language: Language = "ja", hosts: Collection[str] = LOOPBACK
) -> Starlette:
    """The pages and the JSON API on the problems of a store; trees are made by ``grower``.

    ``hosts`` are the names under which it answers. The store is closed by who opened it.
    """
    pages, trees = Pages(store, language), TreeMaker(grower)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        trees.start()
        yield
        trees.close()

    async def tree(request: Request) -> Response:
        problem = await run_in_threadpool(pages.found, request)
        if problem is None:
            return JSONResponse({"error": "no such problem"}, 404)
        try:
            made = await trees.tree(format_sfen(problem.position))
        except Busy:
            return JSONResponse({"error": "busy"}, 503, _RETRY)
        except BrokenProcessPool:
            return JSONResponse({"error": "the worker stopped"}, 503, _RETRY)
        return Response(made, media_type="application/json")

    async def fault(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return pages.missing(request)
        return Response(error.detail, error.status_code, error.headers)

    async def unreadable(_request: Request, error: Exception) -> Response:
        return PlainTextResponse(str(error), 500)

    return Starlette(
        routes=[
            Route("/", pages.problems),
            Route("/compose", pages.compose),
            Route("/problems/{id:int}", pages.problem),
            Route("/problems/{id:int}.svg", pages.diagram),
            Route("/api/problems/{id:int}/tree", tree),
            Route("/static/pieces.js", _pieces),
            Route("/static/words.js", _words),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={HTTPException: fault, StoreError: unreadable},
        lifespan=running,
    )


def _pieces(_request: Request) -> Response:
    return Response(pieces_script(), media_type=_SCRIPT)


def _words(_request: Request) -> Response:
    return Response(words_script(), media_type=_SCRIPT)
