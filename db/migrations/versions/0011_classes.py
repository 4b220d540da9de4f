# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes: a teacher, pupils, and a list of problems for them; the index of themes has the problems, too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011_classes"
down_revision = "0010_proof_trees"

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables, all empty, and the index."""
    op.create_index("ix_problem_themes_theme_problem_id", "problem_themes", ["theme", "problem_id"])
    op.drop_index("ix_problem_themes_theme", "problem_themes")
    op.create_table(
        "classes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_key", sa.String(200), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(128), nullable=False),
        sa.Column("teacher_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["teacher_id"], ["persons.id"], name="fk_classes_teacher_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_classes"),
        sa.UniqueConstraint("name_key", name="uq_classes_name_key"),
    )
    op.create_index("ix_classes_teacher_id", "classes", ["teacher_id"])
    for table, other, name, kind in (
        ("class_pupils", "persons", "person_id", sa.Column("joined_at", _TIME, nullable=False)),
        ("class_problems", "problems", "problem_id", sa.Column("place", sa.Integer(), nullable=False)),
    ):
        op.create_table(
            table,
            sa.Column("class_id", sa.Integer(), nullable=False),
            sa.Column(name, sa.Integer(), nullable=False),
            kind,
            sa.ForeignKeyConstraint(["class_id"], ["classes.id"], name=f"fk_{table}_class_id", ondelete="CASCADE"),
            sa.ForeignKeyConstraint([name], [f"{other}.id"], name=f"fk_{table}_{name}", ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("class_id", name, name=f"pk_{table}"),
        )
        op.create_index(f"ix_{table}_{name}", table, [name])
