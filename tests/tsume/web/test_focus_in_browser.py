# SPDX-License-Identifier: GPL-3.0-or-later
"""Tab goes through what can be used on a page in the order of the document, and is stuck nowhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.tsume.web.browsing import new_page
from tests.tsume.web.test_accessibility import a_problem, compose, compose_with_all_open, the_list

_USABLE = """() => {
    const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    window.usable = [...all].filter((one) => one.tabIndex >= 0 && !one.matches(":disabled")
        && one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 0);
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    return window.usable.map((one) => one.outerHTML.slice(0, 80));
}"""
_FOCUSED = "usable.indexOf(document.activeElement)"


@pytest.mark.parametrize("show", [the_list, a_problem, compose, compose_with_all_open])
def test_tab_follows_the_document(browser: Browser, address: str, show: Callable[[Page, str], None]) -> None:
    with new_page(browser, address) as page:
        show(page, "en")
        names = page.evaluate(_USABLE)
        reached = [_after(page, "Tab") for _ in names]
        assert [names[one] if one >= 0 else None for one in reached] == names
        back = [_after(page, "Shift+Tab") for _ in names[1:]]
        assert back == reached[-2::-1]


def _after(page: Page, key: str) -> int:
    page.keyboard.press(key)
    index: int = page.evaluate(_FOCUSED)
    return index
