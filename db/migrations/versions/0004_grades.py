# SPDX-License-Identifier: GPL-3.0-or-later
"""The grade and the blemishes of each problem (`solver.results`), and the composer's record."""

from __future__ import annotations

import json
from itertools import combinations

import sqlalchemy as sa
from alembic import op

revision = "0004_grades"
down_revision = "0003_recipes"

_REMARKS = (
    "LEFTOVER_IN_VARIATION", "EQUAL_DEFENCES", "LAST_MOVE_ALTERNATIVES", "DETOUR", "VARIATION_COOK",
)  # fmt: skip
"""The names that older versions wrote, in their order."""
_BLEMISHES = ("EQUAL_DEFENCES", "DETOUR", "LEFTOVER_IN_VARIATION")
"""The remarks that are blemishes too, in the order of the grades."""


def upgrade() -> None:
    """Add the columns; older problems passed all nine conditions, so they are perfect."""
    for column in (
        sa.Column("grade", sa.String(20), nullable=False, server_default="perfect"),
        sa.Column("blemishes", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("record", sa.Text(), nullable=True),
    ):
        op.add_column("problems", column)
    op.create_index("ix_problems_grade_length_score", "problems", ["grade", "length", "score"])
    # One statement for each set of remarks: there are few.
    problems = sa.table("problems", sa.column("remarks", sa.JSON()), sa.column("blemishes", sa.JSON()))
    for number in range(1, len(_REMARKS) + 1):
        for remarks in combinations(_REMARKS, number):
            blemishes = [name for name in _BLEMISHES if name in remarks]
            same = sa.cast(problems.c.remarks, sa.Text()) == json.dumps(remarks)
            if blemishes:
                op.execute(problems.update().where(same).values(blemishes=blemishes))
