# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stored of training, as values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, Double, ForeignKey, Index, String, Table
from sqlalchemy.orm import Mapped, mapped_column

from db.errors import StoreError, require_finite, stored_value_excerpt
from db.models import SFEN_LENGTH, Base
from db.notebook import TEXTS

MODES = ("training", "review", "timed", "survival", "choices", "day", "free")
"""How a problem came up; ``free``: its own page."""
RUN_MODES = ("timed", "ten_minutes", "survival")
UNNAMED = ""
"""The name of the person of this machine who has not signed in."""


class MissingProblemError(StoreError):
    """The store has no problem with an id."""


class ClassLimitError(ValueError):
    """A teacher has `MAX_CLASSES` classes already, or a class `MAX_PUPILS` pupils."""


@dataclass(frozen=True)
class Rating:
    """A rating of Glicko-2 on the scale of Glicko: 1500 and a deviation of 350 to begin with."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rating_of_row(row: Any) -> Rating:
    """Return the rating in the columns of a row. Raises ValueError for what is no rating."""
    rating = Rating(*map(require_finite, (row.rating, row.deviation, row.volatility)))
    if rating.deviation <= 0 or rating.volatility <= 0:
        raise ValueError(f"not a rating: {rating}")
    return rating


def require_whole_number(value: Any) -> int:
    """Return a value of a column. Raises ValueError for what is no whole number."""
    if not isinstance(value, int):
        raise ValueError(f"not a whole number: {stored_value_excerpt(repr(value))}")
    return int(value)


@dataclass(frozen=True)
class StoredPerson:
    """A person; ``id`` is 0 for the unnamed person before the first result. ``salt`` and ``digest`` are those of the
    passphrase; ``rated_at`` is the time of the last rated result."""

    id: int
    name: str
    rating: Rating
    rated_at: datetime | None = None
    salt: str = ""
    digest: str = ""


@dataclass(frozen=True)
class ProblemFacts:
    """What a result needs to know of a problem."""

    id: int
    canonical: str
    length: int
    score: float


@dataclass(frozen=True)
class PlayedRating:
    """The rating of a problem after so many rated results."""

    rating: Rating
    plays: int


@dataclass(frozen=True)
class ReviewCard:
    """When a problem comes back, whether it waits to be solved cleanly, and the scheduler's state."""

    due: datetime
    failed: bool
    state: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: ``moves`` played, wrong checks, hints, seconds; ``day`` is a date (ISO)."""

    problem: int
    mode: str
    solved: bool
    moves: int
    mistakes: int
    hints: int
    seconds: int
    day: str | None = None

    @property
    def clean(self) -> bool:
        """Whether it was solved without mistakes and hints."""
        return self.solved and not (self.mistakes or self.hints)

    @property
    def failed(self) -> bool:
        """Whether it was given up or had a mistake."""
        return not self.solved or self.mistakes > 0


@dataclass(frozen=True)
class StoredResult:
    """A stored outcome with its person. ``sfen`` is the problem's as composed, or the canonical one if the problem is
    gone; then its id is None."""

    person: str
    problem: int | None
    sfen: str
    ended_at: datetime
    mode: str
    solved: bool
    moves: int
    mistakes: int
    hints: int
    seconds: int
    rated: bool
    rating: float

    @property
    def clean(self) -> bool:
        """Whether it was solved without mistakes and hints."""
        return self.solved and not (self.mistakes or self.hints)


@dataclass(frozen=True)
class Candidate:
    """A problem that may come next; ``played`` is its rating if it has one of its own."""

    id: int
    length: int
    score: float
    played: Rating | None = None


@dataclass(frozen=True)
class CandidateFilter:
    """Problems for a person: with one of some themes, of one of some lengths, without some ids, with a tag, only those
    that the person has not solved. Empty and None: any."""

    person: int
    themes: Collection[str] = ()
    moves: Collection[int] = ()
    without: Collection[int] = ()
    tag: str | None = None
    unsolved: bool = False


@dataclass(frozen=True)
class AttemptCounts:
    """Numbers of problems: tried, clean at the first attempt, solved at last."""

    tried: int
    clean: int
    solved: int


@dataclass(frozen=True)
class DayResult:
    """The problem of a day: whether it was solved, and cleanly at the first attempt."""

    day: str
    problem: int
    solved: bool
    clean: bool


@dataclass(frozen=True)
class TriedProblem:
    """A problem that a person tried: whether the last attempt solved it, whether it waits to be solved cleanly, and its
    themes if it was ever solved."""

    problem: int
    solved: bool
    failed: bool
    themes: Sequence[str]


@dataclass(frozen=True)
class TrainingProgress:
    """What a person has done.

    ``ratings`` are the times of all results, oldest first, and the ratings afterwards. ``due`` is the number
    of problems that wait, ``next_due`` the time of the next one after them. ``by_theme`` counts only
    problems that were solved. ``best_runs`` has the best of each mode that was run. ``streak`` is the number
    of problems that were solved last without mistakes and hints. ``tried`` are the problems tried last, newest first.
    """

    results: int
    solved: int
    ratings: Sequence[tuple[datetime, float]]
    due: int
    next_due: datetime | None
    by_length: Mapping[int, AttemptCounts]
    by_theme: Mapping[str, AttemptCounts]
    days: Sequence[DayResult]
    best_runs: Mapping[str, int]
    solved_ids: Sequence[int]
    streak: int
    tried: Sequence[TriedProblem]


@dataclass(frozen=True)
class StoredClass:
    """A class: its teacher, and a list of problems by their ids under a title. ``salt`` and ``digest`` are those of the
    passphrase, as of a person."""

    id: int
    name: str
    teacher: int
    teacher_name: str
    title: str
    problems: Sequence[int]
    salt: str
    digest: str


@dataclass(frozen=True)
class Pupil:
    """What the teacher of a class sees of a pupil.

    ``tried`` and ``solved`` count problems of the last days, ``last`` is the time of the last result. ``outcomes`` has
    of each problem of the list that was tried what came of it, as the history of training shows it: solved, helped (and
    not yet solved cleanly) or failed.
    """

    id: int
    name: str
    rating: Rating
    tried: int
    solved: int
    last: datetime | None
    outcomes: Mapping[int, str]


# --- the tables of training: persons, what they solved and when it comes back, ratings of problems -

LONGEST_NAME, LONGEST_KEY = 40, 200
MAX_CLASSES, MAX_PUPILS = 20, 200
"""Classes of a teacher, pupils of a class."""


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
    """When a problem comes back to a person. ``state`` is the scheduler's. ``failed`` is true from a failure until the
    problem is solved without mistakes and hints."""

    __tablename__ = "cards"
    __table_args__ = (Index(None, "person_id", "due"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id", ondelete="CASCADE"), primary_key=True, index=True)
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


class ClassRow(Base):
    """A class of a teacher, with a passphrase kept as that of a person; ``title`` is that of its list of problems."""

    __tablename__ = "classes"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    name_key: Mapped[str] = mapped_column(String(LONGEST_KEY), unique=True)
    salt: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(128))
    teacher_id: Mapped[int] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), index=True)
    title: Mapped[str] = mapped_column(String(TEXTS["title"]))
    created_at: Mapped[datetime]


class ClassPupilRow(Base):
    """A person who has joined a class."""

    __tablename__ = "class_pupils"

    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True, index=True)
    joined_at: Mapped[datetime]


class ClassProblemRow(Base):
    """A problem in the list of a class; ``place`` counts from 0."""

    __tablename__ = "class_problems"

    class_id: Mapped[int] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id", ondelete="CASCADE"), primary_key=True, index=True)
    place: Mapped[int]


PERSONS, RESULTS, PROBLEM_RATINGS, CARDS, LOGINS, TRAINING_RUNS, CLASSES, CLASS_PUPILS, CLASS_PROBLEMS = (
    cast(Table, rows.__table__)
    for rows in (PersonRow, ResultRow, ProblemRatingRow, CardRow, SessionRow, TrainingRunRow, ClassRow, ClassPupilRow,
                 ClassProblemRow)
)  # fmt: skip
"""The same as plain tables, whose rows are tuples."""
