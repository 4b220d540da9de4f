"""Mirror images are the same problem: one canonical form for both."""

from __future__ import annotations

from rules.position import Position
from rules.sfen import format_sfen


def canonical_sfen(position: Position) -> str:
    """The SFEN that a position and its mirror image share (the smaller of the two)."""
    return min(format_sfen(position), format_sfen(position.mirrored))


def is_canonical(position: Position) -> bool:
    """Whether a position is its own canonical form."""
    return format_sfen(position) == canonical_sfen(position)
