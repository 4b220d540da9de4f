# SPDX-License-Identifier: GPL-3.0-or-later
"""Sites in a browser without any network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from tests.browsers.engines import TIMEOUT
from tests.browsers.expecting import expect
from tests.tsume.web.browsing import said


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
