# SPDX-License-Identifier: GPL-3.0-or-later
"""Training in a browser: problems of one's level, runs, the problem of the day, persons, sites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from db.store import Store
from tests.browsers.expecting import expect
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import PHONE, new_page, play, said, serving, without_webkit
from tsume.cli import cli
from tsume.services.trees import ReplyTreeBuilder
from tsume_rules.sfen import format_sfen, parse_sfen

SOLUTIONS = {"1": ["3d2c", "2c2b"], "2": ["N*1d", "G*1b"], "3": ["6b6a+", "S*5b"]}
"""The checks of each problem."""
WRONG = {"1": "3c2b", "2": "G*3b", "3": "S*7b"}


def run(*arguments: object) -> None:
    assert CliRunner().invoke(cli, [str(one) for one in arguments]).exit_code == 0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store of three problems, for one test."""
    for sfen in (CORRECT, DROPS, PROMOTES):
        run("import", sfen, "--db", tmp_path / "t.db")
    return tmp_path / "t.db"


@pytest.fixture
def address(place: Path, builder: ReplyTreeBuilder) -> Iterator[str]:
    with Store.open(place, create=False) as store, serving(store, builder) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address) as page:
        page.goto("/training?lang=en")
        expect(page.locator(".tr-rating")).to_contain_text("Rating 1500")
        yield page


def start(page: Page, mode: str) -> str:
    """Begin a mode; the number of the first problem, which is ready."""
    page.locator(f"[data-mode={mode}]").click()
    return ready(page)


def ready(page: Page, after: str = "") -> str:
    """The number of the problem on the board, another one than ``after``."""
    if after:
        expect(page.locator(".tr-heading")).not_to_contain_text(f"No. {after} ")
    expect(page.locator(".player .tp-said")).to_have_text("Your move: give check.")
    heading = page.locator(".tr-heading").inner_text()
    return heading.split()[1]


def solve(page: Page, number: str) -> None:
    first, second = SOLUTIONS[number]
    play(page, first, chosen=True)
    expect(page.locator(".player .tp-said")).to_contain_text("Your move.")
    play(page, second, chosen=True)
    expect(page.locator(".player .tp-said")).to_contain_text("mate. Solved in 3 moves.")


def fail(page: Page, number: str) -> None:
    play(page, WRONG[number], chosen=True)
    expect(page.locator(".player .tp-said")).to_contain_text("fails: ")


def changed(page: Page) -> Any:
    return page.locator(".tr-changed")


def test_a_clean_solution_wins_and_a_mistake_loses(page: Page) -> None:
    first = start(page, "training")
    solve(page, first)
    expect(changed(page)).to_contain_text("(+")
    expect(page.locator(".tr-rating")).not_to_contain_text("1500")
    page.locator("[data-act=next]").click()
    second = ready(page, after=first)
    fail(page, second)
    page.get_by_role("button", name="Try again").click()
    solve(page, second)
    expect(changed(page)).to_contain_text("(−")
    expect(page.locator(".tr-table").first).to_contain_text("Mate in 3")
    page.reload()
    expect(page.locator(".tr-rating")).not_to_contain_text("1500")
    expect(page.locator(".tr-chart")).to_be_visible()


def test_giving_up_loses_and_leads_to_the_answer(page: Page) -> None:
    number = start(page, "training")
    page.locator("[data-act=give_up]").click()
    expect(changed(page)).to_contain_text("(−")
    link = page.locator(".tr-answer").get_attribute("href")
    page.goto(str(link))
    expect(page.locator(f'.player[data-problem="{number}"]')).to_be_visible()
    expect(page.locator(".answer .line")).to_be_visible()


def test_a_run_of_survival_ends_after_three_mistakes(page: Page) -> None:
    number = start(page, "survival")
    expect(page.locator(".tr-status")).to_have_text("Solved: 0, mistakes: 0 of 3")
    solve(page, number)
    expect(page.locator(".tr-status")).to_have_text("Solved: 1, mistakes: 0 of 3")
    for mistakes in (1, 2):
        number = ready(page, after=number)
        fail(page, number)
        expect(page.locator(".tr-status")).to_have_text(f"Solved: 1, mistakes: {mistakes} of 3")
    expect(page.locator(".tr-heading")).to_have_text("Problems solved: 1.")  # there are no more problems
    expect(changed(page)).to_have_text("That is your best.")
    expect(page.locator(".tr-charts")).to_contain_text("Best in survival: 1.")


def test_a_timed_run_can_be_stopped(page: Page) -> None:
    solve(page, start(page, "timed"))
    expect(page.locator(".tr-status")).to_contain_text("left, solved: 1")
    page.locator("[data-act=stop]").click()
    expect(page.locator(".tr-heading")).to_have_text("Problems solved: 1.")


def test_the_problem_of_the_day_and_its_calendar(page: Page) -> None:
    page.goto("/?lang=en")
    page.locator(".day a").click()
    number = ready(page)
    expect(page.locator(".tr-heading")).to_contain_text("(problem of the day)")
    solve(page, number)
    expect(page.locator(".tr-calendar [aria-label$='solved at the first attempt']")).to_have_count(1)


def test_only_lengths_and_themes_that_are_wanted(page: Page) -> None:
    page.get_by_text("Only some lengths or themes").click()
    page.locator("[name=moves]").fill("5")
    page.locator("[data-mode=training]").click()
    expect(page.locator(".tr-heading")).to_have_text("No problem matches.")


@without_webkit
def test_persons_have_results_of_their_own(page: Page) -> None:
    solve(page, start(page, "training"))
    expect(changed(page)).to_contain_text("(+")
    page.locator(".tr-persons summary").click()
    page.get_by_label("Name").fill("Sazae")
    page.get_by_label("Passphrase").fill("hirake goma")
    page.get_by_role("button", name="Create this name").click()
    expect(page.locator(".tr-rating")).to_have_text("Sazae: rating 1500 ± 350")
    expect(page.locator(".tr-charts")).to_contain_text("No results yet.")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".tr-rating")).not_to_contain_text("Sazae")
    expect(page.locator(".tr-chart")).to_be_visible()
    page.get_by_label("Name").fill("Sazae")  # the fields are still open
    page.get_by_label("Passphrase").fill("open sesame")
    page.locator("[data-act=sign_in]").click()
    expect(page.locator(".tr-sign-said")).to_have_text("name or passphrase is wrong")


def test_the_free_page_of_a_problem_counts_as_well(page: Page) -> None:
    page.goto("/problems/1?lang=en")
    expect(said(page)).to_have_text("Your move: give check.")
    play(page, "3d2c")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    play(page, "2c2b")
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
    page.goto("/training?lang=en")
    expect(page.locator(".tr-rating")).not_to_contain_text("1500")
    page.goto("/?lang=en")
    expect(page.locator("li[data-problem='1']")).to_contain_text("✓ solved")


def test_a_site_keeps_training_in_the_browser(
    browser: Browser, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = AnswerTable()
    for sfen in (CORRECT, DROPS, PROMOTES):
        table.add_problem(format_sfen(parse_sfen(sfen).position))
    monkeypatch.setattr("tsume.commands.site.solver_scripts", table.scripts)
    run("site", "--db", place, "-o", tmp_path / "site", "--lang", "en", "-j", 1)
    with new_page(browser, f"{(tmp_path / 'site').as_uri()}/", **PHONE) as page:
        page.goto(f"{(tmp_path / 'site').as_uri()}/training.html")
        expect(page.locator(".tr-rating")).to_have_text("Rating 1500 ± 350 (kept in this browser)")
        number = start(page, "training")
        solve(page, number)
        expect(changed(page)).to_contain_text("(+")
        page.reload()
        expect(page.locator(".tr-rating")).not_to_contain_text("1500")
        page.goto(f"{(tmp_path / 'site').as_uri()}/index.html")
        expect(page.locator(f"li[data-problem='{number}']")).to_contain_text("✓ solved")
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]


def test_the_next_problem_of_a_site_follows_the_list(browser: Browser, place: Path, tmp_path: Path) -> None:
    run("site", "--db", place, "-o", tmp_path / "site", "--lang", "en", "-j", 1)
    home = f"{(tmp_path / 'site').as_uri()}/"
    with new_page(browser, home) as page:
        page.goto(f"{home}lists/all-easy.html")
        items = page.locator(".problems li")
        order = [items.nth(place).get_attribute("data-problem") for place in range(3)]
        page.locator(".problems a").first.click()
        for number in order[1:]:
            expect(page.locator(".home")).to_have_attribute("href", "../lists/all-easy.html")
            page.get_by_role("link", name="Next problem").click()
            expect(page.locator(f'.player[data-problem="{number}"]')).to_be_visible()
        expect(page.get_by_role("link", name="Next problem")).to_have_count(0)
