# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces slide to their squares and sound, in a browser whose animations and sounds are counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.tsume.web.browsing import in_chromium, keys, new_page, open_problem, play, said, square

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


def sounds(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.sounds.splice(0)")
    return found


def first_turn(page: Page) -> None:
    play(page, "3d2c")
    expect(said(page)).to_have_text("G-2c, K-1a. Your move.")


# --- movement -----------------------------------------------------------------------------------------


def test_a_check_and_its_answer_slide(page: Page) -> None:
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


def test_taking_back_slides_back(page: Page) -> None:
    first_turn(page)
    movements(page)
    keys(page, "u")
    expect(said(page)).to_have_text("Taken back. Your move.")
    assert {one["square"] for one in movements(page)} == {"3d", "1b"}


def test_a_captured_piece_vanishes(page: Page) -> None:
    play(page, "3c2b")
    expect(page.locator(".tb-arrow")).to_have_count(1)
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
    first_turn(page)
    play(page, "2c2b")
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
    assert sounds(page) == []
    assert page.evaluate("window.contexts") == 0


def test_sound_is_heard_when_it_is_switched_on(page: Page) -> None:
    switch(page, "Sound")
    assert sounds(page) == ["knock"]


def test_moves_and_the_mate_sound(page: Page) -> None:
    switch(page, "Sound")
    sounds(page)
    first_turn(page)
    assert sounds(page) == ["knock", "knock"]
    play(page, "2c2b")
    expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
    assert sounds(page) == ["knock", "tone", "tone", "tone"]
    assert page.evaluate("window.contexts") == 1


def test_a_wrong_check_sounds_low(page: Page) -> None:
    switch(page, "Sound")
    sounds(page)
    play(page, "3c2b")
    expect(page.locator(".tb-arrow")).to_have_count(1)
    assert sounds(page) == ["knock", "knock", "knock", "tone"]  # the king captures
    keys(page, "u")
    expect(said(page)).to_have_text("Taken back. Your move.")
    assert sounds(page) == []


def test_sound_is_remembered(page: Page) -> None:
    switch(page, "Sound")
    open_problem(page, 1)
    assert sounds(page) == []
    first_turn(page)
    assert sounds(page) == ["knock", "knock"]


def test_a_capture_sounds_otherwise(page: Page) -> None:
    page.goto("/compose?lang=en")
    page.evaluate("TsumeSettings.set('sound', 'on')")
    sounds(page)
    page.evaluate(
        """() => {
          const editor = document.querySelector("tsume-editor");
          const before = TsumePosition.Position.fromSfen("9/8k/7p1/6G2/9/9/9/9/9 b - 1");
          editor.show(before, { last: null });
          editor.show(before.after("3d2c", "b"), { last: "3d2c" });
        }"""
    )
    assert sounds(page) == ["knock", "knock"]


def test_browsers_without_sound_play_on(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        page.add_init_script("delete window.AudioContext; localStorage.setItem('tsume.sound', 'on')")
        open_problem(page, 1)
        first_turn(page)


def test_the_sounds_are_made_of_what_browsers_have(browser: Browser, address: str) -> None:
    with new_page(browser, address) as page:
        page.add_init_script("localStorage.setItem('tsume.sound', 'on')")
        open_problem(page, 1)
        first_turn(page)
        play(page, "2c2b")
        expect(said(page)).to_contain_text("mate. Solved in 3 moves.")
