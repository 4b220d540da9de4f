# SPDX-License-Identifier: GPL-3.0-or-later
"""The squares of a board are large enough for a finger, on small screens and zoomed; no page is too wide.

On a phone on its side the whole board and the hands are in the window.
"""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import in_chromium, new_page

SMALLEST = 26
"""Width and height of a square, in CSS pixels."""
VIEWPORTS = [(320, 568), (568, 320), (844, 390), (640, 400), (320, 200)]
"""Telephones, and a window of 1280x800 at 200 % and 400 %."""
_SMALL = """smallest => [...document.querySelectorAll("[data-square]")]
    .map((one) => [one.dataset.square, one.getBoundingClientRect()])
    .filter(([, {width, height}]) => width < smallest || height < smallest)
    .map(([name, {width, height}]) => [name, width, height])"""
PHONES_ON_THEIR_SIDE = [(844, 390), (667, 375), (740, 360), (568, 320), (932, 430)]
_OUTSIDE = """selector => [...document.querySelectorAll(selector)]
    .map((one) => [one.className, one.getBoundingClientRect()])
    .filter(([, one]) => Math.min(one.x, one.y) < 0 || one.right > innerWidth || one.bottom > innerHeight)
    .map(([name, one]) => [name, one.x, one.y, one.right, one.bottom])"""
_HANDS = ".tb-files, .tb-ranks, .tb-grid, .tb-attacker, .tb-defender"
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


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("viewport", PHONES_ON_THEIR_SIDE, ids=lambda size: f"{size[0]}x{size[1]}")
def test_on_its_side_a_phone_shows_all_of_the_board(
    browser: Browser, address: str, viewport: tuple[int, int], lang: str
) -> None:
    width, height = viewport
    with new_page(browser, address, viewport={"width": width, "height": height}) as page:
        for path, looked_at in (
            ("/problems/1", _HANDS),
            ("/problems/2", _HANDS),
            ("/compose", f"{_HANDS}, .tb-box"),
            ("/training", _HANDS),
        ):
            page.goto(f"{path}?lang={lang}")
            assert page.evaluate(_OUTSIDE, "header a") == [], path
            if path == "/training":
                page.locator("[data-mode=training]").click()
            expect(page.locator("[data-square]")).to_have_count(81)
            assert page.evaluate(_OUTSIDE, looked_at) == [], path
            assert page.evaluate(_SMALL, SMALLEST) == [], path
            assert page.evaluate(_OVERFLOW) <= 0, path


@in_chromium
@pytest.mark.parametrize("viewport", PHONES_ON_THEIR_SIDE, ids=lambda size: f"{size[0]}x{size[1]}")
def test_on_its_side_a_phone_shows_a_full_hand(
    browser: Browser, address: str, viewport: tuple[int, int]
) -> None:
    width, height = viewport
    with new_page(browser, address, viewport={"width": width, "height": height}) as page:
        page.goto("/problems/2?lang=en")
        expect(page.locator("[data-square]")).to_have_count(81)
        page.evaluate(
            """sfen => document.querySelector("tsume-board").show(TsumePosition.Position.fromSfen(sfen))""",
            "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        )
        expect(page.locator(".tb-attacker .tb-held")).to_have_count(7)
        assert page.evaluate(_OUTSIDE, f"{_HANDS}, .tb-held") == []
