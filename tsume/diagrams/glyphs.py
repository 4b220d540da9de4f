# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of characters: pictures need no font on the viewer's machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from tsume.formats.symbols import NUMERALS, SHORT_NAME, WIDE_DIGITS
from tsume.language.catalogue import LANGUAGES, phrase

# --- the font of all pictures and books: IPAexGothic, which the package matplotlib-fontja carries ---

FAMILY = "IPAexGothic"


def font_path() -> Path:
    """Return the file of the font. Raises FileNotFoundError if it is not installed."""
    found = find_spec("matplotlib_fontja")
    if found is None or found.origin is None:
        raise FileNotFoundError("matplotlib-fontja is not installed")
    path = Path(found.origin).parent / "fonts" / "ipaexg.ttf"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such font")
    return path


# --- the shapes of characters in the font ----------------------------------------------------------
#
# fontTools reads them at run time from IPAexGothic, which the package matplotlib-fontja contains under the
# IPA Font License, in one thread at a time.

MISSING = "〓"
"""Replaces a character that the font lacks (下駄)."""

Step = tuple[str, tuple[float, ...]]
"""A command of an SVG path with its coordinates; a space for a line after a move."""

P = ParamSpec("P")
T = TypeVar("T")
_reading = RLock()


def _with_font_lock(function: Callable[P, T]) -> Callable[P, T]:
    """Lock a function that reads the font: fontTools loads its tables lazily and is not thread-safe."""

    @wraps(function)
    def locked(*args: P.args, **kwargs: P.kwargs) -> T:
        with _reading:
            return function(*args, **kwargs)

    return locked


@dataclass(frozen=True)
class Glyph:
    """A character's shape in units of the font, y upwards: its width, its outline, and left, bottom, right,
    top of that.

    A character without an outline, such as a space, has an empty box.
    """

    advance: float
    box: tuple[float, float, float, float]
    outline: tuple[Step, ...]


@cache
@_with_font_lock
def font_glyph(character: str) -> Glyph:
    """Return the shape of a character, or that of `MISSING`."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen

    names, shapes = _glyph_names(), _glyph_set()
    shape = shapes[names.get(ord(character)) or names[ord(MISSING)]]
    bounds, pen = BoundsPen(shapes), SVGPathPen(shapes)
    shape.draw(bounds)
    shape.draw(pen)
    outline = []
    for text in pen._commands:
        values = map(float, text[1:].split())
        outline.append((text[0], tuple(int(value) if value.is_integer() else value for value in values)))
    return Glyph(shape.width, bounds.bounds or (0, 0, 0, 0), tuple(outline))


@cache
def _font() -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(font_path(), lazy=True)


def has_glyph(character: str) -> bool:
    """Return whether the font has a character."""
    return ord(character) in _glyph_names()


@cache
@_with_font_lock
def font_units() -> int:
    """Return the units of the font in the height of a line."""
    return int(_font()["head"].unitsPerEm)


@cache
def _glyph_set() -> Any:
    return _font().getGlyphSet()


@cache
@_with_font_lock
def _glyph_names() -> dict[int, str]:
    return dict(_font().getBestCmap())


# --- the characters on diagrams without a caption: the worker of a page has their shapes, but no font ---


@cache
def diagram_glyphs() -> dict[str, Glyph]:
    """Return the shapes of coordinates, pieces with Japanese characters, hands, in all languages."""
    words = [phrase(language, f"pictures.{name}") for language in LANGUAGES for name in ("hand_head", "none")]
    used = {*WIDE_DIGITS, *NUMERALS, "十", *"0123456789abcdefghi", *SHORT_NAME.values(), *"".join(words)}
    return {character: font_glyph(character) for character in sorted(used)}


# --- outlines of characters ------------------------------------------------------------------------


@cache
def glyph(character: str) -> Glyph:
    """Return the shape of a character, or that of a substitute if the font lacks it."""
    known = diagram_glyphs().get(character)
    return font_glyph(character) if known is None else known


@cache
def glyph_outline(character: str, size: float, x: float, y: float) -> str:
    """Return the SVG path of a character with its origin at (x, y), ``size`` high, y downwards."""
    scale = size / font_units()
    path = ""
    for command, at in glyph(character).outline:
        first = 1 if command == "V" else 0  # V is the one whose first coordinate goes upwards
        places = [y - value * scale if number % 2 == 1 else x + value * scale for number, value in enumerate(at, first)]
        path += command + " ".join(f"{place:.2f}".rstrip("0").rstrip(".") for place in places)
    return path


def text_width(text: str, size: float) -> float:
    """Return how wide a line of text is."""
    return sum(glyph(character).advance for character in text) * size / font_units()


def centred_text_path(text: str, size: float, x: float, y: float) -> str:
    """Return the path of a line of text whose middle is at (x, y), by its outlines."""
    scale, end = size / font_units(), 0.0
    drawn = []
    for character in text:
        box = glyph(character).box
        if box[2] > box[0]:
            drawn.append((box, round(end, 2)))
        end += glyph(character).advance * size / font_units()
    if not drawn:
        return ""
    left = min(at + box[0] * scale for box, at in drawn)
    right = max(at + box[2] * scale for box, at in drawn)
    middle = scale * (min(box[1] for box, _ in drawn) + max(box[3] for box, _ in drawn)) / 2
    at, base, path = round(x - (left + right) / 2, 2), round(y + middle, 2), ""
    for character in text:
        path += glyph_outline(character, size, round(at, 2), base)
        at += glyph(character).advance * size / font_units()
    return path
