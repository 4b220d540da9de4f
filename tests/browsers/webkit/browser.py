# SPDX-License-Identifier: GPL-3.0-or-later
"""WebKit, in processes of its own for each context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from tests.browsers.webkit.driver import WebDriver, display
from tests.browsers.webkit.page import WebKitPage
from tests.browsers.webkit.proxy import Proxy

_VIEWPORT = {"width": 1280, "height": 720}


class WebKitContext:
    """The part of Playwright's ``BrowserContext`` that tests use: one page."""

    def __init__(self, browser: WebKitBrowser, environment: dict[str, str], options: dict[str, Any]) -> None:
        self.browser = browser
        self._options = options
        self._stack = ExitStack()
        home = Path(self._stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        self._proxy = Proxy()
        self._stack.callback(self._proxy.close)
        self._driver = WebDriver(home, self._proxy.server_port, environment, browser.timeout)
        self._stack.callback(self._driver.close)

    def new_page(self) -> WebKitPage:
        kind = "touch" if self._options.get("has_touch") else "mouse"
        base = self._options.get("base_url", "")
        page = WebKitPage(self, self._driver, self._proxy, base, kind, self.browser.timeout)
        page.set_viewport_size(self._options.get("viewport", _VIEWPORT))
        return page

    def set_offline(self, offline: bool) -> None:
        self._proxy.is_offline = offline

    def close(self) -> None:
        self._stack.close()


class WebKitBrowser:
    """The part of Playwright's ``Browser`` that tests use."""

    browser_type = SimpleNamespace(name="webkit")

    def __init__(self, screen: str, timeout: float) -> None:
        self.timeout = timeout
        self._screen = screen

    def new_page(self, **options: Any) -> WebKitPage:
        return self.new_context(**options).new_page()

    def new_context(self, *, color_scheme: str = "light", timezone_id: str = "", **options: Any) -> WebKitContext:
        environment = {"DISPLAY": self._screen}
        if color_scheme == "dark":
            environment["GTK_THEME"] = "Adwaita:dark"
        if timezone_id:
            environment["TZ"] = timezone_id
        return WebKitContext(self, environment, options)


@contextmanager
def webkit(timeout: int) -> Iterator[WebKitBrowser]:
    """WebKit; ``timeout``: milliseconds for anything."""
    with display() as screen:
        yield WebKitBrowser(screen, timeout / 1000)
