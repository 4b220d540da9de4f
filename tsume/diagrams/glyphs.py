"""Outlines of characters: pictures need no font on the viewer's machine.

fontTools reads them at run time from IPAexGothic, which the package matplotlib-fontja contains under the
IPA Font License, in one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from tsume.diagrams.fonts import font_path

MISSING = "〓"
"""Replaces a character that the font lacks (下駄)."""

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
    """A character's shape in units of the font: its width, and left, bottom, right, top of its outline.

    A character without an outline, such as a space, has an empty box.
    """

    name: str
    advance: float
    box: tuple[float, float, float, float]

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the outline."""
        left, bottom, right, top = self.box
        return (left + right) / 2, (bottom + top) / 2


@cache
@_with_font_lock
def glyph(character: str) -> Glyph:
    """The shape of a character, or that of `MISSING`."""
    from fontTools.pens.boundsPen import BoundsPen

    name = _glyph_names().get(ord(character)) or _glyph_names()[ord(MISSING)]
    shapes = _glyph_set()
    pen = BoundsPen(shapes)
    shapes[name].draw(pen)
    return Glyph(name, shapes[name].width, pen.bounds or (0, 0, 0, 0))


def has_glyph(character: str) -> bool:
    """Whether the font has a character."""
    return ord(character) in _glyph_names()


@cache
@_with_font_lock
def glyph_outline(character: str, size: float, x: float, y: float) -> str:
    """The SVG path of a character with its origin at (x, y), ``size`` high, y downwards."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    shapes, scale = _glyph_set(), size / font_units()
    pen = SVGPathPen(shapes, ntos=_svg_number)
    shapes[glyph(character).name].draw(TransformPen(pen, (scale, 0, 0, -scale, x, y)))
    return str(pen.getCommands())


def text_width(text: str, size: float) -> float:
    """How wide a line of text is."""
    return sum(glyph(character).advance for character in text) * size / font_units()


def text_path(text: str, size: float, x: float, y: float) -> str:
    """The path of a line of text that begins at x, with its baseline at y."""
    return "".join(
        glyph_outline(character, size, at, y) for character, at in _placed_characters(text, size, x)
    )


def centred_text_path(text: str, size: float, x: float, y: float) -> str:
    """The path of a line of text whose middle is at (x, y), by its outlines."""
    boxes = [(glyph(c).box, at) for c, at in _placed_characters(text, size, 0)]
    drawn = [(box, at) for box, at in boxes if box[2] > box[0]]
    if not drawn:
        return ""
    scale = size / font_units()
    left = min(at + box[0] * scale for box, at in drawn)
    right = max(at + box[2] * scale for box, at in drawn)
    middle = scale * (min(box[1] for box, _ in drawn) + max(box[3] for box, _ in drawn)) / 2
    return text_path(text, size, round(x - (left + right) / 2, 2), round(y + middle, 2))


@cache
@_with_font_lock
def font_units() -> int:
    """Units of the font in the height of a line."""
    return int(_font()["head"].unitsPerEm)


def _placed_characters(text: str, size: float, x: float) -> Iterator[tuple[str, float]]:
    for character in text:
        yield character, round(x, 2)
        x += glyph(character).advance * size / font_units()


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


def _svg_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
