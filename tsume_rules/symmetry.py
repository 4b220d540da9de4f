# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror images are the same problem: one canonical form for both."""

from __future__ import annotations

import re
from functools import lru_cache

from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

_SQUARES = re.compile(r"\+?[A-Za-z]|\d", re.ASCII)


@lru_cache(maxsize=64)
def canonical(position: Position) -> Position:
    """A position or its mirror image, whichever SFEN sorts first."""
    sfen = format_sfen(position)
    return position if sfen <= mirrored_sfen(sfen) else position.mirrored


def canonical_sfen(position: Position) -> str:
    """The SFEN that a position and its mirror image share."""
    sfen = format_sfen(position)
    return min(sfen, mirrored_sfen(sfen))


def mirrored_sfen(sfen: str) -> str:
    """The mirror image of an SFEN that `format_sfen` wrote; quicker than mirroring the position."""
    board, _, others = sfen.partition(" ")
    ranks = ("".join(reversed(_SQUARES.findall(rank))) for rank in board.split("/"))
    return f"{'/'.join(ranks)} {others}"
