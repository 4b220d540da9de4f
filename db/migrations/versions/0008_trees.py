# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees of problems, made when somebody opens them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008_trees"
down_revision = "0007_first_checks"


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "problem_trees",
        sa.Column("problem_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("problem_id", name="pk_problem_trees"),
        sa.ForeignKeyConstraint(
            ["problem_id"], ["problems.id"], name="fk_problem_trees_problem_id", ondelete="CASCADE"
        ),
    )
