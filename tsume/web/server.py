# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves the application over HTTP until a signal stops it, with timeouts for slow clients; its own addresses."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from tsume.parallel.job_pool import JobPool

# --- timeouts for slow clients, and a limit on connections that have not sent a request ------------

REQUEST_SECONDS = 10.0
"""Time for a request, headers and body, after its first byte or after the connection."""
READ_SECONDS = 30.0
"""Time in which the client must go on reading a response."""
MAX_WAITING = 200
"""Connections without a complete request; of more, the one that has waited longest is closed."""


class TimeoutProtocol(H11Protocol):
    """HTTP with timeouts: uvicorn limits only the time between two requests."""

    _request_due: asyncio.TimerHandle | None = None
    _reading_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request; close the oldest waiting connection if there are too many."""
        super().connection_made(transport)
        # asyncio sets this only for sockets created with IPPROTO_TCP, which the listener is not;
        # without it the second part of a response waits 40 ms for the first to be acknowledged
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._await_request()
        waiting = [one for one in self.connections if isinstance(one, TimeoutProtocol) and one._request_due]
        if len(waiting) > MAX_WAITING:
            min(waiting, key=lambda one: one._request_due.when() if one._request_due else 0.0)._abort()

    def data_received(self, data: bytes) -> None:
        """Read bytes; a complete request stops its timeout."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._await_request()
        elif self._request_due is not None:
            self._request_due.cancel()
            self._request_due = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel both timeouts."""
        for due in (self._request_due, self._reading_due):
            if due is not None:
                due.cancel()
        self._request_due = self._reading_due = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._reading_due = self.loop.call_later(READ_SECONDS, self._abort)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        if self._reading_due is not None:
            self._reading_due.cancel()
            self._reading_due = None

    def _await_request(self) -> None:
        if self._request_due is None:
            self._request_due = self.loop.call_later(REQUEST_SECONDS, self._abort)

    def _abort(self) -> None:
        self.transport.abort()


# --- the server, until a signal stops it -----------------------------------------------------------

MAX_CONNECTIONS = 500
"""Further connections get the status 503."""
_KEEP_ALIVE = 10
"""Seconds between two requests of a connection."""
_MAX_TO_STOP = 2.0
"""Seconds after a signal in which the server stops by itself: a request that runs in a thread cannot be cancelled."""


def run_server(app: Starlette, listener: socket.socket, announce: Callable[[], None]) -> None:
    """Serve what `tsume.web.app.web_application` made; returns when a signal has stopped it.

    `announce` is called when requests are answered and signals handled.
    """
    config = uvicorn.Config(
        app, http=TimeoutProtocol, log_level="error", access_log=False, server_header=False, ws="none",
        limit_concurrency=MAX_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=1,
        proxy_headers=False,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again when it has stopped
        _Server(config, app.state.pool, announce).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Stops the worker processes before it waits for responses."""

    def __init__(self, config: uvicorn.Config, pool: JobPool, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then announce it."""
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at the latest after some seconds, whatever still runs."""
        timer = threading.Timer(_MAX_TO_STOP, os._exit, (0,))  # other processes end with this one
        timer.daemon = True
        timer.start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the workers, then close the connections."""
        self._pool.close()
        await super().shutdown(sockets)


# --- the addresses under which this machine is reached ---------------------------------------------

_PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, RFC 3849). Connecting a UDP socket sends nothing, but the system
chooses the own address from which it would send."""
_DISCARD = 9
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


def is_wildcard_host(host: str) -> bool:
    """Return whether a server that listens there listens at every address of the machine (0.0.0.0, ::)."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def own_host_name() -> str | None:
    """Return the name of this machine, None if it has none that others could use."""
    name = socket.gethostname()
    return name if _HOST_NAME.fullmatch(name) and name.lower() != "localhost" else None


def network_hosts(listener: socket.socket) -> list[str]:
    """Return the hosts in addresses by which other machines reach a socket that listens everywhere."""
    is_v6 = listener.family == socket.AF_INET6
    only_v6 = is_v6 and listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) != 0
    families = [*([] if only_v6 else [socket.AF_INET]), *([socket.AF_INET6] if is_v6 else [])]
    found = [own for own in map(_own_address, families) if own is not None]
    name = own_host_name()
    return [*found, *([name] if name is not None else [])]


def local_host(listener: socket.socket) -> str:
    """Return the host in the address by which this machine reaches a socket that listens everywhere."""
    if listener.family == socket.AF_INET6 and listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return "[::1]"
    return "127.0.0.1"


def _own_address(family: socket.AddressFamily) -> str | None:
    """Return the machine's address as a URL has it; None without a network of this family."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_PROBES[family], _DISCARD))
            own = ip_address(probe.getsockname()[0])
    except OSError:
        return None
    if own.is_loopback or own.is_unspecified:
        return None
    return f"[{own}]" if own.version == 6 else str(own)
