# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from db.store import Store
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tsume.cli import cli
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three problems of three moves; do not write to it."""
    path = tmp_path_factory.mktemp("served") / "served.db"
    for sfen in (CORRECT, DROPS, PROMOTES):
        assert CliRunner().invoke(cli, ["import", sfen, "--db", str(path)]).exit_code == 0
    assert CliRunner().invoke(cli, ["edit", "1", "--title", "<b>&", "--db", str(path)]).exit_code == 0
    return path


@pytest.fixture(scope="session")
def opened(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A copy of that store: the server keeps trees and results in it."""
    path = copy(served, tmp_path_factory.mktemp("opened"))
    with Store.open(path, create=False) as store:
        yield store


@pytest.fixture(scope="session")
def builder() -> ReplyTreeBuilder:
    return ReplyTreeBuilder(TreeOptions(60.0, 72, most_turns=200, proof_nodes=50_000))


@pytest.fixture(scope="module")
def address(opened: Store, builder: ReplyTreeBuilder) -> Iterator[str]:
    """The address of a server of that copy, for tests in a browser."""
    from tests.tsume.web.browsing import serving

    with serving(opened, builder) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page of the first problem, which can be played."""
    from tests.tsume.web.browsing import new_page, open_problem

    with new_page(browser, address) as page:
        open_problem(page, 1)
        yield page
