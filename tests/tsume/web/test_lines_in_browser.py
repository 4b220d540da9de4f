# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines between the squares of a board can be seen."""

from __future__ import annotations

import io
import time
from contextlib import closing
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.image import imread

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.browsers.expecting import expect
from tests.tsume.web.browsing import square

Box = tuple[float, float, float, float]
_CONTRAST = 0.15
"""How much darker than the board a line is; black is 1 darker than white."""
_EMPTY = """() => Object.fromEntries([...document.querySelectorAll("[data-square]")]
    .filter((one) => !one.querySelector("svg"))
    .map((one) => [one.dataset.square, one.getBoundingClientRect()])
    .map(([name, {x, y, width, height}]) => [name, [x, y, width, height]]))"""


@pytest.mark.parametrize("path", ["/problems/1", "/compose"])
def test_lines_are_seen(browser: Browser, address: str, path: str) -> None:
    # Playwright adds a style for a screenshot, which the page's policy forbids: that is no fault of the page.
    with closing(browser.new_page(base_url=address, viewport={"width": 1280, "height": 1000})) as page:
        page.goto(f"{path}?lang=en")
        expect(square(page, "5e")).to_be_visible()
        empty, drawn = settled(page)
    picture = imread(io.BytesIO(drawn))[:, :, :3].mean(axis=2)
    files, ranks = "123456789", "abcdefghi"
    unseen = [
        f"{a}{b}"
        for a, b in (*pairwise(files), *pairwise(ranks))
        if not any(
            line_between(picture, empty[one], empty[other])
            for one, other in neighbours(a, b)
            if one in empty and other in empty
        )
    ]
    assert unseen == []


def settled(page: Page) -> tuple[dict[str, Box], bytes]:
    """The empty squares and a picture of the page, once neither changes."""
    before = None
    while before != (now := (page.evaluate(_EMPTY), page.screenshot())):
        before = now
        time.sleep(0.2)
    return now


def neighbours(a: str, b: str) -> list[tuple[str, str]]:
    """The squares on either side of the line between two files or ranks."""
    if a.isdigit():
        return [(a + rank, b + rank) for rank in "abcdefghi"]
    return [(file + a, file + b) for file in "123456789"]


def line_between(picture: np.ndarray, one: Box, other: Box) -> bool:
    """Whether some row or column of pixels about the border of two squares is darker than they are."""
    (x, y, width, height), (u, v, _, _) = min(one, other), max(one, other)
    if abs(u - x) > abs(v - y):
        band = picture[_middle(y, height), round(u) - 3 : round(u) + 4].mean(axis=0)
    else:
        below = max(y, v)
        band = picture[round(below) - 3 : round(below) + 4, _middle(x, width)].mean(axis=1)
    board = np.median(picture[_middle(y, height), _middle(x, width)])
    return bool(board - band.min() > _CONTRAST)


def _middle(start: float, size: float) -> slice:
    return slice(round(start + size / 3), round(start + size * 2 / 3))
