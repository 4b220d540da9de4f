# SPDX-License-Identifier: GPL-3.0-or-later
"""How responses are delivered: compressed, with an ETag, and once if the client still has them."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsume.parallel.job_pool import Job, JobPool, single_result
from tsume.web.work.results import RefusedJobError, RefusedResult, RenderedResult

_MIN_COMPRESSED = 1024
"""Bytes from which on a response is compressed."""
_LEVEL = 6
_COMPRESSIBLE = ("text/", "application/json", "application/atom+xml", "image/svg+xml")
_ASK_AGAIN, _FOR_GOOD = "no-cache", "public, max-age=31536000, immutable"
_OF_A_304 = (b"cache-control", b"content-location", b"date", b"etag", b"expires", b"vary")


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a client reads gzip."""
    for coding in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.rstrip("0") not in ("0.", "0", "") or not weight
    return False


def compressed_json_response(request: Request, content: bytes) -> Response:
    """JSON that is compressed already."""
    if accepts_gzip(request.headers):
        return Response(content, headers={"Content-Encoding": "gzip"}, media_type="application/json")
    return Response(gzip.decompress(content), media_type="application/json")


class Delivery:
    """Compresses responses of one part, gives those of GET an ETag, and leaves out what a client still has.

    A client asks again each time, except for what ``lasts``. Streams of several parts are passed on as they are.
    """

    def __init__(self, app: ASGIApp, lasts: Callable[[Scope], bool]) -> None:
        self._app = app
        self._lasts = lasts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the start of the response is held back until the first part of its body is known."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        caching = _FOR_GOOD if self._lasts(scope) else _ASK_AGAIN
        starts: list[Message] = []

        async def deliver(message: Message) -> None:
            if message["type"] == "http.response.start":
                starts.append(message)
                return
            if starts:
                start = starts.pop()
                if message["type"] == "http.response.body" and not message.get("more_body", False):
                    start, message = _delivered(Headers(scope=scope), scope["method"], caching, start, message)
                await send(start)
            await send(message)

        await self._app(scope, receive, deliver)


def _delivered(asked: Headers, method: str, caching: str, start: Message, message: Message) -> tuple[Message, Message]:
    headers, body = MutableHeaders(scope=start), message.get("body", b"")
    if method == "GET" and start["status"] == 200:
        headers.setdefault("etag", f'W/"{blake2b(body, digest_size=12).hexdigest()}"')
        headers.setdefault("cache-control", caching)
    is_compressible = headers.get("content-type", "").startswith(_COMPRESSIBLE)
    if is_compressible:
        headers.add_vary_header("Accept-Encoding")
    # Weak and strong tags are alike.
    known = [tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")]
    if "etag" in headers and ("*" in known or headers["etag"].removeprefix("W/") in known):
        kept = [(name, value) for name, value in start["headers"] if name.lower() in _OF_A_304]
        return {**start, "status": 304, "headers": kept}, {**message, "body": b""}
    if "content-encoding" in headers or len(body) < _MIN_COMPRESSED or not is_compressible:
        return start, message
    if accepts_gzip(asked):
        body = gzip.compress(body, _LEVEL, mtime=0)
        headers["content-encoding"], headers["content-length"] = "gzip", str(len(body))
    return start, {**message, "body": body}


# --- results of jobs, the most recently used ones kept in memory -----------------------------------


class ResultCache:
    """Runs jobs that yield one `RenderedResult` and keeps the settled results, at most ``size``."""

    def __init__(self, pool: JobPool, size: int) -> None:
        self._pool = pool
        self._size = size
        self._kept: OrderedDict[Job, bytes] = OrderedDict()

    def kept(self, job: Job) -> bytes | None:
        """Return the settled result of a job, if it is in memory."""
        if job not in self._kept:
            return None
        self._kept.move_to_end(job)
        return self._kept[job]

    def keep(self, job: Job, content: bytes) -> None:
        """Keep the settled result of a job."""
        self._kept[job] = content
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)

    async def content(self, job: Job) -> bytes:
        """Return the content of the result. Raises `RefusedJobError`, and as `JobPool.results` does."""
        if (kept := self.kept(job)) is not None:
            return kept
        result: RenderedResult | RefusedResult = await single_result(self._pool.results(job))
        if isinstance(result, RefusedResult):
            raise RefusedJobError(result.fault)
        if result.settled:
            self.keep(job, result.content)
        return result.content


class SharedResultCache(ResultCache):
    """Concurrent requests for the same job share one run, which a client that leaves does not cancel."""

    def __init__(self, pool: JobPool, size: int) -> None:
        super().__init__(pool, size)
        self._running: dict[Job, asyncio.Task[bytes]] = {}

    async def content(self, job: Job) -> bytes:
        """Return the content of the result. Raises `RefusedJobError`, and as `JobPool.results` does."""
        if job not in self._running:
            task = asyncio.create_task(super().content(job))
            self._running[job] = task
            task.add_done_callback(lambda _: self._running.pop(job))
        return await asyncio.shield(self._running[job])
