# SPDX-License-Identifier: GPL-3.0-or-later
"""What people met while they solved problems on the board, in a browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from db.store import Store
from tests.browsers.expecting import expect
from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tests.tsume.web.browsing import (
    PHONE,
    first_turn,
    keys,
    new_page,
    open_problem,
    play,
    refuted,
    said,
    serving,
    solve_first,
    square,
)
from tests.tsume.web.solving import TEN
from tsume.cli import cli
from tsume.uses.trees import ReplyTreeBuilder

LONG = "w" * 198


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, builder: ReplyTreeBuilder) -> Iterator[str]:
    """Three problems of 3 moves and two of 5; the first has a title of 198 letters."""
    path = tmp_path_factory.mktemp("player") / "player.db"
    for sfen in (CORRECT, DROPS, PROMOTES, TEN[2], TEN[4]):
        assert CliRunner().invoke(cli, ["import", sfen, "--db", str(path)]).exit_code == 0
    assert CliRunner().invoke(cli, ["edit", "1", "--title", LONG, "--db", str(path)]).exit_code == 0
    with Store.open(path, create=False) as store, serving(store, builder) as address:
        yield address


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address, **PHONE) as page:
        yield page


def hint(page: Page) -> None:
    page.get_by_role("button", name="Hint").click()


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.tagName")
    return found


# --- the board ----------------------------------------------------------------------------------------


def test_a_drop_is_a_piece_in_a_ring_and_no_arrow(page: Page) -> None:
    open_problem(page, 2)
    for _ in range(3):
        hint(page)
    expect(said(page)).to_contain_text("The move is N*1d")
    expect(page.locator(".tb-dropped")).to_have_count(1)
    expect(page.locator("svg .tb-ring:not(.tb-halo)")).to_have_count(1)
    expect(page.locator(".tb-arrow")).to_have_count(0)


def test_promotion_is_asked_beside_the_square(page: Page) -> None:
    open_problem(page, 3)
    play(page, "8c8b")
    question = page.get_by_role("dialog").bounding_box()
    target = square(page, "8b").bounding_box()
    assert question is not None
    assert target is not None
    assert question["x"] - 5 <= target["x"] + target["width"] / 2 <= question["x"] + question["width"] + 5
    above, below = (target["y"] - question["y"] - question["height"], question["y"] - target["y"] - target["height"])
    assert 0 <= max(above, below) < 10


def test_on_a_phone_titles_fit_and_next_is_above_the_fold(phone: Page) -> None:
    for place in ("/?lang=en", "/problems/1?lang=en", "/?lang=en&moves=3"):
        phone.goto(place)
        expect(phone.get_by_text(LONG).first).to_be_visible()
        width = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], place
    open_problem(phone, 2)
    box = phone.get_by_role("link", name="Next problem").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 740


# --- hints, mistakes, words ---------------------------------------------------------------------------


@pytest.mark.smoke
def test_starting_again_keeps_mistakes_and_hints(page: Page) -> None:
    hint(page)
    refuted(page)
    page.get_by_role("button", name="Restart").click()
    first_turn(page)
    play(page, "2c2b")
    expect(page.locator(".tp-result")).to_contain_text("Mistakes: 1, hints: 1,")


def test_a_hint_that_was_shown_does_not_count_again(page: Page) -> None:
    hint(page)
    hint(page)
    refuted(page)
    page.get_by_role("button", name="Try again").click()
    hint(page)
    expect(said(page)).to_have_text("The destination is 2c.")
    first_turn(page)
    play(page, "2c2b")
    expect(page.locator(".tp-result")).to_contain_text("Mistakes: 1, hints: 2,")


def test_typed_texts_that_are_no_moves_or_no_checks_and_terms_are_explained(page: Page) -> None:
    field = page.get_by_label("Type a move")
    field.fill("zz")
    field.press("Enter")
    expect(said(page)).to_contain_text("“zz” cannot be read as a move.")
    field.fill("5e5d")
    field.press("Enter")
    expect(said(page)).to_have_text("That is not a legal check.")
    message = page.evaluate("TsumePhrases.say('web.mate_futile', { check: 'R*9b', plies: 3 })")
    page.evaluate(
        "detail => document.querySelector('tsume-board').dispatchEvent(new CustomEvent('say', { detail }))", message
    )
    expect(said(page)).to_contain_text("The only answers are futile interpositions.")
    page.locator(".tp-terms summary").click()
    expect(page.locator(".tp-terms dfn")).to_have_text("futile interposition")


def test_how_far_a_refutation_was_searched_is_folded_away(page: Page) -> None:
    tree = page.request.get("/api/problems/1/tree").json()
    wrong = next(check for check in tree["turns"][0]["checks"] if check["move"] == "3c2c")
    wrong["why"]["en"] = "+S-2c fails: K-1a moves the king; no mate was found"
    wrong["proof_text"] = {"ja": "", "en": "There is no mate within 53 moves; a longer one cannot be excluded."}
    page.route("**/api/problems/1/tree", lambda route: route.fulfill(json=tree))
    open_problem(page, 1)
    play(page, "3c2c")
    expect(said(page)).to_have_text("+S-2c fails: K-1a moves the king; no mate was found.")
    expect(page.locator(".tp-proof")).to_contain_text("How far this was checked")
    page.locator(".tp-proof summary").click()
    expect(page.locator(".tp-proof")).to_contain_text("There is no mate within 53 moves")


def enter(page: Page) -> None:
    square(page, "3d").focus()
    keys(page, "Enter")


def type_move(page: Page) -> None:
    field = page.get_by_label("Type a move")
    field.fill("3d2c")
    field.press("Enter")


REFUTED = "+S-2b fails: Kx2b takes the checking promoted silver; no mate. Taken back. Your move."
GOES_ON: dict[str, tuple[Callable[[Page], object], str]] = {
    "a click on a piece": (lambda page: square(page, "3d").click(), "3d gold selected. Choose its destination."),
    "a click elsewhere": (lambda page: square(page, "9i").click(), REFUTED),
    "a click beside the board": (lambda page: page.locator(".tb-attacker .tb-head").click(), REFUTED),
    "a dragged piece": (lambda page: square(page, "3d").drag_to(square(page, "2c")), "G-2c, K-1a. Your move."),
    "a piece chosen by key": (enter, "3d gold selected. Choose its destination."),
    "a letter": (lambda page: keys(page, "g"), REFUTED),
    "a hint by key": (lambda page: keys(page, "h"), "Move the 3d gold."),
    "a hint by its button": (hint, "Move the 3d gold."),
    "a typed move": (type_move, "G-2c, K-1a. Your move."),
    "Escape": (lambda page: keys(page, "Escape"), REFUTED),
}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_after_a_refutation_any_input_goes_on(browser: Browser, address: str, motion: Any) -> None:
    with new_page(browser, address, reduced_motion=motion) as page:
        for act, told in GOES_ON.values():
            open_problem(page, 1)
            refuted(page)
            act(page)
            expect(said(page)).to_have_text(told)
            expect(square(page, "3c")).to_have_attribute("aria-label", "3c own promoted silver")
            expect(page.locator(".tb-arrow")).to_have_count(0)
            expect(page.get_by_role("button", name="Try again")).to_have_count(0)
            page.evaluate("TsumeAttempts.clear()")


def test_a_piece_given_up_is_in_hand_again_when_its_letter_is_pressed(page: Page) -> None:
    open_problem(page, 2)
    tree = page.request.get("/api/problems/2/tree").json()
    wrong = [one["move"] for one in tree["turns"][0]["checks"] if one["result"] == "fails"]
    drop = next(move for move in wrong if "*" in move)
    play(page, drop)
    expect(page.locator(".tb-arrow")).to_have_count(1)
    keys(page, drop[0].lower())
    expect(page.locator(f'[data-hand="{drop[0]}"]')).to_have_attribute("aria-pressed", "true")


def test_the_analysis_after_a_refutation_leads_back_to_the_turn(page: Page) -> None:
    refuted(page)
    page.get_by_text("Show the answer").click()
    page.locator(".analysis").get_by_role("button", name="From the start").click()
    expect(page.locator(".ta-status")).to_have_text("Attacker to move: mate in 3.")
    keys(page, "u")
    first_turn(page)


def test_a_check_whose_answers_cannot_be_loaded_is_taken_back_by_the_next_input(page: Page) -> None:
    tree = page.request.get("/api/problems/1/tree").json()
    for check in tree["turns"][0]["checks"]:
        for answer in check.get("answers", ()):
            answer.pop("turn", None)
    whole = {**tree, "turns": tree["turns"][:1]}
    page.route("**/api/problems/1/tree", lambda route: route.fulfill(json=whole))
    page.route("**/api/problems/1/tree?*", lambda route: route.fulfill(status=404, json={"error": "none"}))
    open_problem(page, 1)
    play(page, "3d2c")
    expect(said(page)).to_have_text("Loading failed.")
    square(page, "3d").click()
    expect(said(page)).to_have_text("3d gold selected. Choose its destination.")


# --- keys ---------------------------------------------------------------------------------------------


def test_the_focus_stays_after_taking_back_and_starting_again(page: Page) -> None:
    refuted(page)
    back = page.get_by_role("button", name="Try again")
    back.focus()
    keys(page, "Enter")
    expect(said(page)).to_have_text("Taken back. Your move.")
    assert focused(page) == "BUTTON"
    keys(page, "h")
    expect(said(page)).to_have_text("Move the 3d gold.")
    first_turn(page)
    page.get_by_role("button", name="Restart").focus()
    keys(page, "Enter")
    assert focused(page) == "BUTTON"


def test_keys_work_from_anywhere(page: Page) -> None:
    open_problem(page, 2)
    page.evaluate("document.activeElement.blur()")
    assert focused(page) == "BODY"
    keys(page, "h")
    expect(said(page)).to_have_text("Drop the knight.")
    keys(page, "n")
    expect(page.locator('[data-hand="N"]')).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.activeElement.blur()")
    keys(page, "Escape")
    expect(page.locator('[data-hand="N"]')).to_have_attribute("aria-pressed", "false")


def test_a_button_that_cannot_be_used_says_so_and_does_nothing(page: Page) -> None:
    back = page.get_by_role("button", name="Undo")
    expect(back).to_have_attribute("aria-disabled", "true")
    back.evaluate("button => button.click()")
    expect(said(page)).to_have_text("Your move: give check.")


# --- the way through the problems ---------------------------------------------------------------------


def test_the_next_problem_and_the_way_back_keep_the_filter(page: Page) -> None:
    page.goto("/?lang=en&moves=5&order=score")
    first = page.locator(".problems a").first
    second = page.locator(".problems a").nth(1).get_attribute("href")
    first.click()
    page.get_by_role("link", name="Next problem").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("No. ")
    expect(page.locator(f'.player[data-problem="{str(second).split("/")[2].split("?")[0]}"]')).to_be_visible()
    expect(page.get_by_role("link", name="Next problem")).to_have_count(0)
    expect(page.locator("header [aria-current]")).to_have_text("Problems")
    page.get_by_role("link", name="Back to the list (2 / 2)").click()
    expect(page.locator(".problems li")).to_have_count(2)
    expect(page.locator("[name=moves]")).to_have_value("5")


def test_the_title_of_the_tab_and_the_list_name_problems(page: Page) -> None:
    assert page.evaluate("document.title") == f"No. 1 {LONG} Mate in 3 | Tsume-shogi"
    page.goto("/?lang=ja")
    assert page.evaluate("document.title") == "問題一覧 | 詰将棋"
    page.goto("/problems/2?lang=ja")
    assert page.evaluate("document.title") == "第2番 3手詰 | 詰将棋"
    page.goto("/?lang=en&moves=3")
    expect(page.get_by_role("heading", level=1)).to_contain_text("3 in all")
    problem = page.locator(".problems li").first
    expect(problem).to_contain_text("★")


# --- the answer ---------------------------------------------------------------------------------------


def test_the_answer_comes_with_the_solution(page: Page) -> None:
    expect(page.locator(".answer")).not_to_contain_text("G-2c")
    first_turn(page)
    play(page, "2c2b")
    answer = page.locator(".answer")
    expect(answer.locator(".line")).to_have_text("G-2c K-1a G-2b mate in 3.")
    for label in ("Variations", "Tries", "Themes"):
        expect(answer).to_contain_text(label)
    expect(answer).not_to_contain_text("Difficulty")  # the heading has it
    expect(answer.locator(".ta-moves [aria-current]")).to_have_text("G-2b")


def test_looking_at_the_answer_first_is_giving_up(page: Page) -> None:
    page.get_by_text("Show the answer").click()
    expect(page.locator(".answer .line")).to_have_text("G-2c K-1a G-2b mate in 3.")
    expect(said(page)).to_have_text("Answer: G-2c K-1a G-2b")
    expect(page.locator(".tb-arrow")).to_have_count(1)
    expect(page.get_by_role("button", name="Hint")).to_have_attribute("aria-disabled", "true")
    solve_first(page)
    assert page.evaluate("TsumeResults.all().map(({ solved }) => solved)") == [""]


def test_an_answer_that_cannot_be_loaded_can_be_asked_for_again(page: Page) -> None:
    page.evaluate("() => { window.loads = TsumeTrees.text; }")
    page.evaluate("() => { TsumeTrees.text = () => Promise.reject(new Error('refused')); }")
    page.get_by_text("Show the answer").click()
    expect(page.locator(".answer")).to_contain_text("Loading failed.")
    page.evaluate("() => { TsumeTrees.text = window.loads; }")
    page.get_by_text("Answer", exact=True).click()
    page.get_by_text("Answer", exact=True).click()
    expect(page.locator(".answer .solution")).to_be_visible()


# --- terms and analysis -------------------------------------------------------------------------------


def test_analysis_plays_the_line_and_any_other_move(page: Page) -> None:
    page.get_by_text("Show the answer").click()
    analysis = page.locator(".analysis")
    analysis.get_by_role("button", name="From the start").click()
    expect(analysis.locator(".ta-status")).to_have_text("Attacker to move: mate in 3.")
    expect(analysis.locator(".ta-choices")).to_contain_text("+S-2b no mate")
    analysis.get_by_role("button", name="Forward").click()
    expect(analysis.locator(".ta-status")).to_have_text("Defender to move: mated in 1 at most.")
    analysis.locator(".ta-choices button", has_text="K-2a").click()
    expect(square(page, "2a")).to_have_attribute("aria-label", "2a defending king")
    expect(analysis.locator(".ta-status")).to_have_text("Attacker to move: mate in 1.")
    play(page, "2c2b")
    expect(analysis.locator(".ta-status")).to_have_text("Mate.")
    expect(analysis.locator(".ta-moves button")).to_have_count(3)
    page.get_by_role("button", name="Restart").click()
    expect(square(page, "1b")).to_have_attribute("aria-label", "1b defending king")
    first_turn(page)
