# SPDX-License-Identifier: GPL-3.0-or-later
"""Expectations of elements, in any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.browsers.webkit.assertions import WebKitAssertions
from tests.browsers.webkit.locator import WebKitLocator

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from playwright.sync_api._generated import LocatorAssertions


def expect(place: Locator) -> LocatorAssertions:
    """What Playwright expects, or the same of a page in WebKit."""
    import playwright.sync_api

    if isinstance(place, WebKitLocator):
        return cast("LocatorAssertions", WebKitAssertions(place))
    return playwright.sync_api.expect(place)
