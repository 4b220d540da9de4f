"""Connections whose other end is slow: how long the server waits, and who has to go when there are many."""

from __future__ import annotations

import asyncio
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""A request, header and body, has to be there so long after its first byte, or after the connection."""
READ_SECONDS = 30.0
"""An answer that is not read on for so long is given up."""
MOST_WAITING = 200
"""So many connections may be without a whole request; of more the one that waits longest is closed."""


class PatientProtocol(H11Protocol):
    """HTTP that does not wait for ever: uvicorn itself limits only the time between two requests."""

    _request_due: asyncio.TimerHandle | None = None
    _reading_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, in place of another connection if there are too many."""
        super().connection_made(transport)
        # asyncio does so itself only for sockets that were made for TCP by name, which the listener was not;
        # without it the second part of an answer waits 40 ms for the first to be acknowledged
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._await_request()
        waiting = [one for one in self.connections if isinstance(one, PatientProtocol) and one._request_due]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda one: one._request_due.when() if one._request_due else 0.0)._give_up()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request; when it is whole, it is not waited for any longer."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._await_request()
        elif self._request_due is not None:
            self._request_due.cancel()
            self._request_due = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any longer."""
        for due in (self._request_due, self._reading_due):
            if due is not None:
                due.cancel()
        self._request_due = self._reading_due = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the other end to read."""
        super().pause_writing()
        self._reading_due = self.loop.call_later(READ_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        """The other end has read."""
        super().resume_writing()
        if self._reading_due is not None:
            self._reading_due.cancel()
            self._reading_due = None

    def _await_request(self) -> None:
        if self._request_due is None:
            self._request_due = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self.transport.abort()
