# SPDX-License-Identifier: GPL-3.0-or-later
"""All that a store has of training."""

from __future__ import annotations

from datetime import datetime

from db.sessions import DatabaseSessions
from db.training.candidates import CandidateTable
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
