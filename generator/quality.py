# SPDX-License-Identifier: GPL-3.0-or-later
"""How good a problem is as a composition, between 0 and 100 (docs/themes.md).

A proxy for what composers value: it separates published problems from random generated ones, and awarded
problems from routine ones. It depends on the position and its main line alone, needs no search, and is
invariant under mirroring. For difficulty see `solver.scoring.difficulty`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from generator.heuristics.table import heuristics_of
from generator.replay.line import ReplayedLine, replay_line
from generator.traits import quality_traits
from tsume_rules.moves import Move
from tsume_rules.position import Position

BASE = {1: 7.7, 3: -7.8, 5: -10.8, 7: -15.2, 9: -18.3, 11: -19.1, 13: -23.6, 15: -16.4}
"""The base points by length in plies, chosen so that published problems have 50 points on average.

Interpolated between lengths, constant beyond the ends.
"""
HEURISTIC_POINTS = {
    "quiet-move": 5.8,
    "distant-drop": 6.2,
    "discovered-check": 7.9,
    "double-check": 4.8,
    "obstruction-removal": 5.0,
    "switchback": 6.6,
    "knight-mate": 7.5,
    "interposition": 4.3,
    "moved-interposition": 6.6,
    "chuai": 6.6,
    "decoy": 7.4,
    "block": 6.1,
}
"""The points of each heuristic (`generator.heuristics.table`); the others have none."""
TRAIT_POINTS = {
    "sacrifices": 2.0,
    "big_sacrifices": 2.0,
    "non_promotions": 2.3,
    "variety": 2.0,
    "plain_key": 4.8,
    "capturing_key": -6.2,
    "captures": -2.6,
    "chasing": -2.0,
    "same_steps": -2.0,
    "open_squares": 3.0,
    "final_attackers": 2.5,
    "hand": 4.2,
    "defenders": 4.9,
    "close_defenders": 2.5,
    "home_pieces": 2.0,
    "promoted_small": -4.0,
    "far_pieces": -2.0,
}
"""The points of one unit of each trait (`generator.traits`)."""
_MIDDLE = 50.0
"""At this many points the quality is the same number; further away it changes more slowly."""


@dataclass(frozen=True)
class QualityAppraisal:
    """The quality of a problem and the points it is made of.

    ``parts`` holds the points by name, those that are not zero: ``base``, heuristics, traits.
    `quality_from_points` their sum is the quality.
    """

    quality: float
    parts: dict[str, float]


def appraise(position: Position, line: tuple[Move, ...]) -> QualityAppraisal:
    """The quality of a correct problem with its main line, replayed once."""
    parts = _quality_parts(replay_line(position, line))
    return QualityAppraisal(quality_from_points(math.fsum(parts.values())), parts)


def quality_from_points(points: float) -> float:
    """The quality for a number of points: nearly the same number around 50, never 0 or 100."""
    squashed = _MIDDLE * (1 + math.tanh((points - _MIDDLE) / _MIDDLE))
    return min(99.9, max(0.1, round(squashed, 1)))


def base_quality_points(length: int) -> float:
    """The base points of a problem of ``length`` plies."""
    at = min(max(length, min(BASE)), max(BASE))
    low, high = max(n for n in BASE if n <= at), min(n for n in BASE if n >= at)
    share = (at - low) / (high - low) if high > low else 0.0
    return round(BASE[low] + (BASE[high] - BASE[low]) * share, 2)


def _quality_parts(replayed: ReplayedLine) -> dict[str, float]:
    points = {name: HEURISTIC_POINTS.get(name, 0.0) for name in heuristics_of(replayed)}
    points |= {
        name: round(TRAIT_POINTS[name] * amount, 2) for name, amount in quality_traits(replayed).items()
    }
    return {"base": base_quality_points(len(replayed.plies))} | {
        name: value for name, value in points.items() if value
    }
