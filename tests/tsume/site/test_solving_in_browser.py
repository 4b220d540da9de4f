"""The ten problems, solved on a site opened as files, without any network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="tsume[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.tsume.site.conftest import run
from tests.tsume.site.offline import open_problem, opened, tree_of
from tests.tsume.web.browsing import PHONE
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the ten problems in English."""
    home = tmp_path_factory.mktemp("ten")
    run("site", "--db", store_of_ten(home / "ten.db"), "-o", home / "pages", "--lang", "en", "-j", 1)
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
def test_solved_by_mouse(page: Page, folder: Path, number: int) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    solve(page, number, tree_of(folder, number), by_mouse)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(8, 7))
def test_solved_by_keys(page: Page, folder: Path, number: int) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    solve(page, number, tree_of(folder, number), by_keys)


@pytest.mark.sampled
@pytest.mark.parametrize("number", first(3, 4))
def test_solved_by_touch(phone: Page, folder: Path, number: int) -> None:
    open_problem(phone, f"{folder.as_uri()}/problems/{number}.html")
    solve(phone, number, tree_of(folder, number), by_touch)


@pytest.mark.parametrize("number", first(3, of=REFUTED))
def test_every_wrong_first_check_is_refuted(page: Page, folder: Path, number: int) -> None:
    open_problem(page, f"{folder.as_uri()}/problems/{number}.html")
    refute_each(page, tree_of(folder, number))
