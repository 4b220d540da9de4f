# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of problems: from their difficulty scores (docs/difficulty.md), and after results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from heapq import nsmallest
from itertools import count
from math import exp, log, pi, sqrt
from typing import TypeVar

from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import PlayedRating, Rating
from solver.results import rating_of_score

# --- glicko-2: ratings with a deviation and a volatility -------------------------------------------
#
# After Mark Glickman, "Example of the Glicko-2 system" (2013), whose steps are numbered here.

CENTRE, SCALE = 1500.0, 173.7178
"""From the scale of Glicko to that of Glicko-2 and back."""
SYSTEM = 0.5
"""τ: how much the volatility may change; 0.3 to 1.2 are usual."""
MIN_DEVIATION, MAX_DEVIATION = 30.0, 350.0
_ACCURACY = 1e-6

Game = tuple[Rating, float]
"""The opponent, and 1 for a win or 0 for a loss."""


def expected_score(player: Rating, opponent: Rating) -> float:
    """Return the chance that a player wins, as far as both ratings are known."""
    deviation = sqrt(player.deviation**2 + opponent.deviation**2) / SCALE
    return _chance((player.rating - opponent.rating) / SCALE, _weight(deviation))


def updated_rating(player: Rating, games: Sequence[Game], periods: float = 1.0) -> Rating:
    """Return the rating after some games in a rating period, which began ``periods`` after the last one.

    Without games only the deviation grows. The deviation stays between `MIN_DEVIATION` and `MAX_DEVIATION`.
    """
    mean, deviation = (player.rating - CENTRE) / SCALE, player.deviation / SCALE  # step 2
    if not games:
        grown = _grown(deviation, player.volatility, periods)
        return Rating(player.rating, _bounded(SCALE * grown), player.volatility)
    opponents = [((one.rating - CENTRE) / SCALE, _weight(one.deviation / SCALE), won) for one, won in games]
    chances = [_chance(mean - other, weight) for other, weight, _ in opponents]
    information = sum(
        weight**2 * chance * (1 - chance) for (_, weight, _), chance in zip(opponents, chances, strict=True)
    )
    variance = 1 / information  # step 3
    surplus = sum(weight * (won - chance) for (_, weight, won), chance in zip(opponents, chances, strict=True))
    volatility = _volatility(player.volatility, deviation, variance, variance * surplus)
    grown = _grown(deviation, volatility, periods)  # step 6
    after = 1 / sqrt(1 / grown**2 + 1 / variance)  # step 7
    return Rating(CENTRE + SCALE * (mean + after**2 * surplus), _bounded(SCALE * after), volatility)


def _weight(deviation: float) -> float:
    """g(φ): how much a game against an opponent of this deviation counts."""
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _chance(difference: float, weight: float) -> float:
    """E: the chance to win; bounded, because a certain result says nothing."""
    chance = 1 / (1 + exp(min(500.0, -weight * difference)))
    return min(max(chance, 1e-9), 1 - 1e-9)


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return sqrt(deviation**2 + periods * volatility**2)


def _bounded(deviation: float) -> float:
    return min(max(deviation, MIN_DEVIATION), MAX_DEVIATION)


def _volatility(before: float, deviation: float, variance: float, improvement: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start, surprise = log(before**2), improvement**2 - deviation**2 - variance

    def slope(x: float) -> float:
        power = exp(x)
        spread = deviation**2 + variance + power
        return power * (improvement**2 - spread) / (2 * spread**2) - (x - start) / SYSTEM**2

    beyond = (start - steps * SYSTEM for steps in count(1))  # until the slope is not below 0, or no number
    low, high = start, log(surprise) if surprise > 0 else next(x for x in beyond if not slope(x) < 0)
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _ACCURACY:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


UNRATED_MODES = ("review", "timed", "survival", "choices")
"""A problem that comes back, hurry, and checks to choose from say little of a person's strength."""
PERIODS_PER_DAY = 0.2
"""Rating periods in a day without results; lichess has 0.21."""
MAX_CHANGE = 100.0
"""Points by which one result moves a person's rating at most: the first deviation is so large that a single
game would move it by hundreds. The deviation shrinks as in Glicko-2."""
_DAY_SECONDS = 86400

INITIAL_DEVIATION = 75.0
"""Of a problem: the less it is, the more a result says of the person and the less of the problem."""


def initial_rating(score: float) -> Rating:
    """Return the rating of a problem with a score: never lower for a higher score."""
    return Rating(rating_of_score(score), INITIAL_DEVIATION)


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
    played = updated_rating(person, [(problem, float(clean))], days * PERIODS_PER_DAY)
    bounded = min(max(played.rating, person.rating - MAX_CHANGE), person.rating + MAX_CHANGE)
    return replace(played, rating=bounded), updated_rating(problem, [(person, float(not clean))], periods=0)


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


def plays_fields(played: PlayedRating) -> dict[str, int]:
    """Return how well a rating by results is known, as JSON fields."""
    return {"rating_deviation": round(played.rating.deviation), "plays": played.plays}


# --- the problem of the day: problems in a fixed random order, which each day goes one further -----

T = TypeVar("T")
MAX_DAYS = 1000
"""Problems that rotate."""
_FIRST = date(1970, 1, 1)


def daily_problem_rotation(problems: Iterable[T], canonical: Callable[[T], str]) -> list[T]:
    """Return at most `MAX_DAYS` problems in the order in which they come up.

    ``canonical`` gives a problem's canonical SFEN: by its hash the order is the same everywhere and tells nothing.
    """
    return nsmallest(MAX_DAYS, problems, key=lambda one: sha256(canonical(one).encode()).digest())


def place_of_day(day: date, number: int) -> int:
    """Return the place in a rotation of ``number`` problems whose turn it is on a date."""
    return (day - _FIRST).days % number
