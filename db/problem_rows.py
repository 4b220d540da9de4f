"""Problems into the tables and out of them, within a transaction of the caller's."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db import query
from db.models import ProblemRow, ThemeRow
from db.records import row_of
from generator.problem import Problem


def add_problem(session: Session, problem: Problem, run_id: int | None) -> int | None:
    """Store a problem; its id, or None when it or its mirror image is stored already."""
    row = row_of(problem, run_id)
    if contains(session, row.canonical):
        return None
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
    except IntegrityError:  # another process stored it between the look and the writing
        if contains(session, row.canonical):
            return None
        raise
    themes = [{"problem_id": row.id, "theme": str(theme)} for theme in sorted(set(problem.themes))]
    if themes:
        session.execute(insert(ThemeRow), themes)
    return row.id


def contains(session: Session, canonical_sfen: str) -> bool:
    """Whether a canonical SFEN is stored."""
    wanted = select(ProblemRow.id).where(ProblemRow.canonical == canonical_sfen)
    return session.scalar(wanted) is not None


def themes_by_problem(session: Session, rows: Sequence[ProblemRow]) -> dict[int, list[str]]:
    """The themes of each of these problems that has any."""
    found: dict[int, list[str]] = {}
    for number, theme in session.execute(query.themes_of([row.id for row in rows])):
        found.setdefault(number, []).append(theme)
    return found
