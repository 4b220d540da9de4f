# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Firefox, driven by Playwright through WebDriver BiDi."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tests.browsers.firefox_relay import FirefoxRelay, relaying
from tests.browsers.posts import RECORDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright

FIREFOX = Path("/usr/bin/firefox-esr")
RELAYS: WeakKeyDictionary[Browser, FirefoxRelay] = WeakKeyDictionary()
"""The relay to each process."""
_LAUNCHER = """#!/bin/sh
# Firefox, whose address leads through the relay.
{firefox} "$@" 2>&1 | sed -u 's#ws://127.0.0.1:\\([0-9]*\\)#ws://127.0.0.1:{port}/\\1#' >&2
"""
_PREFERENCES: dict[str, str | float | bool] = {
    "dom.events.testing.asyncClipboard": True,  # the clipboard is read without a question
    "dom.w3c_touch_events.enabled": 1,
    "browser.sessionhistory.max_total_viewers": 0,  # Playwright would wait for a kept page to load
}
_UNSUPPORTED = ("is_mobile", "permissions")
"""Firefox for desktops has no other layout, and permissions are preferences."""
_SCHEMES = {"dark": 0, "light": 1}


class FirefoxBrowser:
    """The part of Playwright's ``Browser`` that tests use.

    What Firefox cannot change in a context is a preference of a process. Each colour scheme has a process,
    launched when it is first asked for.
    """

    def __init__(self, playwright: Playwright, relay: FirefoxRelay, launcher: Path, timeout: int) -> None:
        self._playwright, self._relay, self._launcher = playwright, relay, launcher
        self._timeout = timeout
        self._running: dict[str, Browser] = {}

    def new_page(self, **options: Any) -> Page:
        return self.new_context(**options).new_page()

    def new_context(self, *, color_scheme: str = "light", has_touch: bool = False, **options: Any) -> BrowserContext:
        browser = self._process(color_scheme)
        for name in _UNSUPPORTED:
            options.pop(name, None)
        self._relay.makes_touch_contexts = has_touch
        try:
            context = browser.new_context(has_touch=has_touch, **options)
        finally:
            self._relay.makes_touch_contexts = False
        context.add_init_script(f"({RECORDER})();")
        return context

    def _process(self, scheme: str) -> Browser:
        if scheme not in self._running:
            override = {"layout.css.prefers-color-scheme.content-override": _SCHEMES[scheme]}
            self._running[scheme] = self._playwright.firefox.launch(
                channel="moz-firefox",
                executable_path=self._launcher,
                firefox_user_prefs=_PREFERENCES | override,
                timeout=self._timeout,
            )
            RELAYS[self._running[scheme]] = self._relay
        return self._running[scheme]

    def close(self) -> None:
        for browser in self._running.values():
            browser.close()


@contextmanager
def firefox(playwright: Playwright, timeout: int) -> Iterator[FirefoxBrowser]:
    """Firefox; ``timeout``: milliseconds for a start."""
    with ExitStack() as stack:
        relay = stack.enter_context(relaying())
        launcher = Path(stack.enter_context(TemporaryDirectory())) / "firefox"
        launcher.write_text(_LAUNCHER.format(firefox=FIREFOX, port=relay.port), encoding="utf-8")
        launcher.chmod(0o755)
        browser = FirefoxBrowser(playwright, relay, launcher, timeout)
        yield browser
        browser.close()
