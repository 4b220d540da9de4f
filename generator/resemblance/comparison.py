# SPDX-License-Identifier: GPL-3.0-or-later
"""What two problems have in common: the definition, for a pair of them."""

from __future__ import annotations

from enum import IntEnum

from generator.line_keys import line_key
from generator.resemblance.placement import Item, Placement, piece_of, square_of


class Resemblance(IntEnum):
    """How much two problems are alike, most first.

    Up to `IDLE` they are one problem: the same position, mirrored, with all pieces moved alike, or with
    other pieces that do not move. From `KINDS` on they differ, but little.
    """

    SAME = 0
    MIRRORED = 1
    SHIFTED = 2
    IDLE = 3
    KINDS = 4
    """The defender's pieces are of other kinds, and the line is another one."""
    EDGE = 5
    """The same pieces around the king, which stands at another distance from the edges."""
    ONE_PIECE = 6
    """One piece more or less, of another kind, or on another square."""

    @property
    def is_equal(self) -> bool:
        """Whether two problems are one, not only near."""
        return self <= Resemblance.IDLE


def resemblance(one: Placement, other: Placement) -> Resemblance | None:
    """How much two problems are alike; None if they are different.

    Positions are compared relative to the defender's king, and mirrored. Kinds of the defender's pieces make
    no difference unless both lines are known and differ. Of problems whose lines are the same, distances
    from the edges make none, nor do the kinds and sides of pieces that stay where they are in the line.
    """
    found = [_resemblance_as_placed(one, placed) for placed in (other, other.mirror_image)]
    return min((kind for kind in found if kind is not None), default=None)


def _resemblance_as_placed(one: Placement, other: Placement) -> Resemblance | None:
    """The same without mirroring."""
    fewer, more = one.pieces - other.pieces, other.pieces - one.pieces
    is_near = len(fewer) <= 1 and len(more) <= 1
    if not is_near and one.occupied != other.occupied:
        return None
    has_same_line = _has_same_line(one, other)
    if one.edges != other.edges and not has_same_line:
        return None if fewer or more else Resemblance.EDGE
    if not fewer and not more:
        if one.kinds != other.kinds:
            return Resemblance.IDLE if has_same_line or not (one.line and other.line) else Resemblance.KINDS
        return _kind_of_equality(one, other)
    if has_same_line and one.occupied == other.occupied and _are_idle(fewer | more, one, other):
        return Resemblance.IDLE
    return Resemblance.ONE_PIECE if is_near and _is_one_change([*fewer], [*more]) else None


def _kind_of_equality(one: Placement, other: Placement) -> Resemblance:
    if other.is_mirrored:
        here = other.position.mirrored
        return Resemblance.MIRRORED if one.position == here else Resemblance.SHIFTED
    return Resemblance.SAME if one.position == other.position else Resemblance.SHIFTED


def _has_same_line(one: Placement, other: Placement) -> bool:
    """Whether both lines are known, and one is the other mirrored or moved on the board."""
    if not one.line or len(one.line) != len(other.line):
        return False
    return line_key(one.line) == line_key(other.line)


def _are_idle(pieces: frozenset[Item], one: Placement, other: Placement) -> bool:
    """Whether no move of the lines leads from or to the squares of these pieces."""
    return not {square_of(item) for item in pieces} & (one.line_squares | other.line_squares)


def _is_one_change(fewer: list[Item], more: list[Item]) -> bool:
    """Whether a piece was added, taken away, exchanged for another, or moved, also to or from the hand."""
    if not fewer or not more:
        return True
    return square_of(fewer[0]) == square_of(more[0]) or piece_of(fewer[0]) == piece_of(more[0])
