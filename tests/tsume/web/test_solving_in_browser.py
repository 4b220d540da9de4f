# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems solved to the end by mouse, keys and touch, also with trees that are cut"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from db.store import Store
from tests.browsers.expecting import expect, expect_true
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import (
    PHONE,
    in_chromium,
    keys,
    new_page,
    open_problem,
    play,
    said,
    serving,
    without_webkit,
)
from tests.tsume.web.composing import headline, open_compose, requests, tool
from tests.tsume.web.solving import REFUTED, by_keys, by_mouse, by_touch, first, refute_each, solve, store_of_ten
from tsume.collection import collection_size
from tsume.uses.trees import ReplyTreeBuilder


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, builder: ReplyTreeBuilder) -> Iterator[str]:
    path = store_of_ten(tmp_path_factory.mktemp("ten") / "ten.db")
    with Store.open(path, create=False) as store, serving(store, builder) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address) as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address, **PHONE) as page:
        yield page


def ready(page: Page, number: int) -> dict[str, Any]:
    """The tree of a problem, whose page is ready."""
    open_problem(page, number)
    tree: dict[str, Any] = page.request.get(f"/api/problems/{number}/tree").json()
    return tree


@pytest.mark.parametrize("number", first(8, 5))
def test_solved_by_mouse(page: Page, number: int) -> None:
    solve(page, number, ready(page, number), by_mouse)


@pytest.mark.parametrize("number", first(6, 10))
def test_solved_by_keys(page: Page, number: int) -> None:
    solve(page, number, ready(page, number), by_keys)


@pytest.mark.parametrize("number", first(9, 2))
def test_solved_by_touch(phone: Page, number: int) -> None:
    solve(phone, number, ready(phone, number), by_touch)


@pytest.mark.parametrize("number", first(8, of=REFUTED))
def test_every_wrong_first_check_is_refuted(page: Page, number: int) -> None:
    refute_each(page, ready(page, number))


@pytest.fixture(scope="module")
def own_address(served: Path, builder: ReplyTreeBuilder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = copy(served, tmp_path_factory.mktemp("trees"))
    with Store.open(place, create=False) as store, serving(store, builder) as own_address:
        yield own_address


@pytest.fixture
def own_page(browser: Browser, own_address: str) -> Iterator[Page]:
    with new_page(browser, own_address) as own_page:
        yield own_page


def cut(tree: dict[str, Any], *, turns: bool) -> dict[str, Any]:
    """A tree without its later turns, or with all first checks open."""
    first = tree["turns"][0]
    if turns:
        for check in first["checks"]:
            for answer in check.get("answers", ()):
                answer.pop("turn", None)
        return {**tree, "turns": [first]}
    opened = [{"move": one["move"], "text": one["text"], "result": "open"} for one in first["checks"]]
    return {**tree, "turns": [{**first, "checks": opened}]}


def serve_cut(own_page: Page, *, turns: bool) -> None:
    tree = cut(own_page.request.get("/api/problems/1/tree").json(), turns=turns)

    def answer(route: Route) -> None:
        route.fulfill(json=tree)

    own_page.route("**/api/problems/1/tree", answer)


@pytest.mark.parametrize("turns", [False, True], ids=["open checks", "no later turns"])
def test_a_cut_tree_is_played_to_the_mate(own_page: Page, turns: bool) -> None:
    serve_cut(own_page, turns=turns)
    open_problem(own_page, 1)
    play(own_page, CORRECT_LINE[0])
    expect(said(own_page)).to_contain_text("Your move.")
    play(own_page, CORRECT_LINE[2])
    expect(said(own_page)).to_contain_text("mate. Solved in 3 moves.")


def test_an_open_check_that_fails_is_refuted(own_page: Page) -> None:
    serve_cut(own_page, turns=False)
    open_problem(own_page, 1)
    play(own_page, "3c2b")
    expect(said(own_page)).to_contain_text("+S-2b fails: Kx2b takes the checking promoted silver; no mate")
    keys(own_page, "u")
    expect(said(own_page)).to_have_text("Taken back. Your move.")


# --- The server builds a solver for the browser, and adds the collection ------------------------


@pytest.fixture(scope="module")
def scripts() -> Mapping[str, str | bytes]:
    """The scripts of a solver that can judge one position and explain another."""
    table = AnswerTable()
    table.add_judgement(COOKED)
    table.add_explanation(CORRECT)
    return table.scripts()


@pytest.fixture(scope="module")
def solving_address(opened: Store, builder: ReplyTreeBuilder, scripts: Mapping[str, str | bytes]) -> Iterator[str]:
    with serving(opened, builder, solver=lambda: scripts) as solving_address:
        yield solving_address


def compose(page: Page) -> None:
    """The page when the browser has loaded the solver."""
    open_compose(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")  # by the server
    expect_true(page, "() => TsumeLocalSolver.isReady")


def load(page: Page, sfen: str) -> None:
    page.locator(".tc-take summary").click()
    page.locator("#text").fill(sfen)
    page.locator("[data-form=text] button").click()


@without_webkit
def test_the_browser_judges_once_its_solver_is_ready(browser: Browser, solving_address: str) -> None:
    with new_page(browser, solving_address) as page:
        compose(page)
        asked = requests(page, "judgement")
        load(page, COOKED)
        expect(headline(page)).to_contain_text("Unsound — a second solution")
        assert asked == []


@in_chromium
def test_the_browser_explains_what_the_server_has_judged(browser: Browser, solving_address: str) -> None:
    with new_page(browser, solving_address) as page:
        compose(page)
        page.locator(".tc-explanation summary").first.click()
        expect(page.locator(".tc-turn")).to_have_text(["Move 1: G3d-2c", "Move 3: G2c-2b"])


@in_chromium
def test_the_server_judges_what_the_browser_cannot(browser: Browser, solving_address: str) -> None:
    with new_page(browser, solving_address) as page:
        compose(page)
        asked = requests(page, "judgement")
        load(page, "8k/9/8P/9/9/9/9/9/9 b 2G 1")  # not in the table
        expect(headline(page)).to_contain_text("in 1")
        assert len(asked) == 1
        tool(page, "undo").click()
        expect(headline(page)).to_contain_text("Perfect — mate in 3")


@in_chromium
def test_the_server_without_scripts(browser: Browser, opened: Store, builder: ReplyTreeBuilder) -> None:
    with serving(opened, builder, solver=dict) as solving_address:
        page = browser.new_page(base_url=solving_address)
        open_compose(page, CORRECT)
        expect(headline(page)).to_contain_text("Perfect — mate in 3")
        page.evaluate("() => TsumeLocalSolver.start().catch(() => {})")
        expect(page.locator(".tc-explanation")).to_be_hidden()
        page.close()


@in_chromium
def test_the_page_says_that_the_solver_is_being_built(
    browser: Browser, opened: Store, builder: ReplyTreeBuilder, scripts: Mapping[str, str | bytes], tmp_path: Path
) -> None:
    built = tmp_path / "built"
    code = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.05)"
    with serving(
        opened, builder, solver=lambda: scripts if built.exists() else None,
        building=lambda: [sys.executable, "-c", code, str(built)],
    ) as solving_address, new_page(browser, solving_address) as page:  # fmt: skip
        open_compose(page, CORRECT)
        expect(headline(page)).to_contain_text("Perfect — mate in 3")  # by the server
        expect(page.locator(".tc-building")).to_contain_text("Building the solver for the browser")
        built.touch()
        expect_true(page, "() => TsumeLocalSolver.isReady")
        expect(page.locator(".tc-building")).to_be_hidden()


@in_chromium
def test_one_click_adds_the_collection(browser: Browser, builder: ReplyTreeBuilder, tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "empty.db") as store,
        serving(store, builder) as solving_address,
        new_page(browser, solving_address, **PHONE) as page,
    ):
        page.goto("/?lang=en")
        page.get_by_role("button", name="Add the collection").click()
        expect(page.locator("#problems")).to_contain_text(f"{collection_size()} in all")
        page.get_by_role("link", name="Start with the easiest mates in").click()
        expect(page.locator(".choices [aria-current]")).to_have_text(["3 300", "Any"])
