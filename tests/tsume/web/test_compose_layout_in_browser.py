# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of things on the page to compose on, in windows of all sizes."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.tsume.problems import CORRECT
from tests.tsume.web.browsing import in_chromium
from tests.tsume.web.composing import LEFTOVER, headline, open_compose, opened

LONG = "x" * 198
WINDOWS = [(320, 568), (568, 320), (844, 390), (640, 400), (320, 200), (901, 500), (1280, 800)]
"""Phones, and a screen of 1280 x 800 at 200, 400 and 100 %."""
SMALLEST = """selector => {
    const boxes = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
    return Math.min(...boxes.flatMap(({width, height}) => [width, height]));
}"""
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"


def window(width: int, height: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("size", WINDOWS)
def test_everything_can_be_hit(browser: Browser, address: str, size: tuple[int, int], lang: str) -> None:
    with opened(browser, address, **window(*size)) as page:
        open_compose(page, LEFTOVER, lang)
        expect(page.locator(".tc-findings li")).to_have_count(3)
        assert page.evaluate(SMALLEST, ".tb-cell") >= 26
        assert page.evaluate(SMALLEST, ".tb-held, .tb-into, .tb-toggle") >= 24
        assert page.evaluate(OVERFLOW) <= 0


def test_on_its_side_a_phone_shows_board_and_verdict_beside_each_other(
    browser: Browser, address: str
) -> None:
    with opened(browser, address, CORRECT, **window(844, 390)) as page:
        expect(headline(page)).to_contain_text("perfect")
        board, verdict = page.locator(".tb-grid").bounding_box(), page.locator(".tc-verdict").bounding_box()
        assert board
        assert verdict
        assert board["x"] + board["width"] < verdict["x"]
        assert board["y"] + board["height"] <= 390
        assert verdict["y"] < board["y"] + board["height"]


@in_chromium
@pytest.mark.parametrize("size", [(320, 568), (844, 390), (1280, 800)])
def test_long_words_break(browser: Browser, address: str, size: tuple[int, int]) -> None:
    with opened(browser, address, CORRECT, **window(*size)) as page:
        expect(headline(page)).to_contain_text("perfect")
        paste_titled(page, LONG)
        expect(page.locator(".tc-said")).to_contain_text(LONG)
        assert page.evaluate(OVERFLOW) <= 0
        stored = {"id": 1, "known": True, "replaced": False, "differing": {"title": LONG, "comment": LONG}}
        page.route("**/api/problems", lambda route: route.fulfill(json=stored))
        page.get_by_text("Save as a problem").click()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".tc-saved")).to_contain_text(LONG)
        assert page.evaluate(OVERFLOW) <= 0


def paste_titled(page: Page, title: str) -> None:
    """Paste a record with a title."""
    page.evaluate(
        """text => {
            const given = new DataTransfer();
            given.setData("text/plain", text);
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: given, bubbles: true}));
        }""",
        f"id,sfen,title\n1,{CORRECT},{title}\n",
    )
