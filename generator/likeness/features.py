"""The two views of a problem for comparing composed and published ones.

Both are numbers by name and invariant under mirroring. `scripts/bench likeness` trains a classifier on
each.
"""

from __future__ import annotations

from generator.likeness.course import course
from generator.likeness.placement import placement
from generator.likeness.shape import Features, shape
from generator.replay.line import replay
from tsume_rules.moves import Move
from tsume_rules.position import Position

__all__ = ["Features", "shape_and_line", "where_pieces_stand"]


def shape_and_line(position: Position, line: tuple[Move, ...]) -> Features:
    """The first view: the shape of the position (`shape`) and the course of its main line (`course`).

    The names are the same for all problems. The line is legal, begins with the attacker and has at
    least one ply.
    """
    return shape(position) | course(replay(position, line))


def where_pieces_stand(position: Position) -> Features:
    """The second view: pieces at offsets from the king (`placement`); a missing name counts as 0."""
    return placement(position)
