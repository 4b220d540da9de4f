# SPDX-License-Identifier: GPL-3.0-or-later
"""The page to compose on, for tests in a browser: how it is opened, and what is on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Browser, Locator, Page

from tests.browsers.expecting import expect, expect_true
from tests.tsume.web.browsing import new_page, square
from tsume_rules.sfen import format_sfen, parse_sfen

LEFTOVER = "7k1/9/7P1/9/9/9/9/9/9 b 2G 1"
"""A gold drop mates at once; the second gold is left over."""
KING_ALONE = "4k4/9/9/9/9/9/9/9/9 b - 1"


@contextmanager
def opened(browser: Browser, address: str, sfen: str | None = None, **options: Any) -> Iterator[Page]:
    """The page in English, with a position."""
    with new_page(browser, address, **options) as page:
        open_compose(page, sfen)
        yield page


def open_compose(page: Page, sfen: str | None = None, lang: str = "en") -> None:
    page.goto(f"/compose?lang={lang}" + (f"&sfen={quote(sfen)}" if sfen else ""))
    expect(square(page, "5e")).to_be_visible()


def said(page: Page) -> Locator:
    """What was done last, in words."""
    return page.locator(".tc-said")


def headline(page: Page) -> Locator:
    return page.locator(".tc-headline")


def boxed(page: Page, name: str) -> Locator:
    """A piece beside the board: xG* in the box, bG* in the attacker's hand."""
    return page.locator(f'[data-name="{name}"]')


def tool(page: Page, act: str) -> Locator:
    return page.locator(f'[data-act="{act}"]')


def position(page: Page) -> str:
    """The SFEN in the address."""
    return parse_qs(urlsplit(page.url).query)["sfen"][0]


def expect_position(page: Page, sfen: str) -> None:
    completed = format_sfen(parse_sfen(sfen).position)
    expect_true(page, "sfen => new URLSearchParams(location.search).get('sfen') === sfen", completed)


def requests(page: Page, name: str) -> list[str]:
    """The requests of the API from now on; the list grows."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if f"/api/{name}" in one.url else None)
    return asked
