# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings by Glicko-2, also beside a twin of the paper; scores as ratings; the problem of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from hashlib import sha256
from math import exp, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.training.records import Rating
from tsume.training.ratings import (
    BOUNDS,
    MAX_CHANGE,
    MAX_DAYS,
    MAX_DEVIATION,
    MIN_DEVIATION,
    Game,
    day_rotation,
    expected_score,
    initial_rating,
    place_of_day,
    played_ratings,
    problem_rating,
    rated,
    score_of_rating,
)


@given(st.floats(-100, 1000), st.floats(-100, 1000), st.floats(*BOUNDS))
def test_a_higher_score_never_has_a_lower_rating(some: float, other: float, rating: float) -> None:
    low, high = (initial_rating(score) for score in sorted((some, other)))
    assert BOUNDS[0] <= low.rating <= high.rating <= BOUNDS[1]
    assert initial_rating(score_of_rating(rating)).rating == pytest.approx(rating)


def test_own_ratings_and_the_rotation_of_days() -> None:
    own = Rating(1234.0, 60.0)
    assert problem_rating(50.0, own) == own
    assert problem_rating(50.0, None) == initial_rating(50.0)
    texts = [f"{number} b - 1" for number in range(MAX_DAYS + 100)]
    expected = sorted(texts, key=lambda text: sha256(text.encode()).digest())[:MAX_DAYS]
    assert day_rotation(reversed(texts), str) == expected
    places = [place_of_day(date(2026, 1, day), 7) for day in range(1, 15)]
    assert places == [(places[0] + day) % 7 for day in range(14)]
    assert place_of_day(date(1970, 1, 1), 5) == 0
    assert place_of_day(date(1969, 12, 31), 5) == 4


@given(st.floats(*BOUNDS), st.booleans())
def test_a_first_result_moves_the_rating_by_so_much_only(problem: float, clean: bool) -> None:
    """And in the right direction; what it says of the person is known as well as before the limit."""
    now, person = datetime(2026, 1, 1, tzinfo=UTC), Rating()
    after, _ = played_ratings(person, None, Rating(problem, 75.0), now, clean=clean)
    change = after.rating - person.rating
    assert 0 < (change if clean else -change) <= MAX_CHANGE == 100
    assert after.deviation < person.deviation


RATINGS = st.builds(Rating, st.floats(0, 3500), st.floats(MIN_DEVIATION, 350), st.floats(0.03, 0.12))
GAMES = st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 1.0])), min_size=1, max_size=8)


def test_the_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def twin(player: Rating, games: list[Game], system: float = 0.5) -> Rating:
    """The formulas as the paper has them; the volatility by bisection."""
    mu, phi = (player.rating - 1500) / 173.7178, player.deviation / 173.7178
    information = gain = 0.0
    for opponent, won in games:
        g = 1 / sqrt(1 + 3 * (opponent.deviation / 173.7178) ** 2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - (opponent.rating - 1500) / 173.7178)))
        information += g**2 * expected * (1 - expected)
        gain += g * (won - expected)
    v = 1 / information
    delta = v * gain

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - log(player.volatility**2)) / system**2

    low, high = -40.0, 10.0  # f falls from positive to negative
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    volatility = exp(low / 2)
    grown = sqrt(phi**2 + volatility**2)
    after = 1 / sqrt(1 / grown**2 + 1 / v)
    return Rating(1500 + 173.7178 * (mu + after**2 * gain), 173.7178 * after, volatility)


@given(RATINGS, GAMES)
def test_the_twin(player: Rating, games: list[Game]) -> None:
    after, expected = rated(player, games), twin(player, games)
    assert after.rating == pytest.approx(expected.rating, abs=1e-2)
    assert after.volatility == pytest.approx(expected.volatility, rel=1e-4)
    bounded = min(max(expected.deviation, MIN_DEVIATION), MAX_DEVIATION)
    assert after.deviation == pytest.approx(bounded, rel=1e-4)


@given(RATINGS, RATINGS)
def test_a_win_raises_and_a_loss_lowers(player: Rating, opponent: Rating) -> None:
    won, lost = rated(player, [(opponent, 1.0)]), rated(player, [(opponent, 0.0)])
    assert lost.rating < player.rating < won.rating
    assert expected_score(player, opponent) + expected_score(opponent, player) == pytest.approx(1)


@given(RATINGS, st.floats(0, 500), st.floats(0, 500))
def test_the_deviation_grows_with_time(player: Rating, some: float, more: float) -> None:
    early, late = (rated(player, [], periods) for periods in sorted((some, more)))
    assert player.deviation <= early.deviation + 1e-9
    assert early.deviation <= late.deviation <= MAX_DEVIATION
    assert early.rating == late.rating == player.rating


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0]))
def test_far_ratings_are_no_errors(rating: float, other: float, won: float) -> None:
    after = rated(Rating(rating), [(Rating(other), won)])
    assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
