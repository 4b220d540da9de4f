# SPDX-License-Identifier: GPL-3.0-or-later
"""Inserts that skip existing rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session


def insert_missing(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose keys are not in a table yet; existing rows stay unchanged."""
    if not rows:
        return
    connection = session.connection()
    kind = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(kind.insert(table).on_conflict_do_nothing(), rows)
