# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for composing of a site, with fake answers of the solver and with the solver itself"""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Locator, Page

from tests.browsers.expecting import expect
from tests.tsume.problems import COOKED, CORRECT, DROPS, LOOSE, MISSED, NO_MATE
from tests.tsume.site.conftest import (
    ADDRESSES,
    ENDLESS,
    KIF,
    KINGLESS,
    SEVEN_RANKS,
    UNPLAYABLE,
    UNRESOLVED,
    WRONG_LINE,
    run,
)
from tests.tsume.site.offline import open_problem, opened
from tests.tsume.web.browsing import PHONE, keys, play, square
from tests.tsume.web.composing import headline, said, tool
from tsume.web.rendered import kif_text
from tsume_rules.sfen import format_sfen, parse_sfen

DROP = """(place, data) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], "a.kif"));
  place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def page(browser: Browser, both: Path) -> Iterator[Page]:
    with opened(browser, f"{both.as_uri()}/", "en/compose.html") as page:
        expect(square(page, "5e")).to_be_visible()
        yield page


def load(page: Page, text: str) -> None:
    """Enter a text in the field and have it read."""
    if not page.locator(".tc-take[open]").count():
        page.locator(".tc-take summary").click()
    page.locator("#text").fill(text)
    page.locator("[data-form=text] button").click()


def test_a_position_is_judged_in_the_page(page: Page) -> None:
    expect(headline(page)).to_contain_text("Arrange a position")
    load(page, COOKED)
    expect(headline(page)).to_contain_text("Unsound — a second solution Mate in 3: B-4d")
    expect(page.locator(".tc-fault")).to_contain_text("cook")
    page.locator(".tc-fault button").first.click()
    expect(page.locator(".tc-line")).to_be_visible()
    keys(page, ".")
    expect(page.locator(".tc-line")).to_contain_text("S-2a+")
    keys(page, "Escape")
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")
    expect(page.locator(".tc-verdict > .tc-facts")).to_contain_text("of 100")
    expect(page.locator(".tc-verdict > .tc-facts")).to_contain_text("Themes: clean finish")
    expect(page.locator(".tc-all pre")).to_contain_text("Likeness")
    tool(page, "undo").click()
    expect(headline(page)).to_contain_text("Unsound — ")


def explain(page: Page, sfen: str) -> Locator:
    """Load a position and open its explanation, which is returned."""
    load(page, sfen)
    place = page.locator(".tc-explanation")
    place.locator("summary").first.click()
    return place


def test_a_mate_is_explained_and_its_lines_are_played(page: Page) -> None:
    explanation = explain(page, CORRECT)
    expect(explanation.locator(".tc-turn")).to_have_text(["Move 1: G3d-2c", "Move 3: G2c-2b"])
    variation = explanation.get_by_role("button", name="Variation: K1b-2a")
    expect(variation).to_have_text("Variation: K1b-2a is met by G2c-2b, mate in 3 (as long as the main line).")
    expect(explanation).to_contain_text("Try: +S3c-2b fails to K1bx2b: no mate.")
    expect(explanation).to_contain_text("Last move alternative: +S3c-2b mates too.")
    expect(explanation.locator(".tc-explained")).to_have_text("")
    expect(page.locator(".tc-terms summary")).to_contain_text("variation, try")
    explanation.get_by_role("button", name="Variation: K1b-2a").click()
    line = page.locator(".tc-line")
    expect(line.locator("[aria-current]")).to_have_text("G3d-2c")
    expect(line.locator(".tc-step")).to_have_text("Move 2: K1b-2a")
    expect(page.locator(".tb-arrow")).to_have_count(1)
    expect(square(page, "2c")).to_have_attribute("aria-label", "2c attacker's gold")
    keys(page, ". .")
    expect(line.locator(".tc-step")).to_have_text("End of the line, 3 moves")
    keys(page, "Escape")
    expect(line).to_be_hidden()
    expect(square(page, "3d")).to_have_attribute("aria-label", "3d attacker's gold")
    refuted = explanation.get_by_role("button", name="Try: +S3c-2b")
    refuted.click()
    expect(line.locator(".tc-moves button")).to_have_text(["Start", "+S3c-2b", "K1bx2b"])
    explanation.locator(".tc-turn").nth(1).click()
    expect(line.locator("[aria-current]")).to_have_text("K1b-1a")
    expect(line.locator(".tc-step")).to_have_text("Move 3: G2c-2b")


def test_on_a_phone_a_line_returns_to_the_explanation(browser: Browser, both: Path) -> None:
    with opened(browser, f"{both.as_uri()}/", f"compose.html?sfen={quote(CORRECT)}", **PHONE) as page:
        explanation = page.locator(".tc-explanation")
        explanation.locator("summary").first.click()
        variation = explanation.locator(".tc-reasons button").first
        expect(variation).to_have_text("変化: △２一玉(12)には▲２二金(23)まで3手詰（変同）")
        variation.click()
        expect(page.locator(".tc-line")).to_be_visible()
        assert is_in_view(page.locator(".tb-table"))
        keys(page, "Escape")
        expect(page.locator(".tc-line")).to_be_hidden()
        assert is_in_view(variation)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def is_in_view(place: Locator) -> bool:
    """Whether an element is within the window; a pixel may be missing."""
    rounded = "one => { const {top, bottom} = one.getBoundingClientRect(); return [top, bottom - innerHeight]; }"
    top, beyond = place.evaluate(rounded)
    return bool(top > -1 and beyond < 1)


def test_second_solutions_limits_and_no_mate(page: Page) -> None:
    explanation = explain(page, COOKED)
    expect(explanation).to_contain_text("Futile: drops on 2b (B4dx2b+)")
    explanation.locator(".tc-fault button").click()
    expect(page.locator(".tc-line .tc-moves button")).to_have_text(["Start", "S3b-2a+", "K1a-1b", "L2d-2b+"])
    explanation = explain(page, DROPS)
    expect(explanation.locator(".tc-turn")).to_have_count(1)
    expect(explanation.locator(".tc-explained")).to_have_text("A limit was reached: the explanation is incomplete.")
    load(page, CORRECT)
    expect(page.locator(".tc-explanation")).to_be_visible()
    load(page, NO_MATE)
    expect(page.locator(".tc-fault")).to_contain_text("no mate")
    expect(page.locator(".tc-explanation")).to_be_hidden()
    expect(headline(page)).to_have_text("✕ No mate")
    expect(page.locator(".tc-all pre")).to_contain_text("faults: no mate")
    expect(page.locator(".tc-all pre")).not_to_contain_text(re.compile("NO_MATE|[ぁ-鿿]"))


def test_a_change_stops_the_explanation(page: Page) -> None:
    explanation = explain(page, LOOSE)
    expect(explanation.locator(".tc-explained")).to_contain_text("Explaining…")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-explained")).to_have_text("")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-explained")).to_contain_text("Explaining…")
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    expect(explanation).to_be_visible()
    expect(explanation.locator(".tc-explained")).to_have_text("")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-turn")).to_have_count(2)


def test_an_explanation_that_fails_can_be_asked_for_again(page: Page) -> None:
    load(page, CORRECT)
    explanation = page.locator(".tc-explanation")
    expect(explanation).to_be_visible()
    page.evaluate("""() => {
        const ask = Tsume.Solver.prototype.ask;
        Tsume.Solver.prototype.ask = async () => {
            Tsume.Solver.prototype.ask = ask;
            throw new Error("out of memory");
        };
    }""")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-explained")).to_have_text("out of memory")
    explanation.locator("summary").first.click()
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-turn")).to_have_count(2)


def test_addresses_and_game_records_are_read(page: Page) -> None:
    load(page, ADDRESSES[0])
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    load(page, ADDRESSES[1])
    expect(headline(page)).to_contain_text("Unsound — ")
    load(page, KIF)
    expect(said(page)).to_have_text("Loaded.")
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")


def test_a_file_in_shift_jis_is_read_and_other_texts_are_refused(page: Page) -> None:
    page.locator("h1").evaluate(DROP, base64.b64encode(KIF.encode("cp932")).decode())
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")
    for text, message in (
        (UNPLAYABLE, "It cannot be read: "),
        ("nothing", "This is neither an SFEN nor a game record"),
    ):
        load(page, text)
        expect(said(page)).to_contain_text(message)
    load(page, "9/9/9/9/9/9/9/9/K8 b - 1")
    expect(headline(page)).to_contain_text("The defender has no king.")
    load(page, "8k/9/8G/9/9/9/9/9/9 b - 1")  # the table has no answer
    expect(headline(page)).to_contain_text("not in the table")


def test_where_a_text_cannot_be_read_is_told_in_japanese(browser: Browser, both: Path) -> None:
    with opened(browser, f"{both.as_uri()}/", "compose.html") as page:
        for text, told in (
            (SEVEN_RANKS, "読み込めません: 盤の段数が7です（9段必要）。"),
            (UNPLAYABLE, "読み込めません: 17行目の「９三金(34)」が正しくありません。"),
            (KINGLESS, "読み込めません: 局面が反則です（玉の数、二歩、行き所のない駒、駒の枚数）。"),
        ):
            load(page, text)
            expect(said(page)).to_have_text(told)


def test_kif_is_copied_and_diagrams_are_saved(page: Page) -> None:
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    for act, start in (("svg", b"<svg "), ("png", b"\x89PNG")):
        with page.expect_download() as saved:
            tool(page, act).click()
        assert Path(saved.value.path()).read_bytes().startswith(start)
    page.evaluate("() => { Object.defineProperty(navigator, 'clipboard', { value: {} }); }")
    tool(page, "copy_kif").click()
    expect(said(page)).to_have_text("Copy this text.")
    expect(page.locator(".tc-copied textarea")).to_have_value(KIF)


def test_nothing_waits_for_a_verdict(page: Page) -> None:
    load(page, ENDLESS)
    expect(headline(page)).to_have_text("Judging…")  # nothing is below
    page.evaluate("() => { Object.defineProperty(navigator, 'clipboard', { value: {} }); }")
    tool(page, "copy_kif").click()
    expect(said(page)).to_have_text("Copy this text. It has no moves: there is no solution yet.")
    expect(page.locator(".tc-copied textarea")).to_have_value(kif_text(parse_sfen(ENDLESS).position, ()))
    with page.expect_download() as saved:
        tool(page, "svg").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"<svg ")
    expect(headline(page)).to_contain_text("Judging…")
    load(page, KIF)
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")


def test_a_long_verdict_is_stopped_and_begun_again(page: Page) -> None:
    load(page, COOKED)
    expect(headline(page)).to_contain_text("Unsound — ")
    load(page, ENDLESS)
    expect(headline(page)).to_contain_text("(below: the position before the change)")
    stop = page.get_by_role("button", name="Stop judging")
    expect(headline(page)).to_contain_text(re.compile(r"[2-9] s"))
    stop.click()
    expect(headline(page)).to_contain_text(re.compile(r"Stopped after [2-9] s\."))
    expect(page.locator(".tc-findings li")).to_have_count(0)
    page.get_by_role("button", name="Judge again").click()
    expect(headline(page)).to_have_text("Judging…")
    expect(stop).to_be_visible()
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")


def test_an_unresolved_position_can_be_searched_longer(page: Page) -> None:
    load(page, UNRESOLVED)
    expect(headline(page)).to_contain_text(re.compile(r"Unresolved \d+ s were not enough for a verdict"))
    page.get_by_role("button", name="Search for up to 60 s").click()
    expect(page.get_by_role("button", name="Search for up to 300 s")).to_be_visible()
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    expect(page.get_by_role("button", name="Search for up to")).to_have_count(0)


def test_a_wrong_intended_solution_is_no_fault(page: Page) -> None:
    load(page, f"{CORRECT} moves {' '.join(WRONG_LINE)}")
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    expect(page.locator(".tc-fault")).to_have_count(0)
    expect(page.locator(".tc-note").first).to_contain_text("move 2, 9a9b, cannot be played: better is K-1a")
    load(page, f"{CORRECT} moves 3c2c")
    expect(headline(page)).to_contain_text("Unsound — ")
    expect(page.locator(".tc-fault")).to_contain_text("wrong length")
    expect(page.locator(".tc-fault")).to_contain_text("Intended length 1, mate in 3.")


def test_several_drafts_are_kept_by_name(page: Page) -> None:
    page.get_by_text("Drafts", exact=True).click()
    name = page.get_by_label("Name of the draft")
    for title, sfen in (("first", CORRECT), ("second", DROPS), ("first", NO_MATE)):
        load(page, sfen)
        expect(said(page)).to_have_text("Loaded.")
        name.fill(title)
        page.get_by_role("button", name="Keep as a draft").click()
        expect(said(page)).to_have_text(f"Draft “{title}” kept.")
    page.reload()
    page.get_by_text("Drafts", exact=True).click()
    drafts = page.locator(".tc-drafts li")
    expect(drafts).to_have_count(2)
    page.get_by_role("button", name="second", exact=True).click()
    expect(said(page)).to_have_text("Draft “second” opened.")
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    page.get_by_role("button", name="Remove the draft “first”").click()
    expect(drafts).to_have_count(1)
    page.get_by_role("button", name="Remove the draft “second”").click()
    expect(drafts).to_have_count(0)


def test_the_position_is_in_the_address_and_what_needs_a_store_is_not_there(page: Page) -> None:
    expect(page.locator("[data-form=generate]")).to_have_count(1)
    expect(page.locator("[data-form=save]")).to_have_count(0)
    load(page, CORRECT)
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    assert parse_qs(urlsplit(page.url).query)["sfen"] == [format_sfen(parse_sfen(CORRECT).position)]
    page.reload()
    expect(headline(page)).to_contain_text("Perfect — mate in 3")
    page.get_by_role("link", name="日本語").click()
    expect(headline(page)).to_contain_text("完全作・3手詰")


def test_composed_from_a_problem_without_its_solution(page: Page, both: Path) -> None:
    open_problem(page, f"{both.as_uri()}/en/problems/1.html")
    page.get_by_role("link", name="Compose from this position").click()
    expect(headline(page)).to_contain_text("The verdict gives the solution away.")
    page.get_by_role("button", name="Show the verdict").click()
    expect(headline(page)).to_contain_text("Perfect — mate in 3 G-2c")


@pytest.mark.parametrize("name", ["compose.html", "en/compose.html"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_it_fits_and_axe_is_content(browser: Browser, both: Path, name: str, size: dict[str, object]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with opened(browser, f"{both.as_uri()}/", f"{name}?sfen={quote(COOKED)}", **size) as page:
        expect(page.locator(".tc-fault")).to_be_visible()
        expect(page.locator(".tc-explanation")).to_be_visible()
        for summary in page.locator("details > summary").all():
            summary.click()
        expect(page.locator(".tc-turn")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = axe.run(page, options={"preload": False}).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


@pytest.fixture(scope="module")
def site(real_solver: dict[str, bytes], library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in English; do not write to it."""
    folder = tmp_path_factory.mktemp("sites") / "real"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsume.commands.web.solver_scripts", lambda: real_solver)
        run("site", "--db", library, "-o", folder, "-j", 1, "--lang", "en")
    return folder


@pytest.fixture
def real_page(browser: Browser, site: Path) -> Iterator[Page]:
    with opened(browser, f"{site.as_uri()}/", "compose.html") as real_page:
        expect(square(real_page, "5e")).to_be_visible()
        yield real_page


def test_a_fault_is_found_and_mended(real_page: Page) -> None:
    load(real_page, COOKED)
    expect(headline(real_page)).to_contain_text("Unsound — ")
    expect(real_page.locator(".tc-fault")).to_contain_text("cook")
    real_page.evaluate("document.querySelector('[name=edits]').value = '1'")
    tool(real_page, "mend").click()
    expect(real_page.locator(".tc-find").first).to_be_visible()
    expect(real_page.locator(".tc-find .tc-facts").first).to_contain_text("Quality")


def test_a_mate_is_explained_by_the_solver(real_page: Page) -> None:
    load(real_page, CORRECT)
    explanation = real_page.locator(".tc-explanation")
    explanation.locator("summary").first.click()
    expect(explanation.locator(".tc-turn")).to_have_text(["Move 1: G3d-2c", "Move 3: G2c-2b"])
    explanation.get_by_role("button", name="Try: +S3c-2b fails to K1bx2b").click()
    expect(real_page.locator(".tc-line .tc-moves button")).to_have_text(["Start", "+S3c-2b", "K1bx2b"])
    keys(real_page, "Escape")
    explanation.get_by_role("button", name="Variation: K1b-2a").click()
    real_page.get_by_role("button", name="Set as solution").click()
    expect(real_page.locator(".tc-findings")).to_contain_text("best line")
    explanation.locator("summary").first.click()
    expect(explanation).to_contain_text("Variation: K1b-1a is met by G2c-2b")


def test_problems_are_composed_from_the_network(real_page: Page) -> None:
    assert not real_page.evaluate("'TsumeNetwork' in window")
    real_page.locator(".tc-generate summary").click()
    real_page.locator("[data-form=generate] button").click()
    expect(real_page.locator(".tc-find .tb-diagram").first).to_be_visible()
    assert real_page.evaluate("'TsumeNetwork' in window")


def test_a_game_leads_to_its_mates(real_page: Page) -> None:
    load(real_page, MISSED)
    real_page.get_by_role("link", name="This is a game").click()
    expect(real_page.locator(".tg-said")).to_contain_text("Mates found: 2")
    expect(real_page.locator(".tg-mate")).to_have_count(2)


def test_a_record_without_moves_leads_to_the_check(real_page: Page, site: Path) -> None:
    real_page.goto(f"{site.as_uri()}/games.html")
    real_page.locator("textarea").fill(f"position sfen {COOKED}")
    real_page.get_by_role("button", name="Find the mates").click()
    real_page.get_by_role("link", name="Check this position as a problem").click()
    expect(headline(real_page)).to_contain_text("Unsound — a second solution")


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE["viewport"]}])
def test_a_mate_of_a_game_is_solved_and_added_to_training(
    browser: Browser, site: Path, options: dict[str, Any]
) -> None:
    with opened(browser, f"{site.as_uri()}/", "games.html", **options) as page:
        page.locator("textarea").fill(f"{MISSED}\nstartpos moves 7g7f 3c3d 8h1a+")
        page.get_by_role("button", name="Find the mates").click()
        expect(page.locator(".tg-said")).to_contain_text("Mates found: 2 (games searched: 2)")
        expect(page.locator(".tg-game").last).to_contain_text("Read up to a move that cannot be: move 3 is not legal")
        page.get_by_role("button", name="Move 20 · White · mate in 1 — missed").click()
        expect(page.locator(".tp-said")).to_contain_text("Your move")
        expect(page.locator(".tb-defender")).not_to_contain_text("rest")
        play(page, "R*4a")
        expect(page.locator(".tp-said")).to_have_text("R*4a: mate.")
        page.get_by_role("button", name="Add to training").click()
        expect(page.locator(".tg-play").first).to_contain_text("Added to training.")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("link", name="Training").click()
        page.locator("[data-mode=training]").click()
        expect(page.locator(".tr-heading")).to_contain_text("Mate in")
        assert page.evaluate("TsumeExercises.all().map(({ length, title }) => [length, title])") == [[1, "Game 1 (20)"]]
