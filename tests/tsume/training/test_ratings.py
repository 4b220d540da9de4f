# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of problems that nobody has played, and the order of the days."""

from __future__ import annotations

from datetime import UTC, date, datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.training.records import Rating
from tsume.training.choosing import MOST_DAYS, day_rotation, place_of_day
from tsume.training.ratings import (
    BOUNDS,
    MOST_CHANGE,
    initial_rating,
    played_ratings,
    problem_rating,
    score_of_rating,
)


@given(st.floats(-100, 1000), st.floats(-100, 1000))
def test_a_higher_score_never_has_a_lower_rating(some: float, other: float) -> None:
    low, high = (initial_rating(score) for score in sorted((some, other)))
    assert BOUNDS[0] <= low.rating <= high.rating <= BOUNDS[1]


@given(st.floats(*BOUNDS))
def test_the_score_of_a_rating(rating: float) -> None:
    assert initial_rating(score_of_rating(rating)).rating == pytest.approx(rating)


def test_a_rating_of_its_own_counts() -> None:
    own = Rating(1234.0, 60.0)
    assert problem_rating(50.0, own) == own
    assert problem_rating(50.0, None) == initial_rating(50.0)


def test_the_rotation_is_that_of_the_hashes() -> None:
    texts = [f"{number} b - 1" for number in range(MOST_DAYS + 100)]
    expected = sorted(texts, key=lambda text: sha256(text.encode()).digest())[:MOST_DAYS]
    assert day_rotation(reversed(texts), str) == expected


def test_each_day_takes_the_next_one() -> None:
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
    assert 0 < (change if clean else -change) <= MOST_CHANGE == 100
    assert after.deviation < person.deviation
