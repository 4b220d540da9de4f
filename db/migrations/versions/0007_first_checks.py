# SPDX-License-Identifier: GPL-3.0-or-later
"""How the first checks resist and how surprising the key is, as columns to select by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007_first_checks"
down_revision = "0006_run_lines"


def upgrade() -> None:
    """Add the columns. They are not known of older problems, which were scored without them."""
    for name in ("resistance", "surprise"):
        op.add_column("problems", sa.Column(name, sa.Double(), nullable=True))
