# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as an SVG picture, a line as an animated one; by typst as PNG, and documents as PDF."""

from __future__ import annotations

import math
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from tsume.diagrams.glyphs import centred_text_path, font_path, piece_drawing, piece_id, piece_pentagon, text_width
from tsume.diagrams.look import (
    BOOK,
    DARK_WOOD,
    WOOD,
    Arrow,
    Colours,
    DiagramLook,
    DiagramScene,
    caption_after_moves,
    captioned_moves,
    picture_description,
)
from tsume.extras import require_extra
from tsume.formats.symbols import NUMERALS, WIDE_DIGITS, number_text
from tsume.language.catalogue import Language, phrase
from tsume_rules.moves import Move, position_after
from tsume_rules.position import HAND_ORDER, Hand, Kind, Piece, Position, Side, Square, file_of, rank_of

# --- the layout of a picture: squares, hands, caption. Units are those of SVG, y downwards ---------

CELL_WIDTH, CELL_HEIGHT = 40, 44
BOARD_WIDTH, BOARD_HEIGHT = 9 * CELL_WIDTH, 9 * CELL_HEIGHT
MARGIN = 10
FILES_HEIGHT = 22
RANKS_WIDTH = 24
HAND_WIDTH = 66
CAPTION_SIZE = 22
CAPTION_HEIGHT = 30
_HAND_HEAD = 46
_MAX_HEIGHT_OF_KIND = 50


@dataclass(frozen=True)
class DiagramLayout:
    """The places on one picture: its size, the board's upper left corner, the lines of the caption."""

    width: int
    height: int
    left: int
    top: int
    caption: tuple[str, ...]

    @property
    def foot(self) -> float:
        """The middle of the line below the board, if there is one."""
        return self.top + BOARD_HEIGHT + MARGIN + CAPTION_HEIGHT / 2

    def centre(self, sq: Square) -> tuple[float, float]:
        """Return the middle of a square."""
        x, y = self.corner(sq)
        return x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2

    def corner(self, sq: Square) -> tuple[int, int]:
        """Return the upper left corner of a square."""
        return self.left + (9 - file_of(sq)) * CELL_WIDTH, self.top + (rank_of(sq) - 1) * CELL_HEIGHT

    @property
    def attacker_x(self) -> float:
        """The middle of the column of the attacker's hand."""
        return self.width - MARGIN - HAND_WIDTH / 2


def diagram_layout(scene: DiagramScene, look: DiagramLook, *, foot: bool = False) -> DiagramLayout:
    """Return the places on the picture of a scene; with ``foot`` there is a line below the board."""
    left = MARGIN + (HAND_WIDTH if look.defender_hand else 0)
    ranks = RANKS_WIDTH if look.coordinates else MARGIN // 2
    width = left + BOARD_WIDTH + ranks + HAND_WIDTH + MARGIN
    caption = wrapped_caption(scene.caption, width - 2 * MARGIN)
    top = MARGIN + CAPTION_HEIGHT * len(caption) + (FILES_HEIGHT if look.coordinates else 0)
    below = MARGIN + CAPTION_HEIGHT * foot
    return DiagramLayout(width, top + BOARD_HEIGHT + below, left, top, caption)


def hand_piece_places(hand: Hand, top: float) -> dict[Kind, float]:
    """Return the middle of each kind in a column that begins at ``top``, downwards in the usual order."""
    kinds = [kind for kind in HAND_ORDER if hand[kind]]
    step = min(_MAX_HEIGHT_OF_KIND, (BOARD_HEIGHT - _HAND_HEAD) / max(len(kinds), 1))
    return {kind: top + _HAND_HEAD + step * (number + 0.5) for number, kind in enumerate(kinds)}


def wrapped_caption(text: str, width: float) -> tuple[str, ...]:
    """Return a caption in lines of at most this width, broken between words if possible."""
    lines: list[str] = []
    for given in text.splitlines():
        # Not cut: Latin words with the space behind, single Japanese characters.
        words: list[str] = []
        for character in given:
            if words and words[-1][-1].isascii() and words[-1][-1] != " " and character.isascii():
                words[-1] += character
            else:
                words.append(character)
        line = ""
        for word in words:
            if line and text_width((line + word).rstrip(), CAPTION_SIZE) > width:
                lines.append(line.rstrip())
                line = ""
            for character in word:
                if line and text_width(line + character, CAPTION_SIZE) > width:
                    lines.append(line.rstrip())
                    line = ""
                line += character
        lines.append(line.rstrip())
    return tuple(line.strip() for line in lines if line.strip())


# --- a hand beside the board (持駒): a heading, then a piece of each kind with its number ----------

_HEAD_SIZE = 15
_NUMBER_SIZE = 16
_ASIDE, _COUNT_ASIDE = 10, 18
"""Offsets of pieces to the left and of their numbers to the right."""
_MARK_WIDTH, _MARK_HEIGHT = 12.0, 14.0


def hand_drawing(position: Position, side: Side, places: DiagramLayout, look: DiagramLook) -> str:
    """Return a side's hand in its column: the attacker's at the right, the defender's at the left."""
    x = places.attacker_x if side is Side.ATTACKER else MARGIN + HAND_WIDTH / 2
    hand = position.hand(side)
    height = _HAND_HEAD + min(_MAX_HEIGHT_OF_KIND * max(len([*hand]), 1), BOARD_HEIGHT - _HAND_HEAD)
    parts = [_hand_heading(side, x, places.top, look.language, look.colours)]
    if look.colours.side:
        stand = f'<rect x="{x - 29:g}" y="{places.top - _RIM}" width="58" height="{height + 2 * _RIM}" rx="3"'
        parts.insert(0, f'{stand} fill="{look.colours.side}" fill-opacity=".7"/>')
    aside = _ASIDE * any(hand[kind] > 1 for kind in hand)
    for kind, y in hand_piece_places(hand, places.top).items():
        name = piece_id(kind, look.piece_style, turned=side is Side.DEFENDER)
        parts.append(f'<use href="#{name}" x="{x - aside:g}" y="{y:g}"/>')
        if hand[kind] > 1:  # in Japanese numerals one below the other, or in digits
            in_digits = look.piece_style.is_international or look.language == "en"
            lines = [str(hand[kind])] if in_digits else [*number_text(hand[kind])]
            left, first = round(x + _COUNT_ASIDE, 2), y + 2 - (len(lines) - 1) / 2 * _NUMBER_SIZE
            tops = [round(first + place * _NUMBER_SIZE, 2) for place in range(len(lines))]
            path = "".join(centred_text_path(line, _NUMBER_SIZE, left, tops[at]) for at, line in enumerate(lines))
            parts.append(f'<path d="{path}" fill="{look.colours.ink}"/>')
    if not len(hand):
        parts.append(_stacked_text(phrase(look.language, "pictures.none"), x, places.top + 50, look))
    return "".join(parts)


@cache
def _hand_heading(side: Side, x: float, top: float, language: Language, colours: Colours) -> str:
    """Return a black pentagon for the attacker, a white one turned for the defender, and words below."""
    fill, turn = (colours.ink, 0) if side is Side.ATTACKER else (colours.paper, 180)
    mark = (
        f'<path d="{piece_pentagon(_MARK_WIDTH, _MARK_HEIGHT)}" fill="{fill}" stroke="{colours.ink}"'
        f' transform="translate({x:g} {top + 8:g}) rotate({turn})"/>'
    )
    words = centred_text_path(phrase(language, "pictures.hand_head"), _HEAD_SIZE, x, top + 28)
    return f'{mark}<path d="{words}" fill="{colours.ink}"/>'


@cache
def _stacked_text(text: str, x: float, top: float, look: DiagramLook) -> str:
    """Return a short text downwards in Japanese, along a line in English."""
    if look.language == "en":
        path = centred_text_path(text, _HEAD_SIZE, x, top)
    else:
        path = "".join(
            centred_text_path(c, _NUMBER_SIZE, x, top + place * (_NUMBER_SIZE + 4)) for place, c in enumerate(text)
        )
    return f'<path d="{path}" fill="{look.colours.ink}"/>'


# --- arrows over a board ---------------------------------------------------------------------------

_SHAFT = 5.0
_HEAD_LENGTH, _HEAD_WIDTH = 15.0, 15.0
_FROM_CENTRE = 10.0
"""Distance of an arrow's start from the middle of its first square."""


def arrow_drawing(arrow: Arrow, position: Position, places: DiagramLayout, look: DiagramLook) -> str:
    """Return an arrow with a light edge, visible on pieces too."""
    end = places.centre(arrow.target)
    held = hand_piece_places(position.attacker_hand, places.top)
    if arrow.origin is not None:
        start = places.centre(arrow.origin)
    elif arrow.drop in held:
        start = places.attacker_x, held[arrow.drop]
    else:
        start = end[0] + CELL_WIDTH / 2, end[1] - CELL_HEIGHT / 2
    length = math.dist(start, end)
    if length < 1:
        return ""
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    first = min(_FROM_CENTRE, length / 4)
    # The outline of an arrow on a line, from the distance ``first`` from its start to ``last``.
    neck = max(length - _HEAD_LENGTH, first)
    half, wide = _SHAFT / 2, _HEAD_WIDTH / 2
    upper = [(first, half), (neck, half), (neck, wide)]
    outline = [*upper, (length, 0.0), *((far, -off) for far, off in reversed(upper))]
    points = (
        (start[0] + along[0] * far - along[1] * off, start[1] + along[1] * far + along[0] * off) for far, off in outline
    )
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    return (
        f'<path d="{path}" fill="{look.colours.arrow}" fill-opacity="0.85" stroke="{look.colours.paper}"'
        f' stroke-width="1.5" stroke-linejoin="round"/>'
    )


# --- a position as an SVG picture, a line as an animated one ---------------------------------------

_COORDINATE_SIZE = 15
_DOTS = ((3, 3), (6, 3), (3, 6), (6, 6))
_RIM = 5
"""How far the board goes on around its squares where there are no coordinates."""
_GRAIN = "1 6 2 9 1 4 1 13 3 5 1 11 2 17"
"""Dark and light stripes of wood."""


def svg(scene: DiagramScene, look: DiagramLook) -> str:
    """Return the picture of a scene, a whole SVG document without any font or script."""
    places = diagram_layout(scene, look)
    parts = [*board_drawing(places, look)]
    if scene.last_move is not None:
        parts += last_move_drawing(scene.last_move, places, look)
    for sq in sorted(scene.marks):
        x, y = places.centre(sq)
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{CELL_WIDTH / 2 - 1.5:g}" fill="none"'
            f' stroke="{look.colours.arrow}" stroke-width="2.5"/>'
        )
    parts += placed_pieces(scene.position, places, look)
    parts += hands_drawing(scene.position, places, look)
    parts += (arrow_drawing(arrow, scene.position, places, look) for arrow in scene.arrows)
    return svg_document(scene, [scene.position], places, look, parts)


def svg_document(
    scene: DiagramScene,
    positions: Iterable[Position],
    places: DiagramLayout,
    look: DiagramLook,
    parts: Iterable[str],
    style: str = "",
    moves: str = "",
) -> str:
    """Return the SVG document of a drawing: its title, its description with ``moves`` after it, its pieces."""
    width, height = places.width, places.height
    title = " ".join(scene.caption.split()) or phrase(look.language, "pictures.position")
    described = picture_description(scene, look.language, defender_hand=look.defender_hand)
    name, text = _escaped(title), _escaped(described + moves)
    found: set[tuple[Kind, bool]] = set()  # the visible kinds of pieces, and whether they are turned
    for position in positions:
        found |= {(piece.kind, piece.side is Side.DEFENDER) for piece in position.board if piece}
        found |= {(kind, False) for kind in position.attacker_hand}
        if look.defender_hand:
            found |= {(kind, True) for kind in position.defender_hand}
    drawn = "".join(
        f'<g id="{piece_id(kind, look.piece_style, turned=turned)}">'
        f"{piece_drawing(kind, look.piece_style, look.colours, turned=turned)}</g>"
        for kind, turned in sorted(found)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" lang="{look.language}">'
        f"<title>{name}</title><desc>{text}</desc>{style}<defs>{drawn}</defs>{''.join(parts)}</svg>\n"
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# --- pieces ---------------------------------------------------------------------------------------


def placed_pieces(
    position: Position, places: DiagramLayout, look: DiagramLook, *, without: Square | None = None
) -> Iterator[str]:
    """Yield the pieces on the board, but for one on the square ``without``."""
    for sq, piece in enumerate(position.board):
        if piece is not None and sq != without:
            yield placed_piece(piece, *places.centre(sq), look)


def placed_piece(piece: Piece, x: float, y: float, look: DiagramLook) -> str:
    """Return a piece with its middle at (x, y)."""
    name = piece_id(piece.kind, look.piece_style, turned=piece.side is Side.DEFENDER)
    return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'


def hands_drawing(position: Position, places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """Yield the attacker's hand, and the defender's if the style includes it."""
    yield hand_drawing(position, Side.ATTACKER, places, look)
    if look.defender_hand:
        yield hand_drawing(position, Side.DEFENDER, places, look)


# --- the board ------------------------------------------------------------------------------------


def text_drawing(line: str, middle: float, y: float, places: DiagramLayout, look: DiagramLook) -> str:
    """Return a line of text around (middle, y), shifted so that it fits the picture."""
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


def board_drawing(places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """Yield the paper, the caption, each line centred over the picture, and the empty board.

    The board has coordinates if the style includes them.
    """
    yield f'<rect width="{places.width}" height="{places.height}" fill="{look.colours.paper}"/>'
    middle = places.left + BOARD_WIDTH / 2 if len(places.caption) == 1 else places.width / 2
    for number, line in enumerate(places.caption):
        yield text_drawing(line, middle, MARGIN + CAPTION_HEIGHT * (number + 0.5), places, look)
    above, beside = (FILES_HEIGHT, RANKS_WIDTH) if look.coordinates else (_RIM, _RIM)
    x, y, wide, high = places.left - _RIM, places.top - above, BOARD_WIDTH + _RIM + beside, BOARD_HEIGHT + above + _RIM
    yield f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="3" fill="{look.colours.board}"/>'
    if look.colours.side:  # the grain: the dashes of a line as broad as the board is high
        line = f'<path d="M{x} {y + high / 2:g}h{wide}" stroke="{look.colours.side}" stroke-opacity=".3"'
        yield f'{line} stroke-width="{high}" stroke-dasharray="{_GRAIN}"/>'
    yield _board_lines(places.left, places.top, look.colours)
    if look.coordinates:
        yield _coordinates(places.left, places.top, look)


@cache
def _coordinates(left: int, top: int, look: DiagramLook) -> str:
    files, ranks = (WIDE_DIGITS, NUMERALS) if look.language == "ja" else ("123456789", "abcdefghi")
    paths = []
    for number in range(9):
        x, y = left + CELL_WIDTH * (8.5 - number), top + CELL_HEIGHT * (number + 0.5)
        paths.append(centred_text_path(files[number], _COORDINATE_SIZE, x, top - FILES_HEIGHT / 2))
        paths.append(centred_text_path(ranks[number], _COORDINATE_SIZE, left + BOARD_WIDTH + RANKS_WIDTH / 2, y))
    return f'<path d="{"".join(paths)}" fill="{look.colours.ink}"/>'


def last_move_drawing(move: Move, places: DiagramLayout, look: DiagramLook) -> Iterator[str]:
    """Yield the target of a move, filled, and its origin, a dashed frame."""
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


# --- a position for pages: one file that is also a small card, or black on white, and knows the dark ---

CARD_WIDTH, CARD_HEIGHT = BOARD_WIDTH + 6, BOARD_HEIGHT + 54
"""The size of the part of the picture that ``#card`` shows: the board alone, the attacker's hand below it."""
_ON_CARD = 52
"""The width of a kind in that hand."""


def page_svg(position: Position, language: Language) -> str:
    """Return a wooden picture without paper around it, dark where the reader's pages are.

    With ``#card`` at the end of its address a page shows the board without coordinates, and the hand below it;
    with ``#book`` all in black on white. Programs that know neither show the whole in its light colours.
    """
    look, scene = DiagramLook(language=language, colours=WOOD), DiagramScene(position)
    places = diagram_layout(scene, look)
    _, *board = board_drawing(places, look)
    parts = [*board, *placed_pieces(position, places, look), *hands_drawing(position, places, look)]
    left, top = places.left - 3, places.top - 3
    y = top + CARD_HEIGHT - 23
    row = [f'<rect x="{left}" y="{y - 23}" width="{CARD_WIDTH}" height="46" fill="{WOOD.side}" fill-opacity=".7"/>']
    kinds = [kind for kind in HAND_ORDER if position.attacker_hand[kind]]
    for place, kind in enumerate(kinds, -len(kinds)):
        x = left + CARD_WIDTH + (place + 0.5) * _ON_CARD
        number = position.attacker_hand[kind]
        row.append(placed_piece(Piece(Side.ATTACKER, kind), x - 11 * (number > 1), y, look))
        if number > 1:
            path = centred_text_path(str(number), 20, x + 13.5, y + 2)
            row.append(f'<path d="{path}" fill="{WOOD.ink}"/>')
    if not kinds:
        path = centred_text_path(phrase(language, "pictures.none"), 22, left + CARD_WIDTH / 2, y)
        row.append(f'<path d="{path}" fill="{WOOD.ink}"/>')
    parts.append(f'<g id="row" display="none">{"".join(row)}</g>')
    views = f'<view id="card" viewBox="{left} {top} {CARD_WIDTH} {CARD_HEIGHT}"/><view id="book"/>'
    return svg_document(scene, [position], places, look, parts, f"{views}<style>{_page_style()}</style>")


@cache
def _page_style() -> str:
    """Return the rules that turn the colours of `WOOD` into others. Variables reach the pieces, which are drawn by
    reference; the rest is in ``@media``, which programs that draw SVG without a browser leave out."""
    wood, names = vars(WOOD), [one.name for one in fields(Colours) if one.name not in ("paper", "moved", "arrow")]

    def palette(colours: Colours, shade: str) -> str:
        return "".join(f"--{name}:{vars(colours)[name] or colours.board};" for name in names) + f"--shade:{shade}"

    rules = "".join(
        f'[{what}="{wood[name]}"]{{{what}:var(--{name},{wood[name]})}}' for name in names for what in ("fill", "stroke")
    )
    rules += f'path[fill="{WOOD.ink}"]:not([stroke]){{fill:var(--label,{WOOD.ink})}}'
    rules += "path[fill-opacity]{fill:var(--shade,#000)}#card:target~#row{display:inline}"
    dark = f"@media(prefers-color-scheme:dark){{svg{{{palette(DARK_WOOD, '#000')};--label:#fff6e2}}}}"
    return f"@media all{{{rules}}}{dark}@media all{{#book:target~*{{{palette(BOOK, 'none')};--label:#000}}}}"


# --- a line as an animated SVG: one frame for each move, in which the piece slides to its square ---
#
# The animation is pure CSS, which also works inside ``<img>``. Without animation, or with reduced motion,
# the picture shows the first position.

START_SECONDS, MOVE_SECONDS, END_SECONDS = 2.0, 1.5, 3.0
"""Display times of the first, each further and the last position."""
_GLIDE_SECONDS = 0.4


def animated_svg(scene: DiagramScene, line: Sequence[Move], look: DiagramLook) -> str:
    """Return the line played from the scene's position. Raises `tsume_rules.moves.ImpossibleMove`."""
    places = diagram_layout(scene, look, foot=True)
    shown = [START_SECONDS, *(MOVE_SECONDS for _ in line[1:]), END_SECONDS][: len(line) + 1]
    begins = list(accumulate(shown, initial=0.0))
    whole = begins[-1]
    rules = [f".f{{opacity:0;animation:{whole:g}s step-end infinite}}.f0{{opacity:1}}"]
    parts = [*board_drawing(places, look)]
    texts = captioned_moves(scene.position, line, look.language)
    positions = [scene.position]
    for number in range(len(line) + 1):
        first, last = (100 * at / whole for at in begins[number : number + 2])
        hidden = "0%{opacity:0}" * (number > 0)
        rules.append(
            f".f{number}{{animation-name:f{number}}}@keyframes f{number}{{{hidden}{first:.2f}%{{opacity:1}}"
            f"{last:.2f}%,100%{{opacity:{int(number == len(line))}}}}}"
        )
        if number == 0:
            drawn = [*hands_drawing(scene.position, places, look)]
            drawn += placed_pieces(scene.position, places, look)
        else:
            move, before = line[number - 1], positions[-1]
            position = position_after(before, move)
            positions.append(position)
            text = caption_after_moves(texts[number - 1], number, look.language, last=number == len(line))
            piece, to = position.board[move.target], places.centre(move.target)
            assert piece is not None
            drawn = [*hands_drawing(position, places, look), *last_move_drawing(move, places, look)]
            drawn += placed_pieces(position, places, look, without=move.target)
            drawn.append(f'<g class="m{number}">{placed_piece(piece, *to, look)}</g>')
            drawn.append(text_drawing(text, places.left + BOARD_WIDTH / 2, places.foot, places, look))
            # The piece comes from its square or the hand; from above where that hand is not shown.
            start = to[0], float(places.top - 60)
            if move.origin is not None:
                start = places.centre(move.origin)
            elif before.side_to_move is Side.ATTACKER and move.drop is not None:
                start = places.attacker_x, hand_piece_places(before.attacker_hand, places.top)[move.drop]
            x, y = start[0] - to[0], start[1] - to[1]
            rested = 100 * (begins[number] + _GLIDE_SECONDS) / whole
            rules.append(
                f".m{number}{{animation:m{number} {whole:g}s ease-in-out infinite}}"
                f"@keyframes m{number}{{0%,{first:.2f}%{{transform:translate({x:g}px,{y:g}px)}}"
                f"{rested:.2f}%,100%{{transform:none}}}}"
            )
        parts.append(f'<g class="f f{number}">{"".join(drawn)}</g>')
    rules.append("@media (prefers-reduced-motion:reduce){.f,.f *{animation:none!important}}")
    style = f"<style>{''.join(rules)}</style>"
    return svg_document(scene, positions, places, look, parts, style, f" {' '.join(texts)}")


# --- the icon of the program as PNG: a piece on wood, as in ``tsume/web/static/icon.svg`` ----------

_CORNERS = ((0, -20), (13, -11), (18, 20), (-18, 20), (-13, -11))
"""The piece of ``icon.svg``."""
_EDGE = 3
"""The width of its edge."""
_WINDOW = 72
"""The width of the picture in the same units: systems cut out a circle of four fifths of it."""
_SAMPLES = 4
"""Along the side of a pixel."""


def icon_png(size: int) -> bytes:
    """Return the icon with ``size`` pixels a side."""
    fine = size * _SAMPLES
    at = (np.arange(fine, dtype=np.float64) + 0.5) * (_WINDOW / fine) - _WINDOW / 2
    rows = b""
    for first in range(0, fine, _SAMPLES):
        x, y = at[np.newaxis, :], at[first : first + _SAMPLES, np.newaxis]
        # How far inside the piece, which is convex, the samples are; negative outside.
        depth = np.minimum.reduce([
            ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay)
            for (ax, ay), (bx, by) in zip(_CORNERS, (*_CORNERS[1:], _CORNERS[0]), strict=True)
        ])  # fmt: skip
        colours = np.empty((*depth.shape, 3), np.float64)
        colours[:] = _rgb(WOOD.board)
        colours[depth > -_EDGE / 2] = _rgb(WOOD.edge)
        colours[depth > _EDGE / 2] = _rgb(WOOD.piece)
        means = colours.reshape(_SAMPLES, -1, _SAMPLES, 3).mean(axis=(0, 2))
        rows += b"\0" + np.rint(means).astype(np.uint8).tobytes()
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n"
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")):
        png += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return png


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


# --- typesetting by typst (extra ``tsume-shogi[print]``): pages as PNG, documents as PDF; nothing is fetched ---


def require_typst() -> None:
    """Raise `tsume.extras.MissingExtra` where typst is not installed."""
    require_extra("print", "typst")


def write_pdf(source: Path, output: Path, created: int, universal: bool = True) -> None:
    """Write a document as tagged PDF with its fonts, from a source whose folder has the files it names.

    ``created``: seconds since 1970, written into it. ``universal``: as PDF/UA-1, which is possible only if
    its first heading is one of the first level. Besides the fonts that typst carries it may use IPAexGothic.
    """
    typst: Any = import_module("typst")
    typst.compile(
        str(source),
        output=str(output),
        root=str(source.parent),
        format="pdf",
        pdf_standards=["ua-1"] if universal else [],
        font_paths=[str(font_path().parent)],
        ignore_system_fonts=True,
        timestamp=created,
    )


# --- pictures as PNG, drawn from SVG by typst (extra ``tsume-shogi[print]``) -----------------------

UNITS = 96
"""Units of an SVG picture in an inch."""
_MOST = 64
"""Pictures that are drawn in one go, at most: each waits for the others."""


def png_images(pictures: Sequence[str], scale: float) -> list[bytes]:
    """Return each SVG document as a PNG, ``scale`` pixels for a unit of it. Threads share the work.

    Raises `tsume.extras.MissingExtra` where typst is not installed.
    """
    require_typst()
    typst: Any = import_module("typst")

    def rendered(part: Sequence[str]) -> list[bytes]:
        source = "#set page(width: auto, height: auto, margin: 0pt)\n"
        source += "#pagebreak()\n".join(f'#image("{number}.svg")\n' for number in range(len(part)))
        files = {f"{number}.svg": picture.encode() for number, picture in enumerate(part)}
        made = typst.compile({"main": source.encode(), **files}, format="png", ppi=UNITS * scale)
        return [made] if isinstance(made, bytes) else list(made)

    threads = os.cpu_count() or 1
    each = max(1, min(_MOST, -(-len(pictures) // threads)))
    parts = [pictures[first : first + each] for first in range(0, len(pictures), each)]
    with ThreadPoolExecutor(threads) as pool:
        return [page for pages in pool.map(rendered, parts) for page in pages]
