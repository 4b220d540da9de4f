# SPDX-License-Identifier: GPL-3.0-or-later
"""All that a store has of training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Table

from db.sessions import DatabaseSessions
from db.training.candidates import CandidateTable
from db.training.merging import MergedPerson, TrainingMerge, persons_to_merge, rows_to_merge
from db.training.persons import PersonTable
from db.training.progress import read_progress
from db.training.records import Progress
from db.training.results import ResultLog


class TrainingLog:
    """Persons, results and problems that may come next. Every method of theirs is a transaction."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions
        self.persons = PersonTable(sessions)
        self.results = ResultLog(sessions)
        self.candidates = CandidateTable(sessions)

    def progress(self, person: int, now: datetime) -> Progress:
        """What a person has done, and what is due at a time."""
        return read_progress(self._sessions, person, now)

    @contextmanager
    def merging(self) -> Iterator[TrainingMerge]:
        """One transaction that takes over what other stores have."""
        with self._sessions.writing() as session:
            yield TrainingMerge(session)

    def persons_to_merge(self, store: int) -> list[MergedPerson]:
        """All persons, as those of a store with a number."""
        return persons_to_merge(self._sessions, store)

    def rows_to_merge(self, table: Table) -> Iterator[Mapping[str, Any]]:
        """The rows of results, runs or cards."""
        return rows_to_merge(self._sessions, table)
