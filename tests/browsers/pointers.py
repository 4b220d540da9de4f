# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engines need different commands for: touches (on a page opened with touch) and double clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browsers.firefox import RELAYS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Point = tuple[float, float]


def tap(place: Locator) -> None:
    """Touch the middle of an element and let go."""
    if _is_chromium(place.page):
        place.tap()
    else:
        place.click()  # pointers of such a page are fingers


def double_click(place: Locator) -> None:
    """Click the middle of an element twice."""
    browser = place.page.context.browser
    relay = RELAYS.get(browser) if browser else None
    if relay is None:
        place.dblclick()
        return
    relay.doubles_clicks = True
    place.click()
    relay.doubles_clicks = False


def drag_by_touch(source: Locator, target: Locator) -> None:
    """Put a finger on the middle of one element, move it to another, lift it."""
    (x, y), (u, v) = middle(source), middle(target)
    path = [(x + (u - x) * step, y + (v - y) * step) for step in (0.2, 0.6, 1.0)]
    (_drag_in_chromium if _is_chromium(source.page) else _drag)(source.page, (x, y), path)


def middle(place: Locator) -> Point:
    """The middle of an element, in pixels from the corner of the window."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _drag(page: Page, start: Point, path: list[Point]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for point in path:
        page.mouse.move(*point)
    page.mouse.up()


def _drag_in_chromium(page: Page, start: Point, path: list[Point]) -> None:
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: Point) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    send("touchStart", start)
    for point in path:
        send("touchMove", point)
    send("touchEnd")


def _is_chromium(page: Page) -> bool:
    browser = page.context.browser
    return browser is not None and browser.browser_type.name == "chromium"
