# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person writes to each problem, the tags, the versions; facts that problems are selected by."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from db.notebook import EMPTY, HEADERS, Notebook, notebook_of_headers
from generator.constraints.problem import count_defenders, key_kinds
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

revision = "0005_notebook"
down_revision = "0004_grades"

_PAGE = 500
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


def upgrade() -> None:
    """Add the columns and the table of tags; titles, authors and sources come from the composers' records.

    Whether older problems are the same when every interposition counts is not known.
    """
    columns: tuple[sa.Column[Any], ...] = (
        *(sa.Column(name, sa.String(200), nullable=False, server_default=sa.text("''")) for name in HEADERS),
        sa.Column("notes", sa.Text(), nullable=False, server_default=sa.text("''")),
        sa.Column("defenders", sa.Integer(), nullable=True),
        sa.Column("key_kinds", sa.String(50), nullable=True),
        sa.Column("same_when_counted", sa.Boolean(), nullable=True),
    )
    for column in columns:
        op.add_column("problems", column)
    op.execute(
        "ALTER TABLE problems ADD COLUMN parent_id INTEGER CONSTRAINT fk_problems_parent_id REFERENCES problems (id)"
    )  # SQLite adds a key to a table in no other way
    op.create_index("ix_problems_parent_id", "problems", ["parent_id"])
    op.create_table(
        "problem_tags",
        sa.Column("problem_id", sa.Integer(), nullable=False),
        sa.Column("tag", sa.String(50), nullable=False),
        sa.ForeignKeyConstraint(["problem_id"], ["problems.id"], name="fk_problem_tags_problem_id"),
        sa.PrimaryKeyConstraint("problem_id", "tag", name="pk_problem_tags"),
    )
    op.create_index("ix_problem_tags_tag", "problem_tags", ["tag"])
    _fill()


def _fill() -> None:
    """Page by page, so that a large store is not held in memory whole."""
    connection = op.get_bind()
    page = sa.text("SELECT id, sfen, line, record FROM problems WHERE id > :last ORDER BY id LIMIT :size")
    change = sa.text(
        "UPDATE problems SET defenders = :defenders, key_kinds = :key_kinds, title = :title,"
        " author = :author, source = :source WHERE id = :number"
    )
    rows = connection.execute(page, {"last": -(2**63), "size": _PAGE}).all()
    while rows:
        values = [{"number": row.id, **_facts(row.sfen, row.line), **_texts(row.record)} for row in rows]
        connection.execute(change, values)
        rows = connection.execute(page, {"last": rows[-1].id, "size": _PAGE}).all()


def _facts(sfen: Any, line: Any) -> dict[str, Any]:
    """The facts of a stored problem; none of one that cannot be read."""
    try:
        position = parse_sfen(sfen).position
        kinds = key_kinds(position, tuple(parse_move(usi) for usi in line.split()))
        return {"defenders": count_defenders(position), "key_kinds": " ".join(sorted(kinds))}
    except _UNREADABLE:
        return {"defenders": None, "key_kinds": None}


def _texts(record: Any) -> dict[str, str]:
    """Title, author and source of a composer's record, empty where it has none."""
    notebook = _notebook(record)
    return {name: getattr(notebook, name) for name in HEADERS}


def _notebook(record: Any) -> Notebook:
    try:
        return notebook_of_headers(dict(json.loads(record)["header"]))
    except _UNREADABLE:
        return EMPTY
