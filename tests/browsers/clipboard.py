# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browsers.webkit.page import WebKitPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ADD = """() => {
    const area = document.createElement("textarea");
    document.body.prepend(area);
    area.focus();
}"""
_TAKE = "() => { const area = document.activeElement; area.remove(); return area.value; }"


def clipboard(page: Page) -> str:
    """The text in the clipboard; WebKit gives it only to a field that somebody pastes into."""
    if not isinstance(page, WebKitPage):
        return str(page.evaluate("() => navigator.clipboard.readText()"))
    page.evaluate(_ADD)
    page.keyboard.press("Control+v")
    return str(page.evaluate(_TAKE))
