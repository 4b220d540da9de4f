# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of problems: from their difficulty scores (docs/difficulty.md), and after results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import PlayedRating, Rating
from tsume.training.glicko2 import rated

UNRATED_MODES = ("review", "timed", "survival")
"""A problem that comes back, and hurry, say little of a person's strength."""
PERIODS_PER_DAY = 0.2
"""Rating periods in a day without results; lichess has 0.21."""
MOST_CHANGE = 100.0
"""Points by which one result moves a person's rating at most: the first deviation is so large that a single
game would move it by hundreds. The deviation shrinks as in Glicko-2."""
_DAY_SECONDS = 86400

_LEAST_RATING, _POINT = 600.0, 20.0
"""The rating of a score of 0 and of each point of it: chosen, not measured."""
BOUNDS = (800.0, 2400.0)
"""Initial ratings beyond these would be guesses: hardly anybody is so much weaker or stronger."""
INITIAL_DEVIATION = 75.0
"""Of a problem: the less it is, the more a result says of the person and the less of the problem."""


def initial_rating(score: float) -> Rating:
    """Return the rating of a problem with a score: never lower for a higher score."""
    return Rating(min(max(_LEAST_RATING + _POINT * score, BOUNDS[0]), BOUNDS[1]), INITIAL_DEVIATION)


def score_of_rating(rating: float) -> float:
    """The score of the problems whose initial rating this is; beyond `BOUNDS` as if there were none."""
    return (rating - _LEAST_RATING) / _POINT


def problem_rating(score: float, played: Rating | None) -> Rating:
    """Return the rating of a problem: its own if it was played."""
    return played or initial_rating(score)


def current_rating(score: float, played: PlayedRating | None) -> Rating:
    """Return the same for the rating with its number of plays."""
    return initial_rating(score) if played is None else played.rating


def played_ratings(
    person: Rating, last: datetime | None, problem: Rating, now: datetime, *, clean: bool
) -> tuple[Rating, Rating]:
    """Return the ratings of a person and a problem after a game of the two, in a rating period of its own.

    ``last`` is the time of the person's last game, ``clean`` says whether the person won.
    """
    days = max(0.0, (now - (last or now)).total_seconds() / _DAY_SECONDS)
    played = rated(person, [(problem, float(clean))], days * PERIODS_PER_DAY)
    bounded = min(max(played.rating, person.rating - MOST_CHANGE), person.rating + MOST_CHANGE)
    return replace(played, rating=bounded), rated(problem, [(person, float(not clean))], periods=0)


# --- problems with their ratings by results --------------------------------------------------------

RatedProblem = tuple[StoredProblem, PlayedRating | None]


def problems_with_ratings(store: Store, wanted: ProblemSelection) -> Iterator[RatedProblem]:
    """Yield the problems of a selection in its order, read page by page; None for one that was not played."""
    for numbers in store.id_pages(wanted):
        yield from rated_problems(store, numbers)


def rated_problems(store: Store, problem_ids: Sequence[int]) -> Iterator[RatedProblem]:
    """Yield the problems with these ids, in their order; None for one that was not played."""
    ratings = store.training.results.problem_ratings(problem_ids)
    for problem in store.problems_of_ids(problem_ids):
        yield problem, ratings.get(problem.id)


def rating_fields(played: PlayedRating) -> dict[str, int]:
    """Return a rating by results as JSON fields."""
    rating = played.rating
    return {
        "rating": round(rating.rating),
        "rating_deviation": round(rating.deviation),
        "plays": played.plays,
    }
