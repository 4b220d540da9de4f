# SPDX-License-Identifier: GPL-3.0-or-later
"""How good a problem is as a composition, between 0 and 100 (docs/themes.md).

A proxy for what composers value: it separates published problems from random generated ones, and awarded
problems from routine ones. It depends on the position and its main line alone, needs no search, and is
invariant under mirroring. For difficulty see `solver.scoring.difficulty`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from generator import replay
from generator.themes.predicates import BIG, stays_plain_for_a_reason
from generator.themes.table import HEURISTICS, heuristics_of
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.tables import DEF, KNIGHT, LANCE, OURS, PAWN, PROMOTION, SILVER
from tsume_rules.moves import Move
from tsume_rules.packed import Moves, PackedPosition, dropped, legal_checks, line_played, origin_of, played, target_of
from tsume_rules.position import Position, Side

# --- traits: numbers read off a problem and its main line, from which its quality is made (docs/themes.md) ---

_NEAR = 3
"""A piece at most this many king's moves from the king is near."""
_MAX_IN_HAND, _MAX_DEFENDERS, _MAX_CLOSE, _MAX_AT_HOME, _MAX_FINAL = 3, 4, 2, 2, 5
"""More than these is neither better nor worse."""

_SURPRISE = {KNIGHT: 0.5, **dict.fromkeys((PAWN, *BIG), 2.0)}
"""How surprising it is that a piece does not promote, else 1; least for a knight, which often does not."""


def quality_traits(replayed: replay.ReplayedLine) -> dict[str, float]:
    """Return the traits by name. Shares are of the attacker's moves except the last, so that they do not grow with
    length."""
    turns, start = replayed.turns, replayed.start
    earlier, key = max(1, len(turns) - 1), turns[0].check
    pairs = [(one.check, other.check) for one, other in pairwise(turns)]
    # One piece gives two checks by moving: it runs after the king.
    chases = [(one, other) for one, other in pairs if one.piece == other.piece]
    answers = [None, *(turn.answer for turn in turns)]
    captures = [
        turn
        for answer, turn in zip(answers, turns, strict=False)
        if turn.check.captured and (answer is None or answer.target != turn.check.target)
    ]
    king = replayed.plies[0].king
    cells = [cell for cell in replay.CELL_OF if start[cell]]
    defenders = [cell for cell in cells if start[cell] > OURS]
    close = sum(replay.is_piece_of_side(start[cell], DEF) for cell in replay.cells_around(king))
    at_home = sum(replay.is_on_home_square(start, cell) and start[cell] - OURS in (LANCE, KNIGHT) for cell in defenders)
    return {
        "sacrifices": len(replayed.sacrifices) / earlier,
        "big_sacrifices": sum(turn.check.kind in BIG for turn in replayed.sacrifices) / earlier,
        "non_promotions": sum(
            _SURPRISE.get(turn.check.kind, 1.0) for turn in turns if stays_plain_for_a_reason(replayed, turn.check)
        ),
        "variety": (len({turn.check.kind for turn in turns}) - 1) / earlier,
        "plain_key": float(not (key.captured or key.promotes)),
        "capturing_key": float(key.captured != 0),
        "captures": len(captures) / len(turns),
        "chasing": len(chases) / earlier,
        "same_steps": sum(
            one.target - one.origin == other.target - other.origin for one, other in chases
        ) / earlier,
        "open_squares": float(sum(replayed.end[cell] == 0 for cell in replay.cells_around(replayed.mated_king))),
        "final_attackers": float(min(_MAX_FINAL, len(replayed.final_attackers))),
        "hand": float(min(_MAX_IN_HAND, len(replayed.position.attacker_hand))),
        "defenders": float(min(_MAX_DEFENDERS, len(defenders) - 1)),
        "close_defenders": float(min(_MAX_CLOSE, close)),
        "home_pieces": float(min(_MAX_AT_HOME, at_home)),
        "promoted_small": float(sum(PAWN + PROMOTION <= start[cell] <= SILVER + PROMOTION for cell in cells)),
        "far_pieces": float(sum(replay.king_distance(cell, king) > _NEAR for cell in cells)),
    }  # fmt: skip


# --- the quality -----------------------------------------------------------------------------------

BASE = {1: 7.7, 3: -7.8, 5: -10.8, 7: -15.2, 9: -18.3, 11: -19.1, 13: -23.6, 15: -16.4}
"""The base points by length in plies, chosen so that published problems have 50 points on average.

Interpolated between lengths, constant beyond the ends.
"""
HEURISTIC_POINTS = {name: one.points for name, one in HEURISTICS.items() if one.points}
"""The points of each heuristic; the others have none."""
TRAIT_POINTS = {
    "sacrifices": 2.0, "big_sacrifices": 2.0, "non_promotions": 2.3, "variety": 2.0, "plain_key": 4.8,
    "capturing_key": -6.2, "captures": -2.6, "chasing": -2.0, "same_steps": -2.0, "open_squares": 3.0,
    "final_attackers": 2.5, "hand": 4.2, "defenders": 4.9, "close_defenders": 2.5, "home_pieces": 2.0,
    "promoted_small": -4.0, "far_pieces": -2.0,
}  # fmt: skip
"""The points of one unit of each trait (`generator.quality`)."""
_MIDDLE = 50.0
"""At this many points the quality is the same number; further away it changes more slowly."""


@dataclass(frozen=True)
class QualityAppraisal:
    """The quality of a problem and the points it is made of. ``parts`` holds the points by name, those that are not
    zero: ``base``, heuristics, traits. `quality_from_points` their sum is the quality."""

    quality: float
    parts: dict[str, float]


def appraise(position: Position, line: tuple[Move, ...]) -> QualityAppraisal:
    """Return the quality of a correct problem with its main line, replayed once."""
    replayed = replay.replay_line(position, line)
    points = {name: HEURISTIC_POINTS.get(name, 0.0) for name in heuristics_of(replayed)}
    points |= {name: round(TRAIT_POINTS[name] * amount, 2) for name, amount in quality_traits(replayed).items()}
    parts = {"base": base_quality_points(len(replayed.plies))} | {
        name: value for name, value in points.items() if value
    }
    return QualityAppraisal(quality_from_points(math.fsum(parts.values())), parts)


def quality_from_points(points: float) -> float:
    """Return the quality for a number of points: nearly the same number around 50, never 0 or 100."""
    squashed = _MIDDLE * (1 + math.tanh((points - _MIDDLE) / _MIDDLE))
    return min(99.9, max(0.1, round(squashed, 1)))


def base_quality_points(length: int) -> float:
    """Return the base points of a problem of ``length`` plies."""
    at = min(max(length, min(BASE)), max(BASE))
    low, high = max(n for n in BASE if n <= at), min(n for n in BASE if n >= at)
    share = (at - low) / (high - low) if high > low else 0.0
    return round(BASE[low] + (BASE[high] - BASE[low]) * share, 2)


# --- the last move of a problem: whether another one mates as well (最終手余詰) -------------------------

_ROOM = 1 << 12
"""Scratch space of `is_mated`."""


def has_two_last_moves(packed: PackedPosition, line: Moves) -> bool:
    """Return whether another last check of a line mates at once; another promotion is no other check."""
    out = np.empty(_ROOM, dtype=np.int64)

    def mates(check: int) -> bool:
        with played(packed, check, Side.ATTACKER):
            return bool(is_mated(packed, NARROW, out, 0))

    with line_played(packed, line[:-1]):
        return any(mates(check) for check in legal_checks(packed) if _route(check) != _route(line[-1]))


def _route(move: int) -> tuple[int, int, int]:
    return dropped(move), origin_of(move), target_of(move)
