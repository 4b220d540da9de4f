# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problem comes next for a person, and the problem of the day."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from heapq import nsmallest
from random import Random
from typing import TypeVar

from db.training.log import CandidateTable
from db.training.records import Candidate, CandidateFilter, StoredPerson
from tsume.training.ratings import problem_rating, score_of_rating

_CANDIDATES = 10
"""Candidates on either side of the rating."""
_WINDOW = 50.0
"""Points of rating beyond the nearest candidate within which one is drawn."""
_RUN_START, _RUN_STEP = -400.0, 25.0
"""A run begins so far below the person's rating and rises with each problem solved."""


@dataclass(frozen=True)
class Choice:
    """A problem and why it comes next: due, failed, unseen, rating or day."""

    problem: int
    reason: str


@dataclass(frozen=True)
class Chooser:
    """Chooses problems for a person at a time; ``results`` is the number of the person's results.

    The same person with as many results gets the same problem again.
    """

    table: CandidateTable
    person: StoredPerson
    results: int
    now: datetime

    def training(self, wanted: CandidateFilter) -> Choice | None:
        """Failed problems that are due, then unseen ones near the rating, due ones, then all others."""
        return (
            self._due(wanted, "failed", failed=True)
            or self._near(wanted, self.person.rating.rating, unseen=True)
            or self._due(wanted, "due")
            or self._near(wanted, self.person.rating.rating, unseen=False)
        )

    def review(self, wanted: CandidateFilter) -> Choice | None:
        """Return the problem that has been due for longest."""
        return self._due(wanted, "due")

    def run(self, wanted: CandidateFilter, solved: int) -> Choice | None:
        """An unseen problem, or else any other, of a difficulty that rises with the problems solved."""
        target = self.person.rating.rating + _RUN_START + _RUN_STEP * solved
        return self._near(wanted, target, unseen=True) or self._near(wanted, target, unseen=False)

    def _due(self, wanted: CandidateFilter, reason: str, *, failed: bool | None = None) -> Choice | None:
        found = self.table.due(wanted, self.now, failed=failed)
        return None if found is None else Choice(found, reason)

    def _near(self, wanted: CandidateFilter, rating: float, *, unseen: bool) -> Choice | None:
        fresh = self.table.unplayed_near(wanted, score_of_rating(rating), _CANDIDATES, unseen=unseen)
        played = self.table.played_near(wanted, rating, _CANDIDATES, unseen=unseen)
        drawn = self._draw([*fresh, *played], rating, wanted)
        return None if drawn is None else Choice(drawn.id, "unseen" if unseen else "rating")

    def _draw(self, found: list[Candidate], rating: float, wanted: CandidateFilter) -> Candidate | None:
        def distance(one: Candidate) -> float:
            return abs(problem_rating(one.score, one.played).rating - rating)

        if not found:
            return None
        nearest = sorted(found, key=lambda one: (distance(one), one.id))
        within = distance(nearest[0]) + _WINDOW
        close = [one for one in nearest if distance(one) <= within]
        random = Random(f"{self.person.id} {self.results} {len(wanted.without)}")
        return random.choice(close)


# ---------------------------------------------------------------------------------------------------
#
# The problem of the day: problems in a fixed random order, which each day goes one further.

T = TypeVar("T")
MOST_DAYS = 1000
"""Problems that rotate."""
_FIRST = date(1970, 1, 1)


def day_rotation(problems: Iterable[T], canonical: Callable[[T], str]) -> list[T]:
    """Return at most `MOST_DAYS` problems in the order in which they come up.

    ``canonical`` gives a problem's canonical SFEN: by its hash the order is the same everywhere and tells
    nothing.
    """
    return nsmallest(MOST_DAYS, problems, key=lambda one: sha256(canonical(one).encode()).digest())


def place_of_day(day: date, number: int) -> int:
    """Return the place in a rotation of ``number`` problems whose turn it is on a date."""
    return (day - _FIRST).days % number
