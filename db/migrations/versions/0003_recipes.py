# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe (`generator.problem`) of each run and problem."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003_recipes"
down_revision = "0002_themes_and_runs"


def upgrade() -> None:
    """Add the columns; older runs and problems have no recipe, and such runs cannot be resumed."""
    for table in ("runs", "problems"):
        op.add_column(table, sa.Column("recipe", sa.Integer(), nullable=True))
