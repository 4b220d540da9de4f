# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a composer's own for the final position, given by their rows. Nothing here needs a compiler."""

from __future__ import annotations

LEAST_FIGURE, MOST_FIGURE = 5, 30
"""Pieces of a figure: fewer make none, and more leave none to mate with."""


def is_figure(picture: str) -> bool:
    """Whether a picture is given by its rows, not by its name."""
    return "#" in picture


def read_figure(text: str) -> str:
    """A figure as its rows from the top, ``#`` a piece and ``.`` none, with ``/`` between them.

    Raises ``ValueError``: other marks, no room on the board, or too few pieces or too many.
    """
    rows = text.strip().split("/")
    if not all(row and set(row) <= {"#", "."} for row in rows):
        raise ValueError("a figure has rows of # and . with / between them, such as .#./###/.#.")
    if len(rows) > 9 or max(map(len, rows)) > 9:
        raise ValueError("a figure has at most 9 rows of 9 squares")
    if not LEAST_FIGURE <= text.count("#") <= MOST_FIGURE:
        raise ValueError(f"a figure has from {LEAST_FIGURE} to {MOST_FIGURE} pieces")
    return "/".join(rows)
