# SPDX-License-Identifier: GPL-3.0-or-later
"""What is printed of the pages, and the sheets that are made of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import in_chromium, new_page, without_webkit

_PAGE = {"width": 688, "height": 1000}
"""A4 without its margins, in CSS pixels."""
_SHOWN = """selector => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility()).map((one) => one.className || one.tagName)"""
_BOXES = """selector => [...document.querySelectorAll(selector)]
    .map((one) => one.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height])"""
_BACKGROUNDS = """() => [...document.querySelectorAll("tsume-board *, tsume-editor *")]
    .map((one) => getComputedStyle(one).backgroundColor)
    .filter((colour) => !["rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"].includes(colour))"""
CONTROLS = """header, nav, form, button:not(.tb-held, .tb-toggle), select, textarea, summary, .filter,
    .results, .tb-box, .tc-jobs"""


@pytest.fixture
def printed(browser: Browser, address: str) -> Iterator[Page]:
    """A page that is shown as it is printed; of Firefox no driver shows it so."""
    with new_page(browser, address, viewport=_PAGE) as page:
        page.emulate_media(media="print")
        yield page


def boxes(page: Page, selector: str) -> list[list[float]]:
    found: list[list[float]] = page.evaluate(_BOXES, selector)
    return found


def overlap(one: list[float], other: list[float]) -> bool:
    return all(one[axis] < other[axis] + other[axis + 2] - 1 and other[axis] < one[axis] + one[axis + 2] - 1
               for axis in (0, 1))  # fmt: skip


def has_star_points(page: Page) -> bool:
    """Whether the four points lie on the corners of squares."""
    ((left, top, width, height),) = boxes(page, ".tb-grid")
    points = boxes(page, ".tb-dot")
    assert len(points) == 4
    centres = [((x + w / 2 - left) / width * 9, (y + h / 2 - top) / height * 9) for x, y, w, h in points]
    return all(min(abs(at - 3), abs(at - 6)) < 0.1 for centre in centres for at in centre)


@in_chromium
@pytest.mark.parametrize("path", ["/problems/2?lang=ja", "/compose?sfen=9/8k/9/8P/9/9/9/9/9+b+G3P+1&quiet=1"])
def test_a_board_is_printed_in_black_on_white_without_controls(printed: Page, path: str) -> None:
    printed.goto(path)
    expect(printed.locator("[data-square]")).to_have_count(81)
    assert printed.evaluate(_SHOWN, CONTROLS) == []
    assert printed.evaluate(_SHOWN, ".tb-grid, .tb-attacker, .tb-defender") != []
    assert printed.evaluate(_BACKGROUNDS) == []
    assert has_star_points(printed)
    ((left, _, width, _),) = boxes(printed, ".tb-grid")
    hands = boxes(printed, ".tb-attacker, .tb-defender")
    assert all(x >= left + width and x + across <= _PAGE["width"] for x, _, across, _ in hands)
    held = printed.locator(".tb-attacker .tb-held")
    expect(held).to_have_count(2)
    colours = printed.evaluate(
        "() => [...document.querySelectorAll('.tb-count')].map((one) => getComputedStyle(one).color)"
    )
    assert set(colours) <= {"rgb(0, 0, 0)"}


@in_chromium
def test_a_printed_problem_says_its_number_length_and_who_is_to_move(printed: Page) -> None:
    printed.goto("/problems/2?lang=ja")
    expect(printed.locator(".tp-said")).to_have_text("攻方の番です。王手をかけてください。")
    text = printed.locator("body").inner_text()
    for part in ("第2番", "3手詰", "攻方の番です", "持駒", "残り全部"):
        assert part in text
    assert "解答を見る" not in text


@in_chromium
def test_cards_of_a_printed_list_are_whole_and_beside_each_other(printed: Page) -> None:
    printed.goto("/?lang=en")
    expect(printed.locator(".problems [data-line]")).to_have_count(3)
    assert printed.evaluate(_SHOWN, CONTROLS) == []
    cards = boxes(printed, ".problems [data-line]")
    assert not any(overlap(*pair) for pair in combinations(cards, 2))
    assert len({y for _, y, _, _ in cards}) == 1
    assert max(x + width for x, _, width, _ in cards) <= _PAGE["width"]
    breaks = printed.evaluate(
        "() => getComputedStyle(document.querySelector('.problems [data-line]')).breakInside"
    )
    assert breaks == "avoid"


# --- sheets -------------------------------------------------------------------------------------------


def sheet(page: Page, number: int, answers: str) -> Any:
    page.goto("/?lang=en")
    page.get_by_role("button", name="Print a sheet").click()
    place = page.locator(".sheet")
    place.locator("[name=per_page]").select_option(str(number))
    place.locator("[name=answers]").select_option(answers)
    expect(place.get_by_role("status")).to_contain_text("Pages: ")
    return place


@without_webkit
@pytest.mark.parametrize(("number", "pages"), [(1, 3), (2, 2), (4, 1), (6, 1), (8, 1), (12, 1)])
def test_a_sheet_has_so_many_problems_a_page(browser: Browser, address: str, number: int, pages: int) -> None:
    with new_page(browser, address, viewport={"width": 1000, "height": 1200}) as page:
        place = sheet(page, number, "none")
        expect(place.locator(".sheet-page")).to_have_count(pages)
        expect(place.locator(".sheet-card")).to_have_count(3)
        expect(place.locator(".sheet-card figcaption").nth(1)).to_contain_text("No. 2 Mate in 3")
        expect(place.locator(".sheet-head").first).to_contain_text("moves first")
        expect(place).not_to_contain_text("N*1d")
        page.emulate_media(media="print")
        inside = boxes(page, ".sheet-page")
        for x, y, width, height in boxes(page, ".sheet-card img"):
            assert min(width, height) > 50
            assert any(left <= x and top <= y and x + width <= left + across and y + height <= top + down
                       for left, top, across, down in inside)  # fmt: skip
        cards = boxes(page, ".sheet-card")
        assert not any(overlap(*pair) for pair in combinations(cards, 2))


@without_webkit
def test_answers_are_at_the_end_or_upside_down(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        place = sheet(page, 2, "end")
        expect(place.locator(".sheet-page")).to_have_count(3)
        expect(place.locator(".sheet-page").nth(2)).to_contain_text("G-2c K-1a G-2b mate in 3.")
        expect(place.locator(".sheet-page").first).not_to_contain_text("G-2c")
        place = sheet(page, 2, "turned")
        expect(place.locator(".sheet-page")).to_have_count(2)
        expect(place.locator(".sheet-page").first.locator(".sheet-turned li")).to_have_count(2)
        page.keyboard.press("Escape")
        expect(place).to_have_count(0)
        page.locator(".problems a").last.click()


@in_chromium
def test_a_sheet_is_printed_page_by_page(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        sheet(page, 2, "end")
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))) == 3
