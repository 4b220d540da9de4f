# SPDX-License-Identifier: GPL-3.0-or-later
"""The ten problems, solved on a site opened as files, without any network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.tsume.site.conftest import make_site
from tests.tsume.site.offline import open_problem, opened
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import PHONE
from tests.tsume.web.solving import (
    REFUTED,
    TEN,
    by_keys,
    by_mouse,
    by_touch,
    first,
    refute_each,
    solve,
    store_of_ten,
)
from tsume_rules.sfen import format_sfen, parse_sfen


@pytest.fixture(scope="module")
def trees() -> list[dict[str, Any]]:
    """The tree of each problem; filled with the site."""
    return []


@pytest.fixture(scope="module")
def folder(trees: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the ten problems in English."""
    home = tmp_path_factory.mktemp("ten")
    table = AnswerTable()
    trees += [table.add_problem(format_sfen(parse_sfen(sfen).position)) for sfen in TEN]
    make_site(table, store_of_ten(home / "ten.db"), home / "pages", "--lang", "en")
    return home / "pages"


@pytest.fixture(scope="module")
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    with opened(browser, f"{folder.as_uri()}/", "index.html") as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser: Browser, folder: Path) -> Iterator[Page]:
    with opened(browser, f"{folder.as_uri()}/", "index.html", **PHONE) as page:
        yield page


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(6, 1))
def test_solved_by_mouse(page: Page, folder: Path, trees: list[dict[str, Any]], number: int) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    solve(page, number, trees[number - 1], by_mouse)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(8, 7))
def test_solved_by_keys(page: Page, folder: Path, trees: list[dict[str, Any]], number: int) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    solve(page, number, trees[number - 1], by_keys)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(3, 4))
def test_solved_by_touch(phone: Page, folder: Path, trees: list[dict[str, Any]], number: int) -> None:
    open_problem(phone, f"{folder.as_uri()}/problems/{number}.html")
    solve(phone, number, trees[number - 1], by_touch)


@pytest.mark.parametrize("number", first(3, of=REFUTED))
def test_every_wrong_first_check_is_refuted(
    page: Page, folder: Path, trees: list[dict[str, Any]], number: int
) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    refute_each(page, trees[number - 1])
