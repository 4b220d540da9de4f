# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of characters in the font.

fontTools reads them at run time from IPAexGothic, which the package matplotlib-fontja contains under the
IPA Font License, in one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from tsume.diagrams.fonts import font_path

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
    """The shape of a character, or that of `MISSING`."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen

    name = _glyph_names().get(ord(character)) or _glyph_names()[ord(MISSING)]
    shapes = _glyph_set()
    bounds, pen = BoundsPen(shapes), SVGPathPen(shapes)
    shapes[name].draw(bounds)
    shapes[name].draw(pen)
    outline = tuple((text[0], tuple(map(_number, text[1:].split()))) for text in pen._commands)
    return Glyph(shapes[name].width, bounds.bounds or (0, 0, 0, 0), outline)


def has_glyph(character: str) -> bool:
    """Whether the font has a character."""
    return ord(character) in _glyph_names()


@cache
@_with_font_lock
def font_units() -> int:
    """Units of the font in the height of a line."""
    return int(_font()["head"].unitsPerEm)


@cache
def _font() -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(font_path(), lazy=True)


@cache
@_with_font_lock
def _glyph_names() -> dict[int, str]:
    return dict(_font().getBestCmap())


@cache
def _glyph_set() -> Any:
    return _font().getGlyphSet()


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value
