# SPDX-License-Identifier: GPL-3.0-or-later
"""The squares of a board are large enough for a finger, on small screens and zoomed; no page is too wide."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import new_page

SMALLEST = 26
"""Width and height of a square, in CSS pixels."""
VIEWPORTS = [(320, 568), (568, 320), (844, 390), (640, 400), (320, 200)]
"""Telephones, and a window of 1280x800 at 200 % and 400 %."""
_SMALL = """smallest => [...document.querySelectorAll("[data-square]")]
    .map((one) => [one.dataset.square, one.getBoundingClientRect()])
    .filter(([, {width, height}]) => width < smallest || height < smallest)
    .map(([name, {width, height}]) => [name, width, height])"""
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("path", ["/problems/1", "/compose"])
def test_squares_can_be_hit(browser: Browser, address: str, path: str, viewport: tuple[int, int]) -> None:
    width, height = viewport
    with new_page(browser, address, viewport={"width": width, "height": height}) as page:
        page.goto(f"{path}?lang=en")
        expect(page.locator("[data-square]")).to_have_count(81)
        assert page.evaluate("[innerWidth, innerHeight]") == [width, height]
        assert page.evaluate(_SMALL, SMALLEST) == []
        assert page.evaluate(_OVERFLOW) <= 0
