# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Chromium, driven by Playwright."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHROMIUM = Path("/usr/bin/chromium")


@contextmanager
def chromium(playwright: Playwright, timeout: int) -> Iterator[Browser]:
    """Chromium; ``timeout``: milliseconds for the start."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=timeout)
    yield browser
    browser.close()
