# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems, runs and rejections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001_problems"
down_revision = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(100), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(50), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("candidates", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_table(
        "rejections",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_rejections_run_id"),
        sa.PrimaryKeyConstraint("run_id", "reason", name="pk_rejections"),
    )
    _make_problems()


def _make_problems() -> None:
    op.create_table(
        "problems",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("canonical", sa.String(200), nullable=False),
        sa.Column("sfen", sa.String(200), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("searched", sa.Integer(), nullable=True),
        sa.Column("remarks", sa.JSON(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("stars", sa.Integer(), nullable=False),
        sa.Column("features", sa.JSON(), nullable=False),
        sa.Column("board_pieces", sa.Integer(), nullable=False),
        sa.Column("hand_pieces", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(100), nullable=True),
        sa.Column("root_index", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.String(50), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_problems_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_problems"),
        sa.UniqueConstraint("canonical", name="uq_problems_canonical"),
    )
    op.create_index("ix_problems_length_score", "problems", ["length", "score"])
    op.create_index("ix_problems_score", "problems", ["score"])
    op.create_index("ix_problems_seed", "problems", ["seed"])
    op.create_index("ix_problems_run_id", "problems", ["run_id"])
