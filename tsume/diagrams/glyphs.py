# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of characters: pictures need no font on the viewer's machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tsume.diagrams.diagram_glyphs import diagram_glyphs
from tsume.diagrams.font_glyphs import Glyph, font_glyph, font_units


@cache
def glyph(character: str) -> Glyph:
    """The shape of a character, or that of a substitute if the font lacks it."""
    known = diagram_glyphs().get(character)
    return font_glyph(character) if known is None else known


@cache
def glyph_outline(character: str, size: float, x: float, y: float) -> str:
    """The SVG path of a character with its origin at (x, y), ``size`` high, y downwards."""
    scale = size / font_units()
    return "".join(_step(command, at, scale, x, y) for command, at in glyph(character).outline)


def _step(command: str, at: tuple[float, ...], scale: float, x: float, y: float) -> str:
    """A command of a path, moved to its place; V is the one whose first coordinate goes upwards."""
    first = 1 if command == "V" else 0
    places = [
        y - value * scale if number % 2 == 1 else x + value * scale for number, value in enumerate(at, first)
    ]
    return command + " ".join(map(_svg_number, places))


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


def _placed_characters(text: str, size: float, x: float) -> Iterator[tuple[str, float]]:
    for character in text:
        yield character, round(x, 2)
        x += glyph(character).advance * size / font_units()


def _svg_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
