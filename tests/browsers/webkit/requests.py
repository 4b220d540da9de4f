# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests of a page, as its proxy sees them, and what becomes of them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
