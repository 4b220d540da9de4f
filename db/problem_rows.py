"""Problems as rows of the tables, written and read within the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Executable, Table, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db import query
from db.errors import DamageError
from db.models import ProblemRow, TagRow, ThemeRow
from db.notebook import EMPTY, Notebook
from db.stored_problem import values_of
from generator.problem import Problem

NOT_STORED = "only problems proved to be perfect or sound are stored"
_PROBLEMS, _THEMES = cast(Table, ProblemRow.__table__), cast(Table, ThemeRow.__table__)
_TAGS = cast(Table, TagRow.__table__)


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
        session.connection().execute(insert(_THEMES), themes)
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
                session.connection().execute(insert(_PROBLEMS), [dict(rows[index]) for index in places])
        except IntegrityError:  # another process stored one between the look and the writing
            if stored == known:
                raise
            known = stored
        else:
            return new


def ids(session: Session, canonical_sfens: Sequence[str]) -> dict[str, int]:
    """The ids of those canonical SFENs that are stored."""
    wanted = select(ProblemRow.canonical, ProblemRow.id).where(ProblemRow.canonical.in_(canonical_sfens))
    rows = session.connection().execute(wanted) if canonical_sfens else ()
    return {canonical: number for canonical, number in rows}  # noqa: C416


def add_tags(session: Session, number: int, tags: Iterable[str]) -> None:
    """Write tags to a problem that does not have them."""
    if rows := [{"problem_id": number, "tag": tag} for tag in sorted(set(tags))]:
        session.connection().execute(insert(_TAGS), rows)


@dataclass(frozen=True)
class Words:
    """The themes and the tags of problems by id; those without any are left out."""

    themes: Mapping[int, Sequence[str]]
    tags: Mapping[int, Sequence[str]]


def words_of(session: Session, rows: Sequence[ProblemRow]) -> Words:
    """The themes and the tags of these problems."""
    numbers = [row.id for row in rows]
    return Words(_by_problem(session, query.themes_of(numbers)), _by_problem(session, query.tags_of(numbers)))


def _by_problem(session: Session, pairs: Executable) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, word in session.execute(pairs):
        found.setdefault(number, []).append(word)
    return found
