# SPDX-License-Identifier: GPL-3.0-or-later
"""What pages post, and whether they cancel it.

By BiDi Playwright knows no bodies, and not that a page cancels a request which a test holds back. Pages in
Firefox therefore keep a record themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.browsers.expecting import expect_true

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

RECORDER = """
() => {
  const send = window.fetch;
  window.posted = [];
  window.fetch = (address, options) => {
    if (options && options.body) {
      const post = {url: new URL(address, location.href).href, body: options.body, isCancelled: false};
      window.posted.push(post);
      options.signal?.addEventListener("abort", () => { post.isCancelled = true; });
    }
    return send(address, options);
  };
}
"""
"""The script that keeps the record."""


def posted(page: Page, request: Request) -> Any:
    """The JSON that was posted with a request, the last one to its address."""
    if not _is_recorded(page):
        return json.loads(request.post_data or "")
    return json.loads(page.evaluate("url => posted.findLast((post) => post.url === url).body", request.url))


@contextmanager
def cancelling(page: Page, request: Request) -> Iterator[None]:
    """In this block the page cancels a request."""
    if not _is_recorded(page):
        with page.expect_event("requestfailed", lambda one: one == request):
            yield
    else:
        index = page.evaluate("url => posted.findLastIndex((post) => post.url === url)", request.url)
        yield
        expect_true(page, "index => posted[index].isCancelled", index)


def _is_recorded(page: Page) -> bool:
    browser = page.context.browser
    return browser is not None and browser.browser_type.name == "firefox"
