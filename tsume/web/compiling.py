# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of other processes while the server already answers: compiling kernels, building the solver."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tsume.web.solver_scripts import API, WORKER


async def finished(command: Sequence[str]) -> None:
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


# ---------------------------------------------------------------------------------------------------
#
# The scripts of the solver in the browser: found, or built by another process while the server answers.

STATE = "solver.json"
SolverScripts = Callable[[], Mapping[str, str | bytes] | None]
"""Gives the scripts by name; None if they must be built, none at all if they cannot be made."""
BuildCommand = Callable[[], Sequence[str] | None]
"""Gives the command of a process that builds the scripts (`tsume.web.compiling.finished`); None: none can."""


class SolverPart:
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
                await finished(command)
                found = await run_in_threadpool(self._find)
        self._scripts = found or {}


_QUICK = 5.0
"""Seconds that the first request waits: scripts that were built before are found in less."""
