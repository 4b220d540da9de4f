# SPDX-License-Identifier: GPL-3.0-or-later
"""A learner of known strength, who trains for some weeks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from db.problem_rows import Addition
from db.store import Store
from db.training.records import Outcome, StoredPerson
from tests.db.samples import problem
from tsume.training.ratings import initial_rating
from tsume.training.trainer import Trainer, Wish

PROBLEMS = 600
LEAST_SCORE, MOST_SCORE = 10.0, 90.0
REMEMBERED = 150.0
"""Points by which each attempt at a problem makes it easier."""
START = datetime(2026, 1, 1, 18, tzinfo=UTC)


def fill(store: Store) -> None:
    """Problems of all ratings."""
    step = (MOST_SCORE - LEAST_SCORE) / (PROBLEMS - 1)
    store.add_all([Addition(problem(n, score=LEAST_SCORE + step * n)) for n in range(PROBLEMS)])


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
