# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems solved to the end by mouse, keys and touch, also with trees that are cut"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from db.store import Store
from tests.browsers.expecting import expect
from tests.tsume.problems import CORRECT_LINE
from tests.tsume.web.browsing import PHONE, keys, new_page, open_problem, play, said, serving
from tests.tsume.web.solving import REFUTED, by_keys, by_mouse, by_touch, first, refute_each, solve, store_of_ten
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
