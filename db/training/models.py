# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of training: persons, what they solved and when it comes back, ratings of problems."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, Double, ForeignKey, Index, String, Table
from sqlalchemy.orm import Mapped, mapped_column

from db.models import SFEN_LENGTH, Base

LONGEST_NAME, LONGEST_KEY = 40, 200


class PersonRow(Base):
    """A person who trains, with the current rating (Glicko-2).

    ``name_key`` is the name in the form in which names are compared. ``salt`` and ``digest`` are those of
    the passphrase (scrypt), hexadecimal, empty for the unnamed person of this machine, who has the empty
    name and cannot sign in. ``rated_at`` is the time of the last rated result, NULL before the first one.
    """

    __tablename__ = "persons"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    name_key: Mapped[str] = mapped_column(String(LONGEST_KEY), unique=True)
    salt: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(128))
    rating: Mapped[float] = mapped_column(Double)
    deviation: Mapped[float] = mapped_column(Double)
    volatility: Mapped[float] = mapped_column(Double)
    rated_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class ResultRow(Base):
    """What came of one attempt of a person at a problem; ``canonical`` is the problem's.

    A result survives the problem: ``problem_id`` is then NULL. ``mode`` is one of
    `db.training.records.MODES`, ``day`` the date (ISO) of a problem of the day. ``rating`` is the person's
    afterwards; ``rated`` says whether the result changed it.
    """

    __tablename__ = "results"
    __table_args__ = (Index(None, "person_id", "problem_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    problem_id: Mapped[int | None] = mapped_column(ForeignKey("problems.id", ondelete="SET NULL"), index=True)
    canonical: Mapped[str] = mapped_column(String(SFEN_LENGTH))
    mode: Mapped[str] = mapped_column(String(20))
    day: Mapped[str | None] = mapped_column(String(10))
    ended_at: Mapped[datetime]
    solved: Mapped[bool]
    moves: Mapped[int]
    mistakes: Mapped[int]
    hints: Mapped[int]
    seconds: Mapped[int]
    rated: Mapped[bool]
    rating: Mapped[float] = mapped_column(Double)


class ProblemRatingRow(Base):
    """The rating of a problem with at least one rated result; ``plays`` counts those."""

    __tablename__ = "problem_ratings"

    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id", ondelete="CASCADE"), primary_key=True)
    rating: Mapped[float] = mapped_column(Double, index=True)
    deviation: Mapped[float] = mapped_column(Double)
    volatility: Mapped[float] = mapped_column(Double)
    plays: Mapped[int]


class CardRow(Base):
    """When a problem comes back to a person.

    ``state`` is the scheduler's. ``failed`` is true from a failure until the problem is solved without
    mistakes and hints.
    """

    __tablename__ = "cards"
    __table_args__ = (Index(None, "person_id", "due"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(
        ForeignKey("problems.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    due: Mapped[datetime]
    failed: Mapped[bool]
    state: Mapped[dict[str, Any]] = mapped_column(JSON)


class SessionRow(Base):
    """A browser in which a person is signed in; ``digest`` is the SHA-256 of its token, hexadecimal."""

    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class TrainingRunRow(Base):
    """A timed run or a survival run of a person: how many problems were solved in how many seconds."""

    __tablename__ = "training_runs"
    __table_args__ = (Index(None, "person_id", "mode"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    mode: Mapped[str] = mapped_column(String(20))
    solved: Mapped[int]
    seconds: Mapped[int]
    ended_at: Mapped[datetime]


PERSONS, RESULTS, PROBLEM_RATINGS, CARDS, LOGINS, TRAINING_RUNS = (
    cast(Table, rows.__table__)
    for rows in (PersonRow, ResultRow, ProblemRatingRow, CardRow, SessionRow, TrainingRunRow)
)
"""The same as plain tables, whose rows are tuples."""
