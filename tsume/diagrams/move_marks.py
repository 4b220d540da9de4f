# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks around a letter: a dot for each step of the piece, a triangle for each direction it slides in."""

from __future__ import annotations

from math import hypot

from tsume_rules.legality import SLIDES, STEPS, Step
from tsume_rules.position import Kind

_COLUMN, _ROW = 12.8, 12.6
"""How far the marks are from the letter."""
_JUMP = (6.0, 15.5)
"""Where the knight's marks are: in the tip."""
_DOT = 2.5
"""The radius of a dot."""
_TRIANGLE = (4.0, 3.2, 3.7)
"""From the middle of a triangle to its tip and to its base; half the width of the base."""


def move_marks(kind: Kind, size: float, low: float) -> str:
    """The path of the marks of an upright piece; ``low``: how far below (0, 0) its letter is."""
    dots = (_dot(*_place(step, size, low), size) for step in STEPS.get(kind, ()))
    triangles = (_triangle(step, *_place(step, size, low), size) for step in SLIDES.get(kind, ()))
    return "".join((*dots, *triangles))


def _place(step: Step, size: float, low: float) -> tuple[float, float]:
    """The middle of the mark of a step."""
    left, up = step
    column, row = _JUMP if abs(up) == 2 else (_COLUMN, _ROW)
    sign = (up > 0) - (up < 0)
    return -left * column * size, low - sign * row * size


def _dot(x: float, y: float, size: float) -> str:
    radius = _DOT * size
    half = f"a{radius:.1f} {radius:.1f} 0 0 1"
    return f"M{x - radius:.1f} {y:.1f}{half} {2 * radius:.1f} 0{half} {-2 * radius:.1f} 0Z"


def _triangle(step: Step, x: float, y: float, size: float) -> str:
    """A triangle that points in a direction."""
    length = hypot(*step)
    dx, dy = -step[0] / length, -step[1] / length
    tip, base, half = (part * size for part in _TRIANGLE)
    corners = [
        (x + dx * tip, y + dy * tip),
        (x - dx * base - dy * half, y - dy * base + dx * half),
        (x - dx * base + dy * half, y - dy * base - dx * half),
    ]
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"
