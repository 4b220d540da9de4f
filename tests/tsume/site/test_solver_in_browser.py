# SPDX-License-Identifier: GPL-3.0-or-later
"""A site with the real solver, opened as files: verdicts, free analysis and long jobs without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.tsume.problems import COOKED, CORRECT
from tests.tsume.site.conftest import run
from tests.tsume.site.offline import opened
from tests.tsume.site.test_compose_in_browser import load
from tests.tsume.web.browsing import keys, square
from tests.tsume.web.composing import headline, tool
from tsume.web.solver_scripts import built_files


@pytest.fixture(scope="module")
def site(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in English; do not write to it."""
    scripts = built_files()
    if not scripts:
        pytest.skip("the solver for browsers cannot be built")
    folder = tmp_path_factory.mktemp("sites") / "real"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsume.commands.web.solver_scripts", lambda: scripts)
        run("site", "--db", library, "-o", folder, "-j", 1, "--lang", "en")
    return folder


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    with opened(browser, f"{site.as_uri()}/", "compose.html") as page:
        expect(square(page, "5e")).to_be_visible()
        yield page


def test_a_fault_is_found_and_mended(page: Page) -> None:
    load(page, COOKED)
    expect(headline(page)).to_contain_text("unsound in 3")
    expect(page.locator(".tc-fault")).to_contain_text("cook")
    page.evaluate("document.querySelector('[name=edits]').value = '1'")
    tool(page, "mend").click()
    expect(page.locator(".tc-find").first).to_be_visible()
    expect(page.locator(".tc-find .tc-facts").first).to_contain_text("Quality")


def test_a_mate_is_explained(page: Page) -> None:
    load(page, CORRECT)
    explanation = page.locator(".tc-explanation")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-turn")).to_have_text(["Move 1: G3d-2c", "Move 3: G2c-2b"])
    explanation.get_by_role("button", name="Try: +S3c-2b fails to K1bx2b").click()
    expect(page.locator(".tc-line .tc-moves button")).to_have_text(["Start", "+S3c-2b", "K1bx2b"])
    keys(page, "Escape")
    explanation.get_by_role("button", name="Variation: K1b-2a").click()
    page.get_by_role("button", name="Set as solution").click()
    expect(page.locator(".tc-findings")).to_contain_text("best line")
    explanation.locator("summary").first.click()
    expect(explanation).to_contain_text("Variation: K1b-1a is met by G2c-2b")


def test_problems_are_composed_from_the_network(page: Page) -> None:
    assert not page.evaluate("'TsumeNetwork' in window")
    page.locator(".tc-generate summary").click()
    page.locator("[data-form=generate] button").click()
    expect(page.locator(".tc-find img").first).to_be_visible()
    assert page.evaluate("'TsumeNetwork' in window")
