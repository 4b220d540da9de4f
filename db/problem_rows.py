# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as rows of the tables, written and read in the caller's transaction."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

from sqlalchemy import Column, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db import query
from db.errors import DamageError
from db.models import PROBLEMS, TAGS, THEMES, ProblemRow
from db.notebook import EMPTY, MAX_TAGS, TEXTS, Notebook, NotebookEdit, is_unstorable
from db.stored_problem import add_feature_sets, feature_names, feature_set_id, problem_row_values
from generator.problem import STORED, Problem

_row: Callable[[Iterable[Any]], ProblemRow] = cast(Any, namedtuple)("_row", PROBLEMS.c.keys())._make
"""A row with the attributes of `ProblemRow`: objects of the ORM and SQLAlchemy's own rows are slower."""


@dataclass(frozen=True)
class ProblemAddition:
    """A problem to store, with its notebook and the run that found it, if any. ``version`` is that of the tsume that
    judged a problem without provenance, None: this one."""

    problem: Problem
    notebook: Notebook = EMPTY
    version: str | None = None
    run_id: int | None = None


@dataclass(frozen=True)
class AddedProblem:
    """The id of a problem in the store, and whether it is new."""

    id: int
    is_new: bool


def fault_of_problem(problem: Problem, notebook: Notebook = EMPTY) -> str | None:
    """Return why a problem cannot be stored; None if it can."""
    if problem.grade not in STORED:
        return "only problems proved to be perfect or sound are stored"
    difficulty = problem.difficulty
    if not all(map(isfinite, (difficulty.score, problem.quality, *difficulty.features.values()))):
        return "score, quality and features are finite numbers"
    texts = (problem.record or "", *problem.themes, *notebook.tags, *(getattr(notebook, n) for n in TEXTS))
    return "a text contains a character that databases cannot store" if any(map(is_unstorable, texts)) else None


def add_problem_rows(session: Session, additions: Sequence[ProblemAddition]) -> list[AddedProblem]:
    """Store problems; mirror images are one problem."""
    problems = [one.problem for one in additions]
    rows = [problem_row_values(one.problem, one.run_id, one.notebook, one.version) for one in additions]
    add_feature_names(session, problems)
    new = _insert_rows(session, rows)
    numbers = stored_ids_by_sfen(session, [str(row["canonical"]) for row in rows])
    if None in numbers.values():  # the table lost its key
        raise DamageError("a problem has no id")
    insert_problem_words(session, THEMES.c.theme, {numbers[one]: problems[index].themes for one, index in new.items()})
    insert_problem_words(session, TAGS.c.tag, {numbers[one]: additions[at].notebook.tags for one, at in new.items()})
    places = set(new.values())
    return [AddedProblem(numbers[str(row["canonical"])], index in places) for index, row in enumerate(rows)]


def add_feature_names(session: Session, problems: Iterable[Problem]) -> None:
    """Store the names of the features of problems, which their rows refer to."""
    names = {tuple(map(str, problem.difficulty.features)) for problem in problems}
    add_feature_sets(session, {feature_set_id(one): one for one in names})


def insert_problem_words(session: Session, column: Column[str], words: Mapping[int, Iterable[str]]) -> None:
    """Insert the themes or tags of problems, by their ids."""
    rows = [
        {"problem_id": number, column.name: str(word)} for number, some in words.items() for word in sorted(set(some))
    ]
    if rows:
        session.connection().execute(insert(column.table), rows)


def _insert_rows(session: Session, rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Insert the rows that are not stored; return their canonical SFENs and indices."""
    known: set[str] | None = None
    while True:
        stored = set(stored_ids_by_sfen(session, [row["canonical"] for row in rows]))
        first = {row["canonical"]: index for index, row in reversed(list(enumerate(rows)))}
        places = sorted(index for canonical, index in first.items() if canonical not in stored)
        new = {rows[index]["canonical"]: index for index in places}
        if not new:
            return new
        try:
            with session.begin_nested():
                session.connection().execute(insert(PROBLEMS), [dict(rows[index]) for index in places])
        except IntegrityError:  # another process stored one between lookup and insert
            if stored == known:
                raise
            known = stored
        else:
            return new


def stored_ids_by_sfen(session: Session, canonical_sfens: Sequence[str]) -> dict[str, int]:
    """Return the ids of the stored ones among canonical SFENs."""
    found: dict[str, int] = {}
    for some in query.chunks_of_ids(canonical_sfens):
        wanted = select(PROBLEMS.c.canonical, PROBLEMS.c.id).where(PROBLEMS.c.canonical.in_(some))
        found.update({canonical: number for canonical, number in session.connection().execute(wanted)})  # noqa: C416
    return found


def problem_rows(session: Session, numbers: Sequence[int]) -> dict[int, ProblemRow]:
    """Return the rows of the problems with these ids, by id; missing ones are omitted."""
    found = session.connection().execute(select(*query.AS_READ).where(PROBLEMS.c.id.in_(numbers))).all()
    return {row.id: row for row in map(_row, found)}


StoredRow = tuple[ProblemRow, Sequence[str] | None, Sequence[str], Sequence[str]]
"""A problem as it is stored: its row, the names of its features (None if they are lost), its themes, its tags."""


def stored_rows(session: Session, numbers: Sequence[int]) -> dict[int, StoredRow]:
    """Return all that is stored of the problems with these ids, by id; missing ones are omitted."""
    rows = problem_rows(session, numbers)
    names = feature_names(session, {row.feature_set for row in rows.values() if isinstance(row.feature_set, int)})
    words: list[dict[int, list[str]]] = []
    for column in (THEMES.c.theme, TAGS.c.tag):
        problem = column.table.c.problem_id
        found: dict[int, list[str]] = {}
        for number, word in session.connection().execute(select(problem, column).where(problem.in_(numbers))).all():
            found.setdefault(number, []).append(word)
        words.append(found)
    themes, tags = words
    return {
        number: (row, names.get(row.feature_set or 0), themes.get(row.id, ()), tags.get(row.id, ()))
        for number, row in rows.items()
    }


# --- notebooks of stored problems, and the versions of a problem -----------------------------------

_MAX_VERSIONS = 1000
"""Maximum number of versions listed for a problem."""


class EditError(ValueError):
    """A change is impossible; nothing was written."""


@dataclass(frozen=True)
class ProblemVersions:
    """The ids of the problems of which this one is a version, the oldest first, and of its own versions."""

    earlier: tuple[int, ...] = ()
    later: tuple[int, ...] = ()


def edit_problems(session: Session, numbers: Sequence[int], change: NotebookEdit) -> None:
    """Apply a change to all these problems. Raises `EditError`, then the caller rolls back."""
    numbers = list(dict.fromkeys(numbers))
    named = numbers if change.parent is None else [*numbers, change.parent]
    known: set[int] = set()
    for part in query.chunks_of_ids(named):
        known.update(session.scalars(select(PROBLEMS.c.id).where(PROBLEMS.c.id.in_(part))))
    if unknown := [number for number in named if number not in known]:
        raise EditError(f"no problem {unknown[0]}")
    values: dict[str, object] = dict(change.texts)
    if change.moves:
        values["parent_id"] = change.parent
        if change.parent is not None:
            line = {change.parent, *_earlier_versions(session, change.parent)}
            if own := [number for number in numbers if number in line]:
                raise EditError(f"problem {own[0]} cannot be a version of itself")
    for part in query.chunks_of_ids(numbers):
        if values:
            session.execute(update(PROBLEMS).where(PROBLEMS.c.id.in_(part)).values(**values))
        _edit_tags(session, part, change)


def _edit_tags(session: Session, numbers: Sequence[int], change: NotebookEdit) -> None:
    of_these = TAGS.c.problem_id.in_(numbers)
    if change.without:
        session.execute(delete(TAGS).where(of_these, TAGS.c.tag.in_(change.without)))
    if not change.tags:
        return
    had = session.execute(select(TAGS.c.problem_id, TAGS.c.tag).where(of_these))
    tags: dict[int, set[str]] = {number: set() for number in numbers}
    for number, tag in had:
        tags[number].add(tag)
    if full := [number for number in numbers if len(tags[number].union(change.tags)) > MAX_TAGS]:
        raise EditError(f"problem {full[0]} would have more than {MAX_TAGS} tags")
    insert_problem_words(session, TAGS.c.tag, {number: set(change.tags) - tags[number] for number in numbers})


def versions_of(session: Session, number: int) -> ProblemVersions:
    """Return the versions before and after a problem; in a damaged database they may form a cycle."""
    rows = select(PROBLEMS.c.id)
    tree = rows.where(PROBLEMS.c.parent_id == number).cte(recursive=True)
    tree = tree.union(rows.where(PROBLEMS.c.parent_id == tree.c.id))
    later = select(tree.c.id).where(tree.c.id != number).order_by(tree.c.id).limit(_MAX_VERSIONS)
    earlier = reversed(_earlier_versions(session, number))
    return ProblemVersions(tuple(earlier), tuple(session.scalars(later)))


def versions_of_problems(session: Session, numbers: Sequence[int]) -> dict[int, ProblemVersions]:
    """Return the versions before and after each of these problems that has any."""
    own, parent = PROBLEMS.c.id, PROBLEMS.c.parent_id
    found: dict[int, ProblemVersions] = {}
    for part in query.chunks_of_ids(numbers):
        versions = session.scalars(select(own).where(own.in_(part), parent.is_not(None)))
        parents = session.scalars(select(parent).where(parent.in_(part)))
        found |= {number: versions_of(session, number) for number in sorted({*versions, *parents})}
    return found


def _earlier_versions(session: Session, number: int) -> list[int]:
    """Return the problems that one is a version of, the nearest first."""
    rows = select(PROBLEMS.c.id, PROBLEMS.c.parent_id)
    line = rows.where(PROBLEMS.c.id == number).cte(recursive=True)
    line = line.union(rows.where(PROBLEMS.c.id == line.c.parent_id))  # no row twice, so cycles end
    parents = {row.id: row.parent_id for row in session.execute(select(line))}
    found = {number: None}
    while (parent := parents.get(number)) is not None and parent not in found:
        found[parent] = None
        number = parent
    return list(found)[1:]
