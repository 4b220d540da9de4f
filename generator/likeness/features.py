# SPDX-License-Identifier: GPL-3.0-or-later
"""The two views of a problem for comparing composed and published ones.

Both are numbers by name and invariant under mirroring. `scripts/bench likeness` trains a classifier on
each.
"""

from __future__ import annotations

from generator.likeness.course import line_features
from generator.likeness.placement import placement_features
from generator.likeness.shape import Features, shape_features
from generator.replay.line import replay_line
from tsume_rules.moves import Move
from tsume_rules.position import Position

__all__ = ["Features", "placement_and_shape", "shape_and_line"]


def shape_and_line(position: Position, line: tuple[Move, ...]) -> Features:
    """The first view: `shape_features` of the position and `line_features` of its main line.

    The names are the same for all problems. The line is legal, begins with the attacker and has at
    least one ply.
    """
    return shape_features(position) | line_features(replay_line(position, line))


def placement_and_shape(position: Position) -> Features:
    """The second view: pieces at offsets from the king (`placement_features`); a missing name counts as 0."""
    return placement_features(position)
