# SPDX-License-Identifier: GPL-3.0-or-later
"""Training in a browser: problems of one's level, runs, the problem of the day, persons, sites."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from db.store import Store
from tests.browsers.expecting import expect
from tests.sampling import few
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tests.tsume.solver_scripts import AnswerTable
from tests.tsume.web.browsing import (
    PHONE,
    keys,
    new_page,
    open_problem,
    play,
    said,
    serving,
    solve_first,
    without_webkit,
)
from tests.tsume.web.solving import store_of_ten
from tsume.cli import cli
from tsume.uses.trees import ReplyTreeBuilder
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
    expect(page.locator(".player .tp-said")).to_contain_text(re.compile(": mate[.,]"))


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
    expect(changed(page)).to_contain_text("Comes back tomorrow (")
    expect(page.locator(".tr-table").first).to_contain_text("Mate in 3")
    expect(page.locator(".tr-status")).to_contain_text("2 tried, 1 solved, 0:")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator(".tr-heading")).to_contain_text("Solved 1 of 2 in 0:")
    expect(page.locator(".tr-review .tr-came")).to_have_text(["○ with help", "◎ solved"])
    expect(changed(page)).to_have_text("")
    page.reload()
    expect(page.locator(".tr-rating")).not_to_contain_text("1500")
    expect(page.locator(".tr-charts")).to_contain_text("Last results: ◎ ○")


def test_after_a_mistake_the_next_problem_is_one_press_away(page: Page) -> None:
    first = start(page, "training")
    expect(changed(page)).to_have_text("A mistake or a hint counts as failed.")
    fail(page, first)
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
    page.locator("[data-act=next]").click()
    second = ready(page, after=first)
    page.get_by_role("button", name="Hint").click()
    expect(changed(page)).to_contain_text("(−")
    solve(page, second)
    expect(page.locator("[data-mode=failed]")).to_contain_text("Failed (2)")
    page.locator("[data-act=stop]").click()
    expect(page.locator(".tr-review .tr-came")).to_have_text(["✗ failed", "○ with help"])


LEAVING = ["reload", "elsewhere and back", "back and forward", "another tab"]
CHANGE = re.compile(r"Rating 1500 → 14\d\d \(−\d+\), provisional\.")


@without_webkit
@pytest.mark.parametrize(
    ("help_", "leaving"),
    few([*zip(["mistake", "hint"] * 2 + ["hint", "mistake"] * 2, LEAVING * 2, strict=True)], len(LEAVING)),
)
def test_a_mistake_or_a_hint_stays(page: Page, place: Path, leaving: str, help_: str) -> None:
    """It settles the rating at once; a clean solution afterwards is that of the same attempt."""
    open_problem(page, 1)
    other = page
    if leaving == "another tab":
        with page.expect_popup() as opened:
            page.evaluate("void open(location.href)")
        other = opened.value
        expect(said(other)).to_have_text("Your move: give check.")
    if help_ == "mistake":
        play(page, WRONG["1"], chosen=True)
        expect(said(page)).to_contain_text("fails: ")
    else:
        page.get_by_role("button", name="Hint").click()
    expect(page.locator(".tp-rating")).to_have_text(CHANGE)
    settled = page.locator(".tp-rating").inner_text()
    if leaving == "reload":
        page.reload()
    elif leaving == "elsewhere and back":
        page.goto("/problems/2?lang=en")
        page.goto("/problems/1?lang=en")
    elif leaving == "back and forward":
        page.goto("/problems/2?lang=en")
        page.go_back()
    if other is page:
        expect(page.locator(".tp-rating")).to_have_text(settled)
    solve(other, "1")
    expect(other.locator(".tp-rating")).to_have_text(settled)
    with Store.open(place, create=False) as store:
        (one,) = store.training.results.all()
    assert (one.solved, one.clean, one.mistakes, one.hints) == (
        True,
        False,
        *((1, 0) if help_ == "mistake" else (0, 1)),
    )
    kept = other.evaluate("TsumeResults.all().map(({ solved, mistakes, hints }) => [Boolean(solved), mistakes, hints])")
    assert kept == [[True, one.mistakes, one.hints]]


def test_an_attempt_goes_on_where_it_was(page: Page) -> None:
    open_problem(page, 1)
    play(page, SOLUTIONS["1"][0], chosen=True)
    expect(said(page)).to_contain_text("Your move.")
    page.reload()
    expect(said(page)).to_contain_text("You go on where you were")
    expect(page.locator(".tp-moves li")).to_have_count(2)
    play(page, SOLUTIONS["1"][1], chosen=True)
    expect(page.locator(".tp-rating")).to_contain_text("(+")
    page.reload()
    expect(said(page)).to_have_text("Your move: give check.")


@without_webkit
def test_a_result_waits_for_a_network_that_is_off(page: Page, place: Path) -> None:
    open_problem(page, 1)
    page.route("**/api/results", lambda route: route.abort())
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".tp-rating")).to_contain_text("The server does not answer.")
    solve(page, "1")
    expect(page.locator(".tp-rating")).to_contain_text("The server does not answer.")
    page.unroute("**/api/results")
    page.goto("/training?lang=en")
    expect(page.locator(".tr-rating")).to_have_text(re.compile(r"Rating (?!1500)\d+"))
    with Store.open(place, create=False) as store:
        (one,) = store.training.results.all()
    assert (one.solved, one.hints, one.rated) == (True, 1, True)


def test_what_changes_the_rating_says_so(page: Page, place: Path) -> None:
    open_problem(page, 2)
    expect(page.locator(".answer summary")).to_have_text("Show the answer (gives up the attempt)")
    expect(page.locator(".gives-up")).to_be_visible()
    solve(page, "2")
    expect(page.locator(".tp-rating")).to_have_text(re.compile(r"Rating 1500 → 15\d\d \(\+\d+\), provisional\."))
    expect(page.locator(".gives-up")).to_be_hidden()
    open_problem(page, 1)
    page.locator(".answer summary").click()
    expect(page.locator(".tp-rating")).to_contain_text("(−")
    with Store.open(place, create=False) as store:
        changes = [one.rating for one in store.training.results.all()]
    assert max(abs(after - before) for before, after in pairwise([1500.0, *changes])) <= 100
    open_problem(page, 1)
    solve(page, "1")
    expect(page.locator(".tp-rating")).to_have_text("")


def choose(page: Page, number: int) -> None:
    """Choose a list of problems tried."""
    page.locator(".tr-history select").evaluate(
        f"select => {{ select.selectedIndex = {number}; select.dispatchEvent(new Event('change')); }}"
    )


def test_the_problems_tried_are_listed_and_failed_ones_played_again(page: Page) -> None:
    first = start(page, "training")
    solve(page, first)
    page.locator("[data-act=next]").click()
    second = ready(page, after=first)
    page.locator("[data-act=give_up]").click()
    history = page.locator(".tr-history")
    expect(history.locator("option").first).to_have_text("Failed (1)")
    expect(history.locator("option").nth(1)).to_have_text("Last played (2)")
    choose(page, 1)
    names = history.locator("li .name")
    expect(names).to_have_text([re.compile(rf"No\. {second}"), re.compile(rf"No\. {first}")])
    expect(history.locator("li .tr-came")).to_have_text(["✗ failed", "◎ solved"])
    choose(page, 0)
    expect(names).to_have_text([re.compile(rf"No\. {second}")])
    expect(page.locator("[data-mode=failed]")).to_be_hidden()
    page.locator("[data-act=stop]").click()
    page.locator("[data-mode=failed]").click()
    assert ready(page, after=first) == second
    solve(page, second)
    page.locator(".tr-acts").get_by_role("button", name="Finish").click()
    expect(page.locator(".tr-review .tr-came")).to_have_text("◎ solved")
    expect(page.locator("[data-mode=failed]")).to_have_attribute("aria-disabled", "true")
    expect(history.locator("option").first).to_have_text("Failed (0)")
    choose(page, 2)  # a theme
    history.locator("li a").first.click()
    expect(page.locator(".player[data-problem]")).to_be_visible()


def test_a_lesson_of_the_course(browser: Browser, place: Path, builder: ReplyTreeBuilder) -> None:
    run("edit", "1-3", "--tag", "collection", "--db", place)
    with (
        Store.open(place, create=False) as store,
        serving(store, builder) as address,
        new_page(browser, address) as page,
    ):
        page.goto("/training?lang=en")
        expect(page.locator(".tr-course button")).to_have_count(2)
        lesson = page.locator(".tr-course [data-lesson='2']")
        expect(lesson.locator(".tr-done")).to_have_text("0 / 1")
        lesson.click()
        solve(page, ready(page))
        expect(page.locator(".tr-status")).to_contain_text("1 / 1")
        page.locator(".tr-acts [data-act=next]").click()
        expect(lesson.locator(".tr-done")).to_have_text("1 / 1")
        lesson.click()  # all of it again
        assert ready(page) == "2"


def test_problems_of_an_address_come_in_its_order(page: Page) -> None:
    page.goto("/training?lang=en#list=3,1&title=Two%20of%20three")
    page.reload()
    assert ready(page) == "3"
    expect(page.locator(".tr-status")).to_have_text("Two of three (1 / 2)")
    page.locator("[data-act=give_up]").click()
    expect(changed(page)).to_contain_text("(−")
    page.locator("[data-act=next]").click()
    assert ready(page, after="3") == "1"
    page.locator("[data-act=stop]").click()
    expect(page.locator(".tr-review .tr-came")).to_have_text(["✗ failed", "– not finished"])


def test_four_choices(browser: Browser, tmp_path: Path, builder: ReplyTreeBuilder) -> None:
    place = store_of_ten(tmp_path / "ten.db")
    with (
        Store.open(place, create=False) as store,
        serving(store, builder) as address,
        new_page(browser, address) as page,
    ):
        page.goto("/training?lang=en")
        page.locator("[data-mode=choices]").click()
        choices = page.locator(".tr-choices button")
        expect(choices).to_have_count(4)
        expect(page.locator(".tb-arrow, .tb-dropped")).to_have_count(0)
        expect(page.locator(".tr-sign")).to_have_text(["1", "2", "3", "4"])
        choices.first.focus()
        expect(page.locator(".tb-arrow, .tb-dropped")).to_have_count(1)
        expect(page.locator(".tr-sign")).to_have_text(["1"])
        for hidden in (".tp-said", ".tp-typed"):
            expect(page.locator(hidden)).to_be_hidden()
        number = page.locator(".tr-heading").inner_text().split()[1]
        tree = page.evaluate(f"fetch('/api/problems/{number}/tree').then((answer) => answer.json())")
        key = tree["turns"][0]["key"]
        moves = [str(choices.nth(place).get_attribute("data-move")) for place in range(4)]
        assert key in moves
        wrong = next(move for move in moves if move != key)
        page.locator(f".tr-choices [data-move='{wrong}']").click()
        expect(page.locator(".tp-said")).to_contain_text("fails: ")
        expect(page.locator(f".tr-choices [data-move='{wrong}']")).to_have_attribute("aria-disabled", "true")
        expect(page.locator(".tp-said")).to_be_visible()
        expect(changed(page)).to_have_text("")
        page.locator(f".tr-choices [data-move='{key}']").click()
        expect(page.locator(".tp-said")).to_contain_text("Your move.")
        results = page.evaluate("TsumeResults.all().map(({ mode, mistakes }) => [mode, mistakes])")
        assert results == [["choices", 1]]


def test_a_run_of_survival_ends_after_three_mistakes(page: Page) -> None:
    first = number = start(page, "survival")
    expect(page.locator(".tr-status")).to_have_text("Solved: 0, mistakes: 0 of 3")
    solve(page, number)
    expect(page.locator(".tr-status")).to_have_text("Solved: 1, mistakes: 0 of 3◎")
    for mistakes in (1, 2):
        number = ready(page, after=number)
        expect(page.get_by_role("button", name="Hint")).to_be_hidden()
        keys(page, "h")
        expect(page.locator(".player .tp-said")).to_have_text("Your move: give check.")
        fail(page, number)
        expect(page.locator(".tr-status")).to_have_text(f"Solved: 1, mistakes: {mistakes} of 3◎" + "✗" * mistakes)
        expect(page.get_by_role("button", name="Try again")).to_be_hidden()
        if mistakes == 1:
            page.locator("[data-act=next]").click()
    expect(page.locator(".tr-heading")).to_contain_text("Solved 1 of 3 in 0:")  # there are no more problems
    expect(changed(page)).to_have_text("That is your best.")
    expect(page.locator(".tr-charts")).to_contain_text("Best in survival: 1.")
    items = page.locator(".tr-review li")
    came = [items.nth(place).locator(".tr-came").inner_text() for place in range(3)]
    assert came == ["✗ failed", "✗ failed", "◎ solved"]
    links = [str(items.nth(2).locator("a").nth(place).get_attribute("href")) for place in (0, 1)]
    assert [link.startswith(f"/problems/{first}") for link in links] == [True, True]
    assert links[1].endswith("#answer")
    assert str(items.nth(2).locator("img").get_attribute("src")).startswith(f"/problems/{first}.svg")
    page.locator("[data-act=retry]").click()
    again = ready(page)
    assert again in (SOLUTIONS.keys() - {first})
    solve(page, again)
    page.locator("[data-act=next]").click()
    ready(page, after=again)
    page.locator("[data-act=give_up]").click()
    page.locator("[data-act=next]").click()
    assert [items.nth(place).locator(".tr-came").inner_text() for place in (0, 1)] == ["✗ failed", "◎ solved"]
    page.locator("[data-mode=survival]").click()
    ready(page)
    page.locator("[data-act=stop]").click()
    for width, height in ((844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("[data-act=again]").click()
        number = ready(page)
        page.locator("[data-act=stop]").click()
        expect(items.first).to_contain_text("– not finished")
        for place in ("[data-act=again]", ".tr-review li"):
            expect(page.locator(place).first).to_be_visible()
            shown = page.evaluate(
                "((place) => { const { top, bottom } = document.querySelector(place).getBoundingClientRect();"
                f" return top < innerHeight && bottom > 0; }})({place!r})"
            )
            assert shown, place
    items.first.locator("a").first.click()
    expect(page.locator(f'.player[data-problem="{number}"]')).to_be_visible()


def test_the_number_leads_to_the_page_of_a_problem_and_giving_up_tells_the_answer(page: Page) -> None:
    number = start(page, "training")
    link = page.locator(".tr-heading a")
    expect(link).to_have_text(f"No. {number}")
    assert str(link.get_attribute("href")).startswith(f"/problems/{number}")
    assert link.get_attribute("target") == "_blank"  # the attempt goes on
    page.locator("[data-act=give_up]").click()
    expect(changed(page)).to_contain_text("(−")
    expect(page.locator(".tp-said")).to_contain_text("Answer: ")
    expect(page.locator(".answer .ta-moves")).to_be_visible()


@pytest.mark.parametrize("minutes", [3, 10])
def test_a_timed_run_can_be_stopped(page: Page, minutes: int) -> None:
    page.locator(f"[data-minutes='{minutes}']").click()
    solve(page, ready(page))
    expect(page.locator(".tr-status")).to_have_text(re.compile(r"\d+:\d\d left, solved: 1"))
    page.locator("[data-act=stop]").click()
    expect(page.locator(".tr-heading")).to_contain_text("Solved 1 of 1 in 0:")
    expect(page.locator(".tr-charts")).to_contain_text(f"Best in {'three' if minutes == 3 else 'ten'} minutes: 1.")


def test_the_problem_of_the_day_and_its_calendar(page: Page) -> None:
    page.goto("/?lang=en")
    expect(page.locator(".player .tp-said")).to_have_text("Your move: give check.")
    solve(page, page.locator(".day h2 a").inner_text().split()[1])
    expect(page.locator(".tp-rating")).to_contain_text("(+")
    page.goto("/training?lang=en#mode=day")
    expect(page.locator(".tr-heading")).to_contain_text("(problem of the day)")
    expect(page.locator(".tr-calendar [aria-label$='solved at the first attempt']")).to_have_count(1)


def test_only_lengths_and_themes_that_are_wanted(page: Page) -> None:
    page.get_by_text("Choose lengths and themes").click()
    page.get_by_text("Theme", exact=True).click()
    page.get_by_label("two kings").click()
    page.get_by_label("3", exact=True).click()
    page.locator("[data-mode=training]").click()
    expect(page.locator(".tr-heading")).to_have_text("No problem matches.")
    page.get_by_label("two kings").click()
    number = start(page, "training")
    solve(page, number)
    page.locator("[data-act=stop]").click()
    page.get_by_label("Not solved yet").click()
    assert start(page, "survival") != number


@without_webkit
def test_persons_have_results_of_their_own(page: Page) -> None:
    solve(page, start(page, "training"))
    expect(changed(page)).to_contain_text("(+")
    page.locator("[data-act=stop]").click()
    page.locator(".tr-persons summary").click()
    page.get_by_label("Name").fill("Sazae")
    page.get_by_label("Passphrase").fill("hirake goma")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".tr-rating")).to_have_text("Sazae: Rating 1500 ± 350, provisional")
    expect(page.locator(".tr-charts")).to_contain_text("No results yet.")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".tr-rating")).not_to_contain_text("Sazae")
    expect(page.locator(".tr-charts")).to_contain_text("Last results: ◎")
    page.get_by_label("Name").fill("Sazae")  # the fields are still open
    page.get_by_label("Passphrase").fill("open sesame")
    page.locator("[data-act=sign_in]").click()
    expect(page.locator(".tr-sign-said")).to_have_text("name or passphrase is wrong")


def sign(page: Page, name: str, button: str) -> None:
    page.goto("/training?lang=en")
    page.locator(".tr-persons summary").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Passphrase").fill("hirake goma")
    page.locator(f"[data-act={button}]").click()
    expect(page.locator(".tr-rating")).to_contain_text(name)


def tally(page: Page, number: int) -> Any:
    """The line above the list, which marks so many problems as solved."""
    page.goto("/?lang=en")
    expect(page.locator("li[data-problem] .solved").filter(has_text="✓")).to_have_count(number)
    return page.locator(".results")


@without_webkit
def test_the_list_counts_for_the_person(page: Page, browser: Browser, address: str) -> None:
    open_problem(page, 1)
    solve(page, "1")
    expect(page.locator(".tp-rating")).to_contain_text("(+")
    expect(tally(page, 1)).to_contain_text("Solved: 1; in a row without mistakes or hints: 1")
    sign(page, "Sazae", "sign_up")
    expect(tally(page, 0)).to_be_hidden()
    for number in (2, 3):
        open_problem(page, number)
        solve(page, str(number))
        expect(page.locator(".tp-rating")).to_contain_text("(+")
    expect(tally(page, 2)).to_contain_text("Sazae: Solved: 2; in a row without mistakes or hints: 2")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the results as CSV").click()
    rows = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[7] for row in rows] == ["person", "Sazae", "Sazae"]
    with new_page(browser, address) as other:
        expect(tally(other, 1)).to_contain_text("Solved: 1")  # the person of this machine
        sign(other, "Sazae", "sign_in")
        expect(tally(other, 2)).to_contain_text("Sazae: Solved: 2")


@without_webkit
def test_a_teacher_and_a_pupil_in_two_browsers(page: Page, browser: Browser, address: str) -> None:
    expect(page.locator(".tr-rating")).to_contain_text("Rating")
    expect(page.locator(".tr-classes")).to_be_hidden()  # the person of this machine has no name
    expect(page.get_by_text("Join a class")).to_have_count(0)
    sign(page, "Teacher", "sign_up")
    fill_class(page, "Open a class", "hirake goma")
    mine = page.locator(".tr-class-list article")
    expect(mine).to_contain_text("Pupils: 0")
    mine.get_by_text("List, pupils, closing").click()
    mine.get_by_label("Title of the list").fill("Homework <i>")
    mine.get_by_label("Numbers of problems").fill(f"{address}/training?lang=en#list=3,1&title=x")
    mine.get_by_role("button", name="Give this list").click()
    expect(mine).to_contain_text("Homework <i> (2)")
    with new_page(browser, address, **PHONE) as other:
        sign(other, "Ann", "sign_up")
        other.get_by_text("Join a class").click()
        expect(other.get_by_text("If you join, the teacher sees what you solved and what you failed")).to_be_visible()
        other.get_by_text("Join a class").click()
        fill_class(other, "Join a class", "open sesame")
        expect(other.locator(".tr-class-said")).to_have_text("The name of the class or its passphrase is wrong.")
        other.get_by_text("Join a class").click()
        fill_class(other, "Join a class", "hirake goma")
        expect(other.locator(".tr-class-list")).to_contain_text("Teacher: Teacher")
        begin = other.get_by_role("button", name="Homework <i>")
        expect(begin).to_contain_text("Monday & co · solved: 0 of 2")
        begin.click()
        solve(other, ready(other))
        expect(changed(other)).to_contain_text("(+")
        expect(other.locator(".tr-marks .tr-came")).to_have_text(["◎", "·"])
        other.locator("[data-act=stop]").click()
        expect(begin).to_contain_text("solved: 1 of 2")
        begin.click()
        fail(other, ready(other))
        expect(other.locator(".tr-marks .tr-came")).to_have_text(["◎", "✗"])
        other.locator("[data-act=stop]").click()
        expect(other.locator(".tr-pupils")).to_have_count(0)
        assert other.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.reload()
        expect(page.locator(".tr-pupils tbody tr")).to_have_text(re.compile(r"Ann\d+ ± \d+ ★+☆+211\d+/\d+"))
        expect(page.locator(".tr-marks .tr-came")).to_have_text(["◎", "✗"])
        other.once("dialog", lambda asked: asked.accept())
        other.get_by_role("button", name="Leave the class").click()
        expect(other.locator(".tr-class-list article")).to_have_count(0)
        expect(begin).to_have_count(0)
        page.reload()
        expect(mine).to_contain_text("Pupils: 0")
    mine.get_by_text("List, pupils, closing").click()
    page.once("dialog", lambda asked: asked.accept())
    mine.get_by_role("button", name="Close the class").click()
    expect(mine).to_have_count(0)


def fill_class(page: Page, form: str, passphrase: str) -> None:
    page.get_by_text(form).click()
    page.locator(".tr-classes").get_by_label("Name of the class").locator("visible=true").fill("Monday & co")
    page.get_by_label("Passphrase of the class").locator("visible=true").fill(passphrase)
    page.locator(".tr-classes form button").locator("visible=true").click()


def test_the_free_page_of_a_problem_counts_as_well(page: Page) -> None:
    open_problem(page, 1)
    solve_first(page)
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
    monkeypatch.setattr("tsume.commands.web.solver_scripts", table.scripts)
    run("site", "--db", place, "-o", tmp_path / "site", "--lang", "en", "-j", 1)
    with new_page(browser, f"{(tmp_path / 'site').as_uri()}/", **PHONE) as page:
        page.goto(f"{(tmp_path / 'site').as_uri()}/training.html")
        expect(page.locator(".tr-rating")).to_have_text("Rating 1500 ± 350, provisional (kept in this browser)")
        expect(page.locator(".tr-classes, [href*='day.xml']")).to_have_count(0)
        number = start(page, "training")
        solve(page, number)
        expect(changed(page)).to_contain_text("(+")
        page.reload()
        expect(page.locator(".tr-rating")).not_to_contain_text("1500")
        page.goto(f"{(tmp_path / 'site').as_uri()}/index.html")
        expect(page.locator(f"li[data-problem='{number}']")).to_contain_text("✓ solved")
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
        page.goto(f"{(tmp_path / 'site').as_uri()}/training.html")
        second = start(page, "training")
        fail(page, second)
        expect(changed(page)).to_contain_text("(−")
        choose(page, 0)  # failed ones
        expect(page.locator(".tr-history li .name")).to_have_text(re.compile(rf"No\. {second}"))
        choose(page, 1)
        expect(page.locator(".tr-history li .name")).to_have_count(2)
        source = str(page.locator(".tr-history img").first.get_attribute("src")).partition("#")[0]
        assert (tmp_path / "site" / source).is_file()
        settled = page.evaluate("TsumeTrainingStore.load().rating")
        page.goto(f"{(tmp_path / 'site').as_uri()}/problems/{second}.html")
        expect(page.locator(".tp-said")).to_have_text("You go on where you were (mistakes so far: 1, hints: 0).")
        expect(page.locator(".tp-rating")).to_contain_text("(−")
        solve(page, second)
        expect(page.locator(".gives-up")).to_be_hidden()
        rows = page.evaluate("TsumeResults.all().map(({ solved, mistakes }) => [Boolean(solved), mistakes])")
        assert rows == [[True, 0], [True, 1]]
        assert page.evaluate("TsumeTrainingStore.load().rating") == settled
        cards = page.evaluate("Object.values(TsumeTrainingStore.load().cards).map(({ failed }) => failed)")
        assert cards == [False, True]


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
