# SPDX-License-Identifier: GPL-3.0-or-later
"""The server builds a solver for the browser, and adds the collection"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from db.store import Store
from tests.browsers.expecting import expect, expect_true
from tests.tsume.problems import COOKED, CORRECT
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import PHONE, in_chromium, new_page, serving, without_webkit
from tests.tsume.web.composing import headline, open_compose, requests, tool
from tsume.collection.problems import collection_size
from tsume.uses.trees import ReplyTreeBuilder


@pytest.fixture(scope="module")
def scripts() -> Mapping[str, str | bytes]:
    """The scripts of a solver that can judge one position and explain another."""
    table = AnswerTable()
    table.add_judgement(COOKED)
    table.add_explanation(CORRECT)
    return table.scripts()


@pytest.fixture(scope="module")
def address(opened: Store, builder: ReplyTreeBuilder, scripts: Mapping[str, str | bytes]) -> Iterator[str]:
    with serving(opened, builder, solver=lambda: scripts) as address:
        yield address


def compose(page: Page) -> None:
    """The page when the browser has loaded the solver."""
    open_compose(page, CORRECT)
    expect(headline(page)).to_contain_text("perfect in 3")  # by the server
    expect_true(page, "() => TsumeLocalSolver.isReady")


def load(page: Page, sfen: str) -> None:
    page.locator(".tc-take summary").click()
    page.locator("#text").fill(sfen)
    page.locator("[data-form=text] button").click()


@without_webkit
def test_the_browser_judges_once_its_solver_is_ready(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        compose(page)
        asked = requests(page, "judgement")
        load(page, COOKED)
        expect(headline(page)).to_contain_text("unsound in 3")
        assert asked == []


@in_chromium
def test_the_browser_explains_what_the_server_has_judged(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        compose(page)
        page.locator(".tc-explanation summary").first.click()
        expect(page.locator(".tc-turn")).to_have_text(["Move 1: G3d-2c", "Move 3: G2c-2b"])


@in_chromium
def test_the_server_judges_what_the_browser_cannot(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        compose(page)
        asked = requests(page, "judgement")
        load(page, "8k/9/8P/9/9/9/9/9/9 b 2G 1")  # not in the table
        expect(headline(page)).to_contain_text("in 1")
        assert len(asked) == 1
        tool(page, "undo").click()
        expect(headline(page)).to_contain_text("perfect in 3")


@in_chromium
def test_the_server_without_scripts(browser: Browser, opened: Store, builder: ReplyTreeBuilder) -> None:
    with serving(opened, builder, solver=dict) as address:
        page = browser.new_page(base_url=address)
        open_compose(page, CORRECT)
        expect(headline(page)).to_contain_text("perfect in 3")
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
    ) as address, new_page(browser, address) as page:  # fmt: skip
        open_compose(page, CORRECT)
        expect(headline(page)).to_contain_text("perfect in 3")  # by the server
        expect(page.locator(".tc-building")).to_contain_text("Building the solver for the browser")
        built.touch()
        expect_true(page, "() => TsumeLocalSolver.isReady")
        expect(page.locator(".tc-building")).to_be_hidden()


@in_chromium
def test_one_click_adds_the_collection(browser: Browser, builder: ReplyTreeBuilder, tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "empty.db") as store,
        serving(store, builder) as address,
        new_page(browser, address, **PHONE) as page,
    ):
        page.goto("/?lang=en")
        page.get_by_role("button", name="Add the collection").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"{collection_size()} in all")
        page.get_by_role("link", name="Start with mates in").click()
        expect(page.locator(".choices [aria-current]")).to_have_text(["3", "1"])
