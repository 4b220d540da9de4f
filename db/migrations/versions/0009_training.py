# SPDX-License-Identifier: GPL-3.0-or-later
"""Training: persons, their results and repetitions, ratings of problems."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009_training"
down_revision = "0008_trees"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables, all empty."""
    op.create_table(
        "persons",
        sa.Column("id", sa.Integer(), nullable=False),
        *_columns(sa.String(40), "name"),
        *_columns(sa.String(200), "name_key"),
        *_columns(sa.String(64), "salt"),
        *_columns(sa.String(128), "digest"),
        *_rating(),
        sa.Column("rated_at", _TIME, nullable=True),
        *_columns(_TIME, "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
        sa.UniqueConstraint("name_key", name="uq_persons_name_key"),
    )
    op.create_table(
        "results",
        *_columns(sa.Integer(), "id", "person_id"),
        sa.Column("problem_id", sa.Integer(), nullable=True),
        *_columns(sa.String(200), "canonical"),
        *_columns(sa.String(20), "mode"),
        sa.Column("day", sa.String(10), nullable=True),
        *_columns(_TIME, "ended_at"),
        *_columns(sa.Boolean(), "solved"),
        *_columns(sa.Integer(), "moves", "mistakes", "hints", "seconds"),
        *_columns(sa.Boolean(), "rated"),
        *_columns(sa.Double(), "rating"),
        _key("results", "person_id", "persons"),
        _key("results", "problem_id", "problems", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_results"),
    )
    op.create_index("ix_results_person_id_problem_id", "results", ["person_id", "problem_id"])
    op.create_index("ix_results_problem_id", "results", ["problem_id"])
    _make_problem_ratings()
    _make_cards()
    _make_sessions()
    _make_runs()


def _columns(kind: Any, *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def _rating() -> list[sa.Column[Any]]:
    return _columns(sa.Double(), "rating", "deviation", "volatility")


def _key(table: str, column: str, other: str, **more: Any) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}", **more)


def _make_problem_ratings() -> None:
    op.create_table(
        "problem_ratings",
        *_columns(sa.Integer(), "problem_id"),
        *_rating(),
        *_columns(sa.Integer(), "plays"),
        _key("problem_ratings", "problem_id", "problems", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("problem_id", name="pk_problem_ratings"),
    )
    op.create_index("ix_problem_ratings_rating", "problem_ratings", ["rating"])


def _make_cards() -> None:
    op.create_table(
        "cards",
        *_columns(sa.Integer(), "person_id", "problem_id"),
        *_columns(_TIME, "due"),
        *_columns(sa.Boolean(), "failed"),
        *_columns(sa.JSON(), "state"),
        _key("cards", "person_id", "persons"),
        _key("cards", "problem_id", "problems", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "problem_id", name="pk_cards"),
    )
    op.create_index("ix_cards_person_id_due", "cards", ["person_id", "due"])
    op.create_index("ix_cards_problem_id", "cards", ["problem_id"])


def _make_sessions() -> None:
    op.create_table(
        "sessions",
        *_columns(sa.String(64), "digest"),
        *_columns(sa.Integer(), "person_id"),
        *_columns(_TIME, "created_at", "expires_at"),
        _key("sessions", "person_id", "persons"),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )


def _make_runs() -> None:
    op.create_table(
        "training_runs",
        *_columns(sa.Integer(), "id", "person_id"),
        *_columns(sa.String(20), "mode"),
        *_columns(sa.Integer(), "solved", "seconds"),
        *_columns(_TIME, "ended_at"),
        _key("training_runs", "person_id", "persons"),
        sa.PrimaryKeyConstraint("id", name="pk_training_runs"),
    )
    op.create_index("ix_training_runs_person_id_mode", "training_runs", ["person_id", "mode"])
