# SPDX-License-Identifier: GPL-3.0-or-later
"""The proxy that a browser's requests go through: tests watch and answer them there.

Each page of HTML gets a script in front of its own, which reports errors here.
"""

import http.client
import json
import queue
import re
import select
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Pattern = str | re.Pattern[str]


@dataclass(eq=False)
class PageRequest:
    """A request."""

    url: str
    method: str
    body: bytes

    @property
    def post_data(self) -> str | None:
        return self.body.decode() if self.body else None

    @property
    def post_data_json(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass
class PageResponse:
    """An answer that a test makes up."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class PageRoute:
    """A request that a test decides on; until it has, the page waits."""

    request: PageRequest
    response: PageResponse | None = None
    is_aborted: bool = False
    decided: threading.Event = field(default_factory=threading.Event)

    def fulfill(
        self,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        body: str = "",
        json: Any = None,
        content_type: str = "",
    ) -> None:
        """Answer the request."""
        text = body if json is None else _dumped(json)
        kind = content_type or ("text/plain" if json is None else "application/json")
        self.response = PageResponse(status, {"Content-Type": kind, **(headers or {})}, text.encode())
        self.decided.set()

    def abort(self) -> None:
        """Let the request fail."""
        self.is_aborted = True
        self.decided.set()

    def continue_(self) -> None:
        """Send the request to the server."""
        self.decided.set()


@dataclass
class Rule:
    """What is done with requests of some addresses, for the next ``times`` of them."""

    pattern: Pattern
    handler: Callable[[PageRoute], object]
    times: int | None = None

    def takes(self, url: str) -> bool:
        """Whether a request is decided on here; it is counted."""
        if self.times == 0 or not matches(self.pattern, url):
            return False
        if self.times:
            self.times -= 1
        return True


def matches(pattern: Pattern, url: str) -> bool:
    """Whether an address is one of a pattern: * stands for anything but a slash, ** for anything."""
    if not isinstance(pattern, str):
        return pattern.search(url) is not None
    parts = (re.escape(part).replace(r"\*", "[^/]*") for part in pattern.split("**"))
    return re.fullmatch(".*".join(parts), url) is not None


def _dumped(value: Any) -> str:
    return json.dumps(value)


_OWN = "/of-the-proxy/"
_TAG = f'<script src="{_OWN}first.js"></script>'.encode()
_WATCH = (Path(__file__).parent / "watch.js").read_text(encoding="utf-8")
_HOP = {"connection", "proxy-connection", "keep-alive", "transfer-encoding", "content-length", "accept-encoding"}


class Proxy(ThreadingHTTPServer):
    """A proxy; ``events`` gets (name, what happened), ``statuses`` the last answer of each address."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.events: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.statuses: dict[str, int] = {}
        self.rules: list[Rule] = []
        self.first_script = _WATCH
        self.is_offline = False
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: Proxy

    def log_message(self, *_arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = PageRequest(self.path, self.command, self.rfile.read(length))
        if urlsplit(request.url).path.startswith(_OWN):
            self._answer(self._own(request))
            return
        self.server.events.put(("request", request))
        try:
            done = self._decided(request)
        except (OSError, http.client.HTTPException):
            done = False
        if not done:
            self.server.events.put(("requestfailed", request))
            self.close_connection = True

    do_POST = do_GET  # noqa: N815

    def _own(self, request: PageRequest) -> PageResponse:
        if request.method == "POST":
            self.server.events.put(("fault", json.loads(request.body)))
        return PageResponse(
            200, {"Content-Type": "text/javascript", "Cache-Control": "no-store"}, self.server.first_script.encode()
        )

    def _decided(self, request: PageRequest) -> bool:
        """Whether the request got an answer."""
        rule = next((rule for rule in reversed(self.server.rules) if rule.takes(request.url)), None)
        route = PageRoute(request)
        if rule is not None:
            rule.handler(route)
            while not route.decided.wait(0.02):
                if self._has_left():
                    return False
        if route.is_aborted or self.server.is_offline:
            return False
        if route.response is not None:
            self._answer(route.response)
            return True
        return self._forward(request)

    def _forward(self, request: PageRequest) -> bool:
        place = urlsplit(request.url)
        with closing(http.client.HTTPConnection(place.netloc)) as connection:
            return self._forwarded(request, place.netloc, connection)

    def _forwarded(self, request: PageRequest, host: str, connection: http.client.HTTPConnection) -> bool:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
        target = request.url.partition(host)[2]
        connection.request(request.method, target, request.body or None, headers)
        ended = threading.Event()
        assert connection.sock is not None
        threading.Thread(target=self._hang_up_with_browser, args=[connection.sock, ended], daemon=True).start()
        try:
            return self._pass_on(request, connection.getresponse())
        finally:
            ended.set()

    def _pass_on(self, request: PageRequest, response: http.client.HTTPResponse) -> bool:
        self.server.statuses[request.url] = response.status
        if response.status >= 400:
            where = {"kind": "console", "text": f"{request.url}: {response.status}", "url": request.url}
            self.server.events.put(("fault", where))
        headers = {name: value for name, value in response.getheaders() if name.lower() not in _HOP}
        if "text/html" in (response.getheader("Content-Type") or ""):
            page = response.read().replace(b"<head>", b"<head>" + _TAG, 1)
            self._answer(PageResponse(response.status, headers, page))
            return True
        self._start(response.status, headers)
        while chunk := response.read1(65536):
            self.wfile.write(chunk)
            self.wfile.flush()
        return not self._has_left()

    def _answer(self, response: PageResponse) -> None:
        self._start(response.status, {**response.headers, "Content-Length": str(len(response.body))})
        if self.command != "HEAD":
            self.wfile.write(response.body)

    def _start(self, status: int, headers: dict[str, str]) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def _hang_up_with_browser(self, upstream: socket.socket, ended: threading.Event) -> None:
        while not ended.wait(0.02):
            if self._has_left():
                with suppress(OSError):
                    upstream.shutdown(socket.SHUT_RDWR)
                return

    def _has_left(self) -> bool:
        """Whether the browser has closed the connection."""
        with suppress(OSError, ValueError):
            readable, _, _ = select.select([self.connection], [], [], 0)
            return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""
        return True
