# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows over a board."""

from __future__ import annotations

import math

from tsume.diagrams.layout import CELL_HEIGHT, CELL_WIDTH, DiagramLayout, hand_places
from tsume.diagrams.look import Arrow, DiagramLook
from tsume_rules.position import Position

_SHAFT = 5.0
_HEAD_LENGTH, _HEAD_WIDTH = 15.0, 15.0
_FROM_CENTRE = 10.0
"""Distance of an arrow's start from the middle of its first square."""


def arrow_drawing(arrow: Arrow, position: Position, places: DiagramLayout, look: DiagramLook) -> str:
    """An arrow with a light edge, visible on pieces too."""
    start, end = _arrow_start(arrow, position, places), places.centre(arrow.target)
    length = math.dist(start, end)
    if length < 1:
        return ""
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    first = min(_FROM_CENTRE, length / 4)
    path = _arrow_path(start, along, first, length)
    return (
        f'<path d="{path}" fill="{look.colours.arrow}" fill-opacity="0.85" stroke="{look.colours.paper}"'
        f' stroke-width="1.5" stroke-linejoin="round"/>'
    )


def _arrow_start(arrow: Arrow, position: Position, places: DiagramLayout) -> tuple[float, float]:
    """The middle of the first square, or of the piece in hand; else a point above the target."""
    if arrow.origin is not None:
        return places.centre(arrow.origin)
    held = hand_places(position.attacker_hand, places.top)
    if arrow.drop in held:
        return places.attacker_x, held[arrow.drop]
    x, y = places.centre(arrow.target)
    return x + CELL_WIDTH / 2, y - CELL_HEIGHT / 2


def _arrow_path(start: tuple[float, float], along: tuple[float, float], first: float, last: float) -> str:
    """The outline of an arrow on a line, from the distance ``first`` from its start to ``last``."""
    neck = max(last - _HEAD_LENGTH, first)
    half, wide = _SHAFT / 2, _HEAD_WIDTH / 2
    upper = [(first, half), (neck, half), (neck, wide)]
    outline = [*upper, (last, 0.0), *((far, -off) for far, off in reversed(upper))]
    points = (
        (start[0] + along[0] * far - along[1] * off, start[1] + along[1] * far + along[0] * off)
        for far, off in outline
    )
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
