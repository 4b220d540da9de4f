# SPDX-License-Identifier: GPL-3.0-or-later
"""A learner of known strength trains for 30 days: the rating comes near, and what failed comes back."""

from __future__ import annotations

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from db.store import Store
from tests.tsume.training.learner import Learner, fill

STRENGTHS = (1000.0, 1500.0, 2000.0)
DAYS, NEW = 30, 2
"""60 problems."""
NEAR = 100.0
"""Points of rating."""


def errors_of(strength: float, seeds: range) -> list[float]:
    """How far the ratings of learners are from their strength after 60 problems in 30 days."""
    errors = []
    for seed in seeds:
        with Store.open(":memory:") as store:
            fill(store)
            learner = Learner(store, strength, seed)
            learner.train(DAYS, NEW)
            errors.append(learner.error)
        assert learner.rated == DAYS * NEW
        assert learner.late == []
    return errors


def share_near(errors: list[float]) -> float:
    return sum(abs(error) <= NEAR for error in errors) / len(errors)


def test_the_rating_comes_near_and_what_failed_comes_back() -> None:
    errors = [error for strength in STRENGTHS for error in errors_of(strength, range(6))]
    assert share_near(errors) >= 0.9, errors


@pytest.mark.slow
@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_rating_comes_near_for_many_learners(strength: float) -> None:
    errors = errors_of(strength, range(200))
    assert share_near(errors) >= 0.95, sorted(errors)
