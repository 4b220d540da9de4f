# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in a browser: a problem is solved by mouse and by keys, and a refutation is read."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")


from playwright.sync_api import Browser, Page

from db.store import Store
from tests.browsers.expecting import expect
from tests.browsers.pointers import tap
from tests.sampling import few
from tests.tsume.problems import CORRECT
from tests.tsume.web.browsing import PHONE, first_turn, keys, new_page, open_problem, play, said, serving, square
from tsume.uses.trees import ReplyTreeBuilder


@pytest.fixture(scope="module")
def address(opened: Store, builder: ReplyTreeBuilder) -> Iterator[str]:
    with serving(opened, builder, saves=False) as address:
        yield address


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address, **PHONE) as page:
        open_problem(page, 1)
        yield page


def test_solved_by_clicks(page: Page) -> None:
    square(page, "3d").click()
    expect(said(page)).to_have_text("3d gold selected. Choose its destination.")
    square(page, "2c").click()
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    expect(square(page, "1a")).to_have_attribute("aria-label", "1a defending king")
    square(page, "2c").click()
    square(page, "2b").click()
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")
    expect(said(page)).to_have_attribute("data-state", "mate")
    expect(page.locator(".tp-moves li")).to_have_text(["G-2c", "K-1a", "G-2b"])


def test_where_the_chosen_piece_gives_check_is_marked(page: Page) -> None:
    square(page, "3d").click()
    marked = page.locator(".tb-to")
    expect(page.locator('.tb-to[data-square="2c"]')).to_have_count(1)
    assert marked.count() < 4
    page.get_by_text("Display and sound").click()
    page.get_by_label("Mark where a piece gives check").click()
    expect(marked).to_have_count(0)


def test_solved_by_dragging(page: Page) -> None:
    square(page, "3d").drag_to(square(page, "2c"))
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    square(page, "2c").drag_to(square(page, "2b"))
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")


def test_solved_by_keys(page: Page) -> None:
    square(page, "5e").focus()
    assert page.locator('[role="gridcell"][tabindex="0"]').count() == 1
    keys(page, "ArrowRight ArrowRight ArrowUp Enter ArrowRight ArrowUp Enter")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    keys(page, "Enter ArrowUp Enter")
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


def test_a_wrong_check_is_refuted_and_taken_back(page: Page) -> None:
    square(page, "3c").click()
    square(page, "2b").click()
    expect(said(page)).to_have_text("+S-2b fails: Kx2b takes the checking promoted silver; no mate.")
    expect(said(page)).to_have_attribute("data-state", "wrong")
    expect(square(page, "2b")).to_have_attribute("aria-label", "2b defending king")
    expect(page.locator(".tb-wrong")).to_have_attribute("data-square", "2b")
    expect(page.locator(".tb-refuting .tb-arrow")).to_have_count(1)
    page.get_by_role("button", name="Try again").click()
    expect(square(page, "3c")).to_have_attribute("aria-label", "3c own promoted silver")
    expect(said(page)).to_have_text("Taken back. Your move.")


@pytest.mark.parametrize("number", few([3, 2, 1], 1))
def test_every_wrong_first_check_is_refuted_in_words(page: Page, number: int) -> None:
    open_problem(page, number)
    tree = page.request.get(f"/api/problems/{number}/tree").json()
    wrong = [check for check in tree["turns"][0]["checks"] if check["result"] == "fails"]
    assert wrong
    for check in wrong:
        play(page, check["move"], chosen=True)
        expect(said(page)).to_have_text(check["why"]["en"] + ".")
        keys(page, "u")
        expect(said(page)).to_have_text("Taken back. Your move.")


def test_drops_by_touch(phone: Page) -> None:
    open_problem(phone, 2)
    tap(phone.locator('[data-hand="N"]'))
    tap(square(phone, "1d"))
    expect(said(phone)).to_contain_text("N*1d, Lx1d. Your move.")
    tap(phone.locator('[data-hand="G"]'))
    tap(square(phone, "1b"))
    expect(said(phone)).to_contain_text("mate. Solved in 3 moves.")
    width = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


def test_drops_by_keys(page: Page) -> None:
    open_problem(page, 2)
    page.locator('[data-hand="N"]').focus()
    keys(page, "Enter End ArrowUp Enter")
    expect(said(page)).to_contain_text("N*1d, Lx1d. Your move.")
    keys(page, "g ArrowUp ArrowUp Enter")
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")


def test_promotion_is_asked_for(page: Page) -> None:
    open_problem(page, 3)
    question = page.get_by_role("dialog", name="Promote?")
    play(page, "8c8b")
    expect(question).to_be_visible()
    keys(page, "Escape")
    expect(question).to_be_hidden()
    expect(said(page)).to_have_text("Selection cleared.")
    play(page, "8c8b")
    keys(page, "ArrowRight Enter")
    expect(said(page)).to_have_text("That is not a legal check.")
    play(page, "8c8b")
    square(page, "5e").click()
    expect(question).to_be_hidden()
    play(page, "8c8b")
    keys(page, "Tab Tab Tab Enter")
    expect(said(page)).to_contain_text("P-8b+ fails")


def test_a_piece_that_must_promote_is_not_asked_for(page: Page) -> None:
    open_problem(page, 3)
    play(page, "6b6a")
    expect(said(page)).to_have_text("L-6a+, Kx6a. Your move.")


@pytest.mark.parametrize("typed", [("3d2c", "2c2b"), ("▲２三金", "22金"), ("G-2c", "g2b"), ("2c", "G2B")])
def test_moves_are_typed(page: Page, typed: tuple[str, str]) -> None:
    line = page.get_by_label("Type a move")
    if typed[0] == "2c":
        line.fill("2c")
        line.press("Enter")
        expect(said(page)).to_have_text("Several checks match: be more specific.")
        line.fill("G2c")
    else:
        line.fill(typed[0])
    line.press("Enter")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    line.fill(typed[1])
    line.press("Enter")
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


def test_what_is_no_check_is_refused_and_hints_come_one_by_one(page: Page) -> None:
    square(page, "3d").click()
    square(page, "3e").click()
    expect(said(page)).to_have_text("That is not a legal check.")
    square(page, "7g").click()
    expect(said(page)).to_have_text("Select one of the attacker's pieces.")
    for sentence in ("Move the 3d gold.", "The destination is 2c.", "The move is G-2c."):
        page.get_by_role("button", name="Hint").click()
        expect(said(page)).to_have_text(sentence)
    expect(page.get_by_role("button", name="Hint (3/3)")).to_have_attribute("aria-disabled", "true")
    keys(page, "0")


def test_results_are_kept_and_saved(page: Page) -> None:
    page.get_by_role("button", name="Hint").click()
    first_turn(page)
    play(page, "2c2b")
    expect(said(page)).to_have_text("G-2b: mate, with help.")
    expect(said(page)).to_have_attribute("data-state", "helped")
    expect(page.locator(".tp-result")).to_contain_text("Mistakes: 0, hints: 1,")
    page.goto("/?lang=en")
    expect(page.locator("li[data-problem='1']")).to_contain_text("✓ solved")
    expect(page.locator("li[data-problem='2']")).not_to_contain_text("solved")
    expect(page.locator(".results")).to_contain_text("Solved: 1; in a row without mistakes or hints: 0")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    head, row, _ = download.value.path().read_text(encoding="utf-8").split("\n")
    assert head.strip() == "solved,problem,sfen,moves,seconds,mistakes,hints,ended,mode"
    assert re.fullmatch(rf'[^,]+Z,1,"{re.escape(CORRECT)}",3,\d+,0,1,[^,]+Z,free', row.strip())
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear the results").click()
    expect(page.locator(".results")).to_be_hidden()


def test_the_list_leads_to_the_board_and_a_problem_solved_again_counts_once(page: Page) -> None:
    add = "solved => solved.forEach((one) => TsumeResults.add({isSolved: true, mistakes: 0, hints: 0, ...one}))"
    page.evaluate(add, [{"sfen": "a", "hints": 1}, {"sfen": "b"}, {"sfen": "c"}, {"sfen": "b"}])
    assert page.evaluate("TsumeResults.streak()") == 2
    page.evaluate(add, [{"sfen": "c", "mistakes": 1}])
    assert page.evaluate("TsumeResults.streak()") == 0
    page.goto("/?lang=en")
    page.locator('a[href^="/problems/1?"]').last.click()  # the first may be the problem of the day
    expect(said(page)).to_have_text("Your move: give check.")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"status": 503, "json": {"error": "given up", "final": True}}, "It took too long and was stopped."),
        ({"status": 200, "body": '{"result"'}, "The server is not responding."),
        ({"status": 404, "json": {"error": "no such problem"}}, "Loading failed."),
    ],
)
def test_a_tree_that_is_not_had_is_told_at_once(page: Page, answer: dict[str, Any], told: str) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/tree") else None)
    page.route("**/tree", lambda route: route.fulfill(**answer))
    page.reload()
    expect(said(page)).to_have_text(told)
    assert len(asked) == 1
