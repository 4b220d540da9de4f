# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from db.notebook import printable_note
from tsume.language.catalogue import Language


def escaped_html(text: str) -> str:
    """A text escaped for a card: no tags, and no ``[sound:...]`` of Anki."""
    return escape(printable_note(text)).replace("[", "&#91;")


def html_element(name: str, content: str, attributes: Mapping[str, str] | None = None) -> str:
    """An element with this HTML in it."""
    given = "".join(f' {key}="{escaped_html(value)}"' for key, value in (attributes or {}).items())
    return f"<{name}{given}>{content}</{name}>"


def html_in_language(name: str, language: Language, content: str) -> str:
    """An element with a language, which fonts and screen readers use."""
    return html_element(name, content, {"lang": language})


def html_image(file: str, words: str) -> str:
    """A picture with an alternative text."""
    return f'<img src="{escaped_html(file)}" alt="{escaped_html(words)}"/>'


def html_items(contents: Iterable[str]) -> str:
    """A list."""
    return html_element("ul", "".join(html_element("li", content) for content in contents))


def html_moves(texts: Iterable[str]) -> str:
    """A line of moves, each without a line break."""
    return " ".join(html_element("span", escaped_html(text), {"class": "move"}) for text in texts)
