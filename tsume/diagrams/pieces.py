# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces as pentagons with an outlined sign on them, upright around (0, 0)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import hypot

from tsume.diagrams.glyphs import centred_text_path
from tsume.diagrams.look import Colours, PieceStyle
from tsume.formats.symbols import SHORT_NAME
from tsume_rules.legality import SLIDES, STEPS, Step
from tsume_rules.position import LETTERS, Kind
from tsume_rules.sfen import kind_letter

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
