# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten problems of 3 to 9 moves, solved in a browser by mouse, keys and touch; wrong checks are refuted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from db.store import Store
from tests.tsume.web.browsing import PHONE, new_page, open_problem, serving
from tests.tsume.web.solving import (
    REFUTED,
    by_keys,
    by_mouse,
    by_touch,
    first,
    refute_each,
    solve,
    store_of_ten,
)
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


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(8, 5))
def test_solved_by_mouse(page: Page, number: int) -> None:
    solve(page, number, ready(page, number), by_mouse)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(6, 10))
def test_solved_by_keys(page: Page, number: int) -> None:
    solve(page, number, ready(page, number), by_keys)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(9, 2))
def test_solved_by_touch(phone: Page, number: int) -> None:
    solve(phone, number, ready(phone, number), by_touch)


@pytest.mark.parametrize("number", first(8, of=REFUTED))
def test_every_wrong_first_check_is_refuted(page: Page, number: int) -> None:
    refute_each(page, ready(page, number))
