# SPDX-License-Identifier: GPL-3.0-or-later
"""When a problem comes back, and whether the rating comes near the strength of simulated learners."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.problem_rows import Addition
from db.store import Store
from db.training.records import Outcome, StoredPerson
from tests.db.samples import problem
from tsume.training.ratings import initial_rating
from tsume.training.trainer import Trainer, Wish

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

import fsrs

from db.training.records import Card
from tsume.training.trainer import grade_of, rescheduled

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


PROBLEMS = 600
MIN_SCORE, MAX_SCORE = 10.0, 90.0
REMEMBERED = 150.0
"""Points by which each attempt at a problem makes it easier."""
START = datetime(2026, 1, 1, 18, tzinfo=UTC)


def fill(store: Store) -> None:
    """Problems of all ratings."""
    step = (MAX_SCORE - MIN_SCORE) / (PROBLEMS - 1)
    store.add_all([Addition(problem(n, score=MIN_SCORE + step * n)) for n in range(PROBLEMS)])


@dataclass
class Learner:
    """Solves what comes next in mode ``training``, with the chance that Elo's formula gives.

    ``noise``: the standard deviation of the true ratings of problems about those that their scores give.
    """

    store: Store
    strength: float
    seed: int
    noise: float = 0.0
    now: datetime = START
    rated: int = 0
    due: dict[int, datetime] = field(default_factory=dict)
    """When each failed problem comes back."""
    late: list[int] = field(default_factory=list)
    """Failed problems that a visit after their date did not offer."""

    def __post_init__(self) -> None:
        self._random = Random(f"{self.strength} {self.seed}")
        self._trainer = Trainer(self.store, lambda: self.now)
        self._scores = {one.id: one.difficulty.score for one in self.store.find()}
        self._seen: dict[int, int] = {}

    @property
    def person(self) -> StoredPerson:
        """As stored."""
        return self.store.training.persons.unnamed()

    @property
    def error(self) -> float:
        """How far the rating is from the strength."""
        return self.person.rating.rating - self.strength

    def train(self, days: int, new: int) -> None:
        """Visit on most days, for so many new problems each time, ``new`` * ``days`` in all."""
        wanted = days * new
        for day in range(days):
            self.now = START + timedelta(days=day, minutes=self._random.uniform(-300, 300))
            is_last = day == days - 1
            if is_last or self._random.random() < 0.8:
                until = wanted if is_last else min(wanted, self.rated + round(new / 0.8))
                self.visit(until)

    def visit(self, until: int) -> None:
        """Solve what comes until so many results are rated."""
        waiting = {number for number, due in self.due.items() if due <= self.now}
        while self.rated < until:
            choice = self._trainer.next(self.person, Wish("training"))
            assert choice is not None
            waiting.discard(choice.problem)
            self._attempt(choice.problem)
            self.now += timedelta(minutes=1)
        self.late += sorted(waiting)

    def _attempt(self, number: int) -> None:
        solved = self._random.random() < self._chance(number)
        self._seen[number] = self._seen.get(number, 0) + 1
        outcome = Outcome(number, "training", solved, 3, int(not solved), 0, 20)
        recorded = self._trainer.record(self.person, outcome)
        self.rated += recorded.rated
        self.due.pop(number, None)
        if not solved:
            self.due[number] = recorded.due

    def _chance(self, number: int) -> float:
        noise = Random(f"{self.seed} {number}").gauss(0.0, self.noise)
        harder = initial_rating(self._scores[number]).rating + noise
        easier = self.strength + REMEMBERED * self._seen.get(number, 0)
        return float(1 / (1 + 10 ** ((harder - easier) / 400)))


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
