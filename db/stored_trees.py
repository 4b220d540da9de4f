# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees kept with the problems of a store: they save work and may be lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Table, delete, insert, select

from db.models import PROBLEMS, TreeRow
from db.store import Store

_TREES = cast(Table, TreeRow.__table__)


@dataclass(frozen=True)
class StoredTree:
    """The tree of a problem; ``key`` names all that it depends on, at most 64 characters."""

    problem_id: int
    key: str
    content: bytes


class StoredTrees:
    """The trees of a store, one for each problem at most. All methods raise `StoreError`."""

    def __init__(self, store: Store) -> None:
        self._sessions = store._sessions

    def content(self, problem_id: int, key: str) -> bytes | None:
        """The content of a problem's tree with this key; None if there is none."""
        wanted = select(_TREES.c.content).where(_TREES.c.problem_id == problem_id, _TREES.c.key == key)
        with self._sessions.reading() as session:
            return session.connection().execute(wanted).scalar()

    def save(self, trees: Sequence[StoredTree]) -> None:
        """Keep trees instead of earlier ones, in one transaction; those of missing problems are left out."""
        wanted = {tree.problem_id: tree for tree in trees}
        with self._sessions.writing() as session:
            connection = session.connection()
            known = connection.execute(select(PROBLEMS.c.id).where(PROBLEMS.c.id.in_(wanted))).scalars()
            rows = [vars(wanted[number]) for number in known]
            if rows:
                connection.execute(delete(_TREES).where(_TREES.c.problem_id.in_(wanted)))
                connection.execute(insert(_TREES), rows)
