# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsume.browser.build import API, WORKER

SolverScripts = Callable[[], Mapping[str, str | bytes]]
"""Gives the scripts by name; none if they cannot be made. It may take a minute the first time."""


def solver_routes(scripts: SolverScripts) -> list[Route]:
    """The routes of the scripts."""
    return [Route(f"/static/{name}", partial(_script, scripts, name)) for name in (API, WORKER)]


def _script(scripts: SolverScripts, name: str, _request: Request) -> Response:
    content = scripts().get(name)
    if content is None:
        raise HTTPException(404)
    return Response(content, media_type="text/javascript")
