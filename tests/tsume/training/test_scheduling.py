# SPDX-License-Identifier: GPL-3.0-or-later
"""When problems come back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

import fsrs

from db.training.records import Card, Outcome
from tsume.training.scheduling import grade_of, rescheduled

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
CLEAN = Outcome(1, "training", True, 3, 0, 0, 30)
FAILED, HINTED, FAST = replace(CLEAN, mistakes=1), replace(CLEAN, hints=1), replace(CLEAN, seconds=10)
GIVEN_UP = replace(CLEAN, solved=False)


def test_grades() -> None:
    grades = {"Again": (FAILED, GIVEN_UP, replace(FAILED, hints=2)), "Hard": (HINTED,), "Good": (CLEAN,),
              "Easy": (FAST,)}  # fmt: skip
    for name, outcomes in grades.items():
        for outcome in outcomes:
            assert grade_of(outcome, 3) is fsrs.Rating[name]
    assert grade_of(replace(CLEAN, seconds=30), 11) is fsrs.Rating.Easy  # six moves of the solver


def test_the_better_the_later() -> None:
    dues = [rescheduled(None, outcome, 3, NOW).due for outcome in (FAILED, HINTED, CLEAN, FAST)]
    assert dues == sorted(dues)
    assert dues[0] == NOW + DAY
    assert dues[-1] > NOW + 3 * DAY
    assert rescheduled(None, CLEAN, 3, NOW) == rescheduled(None, CLEAN, 3, NOW)


@given(st.lists(st.tuples(st.sampled_from([FAILED, GIVEN_UP, HINTED, CLEAN, FAST]), st.floats(0, 90))))
def test_a_failure_always_comes_back_sooner(history: list[tuple[Outcome, float]]) -> None:
    card: Card | None = None
    now = NOW
    for outcome, days in history:
        card, now = rescheduled(card, outcome, 5, now), now + timedelta(days=days)
        assert card.due > now - timedelta(days=days)
    failed, clean = rescheduled(card, FAILED, 5, now), rescheduled(card, CLEAN, 5, now)
    assert now + DAY <= failed.due <= clean.due
    assert (failed.failed, clean.failed) == (True, False)
    assert rescheduled(failed, HINTED, 5, now).failed
