"""Texts as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from db.notebook import printable
from tsume.language.catalogue import Language


def plain(text: str) -> str:
    """A text escaped for a card: no tags, and no ``[sound:...]`` of Anki."""
    return escape(printable(text)).replace("[", "&#91;")


def element(name: str, content: str, attributes: Mapping[str, str] | None = None) -> str:
    """An element with this HTML in it."""
    given = "".join(f' {key}="{plain(value)}"' for key, value in (attributes or {}).items())
    return f"<{name}{given}>{content}</{name}>"


def spoken(name: str, language: Language, content: str) -> str:
    """An element with a language, which fonts and screen readers use."""
    return element(name, content, {"lang": language})


def image(file: str, words: str) -> str:
    """A picture with an alternative text."""
    return f'<img src="{plain(file)}" alt="{plain(words)}"/>'


def items(contents: Iterable[str]) -> str:
    """A list."""
    return element("ul", "".join(element("li", content) for content in contents))


def moves(texts: Iterable[str]) -> str:
    """A line of moves, each without a line break."""
    return " ".join(element("span", plain(text), {"class": "move"}) for text in texts)
