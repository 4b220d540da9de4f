# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs found as hashes in a table of its own, names of features once, larger counts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql, sqlite

revision = "0006_run_lines"
down_revision = "0005_notebook"

_PAGE = 1000
_UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError)
_FIRST = -(2**63)
_PROBLEMS = sa.table(
    "problems",
    sa.column("id", sa.BigInteger()),
    sa.column("features", sa.JSON()),
    sa.column("feature_set", sa.BigInteger()),
)
_OF_ONE = _PROBLEMS.c.id == sa.bindparam("number")
_SETS = sa.table("feature_sets", sa.column("id", sa.BigInteger()), sa.column("names", sa.JSON()))
_LINES = sa.table("run_lines", *(sa.column(name, sa.BigInteger()) for name in ("run_id", "root", "key")))


def upgrade() -> None:
    """Make the two tables and fill them from the columns whose place they take."""
    op.create_table(
        "run_lines",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("root", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_lines_run_id"),
        sa.PrimaryKeyConstraint("run_id", "root", "key", name="pk_run_lines"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "feature_sets",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feature_sets"),
    )
    op.execute(
        "ALTER TABLE problems ADD COLUMN feature_set BIGINT"
        " CONSTRAINT fk_problems_feature_set REFERENCES feature_sets (id)"
    )  # SQLite adds a key to a table in no other way
    known: set[int] = set()
    for rows in _pages("problems", "run_id", "root_index", "line_key", "features"):
        _add_lines((row.run_id, row.root_index, key) for row in rows for key in _keys(row.line_key))
        _name_features(rows, known)
    for rows in _pages("runs", "other_lines"):
        _add_lines((row.id, root, key) for row in rows for root, key in _others(row.other_lines))
    op.drop_index("ix_problems_line_key", "problems")
    op.drop_column("problems", "line_key")
    op.drop_column("runs", "other_lines")
    if op.get_bind().dialect.name != "sqlite":  # SQLite keeps whole numbers of 64 bits in any column
        for name in ("count", "found"):
            op.alter_column("runs", name, type_=sa.BigInteger())


def _pages(table: str, *columns: str) -> Iterator[list[Any]]:
    """The rows of a table page by page, so that a large store is not held in memory whole."""
    connection, found = op.get_bind(), sa.table(table, *map(sa.column, ("id", *columns)))
    last = _FIRST
    while rows := list(connection.execute(sa.select(found).where(found.c.id > last).order_by(found.c.id).limit(_PAGE))):
        yield rows
        last = rows[-1].id


def _add_lines(lines: Iterable[tuple[Any, Any, int]]) -> None:
    """Add lines, each once; those of no run or of no root are left out."""
    kept = {line for line in lines if type(line[0]) is type(line[1]) is int}
    rows = [dict(zip(("run_id", "root", "key"), line, strict=True)) for line in sorted(kept)]
    if rows:
        connection = op.get_bind()
        kind = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(kind.insert(_LINES).on_conflict_do_nothing(), rows)


def _keys(texts: Any) -> list[int]:
    return [_hash(text) for text in texts.split("\n")] if isinstance(texts, str) else []


def _others(value: Any) -> list[tuple[Any, int]]:
    try:
        return [(root, _hash(key)) for root, key in _loaded(value)]
    except _UNREADABLE:
        return []


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def _name_features(rows: Iterable[Any], known: set[int]) -> None:
    """Leave the values in each row, and their names in a set of names; what cannot be read stays as it is."""
    changes, sets = [], {}
    for row in rows:
        try:
            features = {str(name): float(value) for name, value in _loaded(row.features).items()}
        except _UNREADABLE:
            continue
        number = _hash(json.dumps(list(features)))
        sets[number] = list(features)
        changes.append({"number": row.id, "values": list(features.values()), "set": number})
    new = [{"id": number, "names": sets[number]} for number in sorted(set(sets) - known)]
    known.update(sets)
    connection = op.get_bind()
    if new:
        connection.execute(_SETS.insert(), new)
    if changes:
        to_set = {"features": sa.bindparam("values", type_=sa.JSON()), "feature_set": sa.bindparam("set")}
        connection.execute(_PROBLEMS.update().where(_OF_ONE).values(to_set), changes)


def _loaded(value: Any) -> Any:
    """A value of JSON: SQLite gives its text, PostgreSQL what it means."""
    return json.loads(value) if isinstance(value, str | bytes) else value
