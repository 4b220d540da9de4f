# SPDX-License-Identifier: GPL-3.0-or-later
"""The offer of an empty store, taken in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser

from db.store import Store
from tests.browsers.expecting import expect
from tests.tsume.web.browsing import PHONE, in_chromium, new_page, serving
from tsume.collection.problems import collection_size
from tsume.uses.trees import ReplyTreeBuilder


@in_chromium
def test_one_click_adds_the_collection(browser: Browser, builder: ReplyTreeBuilder, tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "empty.db") as store,
        serving(store, builder) as address,
        new_page(browser, address, **PHONE) as page,
    ):
        page.goto("/?lang=en")
        page.get_by_role("button", name="Add the collection").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"{collection_size()} in all")
        page.get_by_role("link", name="Start with mates in").click()
        expect(page.locator(".choices [aria-current]")).to_have_text(["3", "1"])
