"""Mirror images are the same problem: one canonical form for both."""

from __future__ import annotations

from functools import lru_cache

from rules.position import Position
from rules.sfen import format_sfen


@lru_cache(maxsize=64)
def canonical(position: Position) -> Position:
    """A position or its mirror image: the one whose SFEN is the smaller."""
    return min(position, position.mirrored, key=format_sfen)


def canonical_sfen(position: Position) -> str:
    """The SFEN that a position and its mirror image share."""
    return format_sfen(canonical(position))
