# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves the application over HTTP until a signal stops it."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from tsume.parallel.job_pool import JobPool
from tsume.web.timeouts import TimeoutProtocol

MOST_CONNECTIONS = 500
"""Further connections get the status 503."""
_KEEP_ALIVE = 10
"""Seconds between two requests of a connection."""
_MOST_TO_STOP = 2.0
"""Seconds after a signal in which the server stops by itself: a request that runs in a thread cannot be
cancelled."""


def run_server(app: Starlette, listener: socket.socket) -> None:
    """Serve what `tsume.web.app.application` made; returns when a signal has stopped it."""
    config = uvicorn.Config(
        app, http=TimeoutProtocol, log_level="error", access_log=False, server_header=False, ws="none",
        limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=1,
        proxy_headers=False,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again when it has stopped
        _Server(config, app.state.pool).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Stops the worker processes before it waits for responses."""

    def __init__(self, config: uvicorn.Config, pool: JobPool) -> None:
        super().__init__(config)
        self._pool = pool

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at the latest after some seconds, whatever still runs."""
        timer = threading.Timer(_MOST_TO_STOP, os._exit, (0,))  # other processes end with this one
        timer.daemon = True
        timer.start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the workers, then close the connections."""
        self._pool.close()
        await super().shutdown(sockets)
