# SPDX-License-Identifier: GPL-3.0-or-later
"""All that a store has of training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, Subquery, Table, and_, case, delete, exists, func, insert, select, update
from sqlalchemy.orm import Session

from db.engine import DatabaseSessions, insert_missing_rows
from db.errors import StoreError, require_finite
from db.models import PROBLEMS, TAGS, THEMES
from db.query import READ_AT_ONCE, chunks_of_ids
from db.training import records
from db.training.merging import MergedPerson, TrainingMerge
from solver.results import rating_of_score

# --- which problems may come next: due ones, and those near a score or a rating --------------------
#
# Only a few rows are read, by the indices of score and rating: a store may have a million problems.

_RARE = 5000
"""Problems with a theme so rare that they are looked up one by one, instead of by the index of the score."""
_ID = PROBLEMS.c.id
_FACTS = (_ID, PROBLEMS.c.length, PROBLEMS.c.score)
_PLAYED = (records.PROBLEM_RATINGS.c.rating, records.PROBLEM_RATINGS.c.deviation, records.PROBLEM_RATINGS.c.volatility)


class CandidateTable:
    """The problems of a store as candidates for a person. Every method is a transaction."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def unplayed_near(
        self, wanted: records.CandidateFilter, score: float, number: int, *, unseen: bool
    ) -> list[records.Candidate]:
        """Problems without a rating of their own, the nearest ``number`` above and below a score. ``unseen``: the
        person has no result for them."""
        has_rating = exists().where(records.PROBLEM_RATINGS.c.problem_id == _ID)
        plain = select(*_FACTS).where(*_conditions(wanted, unseen=unseen), ~has_rating)
        return self._either_side(
            wanted, plain, PROBLEMS.c.score, score, number,
            lambda row: records.Candidate(row.id, row.length, require_finite(row.score)),
        )  # fmt: skip

    def played_near(
        self, wanted: records.CandidateFilter, rating: float, number: int, *, unseen: bool
    ) -> list[records.Candidate]:
        """Problems with a rating of their own, the nearest ``number`` above and below a rating."""
        joined = select(*_FACTS, *_PLAYED).join(records.PROBLEM_RATINGS, records.PROBLEM_RATINGS.c.problem_id == _ID)
        plain = joined.where(*_conditions(wanted, unseen=unseen))
        return self._either_side(
            wanted, plain, records.PROBLEM_RATINGS.c.rating, rating, number,
            lambda row: records.Candidate(row.id, row.length, require_finite(row.score), records.rating_of_row(row)),
        )  # fmt: skip

    def due(self, wanted: records.CandidateFilter, now: datetime, *, failed: bool | None = None) -> int | None:
        """Return the problem that has been due for longest, None if none is due. ``failed``: only one that has, or has
        not, been failed since it was last solved cleanly."""
        chosen = _cards(wanted, records.CARDS.c.problem_id).where(records.CARDS.c.due <= now)
        if failed is not None:
            chosen = chosen.where(records.CARDS.c.failed.is_(failed))
        with self._sessions.reading() as session:
            ordered = chosen.order_by(records.CARDS.c.due, records.CARDS.c.problem_id).limit(1)
            found = session.execute(ordered).scalar()
            return None if found is None else records.require_whole_number(found)

    def next_due(self, wanted: records.CandidateFilter, now: datetime) -> datetime | None:
        """Return when the next problem is due that is not due yet."""
        chosen = _cards(wanted, records.CARDS.c.due).where(records.CARDS.c.due > now)
        with self._sessions.reading() as session:
            return session.execute(chosen.order_by(records.CARDS.c.due).limit(1)).scalar()

    def extent(self) -> tuple[int, int]:
        """The number of problems and the largest id: they change when problems are added or removed."""
        with self._sessions.reading() as session:
            number, last = session.execute(select(func.count(), func.max(_ID)).select_from(PROBLEMS)).one()
        return int(number), int(last or 0)

    def canonical_sfens(self) -> list[tuple[int, str]]:
        """Return the ids and canonical SFENs of all problems."""
        with self._sessions.reading() as session:
            rows = session.execute(select(_ID, PROBLEMS.c.canonical))
            return [(row.id, str(row.canonical)) for row in rows]

    def lengths_and_ratings(self, problems: Sequence[int]) -> list[tuple[int, int, float]]:
        """Id, length and rating by score of problems, in their order; missing ones are omitted."""
        wanted = select(_ID, PROBLEMS.c.length, PROBLEMS.c.score).where(_ID.in_(problems))
        with self._sessions.reading() as session:
            found = session.execute(wanted)
            rows = {one.id: (one.id, one.length, rating_of_score(one.score)) for one in found}
        return [rows[number] for number in problems if number in rows]

    def _either_side(
        self, wanted: records.CandidateFilter, plain: Select[Any], column: ColumnElement[float], middle: float,
        number: int, make: Callable[[Any], records.Candidate],
    ) -> list[records.Candidate]:  # fmt: skip
        with self._sessions.reading() as session:
            by = column
            if wanted.themes:
                showing = select(THEMES.c.problem_id).where(THEMES.c.theme.in_(wanted.themes))
                some = select(func.count()).select_from(showing.limit(_RARE).subquery())
                if int(session.execute(some).scalar_one()) < _RARE:
                    plain = plain.where(_ID.in_(showing))
                    by = column + 0  # no index has this
            sides = (plain.where(by >= middle).order_by(by, _ID), plain.where(by < middle).order_by(by.desc(), _ID))
            return [make(row) for side in sides for row in session.execute(side.limit(number))]


def _conditions(wanted: records.CandidateFilter, *, unseen: bool) -> list[ColumnElement[bool]]:
    return [*_problem_conditions(wanted), *([~_has_result(wanted.person)] if unseen else [])]


def _has_result(person: int, *which: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(records.RESULTS.c.person_id == person, records.RESULTS.c.problem_id == _ID, *which)


def _problem_conditions(wanted: records.CandidateFilter) -> list[ColumnElement[bool]]:
    without = sorted(wanted.without)
    shows = exists().where(THEMES.c.problem_id == _ID, THEMES.c.theme.in_(wanted.themes))
    return [
        *([PROBLEMS.c.length.in_(wanted.moves)] if wanted.moves else []),
        *([shows] if wanted.themes else []),
        *([~_has_result(wanted.person, records.RESULTS.c.solved)] if wanted.unsolved else []),
        *([exists().where(TAGS.c.problem_id == _ID, TAGS.c.tag == wanted.tag)] if wanted.tag is not None else []),
        *([_ID.not_in(without)] if without else []),
    ]


def _cards(wanted: records.CandidateFilter, column: ColumnElement[Any]) -> Select[Any]:
    plain = select(column).where(records.CARDS.c.person_id == wanted.person)
    conditions = _problem_conditions(wanted)
    if not conditions:
        return plain
    return plain.join(PROBLEMS, records.CARDS.c.problem_id == _ID).where(*conditions)


# --- what a person has done, counted ---------------------------------------------------------------

T = TypeVar("T", int, str)
_COLUMNS = records.RESULTS.c
_MAX_TRIED = 500
"""Problems in the list of those tried last."""
_CLEAN = and_(_COLUMNS.solved, _COLUMNS.mistakes == 0, _COLUMNS.hints == 0)


def _tallies(
    session: Session, tried: Subquery, column: ColumnElement[Any], problem: ColumnElement[int],
    read: Callable[[Any], T], *wanted: ColumnElement[bool],
) -> dict[T, records.AttemptCounts]:  # fmt: skip
    sums = select(column, func.count(), func.sum(tried.c.clean), func.sum(tried.c.solved))
    rows = session.execute(sums.join(tried, tried.c.problem_id == problem).where(*wanted).group_by(column))
    found = {read(row[0]): records.AttemptCounts(*map(int, row[1:])) for row in rows}
    return {value: found[value] for value in sorted(found)}


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """1 or 0: databases do not agree on sums of truth values."""
    return case((condition, 1), else_=0)


def _days(session: Session, person: int) -> list[records.DayResult]:
    wanted = select(_COLUMNS.day, _COLUMNS.problem_id, _COLUMNS.solved, _number(_CLEAN).label("clean"))
    of_days = wanted.where(
        _COLUMNS.person_id == person, _COLUMNS.mode == "day",
        _COLUMNS.day.is_not(None), _COLUMNS.problem_id.is_not(None),
    )  # fmt: skip
    found: dict[tuple[str, int], records.DayResult] = {}
    for row in session.execute(of_days.order_by(_COLUMNS.id)):
        key = (row.day, row.problem_id)
        first = found.get(key) or records.DayResult(str(row.day), row.problem_id, bool(row.solved), bool(row.clean))
        found[key] = records.DayResult(*key, first.solved or bool(row.solved), first.clean)
    return sorted(found.values(), key=lambda one: (one.day, one.problem))


# --- persons and the browsers in which they are signed in ------------------------------------------


class PersonTable:
    """The persons of a store. Every method is a transaction; all raise `StoreError`."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def add(self, person: records.StoredPerson, name_key: str, now: datetime) -> records.StoredPerson | None:
        """Add a person, whose id is given; None if the name is taken."""
        with self._sessions.writing() as session:
            taken = session.execute(select(records.PERSONS.c.id).where(records.PERSONS.c.name_key == name_key)).first()
            if taken is not None:
                return None
            session.execute(insert(records.PERSONS).values(**_person_values(person, name_key, now)))
            return _one_person(session, records.PERSONS.c.name_key == name_key)

    def named(self, name_key: str) -> records.StoredPerson | None:
        """Return the person with a name, None if there is none."""
        with self._sessions.reading() as session:
            return _one_person(session, records.PERSONS.c.name_key == name_key)

    def unnamed(self) -> records.StoredPerson:
        """Return the unnamed person of this machine, with id 0 if nothing is stored of that person."""
        return self.named(records.UNNAMED) or records.StoredPerson(0, records.UNNAMED, records.Rating())

    def stored_unnamed(self, now: datetime) -> records.StoredPerson:
        """Return the unnamed person of this machine, who is added if necessary."""
        with self._sessions.writing() as session:
            values = _person_values(records.StoredPerson(0, records.UNNAMED, records.Rating()), records.UNNAMED, now)
            insert_missing_rows(session, records.PERSONS, [values])
            found = _one_person(session, records.PERSONS.c.name_key == records.UNNAMED)
        assert found is not None
        return found

    def sign_in(self, person: int, digest: str, now: datetime, expires: datetime) -> None:
        """Store a session by the hash of its token; expired ones are removed."""
        with self._sessions.writing() as session:
            session.execute(delete(records.LOGINS).where(records.LOGINS.c.expires_at <= now))
            row = {"digest": digest, "person_id": person, "created_at": now, "expires_at": expires}
            session.execute(insert(records.LOGINS).values(**row))

    def signed_in(self, digest: str, now: datetime) -> records.StoredPerson | None:
        """Return the person of a session, None if it is unknown or has expired."""
        valid = select(records.LOGINS.c.person_id).where(
            records.LOGINS.c.digest == digest, records.LOGINS.c.expires_at > now
        )
        with self._sessions.reading() as session:
            return _one_person(session, records.PERSONS.c.id.in_(valid))

    def sign_out(self, digest: str) -> None:
        """Remove a session, if it is there."""
        with self._sessions.writing() as session:
            session.execute(delete(records.LOGINS).where(records.LOGINS.c.digest == digest))


def _person_values(person: records.StoredPerson, name_key: str, now: datetime) -> dict[str, Any]:
    named = {"name": person.name, "name_key": name_key, "salt": person.salt, "digest": person.digest}
    return {**named, **asdict(person.rating), "created_at": now}


def _one_person(session: Session, wanted: ColumnElement[bool]) -> records.StoredPerson | None:
    row = session.execute(select(records.PERSONS).where(wanted)).first()
    if row is None:
        return None
    texts = str(row.salt), str(row.digest)
    return records.StoredPerson(row.id, str(row.name), records.rating_of_row(row), row.rated_at, *texts)


# --- classes: a teacher sees what the pupils did, nobody else does ----------------------------------


class ClassTable:
    """The classes of a store. Every method is a transaction; all raise `StoreError`.

    ``asker`` is the id of the person who asks: a method changes nothing and returns False where that person may not.
    """

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def add(self, teacher: int, name: str, name_key: str, salt: str, digest: str, now: datetime) -> bool:
        """Add a class; False if its name is taken. Raises `ClassLimitError`."""
        columns = records.CLASSES.c
        row = {"name": name, "name_key": name_key, "salt": salt, "digest": digest, "teacher_id": teacher, "title": ""}
        with self._sessions.writing() as session:
            if session.execute(select(columns.id).where(columns.name_key == name_key)).first() is not None:
                return False
            _require_below(session, records.MAX_CLASSES, columns.teacher_id == teacher)
            session.execute(insert(records.CLASSES).values(**row, created_at=now))
        return True

    def named(self, name_key: str) -> records.StoredClass | None:
        """Return the class with a name, None if there is none."""
        return next(iter(self._found(records.CLASSES.c.name_key == name_key)), None)

    def of_person(self, asker: int) -> list[records.StoredClass]:
        """Return the classes that a person teaches or has joined, oldest first."""
        columns = records.CLASS_PUPILS.c
        joined = select(columns.class_id).where(columns.person_id == asker)
        return self._found((records.CLASSES.c.teacher_id == asker) | records.CLASSES.c.id.in_(joined))

    def join(self, number: int, pupil: int, now: datetime) -> bool:
        """Add a pupil, once; False if the class is gone or the person's own. Raises `ClassLimitError`."""
        classes, columns = records.CLASSES.c, records.CLASS_PUPILS.c
        theirs = select(classes.id).where(classes.id == number, classes.teacher_id != pupil)
        row = {"class_id": number, "person_id": pupil, "joined_at": now}
        with self._sessions.writing() as session:
            if session.execute(theirs).first() is None:
                return False
            _require_below(session, records.MAX_PUPILS, columns.class_id == number, columns.person_id != pupil)
            insert_missing_rows(session, records.CLASS_PUPILS, [row])
        return True

    def remove_pupil(self, asker: int, number: int, pupil: int) -> bool:
        """Remove a pupil; the teacher may do so, and the pupil."""
        columns = records.CLASS_PUPILS.c
        wanted = columns.class_id == number, columns.person_id == pupil
        allowed = (columns.person_id == asker) | columns.class_id.in_(_taught(asker))
        removed = delete(records.CLASS_PUPILS).where(*wanted, allowed).returning(columns.class_id)
        with self._sessions.writing() as session:
            return session.execute(removed).first() is not None

    def close(self, asker: int, number: int) -> bool:
        """Remove a class; results of its pupils stay theirs."""
        columns = records.CLASSES.c
        removed = delete(records.CLASSES).where(columns.id == number, columns.teacher_id == asker)
        with self._sessions.writing() as session:
            return session.execute(removed.returning(columns.id)).first() is not None

    def set_list(self, asker: int, number: int, title: str, problems: Sequence[int]) -> bool:
        """Replace the list of a class. Raises `MissingProblemError` for an unknown problem."""
        columns = records.CLASSES.c
        change = update(records.CLASSES).where(columns.id == number, columns.teacher_id == asker)
        with self._sessions.writing() as session:
            if session.execute(change.values(title=title).returning(columns.id)).first() is None:
                return False
            known = set(session.execute(select(_ID).where(_ID.in_(problems))).scalars())
            if missing := [one for one in problems if one not in known]:
                raise records.MissingProblemError(str(self._sessions.fault(f"has no problem {missing[0]}")))
            session.execute(delete(records.CLASS_PROBLEMS).where(records.CLASS_PROBLEMS.c.class_id == number))
            rows = [{"class_id": number, "problem_id": one, "place": place} for place, one in enumerate(problems)]
            insert_missing_rows(session, records.CLASS_PROBLEMS, rows)
        return True

    def pupils(self, asker: int, one: records.StoredClass, since: datetime) -> list[records.Pupil]:
        """Return the pupils of a class by name, with the problems that they tried since a time; to a pupil only that
        pupil, to others nobody."""
        members, persons = records.CLASS_PUPILS.c, records.PERSONS
        allowed = (members.person_id == asker) | members.class_id.in_(_taught(asker))
        wanted = select(members.person_id).where(members.class_id == one.id, allowed)
        own = _COLUMNS.person_id.in_(wanted)
        attempts = select(_COLUMNS.person_id, func.max(_number(_COLUMNS.solved)).label("solved"))
        attempts = attempts.where(own, _COLUMNS.ended_at >= since).group_by(_COLUMNS.person_id, _COLUMNS.canonical)
        counts = attempts.subquery()
        tallies = select(counts.c.person_id, func.count(), func.sum(counts.c.solved)).group_by(counts.c.person_id)
        times = select(_COLUMNS.person_id, func.max(_COLUMNS.ended_at)).where(own).group_by(_COLUMNS.person_id)
        last = select(func.max(_COLUMNS.id)).where(own, _COLUMNS.problem_id.in_(one.problems))
        last = last.group_by(_COLUMNS.person_id, _COLUMNS.problem_id)
        card = and_(records.CARDS.c.person_id == _COLUMNS.person_id, records.CARDS.c.problem_id == _COLUMNS.problem_id)
        latest = select(_COLUMNS.person_id, _COLUMNS.problem_id, _COLUMNS.solved, records.CARDS.c.failed)
        latest = latest.outerjoin(records.CARDS, card).where(_COLUMNS.id.in_(last))
        with self._sessions.reading() as session:
            counted = {row[0]: (row[1], row[2]) for row in session.execute(tallies)}
            ended = {row[0]: row[1] for row in session.execute(times)}
            outcomes = defaultdict[int, dict[int, str]](dict)
            for row in session.execute(latest):
                came = "failed" if not row.solved else "helped" if row.failed else "solved"
                outcomes[row.person_id][row.problem_id] = came
            found = []
            for row in session.execute(select(persons).where(persons.c.id.in_(wanted)).order_by(persons.c.name_key)):
                tried, solved = map(int, counted.get(row.id, (0, 0)))
                facts = row.id, str(row.name), records.rating_of_row(row), tried, solved, ended.get(row.id)
                found.append(records.Pupil(*facts, outcomes[row.id]))
        return found

    def _found(self, wanted: ColumnElement[bool]) -> list[records.StoredClass]:
        columns, listed = records.CLASSES.c, records.CLASS_PROBLEMS.c
        teacher = records.PERSONS.c.name.label("teacher_name")
        rows = select(records.CLASSES, teacher).join(records.PERSONS, records.PERSONS.c.id == columns.teacher_id)
        lists = select(listed.class_id, listed.problem_id).join(records.CLASSES, columns.id == listed.class_id)
        with self._sessions.reading() as session:
            problems = defaultdict[int, list[int]](list)
            for number, problem in session.execute(lists.where(wanted).order_by(listed.place)):
                problems[number].append(problem)
            return [
                records.StoredClass(
                    row.id, str(row.name), row.teacher_id, str(row.teacher_name), str(row.title), problems[row.id],
                    str(row.salt), str(row.digest),
                )
                for row in session.execute(rows.where(wanted).order_by(columns.id))
            ]  # fmt: skip


def _taught(teacher: int) -> Select[Any]:
    return select(records.CLASSES.c.id).where(records.CLASSES.c.teacher_id == teacher)


def _require_below(session: Session, most: int, *counted: ColumnElement[bool]) -> None:
    if int(session.execute(select(func.count()).where(*counted)).scalar_one()) >= most:
        raise records.ClassLimitError(f"no more than {most}")


# --- results of attempts: a result changes the ratings of person and problem and the date of its return ---

_PAGE = 1000
_NUMBERS = ("moves", "mistakes", "hints", "seconds")
_LARGEST_ID = 2**31 - 1


@dataclass(frozen=True)
class ResultTransaction:
    """One transaction that writes a result; what is read in it cannot change before it ends.

    ``played`` is the problem's rating, None before the first play. ``seen``: the person has a result for the
    problem. ``card`` says when it comes back, None if it never came up.
    """

    session: Session
    person: records.StoredPerson
    problem: records.ProblemFacts
    played: records.PlayedRating | None
    seen: bool
    card: records.ReviewCard | None

    def write(
        self, outcome: records.Outcome, now: datetime, after: records.Rating, *, rated: bool, card: records.ReviewCard
    ) -> int:
        """Write a result with the person's rating ``after`` it, and when the problem comes back; its id."""
        row = {
            "person_id": self.person.id, "problem_id": self.problem.id, "canonical": self.problem.canonical,
            **{name: getattr(outcome, name) for name in ("mode", "day", "solved", *_NUMBERS)},
            "ended_at": now, "rated": rated, "rating": after.rating,
        }  # fmt: skip
        added = self.session.execute(insert(records.RESULTS).values(**row).returning(records.RESULTS.c.id))
        if rated:
            changed = {**asdict(after), "rated_at": now}
            self.session.execute(
                update(records.PERSONS).where(records.PERSONS.c.id == self.person.id).values(**changed)
            )
        self._write_card(card)
        return int(added.scalar_one())

    def history(self) -> dict[int, tuple[records.Outcome, datetime]]:
        """Return the person's results for the problem by id, oldest first, and when they were written."""
        columns = records.RESULTS.c
        own = columns.person_id == self.person.id, columns.problem_id == self.problem.id
        rows = self.session.execute(select(records.RESULTS).where(*own).order_by(columns.id))
        found: dict[int, tuple[records.Outcome, datetime]] = {}
        for row in rows:
            moves, mistakes, hints, seconds = (records.require_whole_number(getattr(row, name)) for name in _NUMBERS)
            outcome = records.Outcome(
                row.problem_id, str(row.mode), bool(row.solved), moves, mistakes, hints, seconds, row.day
            )
            found[row.id] = outcome, row.ended_at
        return found

    def rewrite(self, result: int, outcome: records.Outcome, card: records.ReviewCard) -> None:
        """Write how an attempt went on after its result was written; ratings stay."""
        changed = update(records.RESULTS).where(records.RESULTS.c.id == result)
        self.session.execute(changed.values({name: getattr(outcome, name) for name in ("solved", *_NUMBERS)}))
        self._write_card(card)

    def write_problem_rating(self, after: records.Rating) -> None:
        """Write the problem's rating after one more play."""
        number, values = self.problem.id, asdict(after)
        if self.played is None:
            self.session.execute(insert(records.PROBLEM_RATINGS).values(problem_id=number, plays=1, **values))
            return
        change = update(records.PROBLEM_RATINGS).where(records.PROBLEM_RATINGS.c.problem_id == number)
        self.session.execute(change.values(plays=self.played.plays + 1, **values))

    def _write_card(self, card: records.ReviewCard) -> None:
        values = {"due": card.due, "failed": card.failed, "state": dict(card.state)}
        if self.card is None:
            keys = {"person_id": self.person.id, "problem_id": self.problem.id}
            self.session.execute(insert(records.CARDS).values(**keys, **values))
            return
        own = records.CARDS.c.person_id == self.person.id, records.CARDS.c.problem_id == self.problem.id
        self.session.execute(update(records.CARDS).where(*own).values(**values))


class ResultLog:
    """The results of a store. Every method is a transaction; all raise `StoreError`."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    @contextmanager
    def recording(self, person: int, problem: int) -> Iterator[ResultTransaction]:
        """One transaction for a result. Raises `MissingProblemError` for an unknown problem."""
        with self._sessions.writing() as session:
            try:
                found = _one_person(session, records.PERSONS.c.id == person)
                if found is None:
                    raise self._sessions.fault(f"has no person {person}")
                columns, row = PROBLEMS.c, None
                if 0 < problem <= _LARGEST_ID:
                    facts = select(columns.id, columns.canonical, columns.length, columns.score)
                    row = session.execute(facts.where(columns.id == problem)).first()
                if row is None:
                    raise records.MissingProblemError(str(self._sessions.fault(f"has no problem {problem}")))
                length, score = records.require_whole_number(row.length), require_finite(row.score)
                rating = select(records.PROBLEM_RATINGS).where(records.PROBLEM_RATINGS.c.problem_id == problem)
                played = session.execute(rating).first()
                own = records.CARDS.c.person_id == person, records.CARDS.c.problem_id == problem
                card = session.execute(select(records.CARDS).where(*own)).first()
                own = records.RESULTS.c.person_id == person, records.RESULTS.c.problem_id == problem
                seen = session.execute(select(records.RESULTS.c.id).where(*own).limit(1)).first() is not None
                step = ResultTransaction(
                    session, found, records.ProblemFacts(row.id, str(row.canonical), length, score),
                    None if played is None else _played_of_row(played), seen,
                    None if card is None else records.ReviewCard(card.due, card.failed, card.state),
                )  # fmt: skip
            except (ValueError, TypeError, OverflowError) as error:
                raise error if isinstance(error, StoreError) else self._sessions.fault(error) from None
            yield step

    def count(self, person: int) -> int:
        """Return the number of a person's results."""
        with self._sessions.reading() as session:
            counted = select(func.count()).where(records.RESULTS.c.person_id == person)
            return int(session.execute(counted).scalar_one())

    def all(self, person: int | None = None) -> Iterator[records.StoredResult]:
        """Yield the results of a person or of all, oldest first, read page by page."""
        columns = records.RESULTS.c
        names = ("ended_at", "mode", "solved", *_NUMBERS, "rated", "rating")
        wanted = select(
            columns.id, records.PERSONS.c.name.label("person"), columns.problem_id.label("problem"),
            func.coalesce(PROBLEMS.c.sfen, columns.canonical).label("sfen"),
            *(columns[name] for name in names),
        )  # fmt: skip
        joined = wanted.join(records.PERSONS, records.PERSONS.c.id == columns.person_id)
        joined = joined.outerjoin(PROBLEMS, PROBLEMS.c.id == columns.problem_id)
        if person is not None:
            joined = joined.where(columns.person_id == person)
        last = 0
        while True:
            page = joined.where(columns.id > last).order_by(columns.id).limit(_PAGE)
            with self._sessions.reading() as session:
                rows = session.execute(page).all()
                found = [
                    records.StoredResult(
                        person=str(row.person), problem=row.problem, sfen=str(row.sfen),
                        ended_at=row.ended_at, mode=str(row.mode), solved=bool(row.solved),
                        rated=bool(row.rated), rating=require_finite(row.rating),
                        **{name: records.require_whole_number(getattr(row, name)) for name in _NUMBERS},
                    )
                    for row in rows
                ]  # fmt: skip
            yield from found
            if len(rows) < _PAGE:
                return
            last = rows[-1].id

    def solved(self, person: int) -> list[int]:
        """Return the ids of the problems that a person has solved."""
        wanted = select(_COLUMNS.problem_id).where(_COLUMNS.person_id == person, _COLUMNS.solved)
        with self._sessions.reading() as session:
            found = session.execute(wanted.where(_COLUMNS.problem_id.is_not(None)).distinct())
            return list(map(records.require_whole_number, found.scalars()))

    def problem_ratings(self, problems: Sequence[int]) -> Mapping[int, records.PlayedRating]:
        """Return the ratings of those of some problems that were played."""
        found: dict[int, records.PlayedRating] = {}
        columns = records.PROBLEM_RATINGS.c
        for part in chunks_of_ids(problems):
            some = select(records.PROBLEM_RATINGS).where(columns.problem_id.in_(part))
            with self._sessions.reading() as session:
                for row in session.execute(some):
                    found[row.problem_id] = _played_of_row(row)
        return found

    def add_run(self, person: int, mode: str, solved: int, seconds: int, now: datetime) -> tuple[int, bool]:
        """Store a run; returns the best number solved in this mode, and whether this run is alone best."""
        columns = records.TRAINING_RUNS.c
        of_mode = select(func.max(columns.solved)).where(columns.person_id == person, columns.mode == mode)
        row = {"person_id": person, "mode": mode, "solved": solved, "seconds": seconds, "ended_at": now}
        with self._sessions.writing() as session:
            before = session.execute(of_mode).scalar_one()
            session.execute(insert(records.TRAINING_RUNS).values(**row))
        return max(solved, before or 0), before is None or solved > before


def _played_of_row(row: Any) -> records.PlayedRating:
    return records.PlayedRating(records.rating_of_row(row), records.require_whole_number(row.plays))


# --- all that a store has of training --------------------------------------------------------------


class TrainingLog:
    """Persons, results and problems that may come next. Every method of theirs is a transaction."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions
        self.persons = PersonTable(sessions)
        self.results = ResultLog(sessions)
        self.candidates = CandidateTable(sessions)
        self.classes = ClassTable(sessions)

    def progress(self, person: int, now: datetime) -> records.TrainingProgress:
        """Return what a person has done, and what is due at a time, all of one moment."""
        own_results, own_cards = _COLUMNS.person_id == person, records.CARDS.c.person_id == person
        # Each problem with a result: whether it was clean at the first attempt (1 or 0), and solved at last.
        attempts = (
            select(_COLUMNS.problem_id, func.min(_COLUMNS.id).label("first"), func.max(_COLUMNS.id).label("last"),
                   func.max(_number(_COLUMNS.solved)).label("solved"))
            .where(own_results, _COLUMNS.problem_id.is_not(None))
            .group_by(_COLUMNS.problem_id)
            .subquery()
        )  # fmt: skip
        joined = select(attempts.c.problem_id, _number(_CLEAN).label("clean"), attempts.c.solved)
        tried = joined.join(records.RESULTS, _COLUMNS.id == attempts.c.first).subquery()
        numbers = select(func.count(), func.sum(_number(_COLUMNS.solved))).where(own_results)
        ratings = select(_COLUMNS.ended_at, _COLUMNS.rating).where(own_results).order_by(_COLUMNS.id)
        waiting = select(func.count()).where(own_cards, records.CARDS.c.due <= now)
        later = select(records.CARDS.c.due).where(own_cards, records.CARDS.c.due > now)
        runs = select(records.TRAINING_RUNS.c.mode, func.max(records.TRAINING_RUNS.c.solved))
        best = runs.where(records.TRAINING_RUNS.c.person_id == person).group_by(records.TRAINING_RUNS.c.mode)
        # The number of problems after the last result that was not clean.
        last = select(func.coalesce(func.max(_COLUMNS.id), 0)).where(own_results, ~_CLEAN).scalar_subquery()
        streak = select(func.count(_COLUMNS.canonical.distinct())).where(own_results, _COLUMNS.id > last)
        solved_ids = select(tried.c.problem_id).where(tried.c.solved == 1).order_by(tried.c.problem_id)
        # The last result of each problem, and the themes of solved ones: those of others would reveal solutions.
        latest = select(attempts.c.problem_id, _COLUMNS.solved, records.CARDS.c.failed)
        latest = latest.join(records.RESULTS, _COLUMNS.id == attempts.c.last).outerjoin(
            records.CARDS, and_(own_cards, records.CARDS.c.problem_id == attempts.c.problem_id)
        )
        shown = select(THEMES.c.problem_id, THEMES.c.theme).join(tried, tried.c.problem_id == THEMES.c.problem_id)
        with self._sessions.reading() as session:
            themes = defaultdict[int, list[str]](list)
            for number, theme in session.execute(shown.where(tried.c.solved == 1).order_by(THEMES.c.theme)):
                themes[number].append(str(theme))
            results, solved = session.execute(numbers).one()
            return records.TrainingProgress(
                results=int(results),
                solved=int(solved or 0),
                ratings=[(row.ended_at, require_finite(row.rating)) for row in session.execute(ratings)],
                due=int(session.execute(waiting).scalar_one()),
                next_due=session.execute(later.order_by(records.CARDS.c.due).limit(1)).scalar(),
                by_length=_tallies(session, tried, PROBLEMS.c.length, PROBLEMS.c.id, int),
                # Of solved problems only: the themes of the others would tell something of their solutions.
                by_theme=_tallies(session, tried, THEMES.c.theme, THEMES.c.problem_id, str, tried.c.solved == 1),
                days=_days(session, person),
                best_runs={mode: int(number) for mode, number in session.execute(best)},
                solved_ids=list(map(records.require_whole_number, session.execute(solved_ids).scalars())),
                streak=int(session.execute(streak).scalar_one()),
                tried=[
                    records.TriedProblem(row.problem_id, bool(row.solved), bool(row.failed), themes[row.problem_id])
                    for row in session.execute(latest.order_by(attempts.c.last.desc()).limit(_MAX_TRIED))
                ],
            )

    @contextmanager
    def merging(self) -> Iterator[TrainingMerge]:
        """One transaction that takes over what other stores have."""
        with self._sessions.writing() as session:
            yield TrainingMerge(session)

    def persons_to_merge(self, store: int) -> list[MergedPerson]:
        """Return all persons, as those of a store with a number."""
        found = []
        with self._sessions.reading() as session:
            for row in session.execute(select(records.PERSONS)):
                texts = {"salt": str(row.salt), "digest": str(row.digest)}
                values = {**row._mapping, **asdict(records.rating_of_row(row)), **texts}
                found.append(MergedPerson(store, values.pop("id"), values))
        return found

    def rows_to_merge(self, table: Table) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of results, runs or cards in their order; cards have the canonical SFENs of their problems."""
        wanted = select(table).order_by(*table.primary_key.columns)
        if table is records.CARDS:
            wanted = wanted.join(PROBLEMS, PROBLEMS.c.id == records.CARDS.c.problem_id).add_columns(
                PROBLEMS.c.canonical
            )
        with self._sessions.reading() as session:
            for row in session.execute(wanted.execution_options(yield_per=READ_AT_ONCE)):
                yield dict(row._mapping)
