# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of problems that nobody has played, and the order of the days."""

from __future__ import annotations

from datetime import date
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.training.records import Rating
from tsume.training.days import MOST_DAYS, day_rotation, place_of_day
from tsume.training.ratings import BOUNDS, initial_rating, problem_rating, score_of_rating


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
