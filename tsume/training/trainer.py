# SPDX-License-Identifier: GPL-3.0-or-later
"""The uses of training: the next problem, a result, progress, the problem of the day."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any, cast

import fsrs

from db.errors import StoreError
from db.store import Store
from db.training.log import ResultTransaction
from db.training.records import Candidate, CandidateFilter, Outcome, Rating, ReviewCard, StoredPerson, TrainingProgress
from solver.results import score_of_rating, stars_of_rating
from tsume.training import ratings

# --- when a problem comes back: spaced repetition by FSRS (the library ``fsrs``) -------------------
#
# Problems come back after days, never within the same sitting: there are no learning steps.

FAST_SECONDS = 5
"""Seconds for each of the solver's moves of a problem that was easy."""
_SCHEDULER = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def recall_grade(outcome: Outcome, length: int) -> fsrs.Rating:
    """Return how well a problem of ``length`` plies was remembered."""
    if outcome.failed:
        return fsrs.Rating.Again
    if not outcome.clean:
        return fsrs.Rating.Hard
    fast = outcome.seconds <= FAST_SECONDS * ((length + 1) // 2)
    return fsrs.Rating.Easy if fast else fsrs.Rating.Good


def rescheduled_card(card: ReviewCard | None, outcome: Outcome, length: int, now: datetime) -> ReviewCard:
    """Return the card after an attempt; ``card`` is None for the first one, ``now`` is in UTC.

    Raises `StoreError` for a card that cannot be read.
    """
    try:
        before = fsrs.Card(1, due=now) if card is None else fsrs.Card.from_dict(cast(Any, card.state))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"the state of a repetition cannot be read: {error!r}") from None
    after, _ = _SCHEDULER.review_card(before, recall_grade(outcome, length), now)
    state = cast("dict[str, Any]", after.to_dict())
    return ReviewCard(after.due, not outcome.clean, state)


# --- the uses of training --------------------------------------------------------------------------

_CANDIDATES = 10
"""Candidates on either side of the rating."""
_WINDOW = 50.0
"""Points of rating beyond the nearest candidate within which one is drawn."""
_RUN_START, _RUN_STEP = -400.0, 25.0
"""A run begins so far below the person's rating and rises with each problem solved."""


@dataclass(frozen=True)
class TrainingRequest:
    """What is to come next: a mode, one of some themes, one of some lengths in plies, how many are solved in the run.

    ``without`` are ids that have come up already, ``day`` is the date of a problem of the day, ``tag`` is one that the
    user gave problems. ``unsolved``: only problems that the person has not solved.
    """

    mode: str
    themes: Collection[str] = ()
    moves: Collection[int] = ()
    without: Collection[int] = ()
    solved: int = 0
    day: date | None = None
    tag: str | None = None
    unsolved: bool = False

    def candidates(self, person: StoredPerson) -> CandidateFilter:
        """Return which problems may come."""
        return CandidateFilter(person.id, self.themes, self.moves, self.without, self.tag, self.unsolved)


@dataclass(frozen=True)
class ChosenProblem:
    """A problem and why it comes next: due, failed, unseen, rating or day."""

    problem: int
    reason: str


@dataclass(frozen=True)
class RecordedResult:
    """What a result changed: the person's rating, the problem's rating, and when the problem comes back.

    ``id`` is the result's.
    """

    id: int
    rated: bool
    before: Rating
    after: Rating
    problem_rating: Rating
    due: datetime


class Trainer:
    """Trains the persons of a store. ``clock`` gives the time in UTC."""

    def __init__(self, store: Store, clock: Callable[[], datetime] | None = None) -> None:
        self._log = store.training
        self._clock = clock or (lambda: datetime.now(UTC))
        self._extent: tuple[int, int] | None = None
        self._rotation: list[int] = []

    @property
    def now(self) -> datetime:
        """The time, in UTC."""
        return self._clock()

    def next(self, person: StoredPerson | None, wish: TrainingRequest) -> ChosenProblem | None:
        """Return the next problem; None if there is none. Only the problem of the day is for nobody, too.

        The same person with as many results gets the same problem again.
        """
        if wish.mode == "day":
            day = wish.day or self.today()
            rotation = self._days_in_order()
            return ChosenProblem(rotation[ratings.place_of_day(day, len(rotation))], "day") if rotation else None
        assert person is not None
        table, now, own = self._log.candidates, self.now, person.rating.rating
        wanted = wish.candidates(person)
        random = Random(f"{person.id} {self._log.results.count(person.id)} {len(wanted.without)}")

        def due(reason: str, *, failed: bool | None = None) -> ChosenProblem | None:
            found = table.due(wanted, now, failed=failed)
            return None if found is None else ChosenProblem(found, reason)

        def near(rating: float, *, unseen: bool) -> ChosenProblem | None:
            def distance(one: Candidate) -> float:
                return abs(ratings.problem_rating(one.score, one.played).rating - rating)

            unplayed = table.unplayed_near(wanted, score_of_rating(rating), _CANDIDATES, unseen=unseen)
            found = [*unplayed, *table.played_near(wanted, rating, _CANDIDATES, unseen=unseen)]
            if not found:
                return None
            found.sort(key=lambda one: (distance(one), one.id))
            within = distance(found[0]) + _WINDOW
            drawn = random.choice([one for one in found if distance(one) <= within])
            return ChosenProblem(drawn.id, "unseen" if unseen else "rating")

        if wish.mode == "training":
            return due("failed", failed=True) or near(own, unseen=True) or due("due") or near(own, unseen=False)
        if wish.mode == "review":  # the one that has been due for longest
            return due("due")
        target = own + _RUN_START + _RUN_STEP * wish.solved
        return near(target, unseen=True) or near(target, unseen=False)

    def next_due(self, person: StoredPerson, wish: TrainingRequest) -> datetime | None:
        """When the next problem comes back that is not due yet."""
        return self._log.candidates.next_due(wish.candidates(person), self.now)

    def problem_rating(self, problem: int, score: float) -> Rating:
        """Return the rating of a problem with a score."""
        return ratings.current_rating(score, self._log.results.problem_ratings([problem]).get(problem))

    def record(self, person: StoredPerson, outcome: Outcome, completes: int | None = None) -> RecordedResult:
        """Store a result. Raises `MissingProblemError` for an unknown problem.

        The first result for a problem is rated, unless it is one of a run or a review: it is a game of the
        person against the problem, in a rating period of its own. An attempt is settled by its first mistake
        or hint: then its result is stored, and ``completes`` is the id of that result when it has ended.
        """
        now = self.now
        number = person.id or self._log.persons.stored_unnamed(now).id
        if outcome.mode == "day":
            outcome = replace(outcome, day=outcome.day or self.today().isoformat())
        with self._log.results.recording(number, outcome.problem) as step:
            if completes is not None and (done := _completed(step, outcome, completes)) is not None:
                return done
            is_rated = not step.seen and outcome.mode not in ratings.UNRATED_MODES
            before, problem = step.person.rating, ratings.current_rating(step.problem.score, step.played)
            after = before
            if is_rated:
                last = step.person.rated_at
                after, problem = ratings.played_ratings(before, last, problem, now, clean=outcome.clean)
                step.write_problem_rating(problem)
            card = rescheduled_card(step.card, outcome, step.problem.length, now)
            result = step.write(outcome, now, after, rated=is_rated, card=card)
        return RecordedResult(result, is_rated, before, after, problem, card.due)

    def record_run(self, person: StoredPerson, mode: str, solved: int, seconds: int) -> tuple[int, bool]:
        """Store a run; returns the best number solved, and whether this run is alone best."""
        number = person.id or self._log.persons.stored_unnamed(self.now).id
        return self._log.results.add_run(number, mode, solved, seconds, self.now)

    def progress(self, person: StoredPerson) -> TrainingProgress:
        """Return what a person has done."""
        return self._log.progress(person.id, self.now)

    def today(self) -> date:
        """Return the date on this machine."""
        return self.now.astimezone().date()

    def days(self) -> list[tuple[int, int, int, int]]:
        """Return the rotation of the problem of the day: id, length, rating and stars."""
        found = self._log.candidates.lengths_and_ratings(self._days_in_order())
        return [(number, length, round(rating), stars_of_rating(rating)) for number, length, rating in found]

    def last_days(self, number: int) -> list[tuple[date, int]]:
        """Return the last days, newest first, with the ids of their problems; none without problems."""
        rotation, today = self._days_in_order(), self.today()
        days = [today - timedelta(days=back) for back in range(number if rotation else 0)]
        return [(day, rotation[ratings.place_of_day(day, len(rotation))]) for day in days]

    def _days_in_order(self) -> list[int]:
        """Return the ids of the rotation; it is made again when problems were added."""
        candidates = self._log.candidates
        extent = candidates.extent()
        if extent != self._extent:
            found = ratings.daily_problem_rotation(candidates.canonical_sfens(), lambda one: one[1])
            self._rotation, self._extent = [number for number, _ in found], extent
        return self._rotation


def _completed(step: ResultTransaction, outcome: Outcome, result: int) -> RecordedResult | None:
    """Write the end of an attempt that is settled; None if the result is no such one of this person."""
    history = step.history()
    settled, _ = history.get(result, (None, None))
    if settled is None or settled.solved or not (settled.mistakes or settled.hints):
        return None
    mistakes, hints = max(outcome.mistakes, settled.mistakes), max(outcome.hints, settled.hints)
    outcome = replace(outcome, mode=settled.mode, day=settled.day, mistakes=mistakes, hints=hints)
    card: ReviewCard | None = None
    for number, (one, ended_at) in history.items():
        card = rescheduled_card(card, outcome if number == result else one, step.problem.length, ended_at)
    assert card is not None
    step.rewrite(result, outcome, card)
    rating = step.person.rating
    return RecordedResult(
        result, False, rating, rating, ratings.current_rating(step.problem.score, step.played), card.due
    )
