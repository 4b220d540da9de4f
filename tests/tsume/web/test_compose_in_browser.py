# SPDX-License-Identifier: GPL-3.0-or-later
"""The page to compose on, in a browser: arranged by mouse, keys and touch, judged, mended, saved."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from db.store import Store
from tests.browsers.expecting import expect, expect_true
from tests.browsers.pointers import double_click, drag_by_touch, tap
from tests.browsers.posts import cancelling, posted
from tests.browsers.webkit.page import WebKitPage
from tests.tsume.problems import COOKED, CORRECT
from tests.tsume.web.browsing import PHONE, in_chromium, keys, serving, square
from tests.tsume.web.composing import (
    KING_ALONE,
    LEFTOVER,
    boxed,
    expect_position,
    headline,
    open_compose,
    opened,
    position,
    requests,
    said,
    tool,
)
from tsume.uses.trees import ReplyTreeBuilder
from tsume_rules.sfen import format_sfen, parse_sfen

_ADD = """() => {
    const area = document.createElement("textarea");
    document.body.prepend(area);
    area.focus();
}"""
_TAKE = "() => { const area = document.activeElement; area.remove(); return area.value; }"


def clipboard(page: Page) -> str:
    """The text in the clipboard; WebKit gives it only to a field that somebody pastes into."""
    if not isinstance(page, WebKitPage):
        return str(page.evaluate("() => navigator.clipboard.readText()"))
    page.evaluate(_ADD)
    page.keyboard.press("Control+v")
    return str(page.evaluate(_TAKE))


@pytest.fixture(scope="module")
def address(served: Path, builder: ReplyTreeBuilder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("composed") / "composed.db"
    shutil.copy(served, path)
    with Store.open(path, create=False) as store, serving(store, builder) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


@pytest.fixture(scope="module")
def reader(browser: Browser, address: str) -> Iterator[Page]:
    """A page that only reads what it is given; no test leaves a position on it."""
    with opened(browser, address) as page:
        yield page


# --- arranging ------------------------------------------------------------------------------------


def test_composed_by_mouse(page: Page) -> None:
    expect_position(page, KING_ALONE)
    square(page, "5a").drag_to(square(page, "1b"))
    boxed(page, "xS*").drag_to(square(page, "3c"))
    tool(page, "promote").click()
    expect(said(page)).to_have_text("attacker's promoted silver on 3c.")
    boxed(page, "xG*").click()
    expect(said(page)).to_have_text("attacker's gold selected. Choose its destination.")
    square(page, "3d").click()
    expect_position(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")


def test_composed_by_keys(page: Page) -> None:
    square(page, "5e").focus()
    keys(page, "ArrowUp ArrowUp ArrowUp ArrowUp Enter")
    expect(said(page)).to_have_text("5a defender's king selected. Choose its destination.")
    keys(page, "End ArrowDown Enter")
    expect(square(page, "1b")).to_have_attribute("aria-label", "1b defender's king")
    keys(page, "ArrowLeft ArrowLeft ArrowDown s +")
    expect(square(page, "3c")).to_be_focused()
    keys(page, "ArrowDown Shift+G")
    expect(said(page)).to_have_text("defender's gold on 3d.")
    keys(page, "x")
    expect(said(page)).to_have_text("attacker's gold on 3d.")
    expect_position(page, CORRECT)
    keys(page, "Delete")
    expect(said(page)).to_have_text("Removed: 3d attacker's gold.")
    expect_position(page, "9/8k/6+S2/9/9/9/9/9/9 b - 1")


def test_placed_by_touch(browser: Browser, address: str) -> None:
    with opened(browser, address, **PHONE) as phone:
        tap(square(phone, "5a"))
        tap(square(phone, "1b"))
        tap(boxed(phone, "xG*"))
        tap(square(phone, "3d"))
        tap(boxed(phone, "xS*"))
        tap(square(phone, "3c"))
        tap(tool(phone, "promote"))
        expect_position(phone, CORRECT)
        tap(boxed(phone, "xN*"))
        tap(boxed(phone, "intob"))
        expect(boxed(phone, "bN*")).to_have_attribute("aria-label", "knight in hand, 1")
        expect(phone.locator(".tc-bar")).to_contain_text("Unsound — a piece left over")
        width = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
        small = phone.evaluate("""() => [...document.querySelectorAll('button')].filter((one) => {
            const {width, height} = one.getBoundingClientRect();
            return width && (width < 43.9 || height < 43.9);
        }).map((one) => one.outerHTML)""")
        assert small == []


def test_dragged_by_touch(browser: Browser, address: str) -> None:
    with opened(browser, address, **PHONE) as phone:
        drag_by_touch(boxed(phone, "xG*"), square(phone, "5c"))
        expect(said(phone)).to_have_text("attacker's gold on 5c.")
        drag_by_touch(square(phone, "5c"), boxed(phone, "intob"))
        expect(said(phone)).to_have_text("Attacker's hand: gold added.")
        drag_by_touch(boxed(phone, "bG*"), phone.locator("header"))
        expect_position(phone, KING_ALONE)


def test_hands_are_filled_and_emptied(page: Page) -> None:
    boxed(page, "xR*").drag_to(boxed(page, "intob"))
    expect_position(page, "4k4/9/9/9/9/9/9/9/9 b R 1")
    boxed(page, "intob").focus()
    keys(page, "g g p")
    expect_position(page, "4k4/9/9/9/9/9/9/9/9 b R2GP 1")
    boxed(page, "bR*").drag_to(square(page, "2h"))
    boxed(page, "bG*").drag_to(page.locator(".tb-pieces"))
    boxed(page, "bP*").drag_to(page.locator("h1"))
    expect_position(page, "4k4/9/9/9/9/9/9/7R1/9 b G 1")
    square(page, "2h").drag_to(page.locator("h1"))
    expect_position(page, "4k4/9/9/9/9/9/9/9/9 b G 1")
    square(page, "5a").focus()
    keys(page, "h")
    expect(said(page)).to_have_text("A king cannot be held in hand.")


def test_the_defender_holds_the_rest_or_what_is_wished(page: Page) -> None:
    rest = page.get_by_role("button", name="all the rest")
    expect(rest).to_have_attribute("aria-pressed", "true")
    rest.click()
    boxed(page, "wP*").drag_to(page.locator(".tb-pieces"))
    expect(boxed(page, "wP*")).to_have_attribute("aria-label", "pawn in hand, 17")
    assert position(page) == "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1"
    page.reload()
    expect(rest).to_have_attribute("aria-pressed", "false")
    rest.click()
    expect_position(page, KING_ALONE)


def test_pieces_turn_by_double_and_right_clicks(page: Page) -> None:
    boxed(page, "xR*").drag_to(square(page, "5e"))
    for piece in ("attacker's dragon", "defender's rook", "defender's dragon", "attacker's rook"):
        square(page, "5e").click(button="right")
        expect(said(page)).to_have_text(f"{piece} on 5e.")
    double_click(square(page, "5e"))
    expect(said(page)).to_have_text("attacker's dragon on 5e.")
    double_click(square(page, "5a"))
    expect(said(page)).to_have_text("attacker's king on 5a.")


def test_undo_redo_mirror_shift_clear(page: Page) -> None:
    open_compose(page, CORRECT)
    tool(page, "mirror").click()
    mirrored = "9/k8/2+S6/2G6/9/9/9/9/9 b - 1"
    expect_position(page, mirrored)
    tool(page, "left").click()
    expect(said(page)).to_have_text("A piece would fall off the board.")
    expect_position(page, mirrored)
    tool(page, "down").click()
    tool(page, "right").click()
    expect_position(page, "9/9/1k7/3+S5/3G5/9/9/9/9 b - 1")
    tool(page, "clear").click()
    expect_position(page, "9/9/1k7/9/9/9/9/9/9 b - 1")
    for _ in range(4):
        tool(page, "undo").click()
    expect_position(page, CORRECT)
    expect(tool(page, "undo")).to_be_disabled()
    keys(page, "Control+Shift+z")
    expect_position(page, mirrored)
    keys(page, "u")
    expect_position(page, CORRECT)


def test_the_work_is_kept(page: Page) -> None:
    square(page, "5a").drag_to(square(page, "2b"))
    page.reload()
    expect_position(page, "9/7k1/9/9/9/9/9/9/9 b - 1")
    page.goto("/?lang=en")
    page.get_by_role("link", name="Compose", exact=True).click()
    expect_position(page, "9/7k1/9/9/9/9/9/9/9 b - 1")


# --- the focus ------------------------------------------------------------------------------------


def focused(page: Page) -> str:
    """The name of the focused element's tag, when the page has settled."""
    settled = "new Promise((settled) => requestAnimationFrame(() => requestAnimationFrame(settled)))"
    return str(page.evaluate(f"async () => (await {settled}, document.activeElement.tagName)"))


def test_the_end_of_a_line_keeps_the_focus_and_the_keys(page: Page) -> None:
    open_compose(page, CORRECT)
    page.get_by_role("button", name="Main line").click()
    line = page.get_by_role("group", name="Main line")
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(line.get_by_role("status")).to_contain_text("End of the line")
    assert focused(page) == "BUTTON"
    keys(page, ",")
    expect(line.get_by_role("status")).to_contain_text("Move 3")
    keys(page, ". , , ,")
    expect(line.locator("[aria-current]")).to_have_text("Start")
    assert focused(page) == "BUTTON"
    keys(page, "Escape")
    expect(line).to_be_hidden()
    assert focused(page) == "BUTTON"


@in_chromium
def test_keys_act_on_the_square_under_the_cursor_from_anywhere(page: Page) -> None:
    square(page, "3d").click()
    page.evaluate("document.activeElement.blur()")
    assert focused(page) == "BODY"
    keys(page, "g")
    expect_position(page, "4k4/9/9/6G2/9/9/9/9/9 b - 1")
    tool(page, "mend").focus()
    keys(page, "h")
    expect_position(page, "4k4/9/9/9/9/9/9/9/9 b G 1")
    keys(page, "u m")
    expect_position(page, "4k4/9/9/2G6/9/9/9/9/9 b - 1")
    square(page, "7d").click()
    page.evaluate("document.activeElement.blur()")
    keys(page, "Escape")
    expect(said(page)).to_have_text("Selection cleared.")
    page.get_by_text("Save as a problem").click()
    page.get_by_label("Title").fill("")
    page.get_by_label("Title").press_sequentially("ghs,.umx")
    expect(page.get_by_label("Title")).to_have_value("ghs,.umx")
    expect_position(page, "4k4/9/9/2G6/9/9/9/9/9 b - 1")


def test_buttons_that_lose_their_use_keep_the_focus(page: Page) -> None:
    boxed(page, "xG*").drag_to(square(page, "5c"))
    tool(page, "undo").click()
    expect(tool(page, "undo")).to_be_disabled()
    expect(tool(page, "undo")).to_be_focused()
    tool(page, "redo").press("Enter")
    expect(tool(page, "redo")).to_be_focused()
    expect_position(page, "4k4/9/4G4/9/9/9/9/9/9 b - 1")
    keys(page, "Enter")
    expect_position(page, "4k4/9/4G4/9/9/9/9/9/9 b - 1")
    boxed(page, "xR*").drag_to(boxed(page, "intob"))
    boxed(page, "bR*").focus()
    keys(page, "Delete")
    expect_position(page, "4k4/9/4G4/9/9/9/9/9/9 b - 1")
    assert focused(page) == "DIV"


def test_a_verdict_that_is_replaced_hands_the_focus_on(page: Page) -> None:
    open_compose(page, LEFTOVER)
    page.get_by_role("button", name="Remove this piece").press("Enter")
    expect(headline(page)).to_contain_text("mate in 1 G*2b")
    expect(page.locator(".tc-verdict")).to_be_focused()
    page.goto(f"/compose?lang=en&quiet=1&sfen={quote(CORRECT)}")
    page.get_by_role("button", name="Show the verdict").press("Enter")
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    expect(page.locator(".tc-verdict")).to_be_focused()


def test_stopping_and_saving_keep_the_focus(page: Page) -> None:
    open_compose(page, CORRECT)
    tool(page, "enrich").click()
    tool(page, "stop").press("Enter")
    expect(page.locator(".tc-progress")).to_contain_text("Stopped")
    assert focused(page) == "BUTTON"
    page.get_by_text("Save as a problem").click()
    save = page.get_by_role("button", name="Save", exact=True)
    save.press("Enter")
    expect(page.locator(".tc-saved")).to_contain_text("Already stored")
    expect(save).to_be_focused()


# --- the verdict ----------------------------------------------------------------------------------


def test_a_cook_is_named_with_its_line(page: Page) -> None:
    open_compose(page, COOKED)
    cook = page.get_by_role("button", name=re.compile("fault cook")).first
    cook.click()
    line = page.get_by_role("group", name=re.compile("^cook: "))
    expect(line).to_be_visible()
    expect(page.locator(".tb-arrow")).to_have_count(1)
    assert line.locator("li").count() > 1
    before = page.locator(".tb-grid").inner_html()
    keys(page, "ArrowRight")
    expect(line.locator("[aria-current]")).not_to_have_text("Start")
    assert page.locator(".tb-grid").inner_html() != before
    keys(page, "End")
    expect(line.get_by_role("status")).to_contain_text("End of the line")
    square(page, "5e").click()
    expect(line).to_be_hidden()
    expect(said(page)).to_have_text("Line closed: back to your position.")
    expect_position(page, COOKED)


def test_the_intended_solution_is_judged_and_kept(page: Page) -> None:
    open_compose(page, COOKED)
    page.get_by_role("button", name=re.compile("fault cook")).first.click()
    page.get_by_role("button", name="Set as solution").click()
    intended = page.get_by_role("button", name=re.compile("Intended solution"))
    expect(intended).to_contain_text("a best line too")
    assert parse_qs(urlsplit(page.url).query)["line"] == ["3b2a+ 1a1b 2d2b+"]
    tool(page, "mirror").click()
    expect(intended).to_contain_text("a best line too")
    assert parse_qs(urlsplit(page.url).query)["line"] == ["7b8a+ 9a9b 8d8b+"]
    page.reload()
    expect(intended).to_contain_text("a best line too")
    with page.expect_request("**/api/mending") as asked:
        tool(page, "mend").click()
    assert posted(page, asked.value)["line"] == "7b8a+ 9a9b 8d8b+"
    tool(page, "stop").click()
    page.locator(".tc-findings").get_by_role("button", name="Unset").click()
    expect(headline(page)).not_to_contain_text("Judging")
    expect(intended).to_have_count(0)
    keys(page, "Control+z")
    square(page, "8d").drag_to(square(page, "8e"))
    expect(intended).to_contain_text(
        re.compile("note.*(move 3, .*, (is not best|cannot be played): better is|stops after)")
    )
    intended.click()
    expect(page.locator(".tc-moves li")).to_have_count(3)


def test_a_needless_piece_is_taken_off(page: Page) -> None:
    open_compose(page, LEFTOVER)
    page.get_by_role("button", name="Remove this piece").click()
    expect_position(page, "7k1/9/7P1/9/9/9/9/9/9 b G 1")
    expect(headline(page)).to_contain_text("mate in 1 G*2b")


@in_chromium
def test_an_empty_board_invites(page: Page) -> None:
    for sfen in (None, KING_ALONE, "9/9/9/9/9/9/9/9/9 b - 1"):
        asked = requests(page, "judgement")
        open_compose(page, sfen)
        expect(headline(page)).to_contain_text("Arrange a position, and the verdict appears here")
        expect(page.locator(".tc-verdict")).to_have_attribute("data-state", "empty")
        assert "✕" not in page.locator(".tc-verdict").inner_text()
        boxed(page, "xG*").drag_to(square(page, "5c"))
        expect(headline(page)).not_to_contain_text(re.compile("Arrange|Judging"))
        assert len(asked) == (sfen != "9/9/9/9/9/9/9/9/9 b - 1")
        page.evaluate("localStorage.clear()")


@in_chromium
def test_terms_of_the_verdict_are_explained(page: Page) -> None:
    open_compose(page, COOKED)
    terms = page.locator(".tc-terms")
    expect(terms.locator("summary")).to_have_text(re.compile("^Terms: unsound, .*cook"))
    expect(terms.locator("dd").first).to_be_hidden()
    terms.locator("summary").press("Enter")
    cook = terms.locator("dt", has_text=re.compile("^cook$")).locator("xpath=following-sibling::dd[1]")
    expect(cook).to_contain_text("A second solution")
    expect(terms).not_to_contain_text("futile interposition")
    page.locator(".tc-all summary").click()
    expect(terms).to_contain_text("futile interposition")
    open_compose(page, COOKED, "ja")
    expect(terms.locator("summary")).to_have_text(re.compile("^用語: 不完全作、.*余詰"))
    open_compose(page, KING_ALONE)
    expect(terms).to_be_hidden()


def test_what_is_illegal_is_told(reader: Page) -> None:
    japanese = re.compile("二歩|玉がありません|枚あり|行き所|多すぎ|王手がかかって")
    for sfen, told in {
        "4k4/9/9/4P4/4P4/9/9/9/9 b - 1": "Attacker: 2 pawns on one file (5d, 5e).",
        "9/9/9/9/4G4/9/9/9/9 b - 1": "The defender has no king.",
        "k3k4/9/9/9/9/9/9/9/9 b - 1": "Defender: 2 kings.",
        "4k3N/9/9/9/9/9/9/9/9 b - 1": "Dead piece (can never move): knight on 1a.",
        "4k4/RRR6/9/9/9/9/9/9/9 b - 1": "1 too many: rook.",
        "4k4/4R4/9/9/9/9/9/9/9 b - 1": "the defender's king is in check with the attacker to move",
    }.items():
        open_compose(reader, sfen)
        expect(reader.locator(".tc-verdict")).to_contain_text(told)
        open_compose(reader, sfen, "ja")
        expect(reader.locator(".tc-verdict")).to_contain_text(japanese)


def test_the_request_of_an_old_position_is_cancelled(page: Page) -> None:
    expect(headline(page)).to_contain_text("Arrange a position")
    new = {"grade": "perfect", "length": 77, "faults": [], "line": [], "findings": [], "headline": {"en": ""}}
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.fulfill(json=new)

    page.route("**/api/judgement", hold_the_first)
    with page.expect_request("**/api/judgement") as old:
        boxed(page, "xG*").drag_to(square(page, "5c"))
    expect(headline(page)).to_contain_text("Judging")
    with cancelling(page, old.value):
        boxed(page, "xS*").drag_to(square(page, "5d"))
    expect(headline(page)).to_contain_text("mate in 77")


def test_a_quick_hand_asks_once(page: Page) -> None:
    page.clock.install()
    page.reload()
    expect(headline(page)).to_contain_text("Arrange a position")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    asked = requests(page, "judgement")
    square(page, "5c").focus()
    keys(page, "g ArrowDown s ArrowDown p")
    expect(headline(page)).to_contain_text("Judging")
    assert asked == []
    page.clock.resume()
    expect(headline(page)).not_to_contain_text("Judging")
    assert len(asked) == 1


def fulfil(page: Page, path: str, **answer: Any) -> None:
    """Answer whatever is asked for at a path of the API from now on."""
    page.route(f"**/api/{path}", lambda route: route.fulfill(**answer))


def test_verdicts_that_do_not_come_are_told(page: Page) -> None:
    expect(headline(page)).to_contain_text("Arrange a position")
    page.route("**/api/judgement", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        boxed(page, "xG*").drag_to(square(page, "5c"))
    expect(headline(page)).to_contain_text("The server is not responding.")
    refusals: list[tuple[int, dict[str, Any], str]] = [
        (403, {"code": "not_here"}, "このサーバーは、ほかの端末からの判定・創作・保存を受け付けていません。"),
        (503, {"final": True}, "時間内に終わりませんでした。"),
    ]
    for status, why, told in refusals:
        fulfil(page, "judgement", status=status, json={"error": "in English", **why})
        open_compose(page, CORRECT, "ja")
        expect(headline(page)).to_have_text(told)
    fulfil(page, "judgement", body='{"grade"')
    open_compose(page, CORRECT)
    expect(headline(page)).to_have_text("The server is not responding.")


def test_a_busy_server_is_asked_again(page: Page) -> None:
    expect(headline(page)).to_contain_text("Arrange a position")
    busy = {"status": 503, "headers": {"Retry-After": "1"}, "json": {"error": "busy: try again later"}}
    page.route("**/api/judgement", lambda route: route.fulfill(**busy), times=1)
    boxed(page, "xG*").drag_to(square(page, "5c"))
    expect(headline(page)).to_contain_text("The server is busy.")
    expect(headline(page)).to_have_text(re.compile("^✕ No mate"))
    late = {"status": 503, "headers": {"Retry-After": "1"}, "json": {"error": "given up", "final": True}}
    page.route("**/api/judgement", lambda route: route.fulfill(**late), times=1)
    boxed(page, "xG*").drag_to(square(page, "5d"))
    expect(headline(page)).to_contain_text("It took too long")


def test_a_server_that_saves_nothing_says_so(page: Page) -> None:
    fulfil(page, "problems", status=403, json={"error": "in short", "code": "read_only"})
    page.get_by_text("Save as a problem").click()
    expect(page.get_by_label("Comment")).to_have_attribute("maxlength", "10000")
    save = page.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(page.locator(".tc-saved")).to_have_text("Not saved: This server does not save anything.")
    expect(save).to_be_enabled()


# --- mending, enriching, generating ------------------------------------------------------------------


def test_mended_taken_over_and_saved(page: Page) -> None:
    open_compose(page, LEFTOVER)
    tool(page, "mend").click()
    find = page.locator(".tc-find").first
    expect(find).to_be_visible()
    expect(find).to_contain_text("perfect in 3")
    expect(find.locator(".tc-facts")).to_contain_text("Quality")
    expect(page.locator(".tc-progress")).to_contain_text("Done")
    expect(tool(page, "stop")).to_be_disabled()
    expect(find.locator("figure .tb-diagram")).to_be_visible()
    expect(find.locator("figcaption")).to_contain_text("In hand")
    find.get_by_role("button", name="Put diagram 1 on the board").click()
    expect_true(page, "() => !new URLSearchParams(location.search).get('sfen').startsWith('7k1/9/7P1/9')")
    taken = position(page)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    tool(page, "undo").click()
    expect_position(page, LEFTOVER)
    tool(page, "redo").click()
    expect_position(page, taken)

    page.get_by_text("Save as a problem").click()
    page.get_by_label("Title").fill("<b>One</b>")
    page.get_by_label("Author").fill("A")
    page.get_by_role("button", name="Save", exact=True).click()
    link = page.locator(".tc-saved a")
    expect(link).to_have_text("No. 4")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".tc-saved")).to_contain_text("Already stored")
    link.click()
    expect(page.locator("h1")).to_contain_text("<b>One</b>")
    expect(page.locator(".author")).to_have_text("A")


@in_chromium
def test_another_title_of_a_stored_problem_is_not_lost_silently(page: Page) -> None:
    open_compose(page, CORRECT)
    page.get_by_text("Save as a problem").click()
    page.get_by_label("Title").fill("Two")
    save = page.get_by_role("button", name="Save", exact=True)
    save.click()
    saved = page.locator(".tc-saved")
    expect(saved).to_contain_text("Already stored: No. 1")
    expect(saved).to_contain_text("The stored problem differs from what you entered:Title: <b>&")
    replace = saved.get_by_role("button", name="Replace with what I entered")
    replace.press("Enter")
    expect(saved).to_have_text("Replaced: No. 1")
    assert focused(page) != "BODY"
    save.click()
    expect(saved).to_have_text("Already stored: No. 1")
    saved.get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text("Two")


def test_what_is_not_correct_is_not_saved_and_kept_squares_are_sent(page: Page) -> None:
    open_compose(page, LEFTOVER)
    page.get_by_text("Save as a problem").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".tc-saved")).to_contain_text(re.compile("Not saved: unsound in 1.*LEFTOVER"))
    open_compose(page, LEFTOVER)
    square(page, "2c").click()
    tool(page, "keep").click()
    expect(square(page, "2c")).to_have_attribute("aria-label", "2c attacker's pawn kept")
    with page.expect_request("**/api/mending") as asked:
        tool(page, "mend").click()
    assert posted(page, asked.value)["keep"] == ["2c"]
    expect(page.locator(".tc-progress")).to_contain_text("Done")


def test_enriching_is_stopped(page: Page) -> None:
    open_compose(page, CORRECT)
    with page.expect_event("requestfailed", lambda one: "enriching" in one.url):
        tool(page, "enrich").click()
        tool(page, "stop").click()
    expect(page.locator(".tc-progress")).to_contain_text("Stopped")
    expect(tool(page, "stop")).to_be_disabled()


def test_finds_are_shown_as_they_come(page: Page) -> None:
    lines = (
        '{"event":"progress","roots":3,"found":0,"seconds":1.2}\n'
        f'{{"event":"problem","sfen":"{CORRECT}","length":3,"line":[],"stars":2,"quality":51.0}}\n'
        '{"event":"end","seed":1}\n'
    )
    fulfil(page, "generating", body=lines, content_type="application/x-ndjson")
    page.locator(".tc-generate summary").click()
    with page.expect_request("**/api/generating") as asked:
        page.get_by_role("button", name="Generate", exact=True).click()
    assert posted(page, asked.value) == {"moves": 3, "count": 5, "natural": True}
    find = page.locator(".tc-find")
    expect(find).to_contain_text("Mate in 3, ★★ elementary, Quality 51")
    find.get_by_role("button", name="Save diagram 1").click()
    expect(find).to_contain_text("Already stored: No. 1")
    find.get_by_role("button", name="Put diagram 1 on the board").click()
    expect_position(page, CORRECT)


@in_chromium
def test_finds_survive_a_reload_until_they_are_cleared(page: Page) -> None:
    open_compose(page, LEFTOVER)
    tool(page, "mend").click()
    expect(page.locator(".tc-progress")).to_contain_text("Done")
    texts = page.locator(".tc-find").all_inner_texts()
    assert texts
    assert "Perfect in 3" in texts[0]
    page.reload()
    assert page.locator(".tc-find").all_inner_texts() == texts
    expect(page.locator(".tc-progress")).to_have_text(f"Results of the last search: {len(texts)}.")
    page.locator(".tc-find").first.get_by_role("button", name="Put diagram 1 on the board").click()
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    tool(page, "clear_finds").click()
    expect(page.locator(".tc-find")).to_have_count(0)
    expect(tool(page, "mend")).to_be_focused()
    expect(tool(page, "clear_finds")).to_be_hidden()
    page.reload()
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    expect(page.locator(".tc-find")).to_have_count(0)


def test_generated_finds_can_be_saved_after_a_reload(page: Page) -> None:
    find = {"event": "problem", "sfen": CORRECT, "length": 3, "line": [], "stars": 2, "quality": 51.0}
    page.evaluate("finds => localStorage.setItem('tsume.finds', JSON.stringify(finds))", [find, {"sfen": 3}])
    page.reload()
    expect(page.locator(".tc-find")).to_have_count(1)
    expect(page.locator(".tc-find")).to_contain_text("Mate in 3, ★★ elementary, Quality 51")
    page.get_by_role("button", name="Save diagram 1").click()
    expect(page.locator(".tc-find")).to_contain_text("Already stored: No. 1")
    for damaged in ("{", "3", '[null, {"sfen": "x"}]'):
        page.evaluate("text => localStorage.setItem('tsume.finds', text)", damaged)
        page.reload()
        expect(page.locator(".tc-find")).to_have_count(0)


def test_how_work_ended_is_told(page: Page) -> None:
    unsound = "The problem is unsound, so it cannot be enriched: mend it first."
    ends: list[tuple[dict[str, Any], str]] = [
        ({"complete": True}, "Nothing found."),
        ({"complete": False}, "0 found; the search stopped at its time limit."),
        ({"complete": True, "reason": "perfect"}, "The problem is perfect: nothing to mend."),
        ({"complete": True, "reason": "unsound"}, unsound),
        ({"complete": False, "error": "the worker stopped"}, "An error stopped the work: 0 found."),
    ]
    for end, told in ends:
        line = json.dumps({"event": "end", **end}) + "\n"
        fulfil(page, "mending", body=line, content_type="application/x-ndjson")
        tool(page, "mend").click()
        expect(page.locator(".tc-progress")).to_have_text(told)


@in_chromium
def test_the_text_counts_what_the_list_has(page: Page) -> None:
    lines = (
        '{"event":"progress","roots":3,"found":0,"seconds":1.2}\n'
        f'{{"event":"problem","sfen":"{CORRECT}","length":3,"line":[],"stars":2,"quality":51.0}}\n'
    )
    page.evaluate(
        """text => { window.fetch = async () => new Response(new ReadableStream({
            start: (sink) => sink.enqueue(new TextEncoder().encode(text)), // and never ends
        })); }""",
        lines,
    )
    page.locator(".tc-generate summary").click()
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".tc-find")).to_have_count(1)
    expect(page.locator(".tc-progress")).to_have_text("Composing… 1 found (3 roots, 1 s)")


# --- in and out -----------------------------------------------------------------------------------


def test_sfen_is_read(page: Page) -> None:
    page.get_by_text("Game records, SFEN, pictures").click()
    field = page.get_by_label("SFEN, game record or address")
    field.fill("nonsense")
    field.press("Enter")
    expect(said(page)).to_have_text("This is neither an SFEN nor a game record that can be read.")
    expect_position(page, KING_ALONE)
    for text in (
        f"position sfen {CORRECT} moves 3d2c 1b1a", "9/9/9/9/9/2g6/2+s6/K8/9 w - 1", CORRECT,
        f"sfen {CORRECT}",
    ):  # fmt: skip
        field.fill(text)
        field.press("Enter")
        expect_position(page, CORRECT)
        tool(page, "undo").click()
        expect_position(page, KING_ALONE)


HOSTILE = [
    "<img src=x onerror=alert(1)>", "javascript:alert(1)", '"><script>alert(1)</script>', "9" * 1500,
    "4k4/9/9/9/9/9/9/9/9 b 999999999P 1", "4k4/9/9/9/9/9/9/9/9 b - <svg/onload=alert(1)>", "/" * 500,
    "4k4/9/9/9/9/9/9/9/9 b __proto__ 1", "\x00", "９/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/9/9/9/9/9 b 0P 1",
]  # fmt: skip


def test_a_hostile_address_is_a_sentence(reader: Page) -> None:
    reader.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    for text in HOSTILE:
        open_compose(reader, text)
        expect(said(reader)).to_have_text("Invalid SFEN.")
        expect_position(reader, KING_ALONE)
        assert reader.locator("main img, main script, main svg[onload]").count() == 0, text


def test_taken_away(browser: Browser, address: str) -> None:
    with opened(browser, address, CORRECT, permissions=["clipboard-read", "clipboard-write"]) as page:
        expect(headline(page)).to_contain_text("Perfect")
        page.get_by_text("Game records, SFEN, pictures").click()
        tool(page, "copy_sfen").click()
        expect(said(page)).to_have_text("SFEN copied.")
        assert clipboard(page) == format_sfen(parse_sfen(CORRECT).position)
        tool(page, "copy_kif").click()
        expect(said(page)).to_have_text("KIF record copied.")
        assert "1 ２三金(34)" in clipboard(page)
        tool(page, "copy_link").click()
        expect(said(page)).to_have_text("Link copied.")
        assert clipboard(page) == page.url
        with page.expect_download() as svg:
            tool(page, "svg").click()
        assert svg.value.path().read_text(encoding="utf-8").startswith("<svg ")
        expect(said(page)).to_have_text("Picture saved: tsume.svg.")
        with page.expect_download() as png:
            tool(page, "png").click()
        assert png.value.path().read_bytes().startswith(b"\x89PNG")
        expect(said(page)).to_have_text("Picture saved: tsume.png.")


def test_what_an_illegal_position_forbids_is_said_in_the_language(page: Page) -> None:
    for lang, told in (("en", "Dead piece (can never move): knight on 1a."), ("ja", "行き所のない駒です: １一の桂。")):
        open_compose(page, "4k3N/9/9/9/9/9/9/9/9 b - 1", lang)
        page.locator(".tc-take summary").click()
        for act in ("mend", "enrich", "copy_kif"):
            tool(page, "undo").focus()
            tool(page, "keep").click()  # says something else
            expect(said(page)).not_to_have_text(told)
            tool(page, act).click()
            expect(said(page)).to_have_text(told)
        for act in ("svg", "png"):
            with page.expect_download():
                tool(page, act).click()


@in_chromium
def test_the_list_of_a_line_follows_it_on_a_phone(browser: Browser, address: str) -> None:
    with opened(browser, address, COOKED, **PHONE) as page:
        page.get_by_role("button", name="Main line").click()
        shown = (
            "() => { const [list, one] = ['.tc-moves', '.tc-moves [aria-current]'].map((name) => "
            "document.querySelector(name).getBoundingClientRect()); "
            "return one.left >= list.left - 1 && one.right <= list.right + 1; }"
        )
        for _ in range(3):
            keys(page, ".")
            expect_true(page, shown)
        assert page.evaluate("document.querySelector('.tc-moves').scrollLeft > 0")


def test_the_line_of_the_address_is_the_intended_solution_and_turns_with_its_position(page: Page) -> None:
    page.goto(f"/compose?lang=en&sfen={quote(CORRECT)}&line=3d2c+1b1a+2c2b")
    page.get_by_role("button", name="Intended solution").click()
    expect(page.get_by_role("group", name="Intended solution")).to_be_visible()
    expect(page.get_by_role("button", name="Set as solution")).to_have_count(0)
    turned = "9/9/9/9/9/2g6/2+s6/K8/9 w - 1"
    page.goto(f"/compose?lang=en&line=7f8g&sfen={quote(turned)}")
    expect_position(page, CORRECT)
    assert parse_qs(urlsplit(page.url).query)["line"] == ["3d2c"]
    page.goto("/compose?lang=en&line=7f8g")
    expect_position(page, KING_ALONE)
    assert "line" not in parse_qs(urlsplit(page.url).query)


def test_without_a_clipboard_the_text_is_shown(page: Page) -> None:
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_text("Game records, SFEN, pictures").click()
    tool(page, "copy_sfen").click()
    expect(page.get_by_label("Copy this text.")).to_have_value(format_sfen(parse_sfen(KING_ALONE).position))


def test_a_problem_leads_here_and_tells_nothing(page: Page) -> None:
    page.goto("/problems/1?lang=en")
    asked = requests(page, "judgement")
    page.get_by_role("link", name="Compose from this position").click()
    expect_position(page, CORRECT)
    expect(headline(page)).to_contain_text("The verdict gives the solution away.")
    page.reload()
    show = page.get_by_role("button", name="Show the verdict")
    expect(show).to_be_visible()
    assert asked == []
    show.click()
    expect(headline(page)).to_contain_text("Perfect — mate in 3")


def test_what_is_hidden_stays_hidden_after_an_edit_undone(page: Page) -> None:
    page.goto(f"/compose?lang=en&quiet=1&sfen={quote(CORRECT)}")
    show = page.get_by_role("button", name="Show the verdict")
    expect(show).to_be_visible()
    square(page, "3d").drag_to(square(page, "3e"))
    expect(headline(page)).to_contain_text("No mate")
    tool(page, "undo").click()
    expect(show).to_be_visible()
    expect_position(page, CORRECT)
    page.reload()
    expect(show).to_be_visible()


def test_work_is_not_replaced_by_looking(page: Page) -> None:
    square(page, "5a").drag_to(square(page, "2b"))
    page.goto(f"/compose?lang=en&quiet=1&sfen={quote(CORRECT)}")
    expect_position(page, CORRECT)
    page.goto("/compose?lang=en")
    expect_position(page, "9/7k1/9/9/9/9/9/9/9 b - 1")


def test_a_line_too_long_for_the_address_is_kept(page: Page) -> None:
    page.get_by_text("Game records, SFEN, pictures").click()
    field = page.get_by_label("SFEN, game record or address")
    long = " ".join(["5d5e", "5a4a", "5e5d", "4a5a"] * 125)
    with page.expect_request("**/api/judgement"):
        field.fill(f"4k4/9/9/4G4/9/9/9/9/9 b - 1 moves {long}")
        field.press("Enter")
    expect(said(page)).to_have_text("Loaded.")
    assert "line" not in parse_qs(urlsplit(page.url).query)
    with page.expect_request("**/api/judgement") as asked:
        page.reload()
    assert posted(page, asked.value)["line"] == long


def test_an_address_that_is_refused_is_set_later(page: Page) -> None:
    page.clock.install()
    page.reload()
    expect(headline(page)).to_contain_text("Arrange a position")
    page.evaluate("() => { history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); }; }")
    boxed(page, "xG*").drag_to(square(page, "5c"))
    expect(said(page)).to_have_text("attacker's gold on 5c.")
    expect_position(page, KING_ALONE)
    page.evaluate("() => { delete history.replaceState; }")
    page.clock.run_for(11_000)
    expect_position(page, "4k4/9/4G4/9/9/9/9/9/9 b - 1")
