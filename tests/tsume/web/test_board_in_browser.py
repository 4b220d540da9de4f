"""The board in Debian's Chromium: a problem is solved by mouse and by keys, and a refutation is read."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="tsume[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume[web] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

import uvicorn
from playwright.sync_api import Locator, Page, expect, sync_playwright

from db.store import Store
from tsume.growing import Grower
from tsume.web.app import application

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is not there")
TIMEOUT = 60_000
"""Milliseconds for anything on a page: the engine may still be loading."""


@pytest.fixture(scope="module")
def address(opened: Store, grower: Grower) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application(opened, grower), log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(TIMEOUT)
    listener.close()


@pytest.fixture(scope="module")
def chromium_page(address: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=TIMEOUT)
        page = browser.new_page(base_url=address)
        page.set_default_timeout(TIMEOUT)
        expect.set_options(timeout=TIMEOUT)
        yield page
        browser.close()


@pytest.fixture
def page(chromium_page: Page) -> Iterator[Page]:
    """The problem, ready to be played; a fault in a script fails the test."""
    faults: list[str] = []
    chromium_page.on("pageerror", lambda error: faults.append(str(error)))
    chromium_page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    chromium_page.goto("/problems/1?lang=en")
    expect(said(chromium_page)).to_have_text("Your move: give check.")
    yield chromium_page
    assert faults == []


def said(page: Page) -> Locator:
    return page.get_by_role("status")


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def keys(page: Page, text: str) -> None:
    for key in text.split():
        page.keyboard.press(key)


def test_solved_by_clicks(page: Page) -> None:
    square(page, "3d").click()
    expect(said(page)).to_have_text("3d gold chosen. Choose where it goes.")
    square(page, "2c").click()
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    expect(square(page, "1a")).to_have_attribute("aria-label", "1a defending king")
    square(page, "2c").click()
    square(page, "2b").click()
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")
    expect(page.locator(".tp-moves li")).to_have_text(["G-2c", "K-1a", "G-2b"])


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
    expect(square(page, "2b")).to_have_attribute("aria-label", "2b defending king")
    expect(page.locator(".tb-arrow")).to_have_count(1)
    page.get_by_role("button", name="Try again").click()
    expect(square(page, "3c")).to_have_attribute("aria-label", "3c own promoted silver")
    expect(said(page)).to_have_text("Taken back. Your move.")


def test_what_is_no_check_is_refused(page: Page) -> None:
    square(page, "3d").click()
    square(page, "3e").click()
    expect(said(page)).to_have_text("That is not a legal move that gives check.")
    square(page, "7g").click()
    expect(said(page)).to_have_text("Choose a piece of the attacker.")


def test_hints_come_one_by_one(page: Page) -> None:
    for sentence in ("Move the 3d gold.", "Its square is 2c.", "The move is G-2c."):
        page.get_by_role("button", name="Hint").click()
        expect(said(page)).to_have_text(sentence)
    keys(page, "0")


def test_the_list_leads_to_the_board(page: Page) -> None:
    page.goto("/?lang=en")
    page.get_by_role("link", name="No. 1").click()
    expect(said(page)).to_have_text("Your move: give check.")
