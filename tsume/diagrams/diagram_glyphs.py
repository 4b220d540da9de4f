# SPDX-License-Identifier: GPL-3.0-or-later
"""The characters on diagrams without a caption: the worker of a page has their shapes, but no font."""

from __future__ import annotations

from functools import cache

from tsume.diagrams.font_glyphs import Glyph, font_glyph
from tsume.formats.symbols import NUMERALS, SHORT_NAME, WIDE_DIGITS
from tsume.language.catalogue import LANGUAGES, phrase


@cache
def diagram_glyphs() -> dict[str, Glyph]:
    """The shapes of coordinates, pieces with Japanese characters, hands, in all languages."""
    words = [phrase(language, f"pictures.{name}") for language in LANGUAGES for name in ("hand_head", "none")]
    used = {*WIDE_DIGITS, *NUMERALS, "十", *"0123456789abcdefghi", *SHORT_NAME.values(), *"".join(words)}
    return {character: font_glyph(character) for character in sorted(used)}
