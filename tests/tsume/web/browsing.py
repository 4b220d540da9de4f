# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the board in a browser, and hands to play on them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")
pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

from db.store import Store
from tests.browsers.engines import TIMEOUT
from tests.browsers.expecting import expect
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.api.access import Permissions
from tsume.web.app import BuildCommand, SolverScripts, web_application

in_chromium = pytest.mark.parametrize("browser", ["chromium"], indirect=True)
"""For tests that measure or replace what the drivers of the other engines do not reach."""
without_webkit = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)
"""For tests that ask more than our driver of WebKit does."""
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@contextmanager
def serving(
    store: Store,
    builder: ReplyTreeBuilder,
    *,
    saves: bool = True,
    solver: SolverScripts | None = None,
    building: BuildCommand | None = None,
) -> Iterator[str]:
    """The address of a server; one that saves nothing leaves results to the browser."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = web_application(store, builder, permissions=Permissions(saving=saves), solver=solver, building=building)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(TIMEOUT)
    listener.close()


@contextmanager
def new_page(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """A page; a fault in a script, or a file that is not there, fails the test.

    What is asked for by the page's own address or of the API may be refused.
    """
    page = browser.new_page(base_url=address, **options)
    page.set_default_timeout(TIMEOUT)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if _is_fault(said, page) else None)
    try:
        yield page
    finally:
        page.close()
    assert not faults, faults


def _is_fault(said: ConsoleMessage, page: Page) -> bool:
    place = said.location["url"]
    return said.type == "error" and "/api/" not in place and place != page.url


def open_problem(page: Page, number: int) -> None:
    page.goto(f"/problems/{number}?lang=en")
    expect(said(page)).to_have_text("Your move: give check.")


def said(page: Page) -> Locator:
    return page.get_by_role("status")


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def keys(page: Page, text: str) -> None:
    for key in text.split():
        page.keyboard.press(key)


def play(page: Page, move: str, *, chosen: bool = False) -> None:
    """Click a move; ``chosen``: answer the question of promotion if it comes."""
    held, origin = page.locator(f'[data-hand="{move[0]}"]'), square(page, move[:2])
    (held if move[1] == "*" else origin).click()
    square(page, move[2:4]).click()
    question = page.get_by_role("dialog")
    if chosen and question.is_visible():
        name = "Promote" if move.endswith("+") else "Do not promote"
        question.get_by_role("button", name=name, exact=True).click()


def first_turn(page: Page) -> None:
    """Play the first check of problem 1, which is answered."""
    play(page, "3d2c")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")


def solve_first(page: Page) -> None:
    """Solve problem 1 from its start."""
    first_turn(page)
    play(page, "2c2b")
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


def refuted(page: Page) -> None:
    """Play a check of problem 1 that fails."""
    play(page, "3c2b")
    expect(page.locator(".tb-arrow")).to_have_count(1)
