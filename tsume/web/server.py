"""The application served over HTTP, until it is stopped."""

from __future__ import annotations

import socket

import uvicorn
from starlette.applications import Starlette

from tsume.web.patience import PatientProtocol
from tsume.web.work.crew import Crew

MOST_CONNECTIONS = 500
"""Beyond these the answer is 503."""
_KEEP_ALIVE = 10
"""Seconds between two requests of a connection."""


def run(app: Starlette, listener: socket.socket) -> None:
    """Serve what `tsume.web.app.application` made; returns when a signal has stopped it."""
    config = uvicorn.Config(
        app, http=PatientProtocol, log_level="error", access_log=False, server_header=False, ws="none",
        limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=1,
        proxy_headers=False,
    )  # fmt: skip
    _Server(config, app.state.crew).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends all work before it waits for its answers."""

    def __init__(self, config: uvicorn.Config, crew: Crew) -> None:
        super().__init__(config)
        self._crew = crew

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the work, then the connections."""
        self._crew.close()
        await super().shutdown(sockets)
