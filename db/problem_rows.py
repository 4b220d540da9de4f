"""Problems as rows of the tables, written and read within the caller's transaction."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Executable, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db import query
from db.errors import DamageError
from db.models import PROBLEMS, TAGS, THEMES, ProblemRow
from db.notebook import EMPTY, Notebook
from db.stored_problem import values_of
from generator.problem import Problem

_row: Callable[[Iterable[Any]], ProblemRow] = cast(Any, namedtuple)("_row", PROBLEMS.c.keys())._make
"""A row with the attributes of `ProblemRow`: objects of the ORM and SQLAlchemy's own rows are slower."""
NOT_STORED = "only problems proved to be perfect or sound are stored"


def add_problem(
    session: Session, problem: Problem, run_id: int | None, notebook: Notebook = EMPTY
) -> int | None:
    """Store a problem; returns its id, or None if it or its mirror image is stored already."""
    (number,) = add_problems(session, [problem], run_id, 1, notebook)
    if number is not None:
        add_tags(session, number, notebook.tags)
    return number


def add_problems(
    session: Session,
    problems: Sequence[Problem],
    run_id: int | None,
    most: int,
    notebook: Notebook = EMPTY,
) -> list[int | None]:
    """Store problems until ``most`` were new; returns the id of each one looked at.

    The id is None for a problem that is stored already; mirror images are one problem. The
    list ends with the last new one if ``most`` were new. ``notebook`` is written to each, its tags apart.
    """
    rows = [values_of(problem, run_id, notebook) for problem in problems]
    new = _inserted(session, rows, most)
    numbers = ids(session, list(new))
    if None in numbers.values():  # the key of the table was taken away
        raise DamageError("a problem has no id")
    themes = [
        {"problem_id": numbers[str(row["canonical"])], "theme": str(theme)}
        for index, row in enumerate(rows)
        if new.get(row["canonical"]) == index
        for theme in sorted(set(problems[index].themes))
    ]
    if themes:
        session.connection().execute(insert(THEMES), themes)
    places = {index: numbers[canonical] for canonical, index in new.items()}
    looked_at = max(places) + 1 if new and len(new) == most else len(rows)
    return [places.get(index) for index in range(looked_at)]


def _inserted(session: Session, rows: Sequence[Mapping[str, Any]], most: int) -> dict[str, int]:
    """Insert the first ``most`` rows that are not stored; returns their canonical SFENs and indices."""
    known: set[str] | None = None
    while True:
        stored = set(ids(session, [row["canonical"] for row in rows]))
        first = {row["canonical"]: index for index, row in reversed(list(enumerate(rows)))}
        places = sorted(index for canonical, index in first.items() if canonical not in stored)[:most]
        new = {rows[index]["canonical"]: index for index in places}
        if not new:
            return new
        try:
            with session.begin_nested():
                session.connection().execute(insert(PROBLEMS), [dict(rows[index]) for index in places])
        except IntegrityError:  # another process stored one between the look and the writing
            if stored == known:
                raise
            known = stored
        else:
            return new


def ids(session: Session, canonical_sfens: Sequence[str]) -> dict[str, int]:
    """The ids of those canonical SFENs that are stored."""
    wanted = select(PROBLEMS.c.canonical, PROBLEMS.c.id).where(PROBLEMS.c.canonical.in_(canonical_sfens))
    rows = session.connection().execute(wanted) if canonical_sfens else ()
    return {canonical: number for canonical, number in rows}  # noqa: C416


def add_tags(session: Session, number: int, tags: Iterable[str]) -> None:
    """Write tags to a problem that does not have them."""
    if rows := [{"problem_id": number, "tag": tag} for tag in sorted(set(tags))]:
        session.connection().execute(insert(TAGS), rows)


def rows_of(session: Session, numbers: Sequence[int]) -> dict[int, ProblemRow]:
    """The rows of the problems with these ids, by id; one that is not there is left out."""
    found = session.connection().execute(query.rows_of(numbers)).all()
    return {row.id: row for row in map(_row, found)}


@dataclass(frozen=True)
class Words:
    """The themes and the tags of problems by id; those without any are left out."""

    themes: Mapping[int, Sequence[str]]
    tags: Mapping[int, Sequence[str]]


def words_of(session: Session, numbers: Sequence[int]) -> Words:
    """The themes and the tags of the problems with these ids."""
    return Words(_by_problem(session, query.themes_of(numbers)), _by_problem(session, query.tags_of(numbers)))


def _by_problem(session: Session, pairs: Executable) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, word in session.connection().execute(pairs).all():
        found.setdefault(number, []).append(word)
    return found
