# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses of the API: objects, errors and NDJSON; work ends when the client disconnects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tsume.parallel.job_pool import Busy, Lost, Overtime
from tsume.web.work.results import json_bytes

T = TypeVar("T")
RETRY = {"Retry-After": "2"}
NDJSON = "application/x-ndjson"
_UNAVAILABLE = {
    Busy: "busy: try again later",
    Lost: "the worker stopped: try again",
    Overtime: "stopped: it took too long",
}


class ClientGone(Exception):
    """The client closed the connection."""


class RequestError(Exception):
    """A request that is rejected: the status, a message of one line, and further fields.

    ``retry`` is the number of seconds after which it may be repeated.
    """

    def __init__(self, status: int, fault: str, *, retry: int | None = None, **fields: Any) -> None:
        super().__init__(fault)
        self.status = status
        self.retry = retry
        self.fields = fields


def json_response(content: bytes, status: int = 200) -> Response:
    """Return an object that is JSON already."""
    return Response(content, status, media_type="application/json")


def error_response(fault: str, status: int, *, retry: int | None = None, **fields: Any) -> Response:
    """An error with a message of one line; ``retry``: seconds after which the request may be repeated."""
    headers = {"Retry-After": str(retry)} if retry is not None else RETRY if status == 503 else None
    content = json.dumps({"error": fault, **fields}, ensure_ascii=True)  # a fault may quote anything
    return Response(content, status, headers, media_type="application/json")


def unavailable_response(error: Exception) -> Response:
    """Return the response to a job that could not be done."""
    final = {"final": True} if isinstance(error, Overtime) else {}  # it would take as long again
    return error_response(_UNAVAILABLE[type(error)], 503, **final)


async def while_connected(receive: Receive, work: Awaitable[T]) -> T:
    """Await work. When the client disconnects, cancel it and raise `ClientGone`."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientGone
        return working.result()
    finally:
        for task in (working, leaving):
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class NdjsonResponse(Response):
    """Results as NDJSON, each sent at once; ``end`` makes the last line of interrupted work."""

    media_type = NDJSON

    def __init__(self, results: AsyncGenerator[bytes, None], end: Callable[[str], dict[str, Any]]) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._results = results
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the results until the last one, or until the client disconnects."""
        with suppress(ClientGone):
            await while_connected(receive, self._send(scope, receive, send))

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._results):
            try:
                first = await anext(self._results)
            except (Busy, Lost, Overtime) as error:
                await unavailable_response(error)(scope, receive, send)
                return
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await _send_line(send, first)
            try:
                async for line in self._results:
                    await _send_line(send, line)
            except (Lost, Overtime) as error:
                await _send_line(send, json_bytes(self._end(_UNAVAILABLE[type(error)])))
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_line(send: Send, line: bytes) -> None:
    await send({"type": "http.response.body", "body": line + b"\n", "more_body": True})
