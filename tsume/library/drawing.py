# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures, and how notebooks show them."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from typing import Literal, overload

from tsume.diagrams.look import COLOURS, Arrow, DiagramLook, PieceStyle
from tsume.diagrams.typesetting import png_images
from tsume.extras import Missing
from tsume.formats.game_record import END
from tsume.language.catalogue import Language
from tsume.library.arguments import (
    GivenMove,
    GivenPosition,
    check_arguments,
    moves_of,
    read_position,
    squares_of,
)
from tsume.uses.drawing import DiagramRenderer, PictureSubject
from tsume.uses.solving import SolveOptions, Solver
from tsume.warmup import KernelPart, warm_up_silently

# --- pictures that notebooks show ------------------------------------------------------------------

_TITLE = re.compile(r"<title>(.*?)</title><desc>(.*?)</desc>", re.DOTALL)


class Svg(str):
    """An SVG document, a text that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return the picture by itself: drawings of a page would share their ids and styles."""
        data = base64.b64encode(self.encode()).decode()
        found = _TITLE.search(self)
        words = html.unescape(". ".join(found.groups())) if found else ""
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(words)}"/>'


class Png(bytes):
    """A PNG, bytes that notebooks show as a picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes:
        return bytes(self)


# --- pictures, and how notebooks show them ---------------------------------------------------------


@overload
def draw(
    sfen: GivenPosition, *, form: Literal["svg"] = "svg", line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    animate: bool = False, solve: bool = False, caption: str | None = None, arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (), pieces: str = "kanji", language: Language = "ja", colors: str = "book",
    coordinates: bool = True, defender_hand: bool = False, scale: float = 1.5, seconds: float = 30.0,
) -> Svg: ...  # fmt: skip


@overload
def draw(
    sfen: GivenPosition, *, form: Literal["png"], line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    solve: bool = False, caption: str | None = None, arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (), pieces: str = "kanji", language: Language = "ja", colors: str = "book",
    coordinates: bool = True, defender_hand: bool = False, scale: float = 1.5, seconds: float = 30.0,
) -> Png: ...  # fmt: skip


def draw(
    sfen: GivenPosition,
    *,
    form: str = "svg",
    line: Sequence[GivenMove] = (),
    ply: int | Literal["end"] = 0,
    animate: bool = False,
    solve: bool = False,
    caption: str | None = None,
    arrows: Sequence[GivenMove] = (),
    marks: Sequence[str] = (),
    pieces: str = "kanji",
    language: Language = "ja",
    colors: str = "book",
    coordinates: bool = True,
    defender_hand: bool = False,
    scale: float = 1.5,
    seconds: float = 30.0,
) -> Svg | Png:
    """Return a picture of a position: SVG as a text, or PNG as bytes, ``scale`` pixels for a unit of the SVG.

    It shows the position after ``ply`` moves of the line, or ``animate`` shows them all, moving. The line
    is ``line``, or what follows the SFEN after ``moves``, or the answer's; where it is needed or ``solve``
    asks for one, and none is given, it is looked for within ``seconds``. ``arrows`` are moves, ``marks``
    squares.
    ``caption`` stands above the board instead of the number of moves. Raises ImportError where what makes
    PNGs is not installed (``tsume-shogi[print]``), and ValueError where no line is found.
    """
    check_arguments(
        "caption",
        form=form, animate=animate, solve=solve, caption=caption, arrows=arrows, marks=marks, pieces=pieces,
        language=language, colors=colors, coordinates=coordinates, defender_hand=defender_hand, scale=scale,
        seconds=seconds, **({} if ply == "end" else {"ply": ply}),
    )  # fmt: skip
    if animate and form == "png":
        raise ValueError("animate: not available for PNG")
    parsed, given, _ = read_position(sfen, line)
    if (solve or animate or ply) and not given:
        warm_up_silently(KernelPart.ENGINE)
    renderer = DiagramRenderer(
        DiagramLook(PieceStyle(pieces), language, COLOURS[colors], coordinates, defender_hand), caption,
        END if ply == "end" else ply or None, animate, tuple(map(Arrow.of, moves_of("arrows", arrows))),
        squares_of("marks", marks), solve, Solver(SolveOptions(seconds)),
    )  # fmt: skip
    picture = renderer.picture(PictureSubject("sfen", "", parsed.position, given))
    if form == "svg":
        return Svg(picture)
    try:
        return Png(png_images([picture], scale)[0])
    except Missing as missing:
        raise ImportError(missing.message) from None
