# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of characters and of pieces: pictures need no font on the viewer's machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from importlib.util import find_spec
from math import hypot
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from tsume.diagrams.look import Colours, PieceStyle
from tsume.formats.symbols import NUMERALS, SHORT_NAME, WIDE_DIGITS
from tsume.language.catalogue import LANGUAGES, phrase
from tsume_rules.moves import SLIDES, STEPS, Step
from tsume_rules.position import LETTERS, Kind
from tsume_rules.sfen import kind_letter

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

PathStep = tuple[str, tuple[float, ...]]
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
    outline: tuple[PathStep, ...]


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


# --- marks around a letter: a dot for each step of the piece, a triangle for each direction it slides in ---

_COLUMN, _ROW = 12.8, 12.6
"""How far the marks are from the letter."""
_JUMP = (6.0, 15.5)
"""Where the knight's marks are: in the tip."""
_DOT = 2.5
"""The radius of a dot."""
_TRIANGLE = (4.0, 3.2, 3.7)
"""From the middle of a triangle to its tip and to its base; half the width of the base."""


def move_marks(kind: Kind, size: float, low: float) -> str:
    """Return the path of the marks of an upright piece; ``low``: how far below (0, 0) its letter is."""

    def place(step: Step) -> tuple[float, float]:
        left, up = step
        column, row = _JUMP if abs(up) == 2 else (_COLUMN, _ROW)
        return -left * column * size, low - ((up > 0) - (up < 0)) * row * size

    path, radius = "", _DOT * size
    half = f"a{radius:.1f} {radius:.1f} 0 0 1"
    for step in STEPS.get(kind, ()):
        x, y = place(step)
        path += f"M{x - radius:.1f} {y:.1f}{half} {2 * radius:.1f} 0{half} {-2 * radius:.1f} 0Z"
    tip, base, wide = (part * size for part in _TRIANGLE)
    for step in SLIDES.get(kind, ()):
        x, y = place(step)
        length = hypot(*step)
        dx, dy = -step[0] / length, -step[1] / length
        corners = [
            (x + dx * tip, y + dy * tip),
            (x - dx * base - dy * wide, y - dy * base + dx * wide),
            (x - dx * base + dy * wide, y - dy * base - dx * wide),
        ]
        path += "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"
    return path


# --- pieces as pentagons with an outlined sign on them, upright around (0, 0) ----------------------

_SIZES = {
    Kind.KING: 1.0, Kind.ROOK: 0.98, Kind.BISHOP: 0.98, Kind.GOLD: 0.95, Kind.SILVER: 0.95, Kind.KNIGHT: 0.92,
    Kind.LANCE: 0.91, Kind.PAWN: 0.89,
}  # fmt: skip
"""The size of a piece beside the king's, by its unpromoted kind."""
_WIDTH, _HEIGHT = 35.0, 40.0
_SHOULDERS = (0.74, 0.23)
"""The upper corners, as fractions of width and height."""
_BROAD_SHOULDERS = (0.95, 0.2)
"""Those of pieces that show their moves: the marks need room."""
_SIGN_SIZE = {1: 27.0, 2: 19.0}
"""By the number of characters."""
_MARKED_SIGN_SIZE = 20.0
"""Of a letter among the marks of moves."""
_BOLD = 0.5
"""The width of the line around a sign: the font is a light one."""
_SIGN_LOW = 3.0
"""How far below the middle the sign is: the pentagon has no room at its tip."""


@dataclass(frozen=True)
class PieceOutlines:
    """The paths of a piece's edge, of its sign, and of marks of its moves, empty for styles without marks."""

    edge: str
    sign: str
    marks: str = ""


def piece_pentagon(width: float, height: float, shoulders: tuple[float, float] = _SHOULDERS) -> str:
    """Return the path of a piece's edge."""
    half, shoulder, top = width / 2, width / 2 * shoulders[0], height * (shoulders[1] - 0.5)
    points = [(0.0, -height / 2), (shoulder, top), (half, height / 2), (-half, height / 2), (-shoulder, top)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def piece_id(kind: Kind, piece_style: PieceStyle, *, turned: bool) -> str:
    """Return the name of a piece's drawing in a picture."""
    return f"{piece_style.value}-{kind.name.lower().replace('_', '-')}{'-turned' * turned}"


def piece_outlines(kind: Kind, piece_style: PieceStyle, *, upright: bool = False) -> PieceOutlines:
    """Return the outlines of a piece; ``upright``: the sign is that of a turned piece."""
    size, low = _SIZES[kind.base], _SIGN_LOW * (-1 if upright else 1)
    width, height = _WIDTH * size, _HEIGHT * size
    if piece_style is PieceStyle.MOVES:  # promotion shows in the marks
        sign = centred_text_path(LETTERS[kind.base], _MARKED_SIGN_SIZE * size, 0, low)
        marks = move_marks(kind, size, _SIGN_LOW)
        return PieceOutlines(piece_pentagon(width, height, _BROAD_SHOULDERS), sign, marks)
    text = SHORT_NAME[kind] if piece_style is PieceStyle.KANJI else kind_letter(kind)
    return PieceOutlines(piece_pentagon(width, height), centred_text_path(text, _SIGN_SIZE[len(text)] * size, 0, low))


@cache
def piece_drawing(kind: Kind, piece_style: PieceStyle, colours: Colours, *, turned: bool) -> str:
    """Return the drawing of a piece as SVG. Letters stay upright on a turned piece: so they can be read."""
    upright = turned and piece_style.is_international
    outlines = piece_outlines(kind, piece_style, upright=upright)
    ink = colours.promoted if kind.is_promoted else colours.ink
    body = (
        f'<path d="{outlines.edge}" fill="{colours.piece}"'
        f' stroke="{colours.edge}" stroke-width="1.2" stroke-linejoin="round"/>'
    )
    if outlines.marks:
        body += f'<path d="{outlines.marks}" fill="{ink}"/>'
    face = f'<path d="{outlines.sign}" fill="{ink}" stroke="{ink}" stroke-width="{_BOLD}"/>'
    if turned and not upright:
        return f'<g transform="rotate(180)">{body}{face}</g>'
    return f'<g transform="rotate(180)">{body}</g>{face}' if turned else body + face
