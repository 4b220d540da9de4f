"""A learner of known strength trains for 30 days: the rating comes near, and what failed comes back."""

from __future__ import annotations

import pytest

from db.store import Store

pytest.importorskip("fsrs", reason="tsume[web] is not installed")

from tests.tsume.training.learner import Learner, fill

STRENGTHS = (1000.0, 1500.0, 2000.0)
SEEDS = range(8)
DAYS, NEW = 30, 2
NEAR = 100.0
"""Points of rating."""


def test_the_rating_comes_near_and_what_failed_comes_back() -> None:
    errors = []
    for strength in STRENGTHS:
        for seed in SEEDS:
            with Store.open(":memory:") as store:
                fill(store)
                learner = Learner(store, strength, seed)
                learner.train(DAYS, NEW)
                errors.append(learner.error)
            assert learner.rated == DAYS * NEW
            assert learner.late == []
    near = [error for error in errors if abs(error) <= NEAR]
    assert len(near) >= 0.9 * len(errors), errors
