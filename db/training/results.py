# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of attempts: a result changes the ratings of person and problem and the date of its return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from db.errors import StoreError
from db.models import PROBLEMS
from db.sessions import DatabaseSessions
from db.training.models import CARDS, PERSONS, PROBLEM_RATINGS, RESULTS, TRAINING_RUNS
from db.training.persons import person_of_id
from db.training.records import (
    Card,
    MissingProblemError,
    Outcome,
    PlayedRating,
    ProblemFacts,
    Rating,
    StoredPerson,
    StoredResult,
    finite_number,
    rating_of_row,
    whole_number,
)

_PAGE = 1000
_ASKED_AT_ONCE = 500
_LARGEST_ID = 2**31 - 1


@dataclass(frozen=True)
class ResultStep:
    """One transaction that writes a result; what is read in it cannot change before it ends.

    ``played`` is the problem's rating, None before the first play. ``seen``: the person has a result for the
    problem. ``card`` says when it comes back, None if it never came up.
    """

    session: Session
    person: StoredPerson
    problem: ProblemFacts
    played: PlayedRating | None
    seen: bool
    card: Card | None

    def write(self, outcome: Outcome, now: datetime, after: Rating, *, rated: bool, card: Card) -> int:
        """Write a result with the person's rating ``after`` it, and when the problem comes back; its id."""
        row = {
            "person_id": self.person.id, "problem_id": self.problem.id, "canonical": self.problem.canonical,
            "mode": outcome.mode, "day": outcome.day, "ended_at": now, "solved": outcome.solved,
            "moves": outcome.moves, "mistakes": outcome.mistakes, "hints": outcome.hints,
            "seconds": outcome.seconds, "rated": rated, "rating": after.rating,
        }  # fmt: skip
        added = self.session.execute(insert(RESULTS).values(**row).returning(RESULTS.c.id))
        if rated:
            changed = {**asdict(after), "rated_at": now}
            self.session.execute(update(PERSONS).where(PERSONS.c.id == self.person.id).values(**changed))
        self._write_card(card)
        return int(added.scalar_one())

    def history(self) -> dict[int, tuple[Outcome, datetime]]:
        """The person's results for the problem by id, oldest first, and when they were written."""
        columns = RESULTS.c
        own = columns.person_id == self.person.id, columns.problem_id == self.problem.id
        rows = self.session.execute(select(RESULTS).where(*own).order_by(columns.id))
        return {row.id: (_outcome_of_row(row), row.ended_at) for row in rows}

    def rewrite(self, result: int, outcome: Outcome, card: Card) -> None:
        """Write how an attempt went on after its result was written; ratings stay."""
        names = ("solved", "moves", "mistakes", "hints", "seconds")
        changed = update(RESULTS).where(RESULTS.c.id == result)
        self.session.execute(changed.values({name: getattr(outcome, name) for name in names}))
        self._write_card(card)

    def write_problem_rating(self, after: Rating) -> None:
        """Write the problem's rating after one more play."""
        number, values = self.problem.id, asdict(after)
        if self.played is None:
            self.session.execute(insert(PROBLEM_RATINGS).values(problem_id=number, plays=1, **values))
            return
        change = update(PROBLEM_RATINGS).where(PROBLEM_RATINGS.c.problem_id == number)
        self.session.execute(change.values(plays=self.played.plays + 1, **values))

    def _write_card(self, card: Card) -> None:
        values = {"due": card.due, "failed": card.failed, "state": dict(card.state)}
        if self.card is None:
            keys = {"person_id": self.person.id, "problem_id": self.problem.id}
            self.session.execute(insert(CARDS).values(**keys, **values))
            return
        own = CARDS.c.person_id == self.person.id, CARDS.c.problem_id == self.problem.id
        self.session.execute(update(CARDS).where(*own).values(**values))


class ResultLog:
    """The results of a store. Every method is a transaction; all raise `StoreError`."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    @contextmanager
    def recording(self, person: int, problem: int) -> Iterator[ResultStep]:
        """One transaction for a result. Raises `MissingProblemError` for an unknown problem."""
        with self._sessions.writing() as session:
            try:
                step = self._step(session, person, problem)
            except (ValueError, TypeError, OverflowError) as error:
                raise error if isinstance(error, StoreError) else self._sessions.fault(error) from None
            yield step

    def _step(self, session: Session, person: int, problem: int) -> ResultStep:
        found = person_of_id(session, person)
        if found is None:
            raise self._sessions.fault(f"has no person {person}")
        facts = _problem_facts(session, problem)
        if facts is None:
            raise MissingProblemError(str(self._sessions.fault(f"has no problem {problem}")))
        played, card = _played_rating(session, problem), _card(session, person, problem)
        return ResultStep(session, found, facts, played, _is_seen(session, person, problem), card)

    def count(self, person: int) -> int:
        """The number of a person's results."""
        with self._sessions.reading() as session:
            counted = select(func.count()).where(RESULTS.c.person_id == person)
            return int(session.execute(counted).scalar_one())

    def all(self, person: int | None = None) -> Iterator[StoredResult]:
        """The results of a person or of all, oldest first, read page by page."""
        last = 0
        while True:
            with self._sessions.reading() as session:
                rows = session.execute(_results_query(last, person)).all()
                found = list(map(_stored_result, rows))
            yield from found
            if len(rows) < _PAGE:
                return
            last = rows[-1].id

    def problem_ratings(self, problems: Sequence[int]) -> Mapping[int, PlayedRating]:
        """The ratings of those of some problems that were played."""
        found: dict[int, PlayedRating] = {}
        columns = PROBLEM_RATINGS.c
        for first in range(0, len(problems), _ASKED_AT_ONCE):
            some = select(PROBLEM_RATINGS).where(
                columns.problem_id.in_(problems[first : first + _ASKED_AT_ONCE])
            )
            with self._sessions.reading() as session:
                for row in session.execute(some):
                    found[row.problem_id] = _played_of_row(row)
        return found

    def add_run(self, person: int, mode: str, solved: int, seconds: int, now: datetime) -> tuple[int, bool]:
        """Store a run; returns the best number solved in this mode, and whether this run is alone best."""
        columns = TRAINING_RUNS.c
        of_mode = select(func.max(columns.solved)).where(columns.person_id == person, columns.mode == mode)
        row = {"person_id": person, "mode": mode, "solved": solved, "seconds": seconds, "ended_at": now}
        with self._sessions.writing() as session:
            before = session.execute(of_mode).scalar_one()
            session.execute(insert(TRAINING_RUNS).values(**row))
        return max(solved, before or 0), before is None or solved > before


def _problem_facts(session: Session, problem: int) -> ProblemFacts | None:
    if not 0 < problem <= _LARGEST_ID:
        return None
    columns = PROBLEMS.c
    wanted = select(columns.id, columns.canonical, columns.length, columns.score)
    row = session.execute(wanted.where(columns.id == problem)).first()
    if row is None:
        return None
    return ProblemFacts(row.id, str(row.canonical), whole_number(row.length), finite_number(row.score))


def _played_rating(session: Session, problem: int) -> PlayedRating | None:
    wanted = select(PROBLEM_RATINGS).where(PROBLEM_RATINGS.c.problem_id == problem)
    row = session.execute(wanted).first()
    return None if row is None else _played_of_row(row)


def _played_of_row(row: Any) -> PlayedRating:
    return PlayedRating(rating_of_row(row), whole_number(row.plays))


def _card(session: Session, person: int, problem: int) -> Card | None:
    wanted = select(CARDS).where(CARDS.c.person_id == person, CARDS.c.problem_id == problem)
    row = session.execute(wanted).first()
    return None if row is None else Card(row.due, row.failed, row.state)


def _is_seen(session: Session, person: int, problem: int) -> bool:
    wanted = select(RESULTS.c.id).where(RESULTS.c.person_id == person, RESULTS.c.problem_id == problem)
    return session.execute(wanted.limit(1)).first() is not None


def _outcome_of_row(row: Any) -> Outcome:
    return Outcome(
        row.problem_id, str(row.mode), bool(row.solved), whole_number(row.moves), whole_number(row.mistakes),
        whole_number(row.hints), whole_number(row.seconds), row.day,
    )  # fmt: skip


def _stored_result(row: Any) -> StoredResult:
    numbers = {name: whole_number(getattr(row, name)) for name in ("moves", "mistakes", "hints", "seconds")}
    return StoredResult(
        person=str(row.person), problem=row.problem, sfen=str(row.sfen), ended_at=row.ended_at,
        mode=str(row.mode), solved=bool(row.solved), rated=bool(row.rated),
        rating=finite_number(row.rating), **numbers,
    )  # fmt: skip


def _results_query(after: int, person: int | None) -> Any:
    columns = RESULTS.c
    names = ("ended_at", "mode", "solved", "moves", "mistakes", "hints", "seconds", "rated", "rating")
    wanted = select(
        columns.id,
        PERSONS.c.name.label("person"),
        columns.problem_id.label("problem"),
        func.coalesce(PROBLEMS.c.sfen, columns.canonical).label("sfen"),
        *(columns[name] for name in names),
    )
    joined = wanted.join(PERSONS, PERSONS.c.id == columns.person_id)
    joined = joined.outerjoin(PROBLEMS, PROBLEMS.c.id == columns.problem_id).where(columns.id > after)
    if person is not None:
        joined = joined.where(columns.person_id == person)
    return joined.order_by(columns.id).limit(_PAGE)
