# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of the proof tree as a column to sort and select by; stars follow from the score and are not stored."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from solver.results import proof_tree_size

revision = "0010_proof_trees"
down_revision = "0009_training"

_PAGE = 5000


def upgrade() -> None:
    """Replace the stars by the size of the proof tree, which old rows have among their features; 0 where not."""
    op.drop_column("problems", "stars")
    op.add_column("problems", sa.Column("proof_tree", sa.BigInteger(), nullable=False, server_default="0"))
    connection = op.get_bind()
    names = {row.id: _parsed(row.names) for row in connection.execute(sa.text("SELECT id, names FROM feature_sets"))}
    page = sa.text(
        "SELECT id, feature_set, CAST(features AS TEXT) AS features FROM problems"
        " WHERE id > :last ORDER BY id LIMIT :size"
    )
    change = sa.text("UPDATE problems SET proof_tree = :size WHERE id = :number")
    rows = connection.execute(page, {"last": -(2**63), "size": _PAGE}).all()
    while rows:
        known = [(row.id, names.get(row.feature_set), _parsed(row.features)) for row in rows]
        connection.execute(change, [{"number": number, "size": _size(*found)} for number, *found in known])
        rows = connection.execute(page, {"last": rows[-1].id, "size": _PAGE}).all()
    op.create_index("ix_problems_proof_tree", "problems", ["proof_tree"])


def _parsed(text: Any) -> Any:
    """A list as JSON text, or as PostgreSQL's driver gives it; None for a damaged one."""
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None


def _size(names: Any, values: Any) -> int:
    try:
        return proof_tree_size(dict(zip(names, values, strict=True)))
    except (ValueError, TypeError):
        return 0
