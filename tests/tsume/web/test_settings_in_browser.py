# SPDX-License-Identifier: GPL-3.0-or-later
"""Display and sound: pieces that slide, sounds, sets of pieces and colours of boards"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.tsume.web.browsing import (
    first_turn,
    in_chromium,
    keys,
    new_page,
    open_problem,
    play,
    refuted,
    said,
    solve_first,
    square,
)

pytestmark = in_chromium

_COUNTED_MOVEMENTS = """
window.movements = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const transform = frames[0].transform;
  window.movements.push({ square: this.parentElement.dataset.square, transform, ...options });
  return animate.call(this, frames, options);
};
"""
_COUNTED_SOUNDS = """
window.sounds = [];
class Node {
  constructor(name) { this.name = name; }
  connect(other) { return other; }
  start() { window.sounds.push(this.name); }
  stop() {}
  get gain() { return { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
  get frequency() { return {}; }
  get Q() { return {}; }
}
window.contexts = 0;
window.AudioContext = class {
  constructor() { window.contexts += 1; }
  currentTime = 0;
  sampleRate = 8000;
  state = "running";
  createBuffer(channels, length) { return { getChannelData: () => new Float32Array(length) }; }
  createBufferSource() { return new Node("knock"); }
  createOscillator() { return new Node("tone"); }
  createBiquadFilter() { return new Node("filter"); }
  createGain() { return new Node("gain"); }
};
"""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with new_page(browser, address) as page:
        page.add_init_script(_COUNTED_MOVEMENTS)
        page.add_init_script(_COUNTED_SOUNDS)
        open_problem(page, 1)
        yield page


def switch(page: Page, setting: str) -> None:
    page.get_by_text("Display and sound").click()
    page.get_by_label(setting).click()


def movements(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.movements.splice(0)")
    return found


def offset(movement: dict[str, Any]) -> tuple[float, float]:
    """Where a piece begins, in pixels from its square."""
    across, down = re.findall(r"-?[\d.]+(?=px)", movement["transform"])
    return float(across), float(down)


def sounds(page: Page, number: int = 0) -> list[str]:
    """What sounded, once there are so many: the first sound loads the script."""
    found: list[str] = page.evaluate(
        """async number => {
          while (window.sounds.length < number) await new Promise(requestAnimationFrame);
          return window.sounds.splice(0);
        }""",
        number,
    )
    return found


# --- movement -----------------------------------------------------------------------------------------


def test_a_check_and_its_answer_slide_and_back(page: Page) -> None:
    first_turn(page)
    check, answer = movements(page)
    assert (check["square"], answer["square"]) == ("2c", "1a")
    width, height = page.locator(".tb-cell").first.evaluate("cell => [cell.offsetWidth, cell.offsetHeight]")
    across, down = offset(check)
    assert across == pytest.approx(-width, abs=2)
    assert down == pytest.approx(height, abs=2)
    for one in (check, answer):
        assert 150 <= one["duration"] <= 200
        assert 0 <= one["delay"] <= one["duration"]
    assert check["delay"] == 0
    keys(page, "u")
    expect(said(page)).to_have_text("Taken back. Your move.")
    assert {one["square"] for one in movements(page)} == {"3d", "1b"}


def test_a_drop_comes_from_the_hand(page: Page) -> None:
    open_problem(page, 2)
    held = page.locator('[data-hand="N"]').bounding_box()
    target = square(page, "1d").bounding_box()
    assert held is not None
    assert target is not None
    play(page, "N*1d")
    expect(said(page)).to_contain_text("Your move.")
    drop = movements(page)[0]
    across, down = offset(drop)
    assert across == pytest.approx(held["x"] + held["width"] / 2 - target["x"] - target["width"] / 2, abs=2)
    assert down == pytest.approx(held["y"] + held["height"] / 2 - target["y"] - target["height"] / 2, abs=2)


def test_a_dragged_piece_is_there_already(page: Page) -> None:
    square(page, "3d").drag_to(square(page, "2c"))
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")
    assert [one["square"] for one in movements(page)] == ["1a"]


def test_a_captured_piece_vanishes(page: Page) -> None:
    refuted(page)
    expect(page.locator(".tb-captured")).to_have_count(0)
    expect(page.locator(".tb-moving")).to_have_count(0)
    expect(square(page, "2b").locator(".tb-piece")).to_have_count(1)


def test_nothing_slides_where_the_user_does_not_want_it(page: Page) -> None:
    switch(page, "Animate moves")
    first_turn(page)
    assert movements(page) == []


def test_nothing_slides_under_reduced_motion(browser: Browser, address: str) -> None:
    with new_page(browser, address, reduced_motion="reduce") as page:
        page.add_init_script(_COUNTED_MOVEMENTS)
        open_problem(page, 1)
        first_turn(page)
        assert movements(page) == []


def test_the_board_is_up_to_date_before_pieces_arrive(page: Page) -> None:
    page.evaluate("Element.prototype.animate = () => ({})")  # they never do
    first_turn(page)
    assert "king" in str(square(page, "1a").get_attribute("aria-label"))
    play(page, "2c2b")
    expect(said(page)).to_contain_text("G-2b: mate. Solved in 3 moves.")


# --- sound --------------------------------------------------------------------------------------------


def test_there_is_no_sound_by_default(page: Page) -> None:
    solve_first(page)
    assert sounds(page) == []
    assert page.evaluate("window.contexts") == 0


def test_a_wrong_check_sounds_low(page: Page) -> None:
    switch(page, "Sound")
    assert sounds(page, 1) == ["knock"]
    refuted(page)
    assert sounds(page, 4) == ["knock", "knock", "knock", "tone"]  # the king captures
    keys(page, "u")
    expect(said(page)).to_have_text("Taken back. Your move.")
    assert sounds(page) == []


def test_moves_and_the_mate_sound(page: Page) -> None:
    switch(page, "Sound")
    sounds(page, 1)
    first_turn(page)
    assert sounds(page, 2) == ["knock", "knock"]
    play(page, "2c2b")
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
    assert sounds(page, 4) == ["knock", "tone", "tone", "tone"]
    assert page.evaluate("window.contexts") == 1


def test_sound_is_remembered(page: Page) -> None:
    switch(page, "Sound")
    open_problem(page, 1)
    assert sounds(page) == []
    first_turn(page)
    assert sounds(page, 2) == ["knock", "knock"]


def test_a_capture_sounds_otherwise(page: Page) -> None:
    page.goto("/compose?lang=en")
    page.evaluate("TsumeSettings.set('sound', 'on')")
    sounds(page, 1)
    page.evaluate(
        """() => {
          const editor = document.querySelector("tsume-editor");
          const before = TsumePosition.Position.fromSfen("9/8k/7p1/6G2/9/9/9/9/9 b - 1");
          editor.show(before, { last: null });
          editor.show(before.after("3d2c", "b"), { last: "3d2c" });
        }"""
    )
    assert sounds(page, 2) == ["knock", "knock"]


@pytest.mark.parametrize("missing", ["", "delete window.AudioContext; "])
def test_the_sounds_are_made_of_what_browsers_have(browser: Browser, address: str, missing: str) -> None:
    with new_page(browser, address) as page:
        page.add_init_script(f"{missing}localStorage.setItem('tsume.sound', 'on')")
        open_problem(page, 1)
        solve_first(page)


STYLES = ("kanji", "two-kanji", "letters", "moves")


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


def sign(page: Page, kind: str, style: str) -> list[str]:
    """The paths of what is written on a piece."""
    wanted = "([kind, style]) => TSUME_PIECES[kind][style].sign.map(([text]) => TSUME_SIGNS[text])"
    found: list[str] = page.evaluate(wanted, [kind, style])
    return found


def board_colour(page: Page) -> str:
    found: str = page.locator(".tb-table").evaluate("board => getComputedStyle(board).backgroundColor")
    return found


def test_sets_of_pieces_and_boards_are_drawn_at_once_and_keys_mean_nothing_there(page: Page) -> None:
    drawn = {}
    for style in STYLES:
        choose(page, "pieces", style)
        drawn[style] = drawing(page, "3d")
        wanted = page.evaluate("style => TSUME_PIECES.G[style]", style)
        marks = [wanted["marks"]] * (style == "moves")
        assert drawn[style] == [*[wanted["edge"]] * 3, *marks, *sign(page, "G", style)]
    assert len({tuple(paths) for paths in drawn.values()}) == len(STYLES)
    colours = set()
    for board in ("wood", "paper", "slate"):
        choose(page, "board", board)
        colours.add(board_colour(page))
    assert len(colours) == 3
    page.get_by_text("Display and sound").click()
    page.locator("select[data-setting=pieces]").focus()
    keys(page, "h")
    expect(said(page)).to_have_text("Your move: give check.")


def test_the_choice_holds_on_other_pages(page: Page) -> None:
    choose(page, "board", "slate")
    choose(page, "pieces", "moves")
    colour = board_colour(page)
    for place in ("/problems/2?lang=en", "/compose?lang=en", "/training?lang=en#mode=day"):
        page.goto(place)
        expect(page.locator(".tb-marks").first).to_be_attached()
        assert board_colour(page) == colour


def test_the_pieces_chosen_in_older_versions_are_kept_and_no_choice_is_the_default(page: Page) -> None:
    for stored, shown in (("letters", "letters"), ("runes", "kanji")):
        page.evaluate("localStorage.clear()")
        page.evaluate("stored => localStorage.setItem('tsume.signs', stored)", stored)
        page.reload()
        expect(said(page)).to_have_text("Your move: give check.")
        assert drawing(page, "3d")[-1] == sign(page, "G", shown)[-1]


def test_pages_without_storage_keep_the_choice_until_they_are_left(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })")
        open_problem(page, 1)
        choose(page, "pieces", "letters")
        assert drawing(page, "3d")[-1] == sign(page, "G", "letters")[-1]


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
