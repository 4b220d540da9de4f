"""Pieces as pentagons with an outlined sign on them, upright around (0, 0)."""

from __future__ import annotations

from functools import cache

from tsume.diagrams.glyphs import centred_text_path
from tsume.diagrams.look import Colours, PieceStyle
from tsume.formats.symbols import SHORT_NAME
from tsume_rules.pieces import Kind
from tsume_rules.sfen import kind_letter

_SIZES = {
    Kind.KING: 1.0,
    Kind.ROOK: 0.98,
    Kind.BISHOP: 0.98,
    Kind.GOLD: 0.95,
    Kind.SILVER: 0.95,
    Kind.KNIGHT: 0.92,
    Kind.LANCE: 0.91,
    Kind.PAWN: 0.89,
}
"""The size of a piece beside the king's, by its unpromoted kind."""
_WIDTH, _HEIGHT = 35.0, 40.0
_SHOULDER_WIDTH, _SHOULDER_HEIGHT = 0.74, 0.23
"""The upper corners, as fractions of width and height."""
_SIGN_SIZE = {1: 27.0, 2: 19.0}
"""By the number of characters."""
_BOLD = 0.5
"""The width of the line around a sign: the font is a light one."""
_SIGN_LOW = 3.0
"""How far below the middle the sign is: the pentagon has no room at its tip."""


def piece_pentagon(width: float, height: float) -> str:
    """The path of a piece's edge."""
    half, shoulder, top = width / 2, width / 2 * _SHOULDER_WIDTH, height * (_SHOULDER_HEIGHT - 0.5)
    points = [(0.0, -height / 2), (shoulder, top), (half, height / 2), (-half, height / 2), (-shoulder, top)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def piece_id(kind: Kind, piece_style: PieceStyle, *, turned: bool) -> str:
    """The name of a piece's drawing in a picture."""
    return f"{piece_style.value}-{kind.name.lower().replace('_', '-')}{'-turned' * turned}"


def piece_outlines(kind: Kind, piece_style: PieceStyle, *, upright: bool = False) -> tuple[str, str]:
    """The paths of a piece's edge and of its sign; ``upright``: of the sign on a turned piece."""
    size = _SIZES[kind.base]
    sign = SHORT_NAME[kind] if piece_style is PieceStyle.KANJI else kind_letter(kind)
    path = centred_text_path(sign, _SIGN_SIZE[len(sign)] * size, 0, _SIGN_LOW * (-1 if upright else 1))
    return piece_pentagon(_WIDTH * size, _HEIGHT * size), path


@cache
def piece_drawing(kind: Kind, piece_style: PieceStyle, colours: Colours, *, turned: bool) -> str:
    """The drawing of a piece as SVG. Letters stay upright on a turned piece: so they can be read."""
    upright = turned and piece_style is PieceStyle.LETTERS
    pentagon_path, path = piece_outlines(kind, piece_style, upright=upright)
    edge = (
        f'<path d="{pentagon_path}" fill="{colours.piece}"'
        f' stroke="{colours.edge}" stroke-width="1.2" stroke-linejoin="round"/>'
    )
    ink = colours.promoted if kind.is_promoted else colours.ink
    face = f'<path d="{path}" fill="{ink}" stroke="{ink}" stroke-width="{_BOLD}"/>'
    if turned and not upright:
        return f'<g transform="rotate(180)">{edge}{face}</g>'
    return f'<g transform="rotate(180)">{edge}</g>{face}' if turned else edge + face
