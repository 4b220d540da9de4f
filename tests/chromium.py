"""The browser in which pages are tested."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
TIMEOUT = 30_000
"""Milliseconds for anything on a page: the engine may still be loading."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=TIMEOUT)
        expect.set_options(timeout=TIMEOUT)
        yield browser
        browser.close()
