# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces stored problems by other copies; an id belongs to a position."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, insert, update

from db.models import PROBLEMS, THEMES
from db.notebook import TEXTS
from db.problem_rows import Addition, add_feature_names, fault_of_problem
from db.store import Store
from db.stored_problem import problem_row_values

_KEPT = (*TEXTS, "parent_id")
"""Notebooks stay."""


def replace_problems(store: Store, replacements: Sequence[tuple[int, Addition]]) -> None:
    """Overwrite the problems with the given ids and the same positions, in one transaction.

    Notebooks and ids stay. Raises `StoreError` like `Store.add_all`, writing nothing.
    """
    sessions = store._sessions
    for fault in filter(None, (fault_of_problem(one.problem) for _, one in replacements)):
        raise sessions.fault(fault)
    with sessions.writing() as session:
        connection = session.connection()
        add_feature_names(session, [one.problem for _, one in replacements])
        for number, one in replacements:
            values = problem_row_values(one.problem, one.run_id, version=one.version)
            row = {name: value for name, value in values.items() if name not in _KEPT}
            connection.execute(update(PROBLEMS).where(PROBLEMS.c.id == number).values(**row))
            connection.execute(delete(THEMES).where(THEMES.c.problem_id == number))
            themes = [
                {"problem_id": number, "theme": str(theme)} for theme in sorted(set(one.problem.themes))
            ]
            if themes:
                connection.execute(insert(THEMES), themes)
