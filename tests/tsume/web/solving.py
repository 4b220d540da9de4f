# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten problems of 3 to 9 moves, and hands that solve them: mouse, keys, touch."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Page

from tests.browsers.expecting import expect
from tests.browsers.pointers import tap
from tests.sampling import few
from tests.tsume.web.browsing import keys, play, said, square
from tsume.cli import cli

TEN = (
    "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GN2rb2g3s3n2l18p 1",
    "9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1",
    "8l/9/9/5b1S1/5+B1k1/7p1/6P1p/6+R2/9 b Gr3g3s4n3l15p 1",
    "1n7/k2G5/npg6/9/9/9/9/9/9 b RGSr2bg3s2n4l17p 1",
    "8n/5G1pk/5+R2g/9/9/9/9/9/9 b SNr2b2g3s2n4l17p 1",
    "2G6/l8/sk7/1pp6/3P5/9/9/9/9 b B2rb3g3s4n3l15p 1",
    "2p6/S8/k1g6/1p1+R5/1n7/l8/9/9/9 b Lr2b3g3s3n2l16p 1",
    "1r7/k8/BP1P5/N8/l1p6/9/9/9/9 b rb4g4s3n3l15p 1",
    "8k/6B2/5+P2p/9/7N1/9/9/9/9 b S2rb4g3s3n4l16p 1",
    "+P8/1k7/9/1+P7/3N5/3+R5/9/9/9 b r2b4g4s3n4l16p 1",
)
_LENGTHS = (3, 3, 5, 5, 5, 5, 7, 7, 9, 9)
NUMBERS = range(1, len(TEN) + 1)
REFUTED = (3, 4, 6, 7, 8)
"""The problems whose wrong first checks are all played."""


def first(*numbers: int, of: Sequence[int] = NUMBERS) -> list[Any]:
    """The numbers as parameters of a test: these, the others with `scripts/test --slow`."""
    return few([*numbers, *(number for number in of if number not in numbers)], len(numbers))


def store_of_ten(path: Path) -> Path:
    """A store with the ten problems, in their order."""
    for sfen in TEN:
        assert CliRunner().invoke(cli, ["import", sfen, "--db", str(path)]).exit_code == 0
    return path


def solve(page: Page, number: int, tree: dict[str, Any], act: Callable[[Page, str], None]) -> None:
    """Play the key of each turn that the best answers lead to; the page of the problem is ready."""
    turn = tree["turns"][0]
    while True:
        key = next(check for check in turn["checks"] if check["move"] == turn["key"])
        act(page, key["move"])
        best = next((answer for answer in key["answers"] if answer.get("best")), None)
        if best is None:
            break
        expect(said(page)).to_contain_text(f"{best['text']['en']}. Your move.")
        turn = tree["turns"][best["turn"]]
    expect(said(page)).to_contain_text(f"mate. Solved in {_LENGTHS[number - 1]} moves.")
    expect(page.locator(".tp-result")).to_contain_text("Well done!")


def refute_each(page: Page, tree: dict[str, Any]) -> None:
    """Play every wrong first check, read its refutation, take it back."""
    wrong = [check for check in tree["turns"][0]["checks"] if check["result"] == "fails"]
    assert wrong
    for check in wrong:
        by_mouse(page, check["move"])
        expect(said(page)).to_have_text(check["why"]["en"] + ".")
        expect(page.locator(".tb-arrow")).to_have_count(1)
        keys(page, "u")
        expect(said(page)).to_have_text("Taken back. Your move.")


def by_mouse(page: Page, move: str) -> None:
    play(page, move, chosen=True)


def by_touch(page: Page, move: str) -> None:
    held, origin = page.locator(f'[data-hand="{move[0]}"]'), square(page, move[:2])
    tap(held if move[1] == "*" else origin)
    tap(square(page, move[2:4]))
    question = page.get_by_role("dialog")
    if question.is_visible():
        tap(question.get_by_role("button", name=promotion(move), exact=True))


def by_keys(page: Page, move: str) -> None:
    page.locator('[role="gridcell"][tabindex="0"]').focus()
    if move[1] == "*":
        keys(page, move[0].lower())
    else:
        walk(page, move[:2])
        keys(page, "Enter")
    walk(page, move[2:4])
    keys(page, "Enter")
    question = page.get_by_role("dialog")
    if question.is_visible():
        keys(page, "Enter" if move.endswith("+") else "ArrowRight Enter")


def walk(page: Page, target: str) -> None:
    """Go from the square that has the focus to another."""
    at = page.evaluate("document.activeElement.dataset.square")
    left, down = int(target[0]) - int(at[0]), ord(target[1]) - ord(at[1])
    keys(page, " ".join(["ArrowLeft" if left > 0 else "ArrowRight"] * abs(left)))
    keys(page, " ".join(["ArrowDown" if down > 0 else "ArrowUp"] * abs(down)))


def promotion(move: str) -> str:
    return "Promote" if move.endswith("+") else "Do not promote"
