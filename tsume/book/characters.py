"""Printable characters: PDF/UA needs a glyph for each one."""

from __future__ import annotations

import unicodedata
from typing import Any

from tsume.diagrams.glyphs import MISSING, is_known

_LATIN = range(0x20, 0x250)
"""The Latin font has these."""


def printable(text: str) -> tuple[str, set[str]]:
    """A text with 〓 for each character without a glyph, and these characters."""
    text = unicodedata.normalize("NFC", text)
    missing = {character for character in text if not _has_shape(character)}
    return "".join(MISSING if character in missing else character for character in text), missing


def printable_data(data: Any) -> tuple[Any, set[str]]:
    """The same for all texts in data as of JSON."""
    missing: set[str] = set()

    def printed(value: Any) -> Any:
        if isinstance(value, str):
            value, lost = printable(value)
            missing.update(lost)
        elif isinstance(value, list):
            return [printed(one) for one in value]
        elif isinstance(value, dict):
            return {name: printed(one) for name, one in value.items()}
        return value

    return printed(data), missing


def _has_shape(character: str) -> bool:
    return is_known(character) or (ord(character) in _LATIN and character.isprintable())
