# SPDX-License-Identifier: GPL-3.0-or-later
"""Glicko-2: the example of the paper, a twin, and what holds for all ratings."""

from __future__ import annotations

from math import exp, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.training.records import Rating
from tsume.training.glicko2 import LEAST_DEVIATION, MOST_DEVIATION, Game, expected_score, rated

RATINGS = st.builds(Rating, st.floats(0, 3500), st.floats(LEAST_DEVIATION, 350), st.floats(0.03, 0.12))
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
    bounded = min(max(expected.deviation, LEAST_DEVIATION), MOST_DEVIATION)
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
    assert early.deviation <= late.deviation <= MOST_DEVIATION
    assert early.rating == late.rating == player.rating


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0]))
def test_far_ratings_are_no_errors(rating: float, other: float, won: float) -> None:
    after = rated(Rating(rating), [(Rating(other), won)])
    assert LEAST_DEVIATION <= after.deviation <= MOST_DEVIATION
