# SPDX-License-Identifier: GPL-3.0-or-later
"""How pages look: no violations that axe finds, focus, sizes on small windows, lines of the board, print"""

import io
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import combinations, cycle, pairwise, product
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from matplotlib.image import imread

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.sampling import few
from tests.tsume.problems import CORRECT
from tests.tsume.web.browsing import PHONE, in_chromium, keys, new_page, square, without_webkit
from tests.tsume.web.composing import headline, open_compose, opened

SERIOUS = ("serious", "critical")
LEFTOVER = "7k1/9/7P1/9/9/9/9/9/9 b 2G 1"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def the_list(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=3&min_quality=1")
    expect(page.locator("details[open]")).to_be_visible()
    expect(page.locator(".results > p:not([role])")).to_have_count(1)  # what is solved comes from the server


def an_empty_list(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=99")


def a_problem(page: Page, lang: str) -> None:
    page.goto(f"/problems/1?lang={lang}")
    expect(page.locator(".tp-typed input")).to_be_enabled()


def a_refuted_check(page: Page, lang: str) -> None:
    a_problem(page, lang)
    square(page, "3c").click()
    square(page, "2b").click()
    expect(page.locator(".tp-do")).to_be_visible()


def a_solved_problem(page: Page, lang: str) -> None:
    a_problem(page, lang)
    square(page, "3d").click()
    square(page, "2c").click()
    expect(page.locator(".tp-moves li")).to_have_count(2)
    square(page, "2c").click()
    square(page, "2b").click()
    expect(page.locator(".tp-result")).to_be_visible()


def the_list_with_results(page: Page, lang: str) -> None:
    a_solved_problem(page, lang)
    page.goto(f"/?lang={lang}")
    expect(page.locator(".results")).to_be_visible()


def a_question(page: Page, lang: str) -> None:
    page.goto(f"/problems/3?lang={lang}")
    expect(page.locator(".tp-typed input")).to_be_enabled()
    square(page, "8c").click()
    square(page, "8b").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def compose(page: Page, lang: str) -> None:
    page.goto(f"/compose?lang={lang}&sfen={quote(LEFTOVER)}")
    expect(page.locator(".tc-findings li")).to_have_count(2)


def compose_with_all_open(page: Page, lang: str) -> None:
    compose(page, lang)
    for details in page.locator("details").all():
        details.evaluate("details => { details.open = true; }")
    page.locator("[data-name=rest]").click()
    square(page, "2c").click()
    page.locator("[data-act=keep]").click()
    page.locator("[data-act=mend]").click()
    expect(page.locator("[data-act=stop]")).to_be_disabled()
    expect(page.locator(".tc-find").first).to_be_visible()
    page.get_by_role("button", name="SFEN").last.evaluate("button => button.blur()")


def compose_waiting(page: Page, lang: str) -> None:
    compose(page, lang)
    page.route("**/api/judgement", lambda _: None)
    square(page, "5e").focus()
    keys(page, "g")
    expect(page.locator(".tc-verdict")).to_have_attribute("data-state", "waiting")


def a_line(page: Page, lang: str) -> None:
    compose(page, lang)
    page.locator(".tc-fault button").first.click()
    keys(page, "ArrowRight")
    expect(page.locator(".tc-line")).to_be_visible()


def an_illegal_position(page: Page, lang: str) -> None:
    page.goto(f"/compose?lang={lang}&sfen={quote('9/9/9/9/4G4/9/9/9/9 b - 1')}")
    expect(page.locator(".tc-verdict")).to_have_attribute("data-state", "refused")


def a_message(page: Page, lang: str) -> None:
    page.goto(f"/?lang={lang}&moves=x")


def about_the_api(page: Page, lang: str) -> None:
    answer = page.goto(f"/api?lang={lang}")
    assert answer is not None
    assert answer.ok


def training(page: Page, lang: str) -> None:
    page.goto(f"/training?lang={lang}")
    page.locator("[data-mode=survival]").click()
    expect(page.locator(".player .tp-typed input")).to_be_enabled()
    page.locator("[data-act=stop]").click()
    expect(page.locator(".tr-review li")).to_have_count(1)
    page.locator(".wanted > summary").click()
    page.locator(".wanted details > summary").click()


PAGES = [
    the_list, an_empty_list, the_list_with_results, a_problem, a_refuted_check, a_solved_problem, a_question,
    compose, compose_with_all_open, compose_waiting, a_line, an_illegal_position, a_message, about_the_api, training,
]  # fmt: skip

LOOKS = list(product(("ja", "en"), ("desktop", "phone"), ("light", "dark")))


def looked_at() -> Iterator[Any]:
    """Every page in every look; without `--slow` in two looks that have nothing in common."""
    for page, show in enumerate(PAGES):
        for look, (lang, size, scheme) in enumerate(LOOKS):
            usual = min(look, len(LOOKS) - 1 - look) == page % 4
            yield pytest.param(
                show, lang, DESKTOP if size == "desktop" else PHONE, scheme,
                id=f"{show.__name__}-{lang}-{size}-{scheme}", marks=() if usual else pytest.mark.slow,
            )  # fmt: skip


@pytest.mark.parametrize(("show", "lang", "size", "scheme"), list(looked_at()))
def test_no_serious_violation(
    browser: Browser, address: str, show: Callable[[Page, str], None], lang: str, size: dict[str, Any], scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with new_page(browser, address, color_scheme=scheme, **size) as page:
        show(page, lang)
        found = axe.run(page).response["violations"]
        page.unroute_all(behavior="ignoreErrors")
    assert [told(one) for one in found if one["impact"] in SERIOUS] == []


def told(violation: dict[str, Any]) -> tuple[str, list[str]]:
    """A violation with the elements that have it and why."""
    return violation["id"], [f"{node['html'][:120]}: {node['failureSummary']}" for node in violation["nodes"]]


_USABLE = """() => {
    const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    window.usable = [...all].filter((one) => one.tabIndex >= 0 && !one.matches(":disabled")
        && one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 0);
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    return window.usable.map((one) => one.outerHTML.slice(0, 80));
}"""
_FOCUSED = "usable.indexOf(document.activeElement)"


@pytest.mark.parametrize("show", [the_list, a_problem, compose, compose_with_all_open])
def test_tab_follows_the_document(browser: Browser, address: str, show: Callable[[Page, str], None]) -> None:
    with new_page(browser, address) as page:
        show(page, "en")
        names = page.evaluate(_USABLE)
        reached = [_after(page, "Tab") for _ in names]
        assert [names[one] if one >= 0 else None for one in reached] == names
        back = [_after(page, "Shift+Tab") for _ in names[1:]]
        assert back == reached[-2::-1]


def _after(page: Page, key: str) -> int:
    page.keyboard.press(key)
    index: int = page.evaluate(_FOCUSED)
    return index


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


@pytest.mark.parametrize("path", ["/problems/1", "/compose"])
def test_squares_can_be_hit(browser: Browser, address: str, path: str) -> None:
    with new_page(browser, address) as page:
        for width, height in VIEWPORTS:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{path}?lang=en")
            expect(page.locator("[data-square]")).to_have_count(81)
            assert page.evaluate("[innerWidth, innerHeight]") == [width, height]
            assert page.evaluate(_SMALL, SMALLEST) == [], (width, height)
            assert page.evaluate(_OVERFLOW) <= 0, (width, height)


@pytest.mark.parametrize(
    ("size", "lang"),
    few([*zip(PHONES_ON_THEIR_SIDE * 2, cycle(["ja", "en"]), strict=False)], len(PHONES_ON_THEIR_SIDE)),
)
def test_a_phone_on_its_side(browser: Browser, address: str, size: tuple[int, int], lang: str) -> None:
    width, height = size
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
            page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
            assert page.evaluate(_OUTSIDE, looked_at) == [], path
            assert page.evaluate(_SMALL, SMALLEST) == [], path
            assert page.evaluate(_OVERFLOW) <= 0, path


@in_chromium
def test_on_its_side_a_phone_shows_a_full_hand(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        for width, height in PHONES_ON_THEIR_SIDE:
            page.set_viewport_size({"width": width, "height": height})
            page.goto("/problems/2?lang=en")
            expect(page.locator("[data-square]")).to_have_count(81)
            page.evaluate(
                "sfen => document.querySelector('tsume-board').show(TsumePosition.Position.fromSfen(sfen))",
                "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
            )
            expect(page.locator(".tb-attacker .tb-held")).to_have_count(7)
            assert page.evaluate(_OUTSIDE, f"{_HANDS}, .tb-held") == [], (width, height)


LONG = "x" * 198
WINDOWS = [(320, 568), (568, 320), (844, 390), (640, 400), (320, 200), (901, 500), (1280, 800)]
"""Phones, and a screen of 1280 x 800 at 200, 400 and 100 %."""
_SMALLEST_OF = """selector => {
    const boxes = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
    return Math.min(...boxes.flatMap(({width, height}) => [width, height]));
}"""
_BEYOND = "() => document.documentElement.scrollWidth - innerWidth"


def window(width: int, height: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_everything_can_be_hit(browser: Browser, address: str, lang: str) -> None:
    with opened(browser, address) as page:
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            open_compose(page, LEFTOVER, lang)
            expect(page.locator(".tc-findings li")).to_have_count(2)
            assert page.evaluate(_SMALLEST_OF, ".tb-cell") >= 26, (width, height)
            assert page.evaluate(_SMALLEST_OF, ".tb-held, .tb-into, .tb-toggle") >= 24, (width, height)
            assert page.evaluate(_BEYOND) <= 0, (width, height)


def test_a_phone_shows_board_and_verdict_beside_each_other(browser: Browser, address: str) -> None:
    with opened(browser, address, CORRECT, **window(844, 390)) as page:
        expect(headline(page)).to_contain_text("Perfect")
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
        expect(headline(page)).to_contain_text("Perfect")
        page.evaluate(
            """text => {
                const given = new DataTransfer();
                given.setData("text/plain", text);
                const pasted = {clipboardData: given, bubbles: true};
                document.body.dispatchEvent(new ClipboardEvent("paste", pasted));
            }""",
            f"id,sfen,title\n1,{CORRECT},{LONG}\n",
        )
        expect(page.locator(".tc-said")).to_contain_text(LONG)
        assert page.evaluate(_BEYOND) <= 0
        stored = {"id": 1, "known": True, "replaced": False, "differing": {"title": LONG, "comment": LONG}}
        page.route("**/api/problems", lambda route: route.fulfill(json=stored))
        page.get_by_text("Save as a problem").click()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".tc-saved")).to_contain_text(LONG)
        assert page.evaluate(_BEYOND) <= 0


Box = tuple[float, float, float, float]
_CONTRAST = 0.15
"""How much darker than the board a line is; black is 1 darker than white."""
_EMPTY = """() => Object.fromEntries([...document.querySelectorAll("[data-square]")]
    .filter((one) => !one.querySelector("svg"))
    .map((one) => [one.dataset.square, one.getBoundingClientRect()])
    .map(([name, {x, y, width, height}]) => [name, [x, y, width, height]]))"""


@pytest.mark.parametrize("path", ["/problems/1", "/compose"])
def test_lines_are_seen(browser: Browser, address: str, path: str) -> None:
    # Playwright adds a style for a screenshot, which the page's policy forbids: that is no fault of the page.
    with closing(browser.new_page(base_url=address, viewport={"width": 1280, "height": 1000})) as page:
        page.goto(f"{path}?lang=en")
        expect(square(page, "5e")).to_be_visible()
        empty, drawn = settled(page)
    picture = imread(io.BytesIO(drawn))[:, :, :3].mean(axis=2)
    files, ranks = "123456789", "abcdefghi"
    unseen = [
        f"{a}{b}"
        for a, b in (*pairwise(files), *pairwise(ranks))
        if not any(
            line_between(picture, empty[one], empty[other])
            for one, other in neighbours(a, b)
            if one in empty and other in empty
        )
    ]
    assert unseen == []


def settled(page: Page) -> tuple[dict[str, Box], bytes]:
    """The empty squares and a picture of the page, once neither changes."""
    before = None
    while before != (now := (page.evaluate(_EMPTY), page.screenshot())):
        before = now
        time.sleep(0.2)
    return now


def neighbours(a: str, b: str) -> list[tuple[str, str]]:
    """The squares on either side of the line between two files or ranks."""
    if a.isdigit():
        return [(a + rank, b + rank) for rank in "abcdefghi"]
    return [(file + a, file + b) for file in "123456789"]


def line_between(picture: np.ndarray, one: Box, other: Box) -> bool:
    """Whether some row or column of pixels about the border of two squares is darker than they are."""
    (x, y, width, height), (u, v, _, _) = min(one, other), max(one, other)
    if abs(u - x) > abs(v - y):
        band = picture[_middle(y, height), round(u) - 3 : round(u) + 4].mean(axis=0)
    else:
        below = max(y, v)
        band = picture[round(below) - 3 : round(below) + 4, _middle(x, width)].mean(axis=1)
    board = np.median(picture[_middle(y, height), _middle(x, width)])
    return bool(board - band.min() > _CONTRAST)


def _middle(start: float, size: float) -> slice:
    return slice(round(start + size / 3), round(start + size * 2 / 3))


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
def test_printed_problems_and_lists_are_whole(printed: Page) -> None:
    printed.goto("/problems/2?lang=ja")
    expect(printed.locator(".tp-said")).to_have_text("攻方の番です。王手をかけてください。")
    text = printed.locator("body").inner_text()
    for part in ("第2番", "3手詰", "持駒", "残り全部"):
        assert part in text
    assert "解答を見る" not in text
    assert "攻方の番です" not in text
    printed.goto("/?lang=en")
    expect(printed.locator(".problems [data-line]")).to_have_count(3)
    assert printed.evaluate(_SHOWN, CONTROLS) == []
    cards = boxes(printed, ".problems [data-line]")
    assert not any(overlap(*pair) for pair in combinations(cards, 2))
    assert len({y for _, y, _, _ in cards}) == 1
    assert max(x + width for x, _, width, _ in cards) <= _PAGE["width"]
    breaks = printed.evaluate("() => getComputedStyle(document.querySelector('.problems [data-line]')).breakInside")
    assert breaks == "avoid"


# --- sheets -------------------------------------------------------------------------------------------


def sheet(page: Page, number: int, answers: str) -> Any:
    page.goto("/?lang=en")
    page.get_by_role("button", name="Print a sheet").click()
    place = page.locator(".sheet")
    place.locator("[name=per_page]").select_option(str(number))
    place.locator("[name=answers]").select_option(answers)
    expect(place.locator(".sheet-card")).to_have_count(min(number, 3))  # one page of them
    place.locator("[name=count]").fill("3")
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


@without_webkit
def test_a_list_of_numbers_is_shown_in_its_order_and_printed_whole(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        page.goto("/?lang=en#list=3,1&title=Club%20night")
        expect(page.locator(".problems .name")).to_contain_text(["No. 3", "No. 1"])
        expect(page.get_by_role("link", name="Solve these 2 problems")).to_have_attribute(
            "href", re.compile(r"/training\?lang=en#list=3,1&title=Club")
        )
        page.get_by_role("button", name="Print a sheet").click()
        place = page.locator(".sheet")
        expect(place.locator(".sheet-card figcaption")).to_contain_text(["No. 3", "No. 1"])
        expect(place.locator(".sheet-head").first).to_contain_text("Club night")
        place.locator("[name=title]").fill("Friday")
        expect(place.locator(".sheet-head").first).to_contain_text("Friday")
        pictures = place.locator(".sheet-card img")
        assert [pictures.nth(n).get_attribute("src") for n in (0, 1)] == [
            "/problems/3.svg?lang=en#book", "/problems/1.svg?lang=en#book",
        ]  # fmt: skip


@in_chromium
def test_a_sheet_is_printed_page_by_page(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        sheet(page, 2, "end")
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))) == 3
