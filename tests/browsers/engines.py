# SPDX-License-Identifier: GPL-3.0-or-later
"""The engines, launched when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tests.browsers.firefox import FIREFOX, firefox
from tests.browsers.webkit.browser import webkit
from tests.browsers.webkit.driver import DRIVER, MINI_BROWSER, XVFB

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


CHROMIUM = Path("/usr/bin/chromium")


@contextmanager
def chromium(playwright: Playwright, timeout: int) -> Iterator[Browser]:
    """Chromium; ``timeout``: milliseconds for the start."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=timeout)
    yield browser
    browser.close()


TIMEOUT = 30_000
"""Milliseconds for anything on a page: the engine may still be loading."""
ENGINES = ("chromium", "firefox", "webkit")


def missing(engine: str) -> str | None:
    """What has to be installed for an engine, or ``None``."""
    needed = {"chromium": [CHROMIUM], "firefox": [FIREFOX], "webkit": [DRIVER, MINI_BROWSER, XVFB]}[engine]
    if engine == "firefox" and find_spec("websockets") is None:
        return "websockets is not installed"
    return next((f"{path} is not there" for path in needed if not path.exists()), None)


class LaunchedEngines:
    """One browser of each engine that was asked for."""

    def __init__(self, playwright: Playwright, stack: ExitStack) -> None:
        self._playwright, self._stack = playwright, stack
        self._browsers: dict[str, Browser] = {}

    def __getitem__(self, engine: str) -> Browser:
        if engine not in self._browsers:
            browser = self._stack.enter_context(self._launched(engine))
            self._browsers[engine] = cast("Browser", browser)
        return self._browsers[engine]

    def _launched(self, engine: str) -> AbstractContextManager[object]:
        if engine == "webkit":
            return webkit(TIMEOUT)
        return {"chromium": chromium, "firefox": firefox}[engine](self._playwright, TIMEOUT)


@contextmanager
def launched_engines() -> Iterator[LaunchedEngines]:
    """The engines, until the end of the block."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright, ExitStack() as stack:
        yield LaunchedEngines(playwright, stack)
