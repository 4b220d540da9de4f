# SPDX-License-Identifier: GPL-3.0-or-later
"""Expectations of elements, in any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tests.browsers.webkit.assertions import WebKitAssertions
from tests.browsers.webkit.locator import WebKitLocator, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from playwright.sync_api._generated import LocatorAssertions


def expect(place: Locator) -> LocatorAssertions:
    """What Playwright expects, or the same of a page in WebKit."""
    import playwright.sync_api

    if isinstance(place, WebKitLocator):
        return cast("LocatorAssertions", WebKitAssertions(place))
    return playwright.sync_api.expect(place)


def expect_true(page: Page, function: str, argument: Any = None, *, seconds: float = 30.0) -> None:
    """Wait until a JavaScript function of one argument is true in the page.

    Playwright's ``wait_for_function`` evaluates a string in the page itself, which our pages forbid unless
    it is true at once.
    """
    until(lambda: page.evaluate(function, argument), seconds, f"never true: {function} of {argument}")
