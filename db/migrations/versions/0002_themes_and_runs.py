# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes, quality and line keys of problems; what is needed to resume a run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from generator.problem import line_key
from tsume_rules.moves import parse_move

revision = "0002_themes_and_runs"
down_revision = "0001_problems"

_PAGE = 1000


def upgrade() -> None:
    """Add the columns and the table of themes; old rows get line keys and states.

    Old problems get quality 0 and no themes: only a new appraisal could give them. Old runs
    have no next root, so they cannot be resumed.
    """
    op.add_column("problems", sa.Column("quality", sa.Double(), nullable=False, server_default="0"))
    op.add_column("problems", sa.Column("line_key", sa.Text(), nullable=True))
    op.create_index("ix_problems_quality", "problems", ["quality"])
    op.create_index("ix_problems_line_key", "problems", ["line_key"])
    op.create_table(
        "problem_themes",
        sa.Column("problem_id", sa.Integer(), nullable=False),
        sa.Column("theme", sa.String(50), nullable=False),
        sa.ForeignKeyConstraint(["problem_id"], ["problems.id"], name="fk_problem_themes_problem_id"),
        sa.PrimaryKeyConstraint("problem_id", "theme", name="pk_problem_themes"),
    )
    op.create_index("ix_problem_themes_theme", "problem_themes", ["theme"])
    for column in (
        sa.Column("next_root", sa.BigInteger(), nullable=True),
        sa.Column("found", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("elapsed", sa.Double(), nullable=False, server_default="0"),
        sa.Column("state", sa.String(20), nullable=False, server_default="running"),
        sa.Column("counters", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("seconds", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("other_lines", sa.JSON(), nullable=False, server_default="[]"),
    ):
        op.add_column("runs", column)
    # Page by page, so that a large store is not held in memory whole.
    connection = op.get_bind()
    page = sa.text("SELECT id, line FROM problems WHERE id > :last ORDER BY id LIMIT :size")
    rows = connection.execute(page, {"last": -(2**63), "size": _PAGE}).all()
    while rows:
        keys = [{"number": number, "key": _key(line)} for number, line in rows]
        connection.execute(sa.text("UPDATE problems SET line_key = :key WHERE id = :number"), keys)
        rows = connection.execute(page, {"last": rows[-1].id, "size": _PAGE}).all()
    op.execute("UPDATE runs SET found = (SELECT count(*) FROM problems WHERE problems.run_id = runs.id)")
    op.execute("UPDATE runs SET state = 'stopped' WHERE ended_at IS NOT NULL")
    op.execute("UPDATE runs SET state = 'complete' WHERE ended_at IS NOT NULL AND found >= count")


def _key(line: str) -> str | None:
    """The key of a stored line; none for a line that cannot be read."""
    try:
        return line_key(tuple(parse_move(usi) for usi in line.split()))
    except (ValueError, TypeError, IndexError, AttributeError):
        return None
