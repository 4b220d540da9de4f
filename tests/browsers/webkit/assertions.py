# SPDX-License-Identifier: GPL-3.0-or-later
"""What is expected of elements, sooner or later."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.browsers.webkit.locator import Text, WebKitLocator, until

States = list[dict[str, Any]]


class WebKitAssertions:
    """The part of Playwright's ``LocatorAssertions`` that tests use."""

    def __init__(self, locator: WebKitLocator) -> None:
        self._locator = locator

    def to_have_text(self, text: Text | Sequence[Text]) -> None:
        if isinstance(text, str | re.Pattern):
            self._one("text", lambda found: _is(found, text))
        else:
            self._all(lambda states: _each_is([state["text"] for state in states], text), f"texts {text}")

    def not_to_have_text(self, text: Text) -> None:
        self._one("text", lambda found: not _is(found, text))

    def to_contain_text(self, text: Text) -> None:
        self._one("text", lambda found: _has(found, text))

    def not_to_contain_text(self, text: Text) -> None:
        self._one("text", lambda found: not _has(found, text))

    def to_have_count(self, count: int) -> None:
        self._all(lambda states: len(states) == count, f"{count} elements")

    def to_be_visible(self) -> None:
        self._one("visible", bool)

    def to_be_hidden(self) -> None:
        self._all(lambda states: not any(state["visible"] for state in states), "nothing to be seen")

    def to_be_enabled(self) -> None:
        self._one("enabled", bool)

    def to_be_disabled(self) -> None:
        self._one("enabled", lambda enabled: not enabled)

    def to_be_focused(self) -> None:
        self._one("focused", bool)

    def to_have_value(self, value: str) -> None:
        self._one("value", lambda found: found == value)

    def to_have_attribute(self, name: str, value: Text) -> None:
        self._one("attribute", lambda found: found is not None and _is(found, value), attribute=name)

    def to_have_js_property(self, name: str, value: object) -> None:
        self._one("property", lambda found: found == value, property_name=name)

    def _one(self, field: str, holds: Callable[[Any], bool], **more: str) -> None:
        """Wait until there is one element, and it is as expected."""
        self._all(lambda states: len(states) == 1 and holds(states[0][field]), field, **more)

    def _all(self, holds: Callable[[States], bool], what: str, **more: str) -> None:
        seen: list[States] = []

        def look() -> bool:
            seen[:] = [self._locator.states(**more)]
            return holds(seen[0])

        try:
            until(look, self._locator.page.timeout, what)
        except AssertionError as error:
            raise AssertionError(f"{self._locator} has not {what}; seen: {seen}") from error


def _is(found: str, text: Text) -> bool:
    return found == " ".join(text.split()) if isinstance(text, str) else text.search(found) is not None


def _has(found: str, text: Text) -> bool:
    return " ".join(text.split()) in found if isinstance(text, str) else text.search(found) is not None


def _each_is(found: list[str], texts: Sequence[Text]) -> bool:
    return len(found) == len(texts) and all(_is(one, text) for one, text in zip(found, texts, strict=True))
