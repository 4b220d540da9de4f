# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of characters and of pieces: pictures need no font on the viewer's machine."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from math import hypot
from pathlib import Path
from threading import RLock
from typing import Any

from tsume.diagrams.look import Colours, PieceStyle
from tsume.formats.symbols import FULL_NAME, NUMERALS, SHORT_NAME, WIDE_DIGITS
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

_reading = RLock()
"""Held by what reads the font: fontTools loads its tables lazily and is not thread-safe."""


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
def font_glyph(character: str) -> Glyph:
    """Return the shape of a character, or that of `MISSING`."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen

    with _reading:
        names, shapes = _font().getBestCmap(), _font().getGlyphSet()
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
    with _reading:
        return ord(character) in _font().getBestCmap()


@cache
def font_units() -> int:
    """Return the units of the font in the height of a line."""
    with _reading:
        return int(_font()["head"].unitsPerEm)


# --- the characters on diagrams without a caption: the worker of a page has their shapes, but no font ---


@cache
def diagram_glyphs() -> dict[str, Glyph]:
    """Return the shapes of coordinates and hands, in all languages."""
    words = [phrase(language, f"pictures.{name}") for language in LANGUAGES for name in ("hand_head", "none")]
    used = {*WIDE_DIGITS, *NUMERALS, "十", *"0123456789abcdefghi", *"".join(words)}
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


# --- pieces as pentagons with a sign on them, upright around (0, 0) --------------------------------

FACES = Path(__file__).with_name("faces.json")
"""Outlines of the Japanese characters on pieces, from the font Yuji Boku; `scripts/pictures FONT` writes them."""
_SIZES = {
    Kind.KING: (35.0, 40.0), Kind.ROOK: (34.0, 39.2), Kind.BISHOP: (34.0, 39.2), Kind.GOLD: (32.8, 38.0),
    Kind.SILVER: (32.8, 38.0), Kind.KNIGHT: (31.0, 36.8), Kind.LANCE: (29.8, 36.6), Kind.PAWN: (28.6, 35.4),
}  # fmt: skip
"""Width and height of a piece by its unpromoted kind."""
_SHOULDERS = (0.74, 0.23)
"""The upper corners, as fractions of width and height."""
_BROAD_SHOULDERS = (0.95, 0.2)
"""Those of pieces that show their moves: the marks need room."""
_LETTER_SIZE = {1: 270, 2: 190}
"""By the number of letters, in tenths of a unit, as all signs are drawn."""
_BOLD = 5
"""The width of the line around a sign, in the same units: the fonts are light ones."""
_SIGN_LOW = 3.0
"""How far below the middle a sign is: the pentagon has no room at its tip."""
_TWO = ((-4.8, 0.08, 0.05), (10.3, 0.088, 0.052))
"""The same for the upper and the lower of two characters, and their scales."""


@dataclass(frozen=True)
class PieceOutlines:
    """The path of a piece's edge, its sign, and the path of the marks of its moves, empty for styles without marks.

    A sign is texts of `sign_outlines` with their SVG transforms.
    """

    edge: str
    sign: tuple[tuple[str, str], ...]
    marks: str = ""


@cache
def sign_outlines() -> dict[str, str]:
    """Return the paths of the texts on pieces, around (0, 0)."""
    faces: dict[str, str] = json.loads(FACES.read_text(encoding="utf-8"))
    letters = map(kind_letter, Kind)
    return faces | {text: centred_text_path(text, _LETTER_SIZE[len(text)], 0, 0) for text in letters}


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
    width, height = _SIZES[kind.base]
    size, low, marks = height / _SIZES[Kind.KING][1], _SIGN_LOW * (-1 if upright else 1), ""
    edge, text = piece_pentagon(width, height), FULL_NAME[kind]
    if piece_style is PieceStyle.MOVES:  # promotion shows in the marks
        edge, marks = piece_pentagon(35 * size, height, _BROAD_SHOULDERS), move_marks(kind, size, _SIGN_LOW)
        sign = [(LETTERS[kind.base], (low, 0.074, 0.074))]
    elif piece_style is PieceStyle.LETTERS:
        sign = [(kind_letter(kind), (low, 0.1, 0.1))]
    elif piece_style is PieceStyle.TWO_KANJI and len(text) == len(_TWO):
        sign = [*zip(text, _TWO, strict=True)]
    else:
        sign = [(SHORT_NAME[kind], (low, 0.114 * width / height, 0.1))]
    placed = [(text, f"translate(0 {y:.1f})scale({x * size:.4f} {high * size:.4f})") for text, (y, x, high) in sign]
    return PieceOutlines(edge, tuple(placed), marks)


@cache
def piece_drawing(kind: Kind, piece_style: PieceStyle, colours: Colours, *, turned: bool) -> str:
    """Return the drawing of a piece as SVG. Letters stay upright on a turned piece: so they can be read."""
    upright = turned and piece_style.is_international
    outlines = piece_outlines(kind, piece_style, upright=upright)
    ink = colours.promoted if kind.is_promoted else colours.ink
    turn = "rotate(180)" if turned else ""
    turning = f' transform="{turn}"' if turned else ""
    body = f'<path d="{outlines.edge}" fill="{colours.side or colours.piece}" stroke="{colours.edge}"'
    body += f' stroke-width="{1 if colours.side else 1.2}" stroke-linejoin="round"{turning}/>'
    if colours.side:  # lit from the upper left: the shadow, the lower edges, the face
        shadow = f'<path d="{outlines.edge}" fill-opacity=".3" transform="translate(1 1.4){turn}"/>'
        face = f'<path d="{outlines.edge}" fill="{colours.piece}" transform="translate(-.5 -.7){turn}scale(.94)"/>'
        body = shadow + body + face
    if outlines.marks:
        body += f'<path d="{outlines.marks}" fill="{ink}"{turning}/>'
    sign = "".join(f'<path d="{sign_outlines()[text]}" transform="{place}"/>' for text, place in outlines.sign)
    return f'{body}<g fill="{ink}" stroke="{ink}" stroke-width="{_BOLD}"{"" if upright else turning}>{sign}</g>'
