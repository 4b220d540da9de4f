# SPDX-License-Identifier: GPL-3.0-or-later
"""Printable characters: PDF/UA needs a glyph for each one."""

from __future__ import annotations

import unicodedata
from typing import Any

from tsume.diagrams.font_glyphs import MISSING, has_glyph

_LATIN = range(0x20, 0x250)
"""The Latin font has these."""


def printable_in_book(text: str) -> tuple[str, set[str]]:
    """A text with 〓 for each character without a glyph, and these characters."""
    text = unicodedata.normalize("NFC", text)
    missing = {character for character in text if not _book_font_has_character(character)}
    return "".join(MISSING if character in missing else character for character in text), missing


def printable_data(data: Any) -> tuple[Any, set[str]]:
    """The same for all texts in data as of JSON."""
    missing: set[str] = set()

    def printed(value: Any) -> Any:
        if isinstance(value, str):
            value, lost = printable_in_book(value)
            missing.update(lost)
        elif isinstance(value, list):
            return [printed(one) for one in value]
        elif isinstance(value, dict):
            return {name: printed(one) for name, one in value.items()}
        return value

    return printed(data), missing


def _book_font_has_character(character: str) -> bool:
    return has_glyph(character) or (ord(character) in _LATIN and character.isprintable())
