# SPDX-License-Identifier: GPL-3.0-or-later
"""How the board looks, moves and sounds is chosen once and holds on every page, in a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.tsume.web.browsing import in_chromium, keys, new_page, open_problem, play, said, square

pytestmark = in_chromium

STYLES = ("kanji", "letters", "moves")


def choose(page: Page, setting: str, value: str) -> None:
    page.get_by_text("Display and sound").click()
    page.locator(f"select[data-setting={setting}]").select_option(value)
    page.get_by_text("Display and sound").click()


def drawing(page: Page, name: str) -> list[str]:
    """The paths of the piece on a square."""
    found: list[str] = square(page, name).evaluate(
        "cell => [...cell.querySelectorAll('path')].map((path) => path.getAttribute('d'))"
    )
    return found


def board_colour(page: Page) -> str:
    found: str = page.locator(".tb-grid").evaluate("grid => getComputedStyle(grid).backgroundColor")
    return found


def test_each_set_of_pieces_is_drawn_at_once(page: Page) -> None:
    drawn = {}
    for style in STYLES:
        choose(page, "pieces", style)
        drawn[style] = drawing(page, "3d")
        wanted = page.evaluate("style => TSUME_PIECES.G[style]", style)
        assert drawn[style] == [path for path in (wanted["edge"], wanted["marks"], wanted["sign"]) if path]
    assert len({tuple(paths) for paths in drawn.values()}) == len(STYLES)


def test_each_board_has_its_colour(page: Page) -> None:
    colours = set()
    for board in ("wood", "paper", "slate"):
        choose(page, "board", board)
        colours.add(board_colour(page))
    assert len(colours) == 3


@pytest.mark.parametrize("place", ["/problems/2?lang=en", "/compose?lang=en", "/training?lang=en#mode=day"])
def test_the_choice_holds_on_other_pages(page: Page, place: str) -> None:
    choose(page, "board", "slate")
    choose(page, "pieces", "moves")
    colour = board_colour(page)
    page.goto(place)
    expect(page.locator(".tb-marks").first).to_be_attached()
    assert board_colour(page) == colour


def test_the_pieces_chosen_in_older_versions_are_kept(page: Page) -> None:
    page.evaluate("localStorage.setItem('tsume.signs', 'letters')")
    page.reload()
    expect(said(page)).to_have_text("Your move: give check.")
    assert drawing(page, "3d")[-1] == page.evaluate("TSUME_PIECES.G.letters.sign")


def test_what_is_stored_and_no_choice_is_the_default(page: Page) -> None:
    page.evaluate("localStorage.setItem('tsume.signs', 'runes')")
    page.reload()
    expect(said(page)).to_have_text("Your move: give check.")
    assert drawing(page, "3d")[-1] == page.evaluate("TSUME_PIECES.G.kanji.sign")


def test_the_final_position_has_the_pieces_that_are_chosen(page: Page) -> None:
    play(page, "3d2c")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    play(page, "2c2b")
    expect(page.locator(".tb-diagram .tb-piece").first).to_be_attached()
    expect(page.locator(".tb-diagram .tb-marks")).to_have_count(0)
    choose(page, "pieces", "moves")
    expect(page.locator(".tb-diagram .tb-marks").first).to_be_attached()


def test_keys_of_the_board_mean_nothing_in_the_settings(page: Page) -> None:
    page.get_by_text("Display and sound").click()
    page.locator("select[data-setting=pieces]").focus()
    keys(page, "h")
    expect(said(page)).to_have_text("Your move: give check.")


def test_pages_without_storage_keep_the_choice_until_they_are_left(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"
        )
        open_problem(page, 1)
        choose(page, "pieces", "letters")
        assert drawing(page, "3d")[-1] == page.evaluate("TSUME_PIECES.G.letters.sign")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("board", ["paper", "slate"])
def test_axe_finds_nothing_on_the_boards(browser: Browser, address: str, board: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with new_page(browser, address, color_scheme=scheme) as page:
        open_problem(page, 1)
        choose(page, "board", board)
        page.get_by_text("Display and sound").click()
        assert [one["id"] for one in axe.run(page).response["violations"]] == []


_CONTRASTS = [
    ("--tb-ink", "--tb-piece", 7), ("--tb-promoted", "--tb-piece", 4.5), ("--tb-edge", "--tb-piece", 3),
    ("--tb-line", "--tb-board", 3), ("--tb-line", "--tb-last", 2), ("--tb-mark", "--tb-halo", 3),
]  # fmt: skip
"""What has to be told apart, and by what ratio at least (WCAG)."""


_COLOUR = "(element, name) => getComputedStyle(element).getPropertyValue(name)"


def luminance(colour: str) -> float:
    digits = colour.strip().removeprefix("#")
    whole = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [part / 255 for part in bytes.fromhex(whole)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pieces_lines_and_marks_stand_out(browser: Browser, address: str, scheme: str) -> None:
    with new_page(browser, address, color_scheme=scheme) as page:
        open_problem(page, 1)
        for board in ("wood", "paper", "slate"):
            choose(page, "board", board)
            for one, other, least in _CONTRASTS:
                colours = [page.locator("tsume-board").evaluate(_COLOUR, name) for name in (one, other)]
                dark, light = sorted(map(luminance, colours))
                assert (light + 0.05) / (dark + 0.05) >= least, (board, one, other)
