# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree that is cut is continued from the server while a problem is played."""

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
from tests.tsume.web.browsing import keys, new_page, open_problem, play, said, serving
from tsume.uses.trees import ReplyTreeBuilder


@pytest.fixture(scope="module")
def address(
    served: Path, builder: ReplyTreeBuilder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    place = copy(served, tmp_path_factory.mktemp("trees"))
    with Store.open(place, create=False) as store, serving(store, builder) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address) as page:
        yield page


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


def serve_cut(page: Page, *, turns: bool) -> None:
    tree = cut(page.request.get("/api/problems/1/tree").json(), turns=turns)

    def answer(route: Route) -> None:
        route.fulfill(json=tree)

    page.route("**/api/problems/1/tree", answer)


@pytest.mark.parametrize("turns", [False, True], ids=["open checks", "no later turns"])
def test_a_cut_tree_is_played_to_the_mate(page: Page, turns: bool) -> None:
    serve_cut(page, turns=turns)
    open_problem(page, 1)
    play(page, CORRECT_LINE[0])
    expect(said(page)).to_contain_text("Your move.")
    play(page, CORRECT_LINE[2])
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")


def test_an_open_check_that_fails_is_refuted(page: Page) -> None:
    serve_cut(page, turns=False)
    open_problem(page, 1)
    play(page, "3c2b")
    expect(said(page)).to_contain_text("+S-2b fails: Kx2b takes the checking promoted silver; no mate")
    keys(page, "u")
    expect(said(page)).to_have_text("Taken back. Your move.")
