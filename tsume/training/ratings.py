# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of problems that nobody has played yet, from their difficulty scores (docs/difficulty.md)."""

from __future__ import annotations

from db.training.records import PlayedRating, Rating

_LEAST_RATING, _POINT = 600.0, 20.0
"""The rating of a score of 0 and of each point of it: chosen, not measured."""
BOUNDS = (800.0, 2400.0)
"""Initial ratings beyond these would be guesses: hardly anybody is so much weaker or stronger."""
INITIAL_DEVIATION = 75.0
"""Of a problem: the less it is, the more a result says of the person and the less of the problem."""


def initial_rating(score: float) -> Rating:
    """The rating of a problem with a score: never lower for a higher score."""
    return Rating(min(max(_LEAST_RATING + _POINT * score, BOUNDS[0]), BOUNDS[1]), INITIAL_DEVIATION)


def score_of_rating(rating: float) -> float:
    """The score of the problems whose initial rating this is; beyond `BOUNDS` as if there were none."""
    return (rating - _LEAST_RATING) / _POINT


def problem_rating(score: float, played: Rating | None) -> Rating:
    """The rating of a problem: its own if it was played."""
    return played or initial_rating(score)


def current_rating(score: float, played: PlayedRating | None) -> Rating:
    """The same for the rating with its number of plays."""
    return initial_rating(score) if played is None else played.rating
