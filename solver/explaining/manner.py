# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to answer a check: capture, king move, interposition."""

from __future__ import annotations

from enum import IntEnum, auto


class Manner(IntEnum):
    """Kinds of answer, in the order in which people consider them."""

    TAKES_CHECKER = auto()
    """The king or another piece takes the checking piece."""
    MOVES_KING = auto()
    """The king goes to another square, or takes a piece that does not check."""
    MOVES_BETWEEN = auto()
    """A piece on the board comes between (移動合)."""
    DROPS_BETWEEN = auto()
    """A piece in hand is dropped between (合駒)."""
