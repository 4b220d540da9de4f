# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables: problems, their themes and tags, the runs that composed them, what runs found and rejected."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

SFEN_LENGTH = 200
"""Maximum characters of an SFEN; 40 pieces need fewer."""

_EMPTY = sa.text("''")
_COUNT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Columns that had 32 bits in old versions; SQLite ignores the size and cannot change a column."""
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class WholeNumberColumnType(sa.TypeDecorator[int]):
    """An integer of any size, kept as decimal text (a seed may have 128 bits)."""

    impl = sa.String(100)
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """Return the text of a number."""
        return None if value is None else str(int(value))

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> int | None:  # noqa: ARG002
        """Return the number of a text."""
        return None if value is None else int(value)


class UtcTimeColumnType(sa.TypeDecorator[datetime]):
    """A point in time, given and returned with a time zone, kept in UTC."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Return the time in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Return the time with its zone, which SQLite does not keep."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class NumberColumnType(sa.TypeDecorator[int]):
    """An integer of 32 bits in PostgreSQL, of any size in SQLite. It may be compared with larger values, which equal
    nothing."""

    impl = sa.Integer
    cache_ok = True

    def coerce_compared_value(self, op: Any, value: Any) -> TypeEngine[Any]:  # noqa: ARG002
        """Return the type of a value compared with it."""
        return sa.BigInteger()


class Base(DeclarativeBase):
    """The tables' common base; constraints and indices get readable names."""

    metadata = sa.MetaData(naming_convention=_NAMES)
    type_annotation_map = {datetime: UtcTimeColumnType(), int: NumberColumnType()}  # noqa: RUF012


class RunRow(Base):
    """A run of the generator for ``count`` problems of ``moves`` plies.

    Roots below ``next_root`` are done, and all totals are theirs; it is NULL for a run of a version that did not keep
    it. ``recipe`` is the number in `generator.problem`, NULL for a run older than recipes. ``found`` problems were
    stored, in ``elapsed`` seconds; ``candidates`` were examined. ``counters`` and ``seconds`` are counts and times by
    stage. ``state`` is one of `db.runs.RunState`. ``ended_at`` is NULL for a run that goes on or was killed.
    """

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    seed: Mapped[int] = mapped_column(WholeNumberColumnType())
    moves: Mapped[int]
    count: Mapped[int] = mapped_column(_COUNT)
    version: Mapped[str] = mapped_column(sa.String(50))
    options: Mapped[dict[str, Any]] = mapped_column(sa.JSON)
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    candidates: Mapped[int] = mapped_column(sa.BigInteger, default=0)
    next_root: Mapped[int | None] = mapped_column(sa.BigInteger)
    found: Mapped[int] = mapped_column(_COUNT, server_default="0")
    elapsed: Mapped[float] = mapped_column(sa.Double, server_default="0")
    state: Mapped[str] = mapped_column(sa.String(20), server_default="running")
    counters: Mapped[dict[str, int]] = mapped_column(sa.JSON, server_default="{}")
    seconds: Mapped[dict[str, float]] = mapped_column(sa.JSON, server_default="{}")
    recipe: Mapped[int | None]


class RejectionRow(Base):
    """How many candidates of a run were rejected for one reason."""

    __tablename__ = "rejections"

    run_id: Mapped[int] = mapped_column(sa.ForeignKey("runs.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(sa.String(200), primary_key=True)
    number: Mapped[int] = mapped_column(sa.BigInteger)


class RunLineRow(Base):
    """What a root of a run found: a row for each key of each problem, stored by the run or before. ``key`` is a hash
    (`generator.problem_keys.key_hash`) by which the run knows the problem again."""

    __tablename__ = "run_lines"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    run_id: Mapped[int] = mapped_column(sa.ForeignKey("runs.id"), primary_key=True)
    root: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True)
    key: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True)


class FeatureSetRow(Base):
    """The names of a problem's features, in their order: thousands of problems have the same. ``id`` is a hash of the
    names (`db.stored_problem`)."""

    __tablename__ = "feature_sets"

    id: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, autoincrement=False)
    names: Mapped[list[str]] = mapped_column(sa.JSON)


class ProblemRow(Base):
    """A problem proved to be perfect or sound.

    ``canonical`` is the SFEN that mirror images share, ``sfen`` the position as composed, ``line`` the main line in
    USI, separated by spaces. ``searched`` is how many plies second solutions were looked for, NULL: at any length.
    ``remarks`` lists names of `solver.results.REMARKS`. ``hand_pieces`` counts the attacker's hand. ``seed`` and
    ``root_index`` are NULL for an imported problem, ``version`` is that of the tsume that judged it. ``features`` are
    the values of the features that ``feature_set`` names; it is NULL for an old row that could not be read. ``quality``
    is 0 for a problem stored before there was any. ``recipe`` is the number in `generator.problem`, NULL for a problem
    older than recipes. ``grade`` is a value of `solver.results.Grade`, ``blemishes`` lists names of
    `solver.results.BLEMISHES`. ``record`` is the composer's record of an imported problem as JKF, with line,
    variations, comments and headers; NULL if there is none. ``title``, ``author``, ``source`` and ``notes`` are a
    person's (`db.notebook`); ``parent_id`` is the problem of which this one is a version. ``defenders`` and
    ``key_kinds`` (separated by spaces) are facts (`generator.constraints.problem`), NULL where an old row could not be
    read. ``same_when_counted`` says whether length and main line stay the same if every interposition counts, NULL
    where that is not known. ``resistance`` and ``surprise`` are the features of these names, NULL for a problem stored
    before there were any. ``proof_tree`` is the number of positions of the proof tree, 0 where it is not known.
    """

    __tablename__ = "problems"
    __table_args__ = (
        sa.Index(None, "length", "score"),
        sa.Index(None, "grade", "length", "score"),
        sa.Index(None, "score"),
        sa.Index(None, "seed"),
        sa.Index(None, "quality"),
        sa.Index(None, "proof_tree"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    canonical: Mapped[str] = mapped_column(sa.String(SFEN_LENGTH), unique=True)
    sfen: Mapped[str] = mapped_column(sa.String(SFEN_LENGTH))
    length: Mapped[int]
    line: Mapped[str] = mapped_column(sa.Text)
    searched: Mapped[int | None]
    remarks: Mapped[list[str]] = mapped_column(sa.JSON)
    score: Mapped[float] = mapped_column(sa.Double)
    features: Mapped[list[float]] = mapped_column(sa.JSON)
    board_pieces: Mapped[int]
    hand_pieces: Mapped[int]
    seed: Mapped[int | None] = mapped_column(WholeNumberColumnType())
    root_index: Mapped[int | None] = mapped_column(sa.BigInteger)
    version: Mapped[str] = mapped_column(sa.String(50))
    run_id: Mapped[int | None] = mapped_column(sa.ForeignKey("runs.id"), index=True)
    created_at: Mapped[datetime]
    quality: Mapped[float] = mapped_column(sa.Double, server_default="0")
    recipe: Mapped[int | None]
    grade: Mapped[str] = mapped_column(sa.String(20), server_default="perfect")
    blemishes: Mapped[list[str]] = mapped_column(sa.JSON, server_default="[]")
    record: Mapped[str | None] = mapped_column(sa.Text)
    title: Mapped[str] = mapped_column(sa.String(200), server_default=_EMPTY)
    author: Mapped[str] = mapped_column(sa.String(200), server_default=_EMPTY)
    source: Mapped[str] = mapped_column(sa.String(200), server_default=_EMPTY)
    notes: Mapped[str] = mapped_column(sa.Text, server_default=_EMPTY)
    parent_id: Mapped[int | None] = mapped_column(sa.ForeignKey("problems.id"), index=True)
    defenders: Mapped[int | None]
    key_kinds: Mapped[str | None] = mapped_column(sa.String(50))
    same_when_counted: Mapped[bool | None]
    feature_set: Mapped[int | None] = mapped_column(sa.ForeignKey("feature_sets.id"))
    resistance: Mapped[float | None] = mapped_column(sa.Double)
    surprise: Mapped[float | None] = mapped_column(sa.Double)
    proof_tree: Mapped[int] = mapped_column(sa.BigInteger, server_default="0")


class ThemeRow(Base):
    """A theme that a problem shows, by its name."""

    __tablename__ = "problem_themes"
    __table_args__ = (sa.Index(None, "theme", "problem_id"),)  # the problems of a theme, without their rows

    problem_id: Mapped[int] = mapped_column(sa.ForeignKey("problems.id"), primary_key=True)
    theme: Mapped[str] = mapped_column(sa.String(50), primary_key=True)


class TagRow(Base):
    """A user's tag of a problem."""

    __tablename__ = "problem_tags"

    problem_id: Mapped[int] = mapped_column(sa.ForeignKey("problems.id"), primary_key=True)
    tag: Mapped[str] = mapped_column(sa.String(50), primary_key=True, index=True)


class TreeRow(Base):
    """The reply tree of a problem, made when somebody opens it (`db.store`)."""

    __tablename__ = "problem_trees"

    problem_id: Mapped[int] = mapped_column(sa.ForeignKey("problems.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(64))
    content: Mapped[bytes] = mapped_column(sa.LargeBinary)


PROBLEMS, THEMES, TAGS, RUNS, RUN_LINES, FEATURE_SETS = (
    cast(sa.Table, rows.__table__) for rows in (ProblemRow, ThemeRow, TagRow, RunRow, RunLineRow, FeatureSetRow)
)
"""The same as plain tables, whose rows are tuples, cheaper than objects."""
