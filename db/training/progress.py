# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has done, counted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Subquery, and_, case, func, select
from sqlalchemy.orm import Session

from db.models import PROBLEMS, THEMES
from db.sessions import DatabaseSessions
from db.training.models import CARDS, RESULTS, TRAINING_RUNS
from db.training.records import DayResult, Progress, Tally, finite_number, whole_number

_COLUMNS = RESULTS.c
_CLEAN = and_(_COLUMNS.solved, _COLUMNS.mistakes == 0, _COLUMNS.hints == 0)


def read_progress(sessions: DatabaseSessions, person: int, now: datetime) -> Progress:
    """The progress of a person at a time, all of one moment."""
    with sessions.reading() as session:
        results, solved = _counts(session, person)
        due, next_due = _due(session, person, now)
        tried = _tried_problems(person)
        return Progress(
            results=results,
            solved=solved,
            ratings=_ratings(session, person),
            due=due,
            next_due=next_due,
            by_length=_by_length(session, tried),
            by_theme=_by_theme(session, tried),
            days=_days(session, person),
            best_runs=_best_runs(session, person),
            solved_ids=_solved_ids(session, tried),
            streak=_streak(session, person),
        )


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """1 or 0: databases do not agree on sums of truth values."""
    return case((condition, 1), else_=0)


def _counts(session: Session, person: int) -> tuple[int, int]:
    wanted = select(func.count(), func.sum(_number(_COLUMNS.solved))).where(_COLUMNS.person_id == person)
    results, solved = session.execute(wanted).one()
    return int(results), int(solved or 0)


def _ratings(session: Session, person: int) -> list[tuple[datetime, float]]:
    wanted = select(_COLUMNS.ended_at, _COLUMNS.rating).where(_COLUMNS.person_id == person)
    return [
        (row.ended_at, finite_number(row.rating)) for row in session.execute(wanted.order_by(_COLUMNS.id))
    ]


def _due(session: Session, person: int, now: datetime) -> tuple[int, datetime | None]:
    own = CARDS.c.person_id == person
    waiting = session.execute(select(func.count()).where(own, CARDS.c.due <= now)).scalar_one()
    later = select(CARDS.c.due).where(own, CARDS.c.due > now).order_by(CARDS.c.due).limit(1)
    return int(waiting), session.execute(later).scalar()


def _tried_problems(person: int) -> Subquery:
    """Each problem with a result: whether it was clean at the first attempt (1 or 0), and solved at last."""
    attempts = (
        select(_COLUMNS.problem_id, func.min(_COLUMNS.id).label("first"),
               func.max(_number(_COLUMNS.solved)).label("solved"))
        .where(_COLUMNS.person_id == person, _COLUMNS.problem_id.is_not(None))
        .group_by(_COLUMNS.problem_id)
        .subquery()
    )  # fmt: skip
    clean = _number(_CLEAN).label("clean")
    joined = select(attempts.c.problem_id, clean, attempts.c.solved)
    return joined.join(RESULTS, _COLUMNS.id == attempts.c.first).subquery()


def _by_length(session: Session, tried: Subquery) -> dict[int, Tally]:
    length = PROBLEMS.c.length
    wanted = select(length, *_tally_columns(tried)).join(tried, tried.c.problem_id == PROBLEMS.c.id)
    rows = session.execute(wanted.group_by(length).order_by(length))
    return {int(row[0]): _tally(row[1:]) for row in rows}


def _by_theme(session: Session, tried: Subquery) -> dict[str, Tally]:
    """Of solved problems only: the themes of the others would tell something of their solutions."""
    theme = THEMES.c.theme
    wanted = select(theme, *_tally_columns(tried)).join(tried, tried.c.problem_id == THEMES.c.problem_id)
    rows = session.execute(wanted.where(tried.c.solved == 1).group_by(theme))
    return dict(sorted((str(row[0]), _tally(row[1:])) for row in rows))


def _tally_columns(tried: Subquery) -> tuple[ColumnElement[Any], ...]:
    return func.count(), func.sum(tried.c.clean), func.sum(tried.c.solved)


def _tally(numbers: Any) -> Tally:
    return Tally(*map(int, numbers))


def _days(session: Session, person: int) -> list[DayResult]:
    wanted = select(_COLUMNS.day, _COLUMNS.problem_id, _COLUMNS.solved, _number(_CLEAN).label("clean"))
    of_days = wanted.where(
        _COLUMNS.person_id == person, _COLUMNS.mode == "day",
        _COLUMNS.day.is_not(None), _COLUMNS.problem_id.is_not(None),
    )  # fmt: skip
    found: dict[tuple[str, int], DayResult] = {}
    for row in session.execute(of_days.order_by(_COLUMNS.id)):
        key = (row.day, row.problem_id)
        first = found.get(key) or DayResult(str(row.day), row.problem_id, bool(row.solved), bool(row.clean))
        found[key] = DayResult(*key, first.solved or bool(row.solved), first.clean)
    return sorted(found.values(), key=lambda one: (one.day, one.problem))


def _best_runs(session: Session, person: int) -> Mapping[str, int]:
    columns = TRAINING_RUNS.c
    wanted = select(columns.mode, func.max(columns.solved)).where(columns.person_id == person)
    return {mode: int(best) for mode, best in session.execute(wanted.group_by(columns.mode))}


def _solved_ids(session: Session, tried: Subquery) -> list[int]:
    wanted = select(tried.c.problem_id).where(tried.c.solved == 1).order_by(tried.c.problem_id)
    return list(map(whole_number, session.execute(wanted).scalars()))


def _streak(session: Session, person: int) -> int:
    """The number of problems after the last result that was not clean."""
    own = _COLUMNS.person_id == person
    last = select(func.coalesce(func.max(_COLUMNS.id), 0)).where(own, ~_CLEAN).scalar_subquery()
    problems = select(func.count(_COLUMNS.canonical.distinct())).where(own, _COLUMNS.id > last)
    return int(session.execute(problems).scalar_one())
