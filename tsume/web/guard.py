# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of every request before it is routed: host, origin, sizes; security headers of every response."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""The names of a machine for itself."""
MAX_TARGET = 2048
"""Bytes of a path with its query."""
MAX_HEADERS = 16 * 1024
"""Bytes of all headers."""
MAX_BODY = 64 * 1024
"""Bytes of a request's body."""
_SAFE = ("GET", "HEAD")
_POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
SOLVER_POLICY = f"{_POLICY}; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:"
"""The Content-Security-Policy of pages that run the solver in a worker."""
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class HostNames:
    """The host names of the server; with ``any_address`` every IP address too.

    No site can use an IP address as its name, so an address is as safe as a known name.
    """

    known: frozenset[str] = _LOOPBACK
    any_address: bool = False

    @classmethod
    def of(cls, *names: str, any_address: bool = False) -> HostNames:
        """Return these names and those of the loopback."""
        return cls(_LOOPBACK | {name.lower() for name in names}, any_address)

    def __contains__(self, name: str | None) -> bool:
        """Return whether the server answers to the name of a Host header, given without the port."""
        return name is not None and (name in self.known or (self.any_address and _is_address(name)))


class RequestGuard:
    """Rejects requests for a foreign host, from a foreign site, and those that are too large.

    A page of another site can make a browser send requests to this machine; with DNS rebinding it could
    read the responses. So the Host must be one of ``names``, and an Origin, if any, that of the Host. Only
    the API takes other methods than GET. Browsers send Sec-Fetch-Site; a client without it is no browser.
    """

    def __init__(self, app: ASGIApp, names: HostNames) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        rejection = self._rejection(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (rejection or self._app)(scope, receive, sending)

    def _rejection(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if _host_name(headers.getlist("host")) not in self._names:
            return _error(scope, "unknown host name", 421)
        if not _is_own_origin(headers):
            return _error(scope, "requests from other sites are not allowed", 403)
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_TARGET:
            return _error(scope, "address too long", 414)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
            return _error(scope, "headers too large", 431)
        is_safe = scope["method"] in _SAFE
        if not is_safe and not _is_api(scope):  # the routes of the API check the method
            return _error(scope, "only GET is allowed", 405, {"Allow": ", ".join(_SAFE)})
        if not is_safe and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _error(scope, "requests from other sites are not allowed", 403)
        length = headers.get("content-length", "0")  # the body is also counted as it arrives
        is_small = length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MAX_BODY
        if not is_small or (is_safe and "transfer-encoding" in headers):
            return _error(scope, f"the body has more than {MAX_BODY} bytes", 413)
        return None


def _host_name(given: list[str]) -> str | None:
    """Return the name in the one Host header, without the port."""
    if len(given) != 1:
        return None
    name, colon, port = given[0].lower().rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()):
        return given[0].lower()
    return name


def _is_address(name: str) -> bool:
    try:
        ip_address(name[1:-1] if name.startswith("[") and name.endswith("]") else name)
    except ValueError:
        return False
    return True


def _is_own_origin(headers: Headers) -> bool:
    origins = headers.getlist("origin")
    if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
        return False
    try:
        return all(urlsplit(origin).netloc.lower() == headers["host"].lower() for origin in origins)
    except ValueError:
        return False


def _is_api(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/api/")


def _error(scope: Scope, text: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """Return an error of one line, for the API as JSON."""
    if _is_api(scope):
        return JSONResponse({"error": text}, status, headers)
    return PlainTextResponse(text, status, headers)
