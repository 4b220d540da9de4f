# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems may come next: due ones, and those near a score or a rating.

Only a few rows are read, by the indices of score and rating: a store may have a million problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.orm import Session

from db.models import PROBLEMS, THEMES
from db.sessions import DatabaseSessions
from db.training.models import CARDS, PROBLEM_RATINGS, RESULTS
from db.training.records import Candidate, CandidateFilter, finite_number, rating_of_row, whole_number

_RARE = 5000
"""Problems with a theme so rare that they are looked up one by one, instead of by the index of the score."""
_ID = PROBLEMS.c.id
_FACTS = (_ID, PROBLEMS.c.length, PROBLEMS.c.score)
_PLAYED = (PROBLEM_RATINGS.c.rating, PROBLEM_RATINGS.c.deviation, PROBLEM_RATINGS.c.volatility)


class CandidateTable:
    """The problems of a store as candidates for a person. Every method is a transaction."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def unplayed_near(
        self, wanted: CandidateFilter, score: float, number: int, *, unseen: bool
    ) -> list[Candidate]:
        """Problems without a rating of their own, the nearest ``number`` above and below a score.

        ``unseen``: the person has no result for them.
        """
        plain = select(*_FACTS).where(*_conditions(wanted, unseen=unseen), ~_has_rating())
        return self._either_side(wanted, plain, PROBLEMS.c.score, score, number, _unplayed)

    def played_near(
        self, wanted: CandidateFilter, rating: float, number: int, *, unseen: bool
    ) -> list[Candidate]:
        """Problems with a rating of their own, the nearest ``number`` above and below a rating."""
        joined = select(*_FACTS, *_PLAYED).join(PROBLEM_RATINGS, PROBLEM_RATINGS.c.problem_id == _ID)
        plain = joined.where(*_conditions(wanted, unseen=unseen))
        return self._either_side(wanted, plain, PROBLEM_RATINGS.c.rating, rating, number, _played)

    def due(self, wanted: CandidateFilter, now: datetime, *, failed: bool | None = None) -> int | None:
        """The problem that has been due for longest, None if none is due.

        ``failed``: only one that has, or has not, been failed since it was last solved cleanly.
        """
        chosen = _cards(wanted, CARDS.c.problem_id).where(CARDS.c.due <= now)
        if failed is not None:
            chosen = chosen.where(CARDS.c.failed.is_(failed))
        with self._sessions.reading() as session:
            ordered = chosen.order_by(CARDS.c.due, CARDS.c.problem_id).limit(1)
            found = session.execute(ordered).scalar()
            return None if found is None else whole_number(found)

    def next_due(self, wanted: CandidateFilter, now: datetime) -> datetime | None:
        """When the next problem is due that is not due yet."""
        chosen = _cards(wanted, CARDS.c.due).where(CARDS.c.due > now)
        with self._sessions.reading() as session:
            return session.execute(chosen.order_by(CARDS.c.due).limit(1)).scalar()

    def extent(self) -> tuple[int, int]:
        """The number of problems and the largest id: they change when problems are added or removed."""
        with self._sessions.reading() as session:
            number, last = session.execute(select(func.count(), func.max(_ID)).select_from(PROBLEMS)).one()
        return int(number), int(last or 0)

    def canonical_sfens(self) -> list[tuple[int, str]]:
        """The ids and canonical SFENs of all problems."""
        with self._sessions.reading() as session:
            rows = session.execute(select(_ID, PROBLEMS.c.canonical))
            return [(row.id, str(row.canonical)) for row in rows]

    def lengths_and_stars(self, problems: Sequence[int]) -> list[tuple[int, int, int]]:
        """Id, length and stars of problems, in their order; missing ones are omitted."""
        wanted = select(_ID, PROBLEMS.c.length, PROBLEMS.c.stars).where(_ID.in_(problems))
        with self._sessions.reading() as session:
            rows = {row.id: (row.id, row.length, row.stars) for row in session.execute(wanted)}
        return [rows[number] for number in problems if number in rows]

    def _either_side(
        self,
        wanted: CandidateFilter,
        plain: Select[Any],
        column: ColumnElement[float],
        middle: float,
        number: int,
        make: Callable[[Any], Candidate],
    ) -> list[Candidate]:
        with self._sessions.reading() as session:
            by = column
            if _is_rare(session, wanted.theme):
                plain = plain.where(
                    _ID.in_(select(THEMES.c.problem_id).where(THEMES.c.theme == wanted.theme))
                )
                by = column + 0  # no index has this
            sides = (
                plain.where(by >= middle).order_by(by, _ID),
                plain.where(by < middle).order_by(by.desc(), _ID),
            )
            rows = [row for side in sides for row in session.execute(side.limit(number))]
            return list(map(make, rows))


def _unplayed(row: Any) -> Candidate:
    return Candidate(row.id, row.length, finite_number(row.score))


def _played(row: Any) -> Candidate:
    return Candidate(row.id, row.length, finite_number(row.score), rating_of_row(row))


def _is_rare(session: Session, theme: str | None) -> bool:
    if theme is None:
        return False
    some = select(THEMES.c.problem_id).where(THEMES.c.theme == theme).limit(_RARE).subquery()
    return int(session.execute(select(func.count()).select_from(some)).scalar_one()) < _RARE


def _conditions(wanted: CandidateFilter, *, unseen: bool) -> list[ColumnElement[bool]]:
    return [*_problem_conditions(wanted), *([~_is_seen(wanted.person)] if unseen else [])]


def _problem_conditions(wanted: CandidateFilter) -> list[ColumnElement[bool]]:
    without = sorted(wanted.without)
    shows = exists().where(THEMES.c.problem_id == _ID, THEMES.c.theme == wanted.theme)
    return [
        *([PROBLEMS.c.length == wanted.moves] if wanted.moves is not None else []),
        *([shows] if wanted.theme is not None else []),
        *([_ID.not_in(without)] if without else []),
    ]


def _is_seen(person: int) -> ColumnElement[bool]:
    return exists().where(RESULTS.c.person_id == person, RESULTS.c.problem_id == _ID)


def _has_rating() -> ColumnElement[bool]:
    return exists().where(PROBLEM_RATINGS.c.problem_id == _ID)


def _cards(wanted: CandidateFilter, column: ColumnElement[Any]) -> Select[Any]:
    plain = select(column).where(CARDS.c.person_id == wanted.person)
    conditions = _problem_conditions(wanted)
    if not conditions:
        return plain
    return plain.join(PROBLEMS, CARDS.c.problem_id == _ID).where(*conditions)
