# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as an SVG picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from tsume.diagrams.arrows import arrow_drawing
from tsume.diagrams.captions import picture_description, picture_title
from tsume.diagrams.glyphs import centred_text_path, text_width
from tsume.diagrams.hands import hand_drawing
from tsume.diagrams.layout import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    CAPTION_HEIGHT,
    CAPTION_SIZE,
    CELL_HEIGHT,
    CELL_WIDTH,
    FILES_HEIGHT,
    MARGIN,
    RANKS_WIDTH,
    DiagramLayout,
    diagram_layout,
)
from tsume.diagrams.look import Colours, DiagramLook, DiagramScene
from tsume.diagrams.pieces import piece_drawing, piece_id
from tsume.formats.symbols import NUMERALS, WIDE_DIGITS
from tsume_rules.moves import Move
from tsume_rules.position import Kind, Piece, Position, Side, Square

_COORDINATE_SIZE = 15
_DOTS = ((3, 3), (6, 3), (3, 6), (6, 6))


def svg(scene: DiagramScene, look: DiagramLook) -> str:
    """The picture of a scene, a whole SVG document without any font or script."""
    places = diagram_layout(scene, look)
    parts = [
        picture_background(places, look),
        *caption_drawing(places, look),
        board_drawing(places, look),
        *(mark_drawing(scene, places, look)),
        *placed_pieces(scene.position, places, look),
        *hands_drawing(scene.position, places, look),
        *(arrow_drawing(arrow, scene.position, places, look) for arrow in scene.arrows),
    ]
    words = (picture_title(scene, look.language), _described(scene, look))
    return svg_document(
        places, look, words, piece_definitions(used_pieces([scene.position], look), look), parts
    )


def svg_document(
    places: DiagramLayout,
    look: DiagramLook,
    words: tuple[str, str],
    defined: str,
    parts: Iterable[str],
    style: str = "",
) -> str:
    """An SVG document of title, description, definitions and drawing."""
    width, height = places.width, places.height
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" lang="{look.language}">'
    )
    name, text = words
    return "".join(
        [
            head,
            f"<title>{_escaped(name)}</title><desc>{_escaped(text)}</desc>",
            style,
            defined,
            *parts,
            "</svg>\n",
        ]
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _described(scene: DiagramScene, look: DiagramLook) -> str:
    return picture_description(scene, look.language, defender_hand=look.defender_hand)


# --- pieces ---------------------------------------------------------------------------------------


def used_pieces(positions: Iterable[Position], look: DiagramLook) -> list[tuple[Kind, bool]]:
    """The visible kinds of pieces, and whether they are rotated."""
    found: set[tuple[Kind, bool]] = set()
    for position in positions:
        found |= {(piece.kind, piece.side is Side.DEFENDER) for piece in position.board if piece}
        found |= {(kind, False) for kind in position.attacker_hand}
        if look.defender_hand:
            found |= {(kind, True) for kind in position.defender_hand}
    return sorted(found)


def piece_definitions(pieces: Iterable[tuple[Kind, bool]], look: DiagramLook) -> str:
    """The definitions of piece drawings, referenced by id."""
    drawn = "".join(
        f'<g id="{piece_id(kind, look.piece_style, turned=turned)}">'
        f"{piece_drawing(kind, look.piece_style, look.colours, turned=turned)}</g>"
        for kind, turned in pieces
    )
    return f"<defs>{drawn}</defs>"


def placed_pieces(
    position: Position, places: DiagramLayout, look: DiagramLook, *, without: Square | None = None
) -> Iterator[str]:
    """The pieces on the board, but for one on the square ``without``."""
    for sq, piece in enumerate(position.board):
        if piece is not None and sq != without:
            yield placed_piece(piece, *places.centre(sq), look)


def placed_piece(piece: Piece, x: float, y: float, look: DiagramLook) -> str:
    """A piece with its middle at (x, y)."""
    name = piece_id(piece.kind, look.piece_style, turned=piece.side is Side.DEFENDER)
    return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'


def hands_drawing(position: Position, places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """The attacker's hand, and the defender's if the style includes it."""
    yield hand_drawing(position, Side.ATTACKER, places, look)
    if look.defender_hand:
        yield hand_drawing(position, Side.DEFENDER, places, look)


# --- the board ------------------------------------------------------------------------------------


def picture_background(places: DiagramLayout, look: DiagramLook) -> str:
    """The paper."""
    return f'<rect width="{places.width}" height="{places.height}" fill="{look.colours.paper}"/>'


def caption_drawing(places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """The lines of the caption, each centred over the picture."""
    middle = places.left + BOARD_WIDTH / 2 if len(places.caption) == 1 else places.width / 2
    for number, line in enumerate(places.caption):
        yield text_drawing(line, middle, MARGIN + CAPTION_HEIGHT * (number + 0.5), places, look)


def text_drawing(line: str, middle: float, y: float, places: DiagramLayout, look: DiagramLook) -> str:
    """A line of text around (middle, y), shifted so that it fits the picture."""
    half = text_width(line, CAPTION_SIZE) / 2
    x = min(max(middle, half + MARGIN), places.width - half - MARGIN)
    return f'<path d="{centred_text_path(line, CAPTION_SIZE, x, y)}" fill="{look.colours.ink}"/>'


@cache
def _board_lines(left: int, top: int, colours: Colours) -> str:
    right, bottom = left + BOARD_WIDTH, top + BOARD_HEIGHT
    lines = "".join(f"M{left + CELL_WIDTH * n} {top}V{bottom}" for n in range(1, 9))
    lines += "".join(f"M{left} {top + CELL_HEIGHT * n}H{right}" for n in range(1, 9))
    dots = "".join(
        f'<circle cx="{left + CELL_WIDTH * x}" cy="{top + CELL_HEIGHT * y}" r="2.5" fill="{colours.line}"/>'
        for x, y in _DOTS
    )
    return (
        f'<path d="{lines}" stroke="{colours.line}" fill="none"/>{dots}'
        f'<rect x="{left}" y="{top}" width="{BOARD_WIDTH}" height="{BOARD_HEIGHT}" fill="none"'
        f' stroke="{colours.line}" stroke-width="2.5"/>'
    )


def board_drawing(places: DiagramLayout, look: DiagramLook) -> str:
    """The empty board, with coordinates if the style includes them."""
    board = (
        f'<rect x="{places.left}" y="{places.top}" width="{BOARD_WIDTH}" height="{BOARD_HEIGHT}"'
        f' fill="{look.colours.board}"/>'
    )
    lines = _board_lines(places.left, places.top, look.colours)
    return board + lines + (_coordinates(places.left, places.top, look) if look.coordinates else "")


@cache
def _coordinates(left: int, top: int, look: DiagramLook) -> str:
    files, ranks = (WIDE_DIGITS, NUMERALS) if look.language == "ja" else ("123456789", "abcdefghi")
    paths = []
    for number in range(9):
        x, y = left + CELL_WIDTH * (8.5 - number), top + CELL_HEIGHT * (number + 0.5)
        paths.append(centred_text_path(files[number], _COORDINATE_SIZE, x, top - FILES_HEIGHT / 2))
        paths.append(
            centred_text_path(ranks[number], _COORDINATE_SIZE, left + BOARD_WIDTH + RANKS_WIDTH / 2, y)
        )
    return f'<path d="{"".join(paths)}" fill="{look.colours.ink}"/>'


def mark_drawing(scene: DiagramScene, places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """The squares of the last move, filled and framed, and rings around the marked squares."""
    if scene.last_move is not None:
        yield from moved_drawing(scene.last_move, places, look)
    for sq in sorted(scene.marks):
        x, y = places.centre(sq)
        yield (
            f'<circle cx="{x:g}" cy="{y:g}" r="{CELL_WIDTH / 2 - 1.5:g}" fill="none"'
            f' stroke="{look.colours.arrow}" stroke-width="2.5"/>'
        )


def moved_drawing(move: Move, places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """The target of a move, filled, and its origin, a dashed frame."""
    x, y = places.corner(move.target)
    yield (
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}"'
        f' fill="{look.colours.moved}"/>'
    )
    if move.origin is not None:
        x, y = places.corner(move.origin)
        yield (
            f'<rect x="{x + 4}" y="{y + 4}" width="{CELL_WIDTH - 8}" height="{CELL_HEIGHT - 8}" fill="none"'
            f' stroke="{look.colours.line}" stroke-width="1.5" stroke-dasharray="4 3"/>'
        )
