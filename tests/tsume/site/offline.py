# SPDX-License-Identifier: GPL-3.0-or-later
"""A site opened as files, or on a host, by a browser that reaches nothing else."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browsers.engines import TIMEOUT

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import said


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        pass


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing: a browser that leaves a page breaks its connections."""


class Host:
    """A host with the site below a path, until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._server = _QuietServer(("127.0.0.1", 0), partial(_Quiet, directory=folder.parent))
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/{folder.name}/"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(TIMEOUT)
        self._server.server_close()


@contextmanager
def opened(browser: Browser, address: str, first: str, **options: Any) -> Iterator[Page]:
    """The page ``first`` of a site, which may reach nothing else; a fault in a script fails the test."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    faults: list[str] = []

    def only_own(route: Route) -> None:
        if route.request.url.startswith(address):
            route.continue_()
        else:
            faults.append(f"asked for {route.request.url}")
            route.abort()

    page.route(re.compile("^(?!blob:)"), only_own)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    if address.startswith("file:"):
        context.set_offline(True)
    try:
        page.goto(address + first)
        yield page
    finally:
        context.close()
    assert not faults, faults


def open_problem(page: Page, address: str) -> None:
    """Open the page of a problem, in English, and wait until it can be played."""
    page.goto(address)
    expect(said(page)).to_have_text("Your move: give check.")
