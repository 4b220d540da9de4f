"""Runs of the generator: what was asked, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from db.models import RejectionRow, RunRow


@dataclass(frozen=True)
class StoredRun:
    """A run: ``count`` problems of ``moves`` plies asked for with a seed and options.

    ``candidates`` were examined so far; ``ended_at`` is None while the run goes
    on and when it was killed. Times are in UTC.
    """

    id: int
    seed: int
    moves: int
    count: int
    version: str
    options: dict[str, Any]
    started_at: datetime
    ended_at: datetime | None
    candidates: int


def stored_run(row: RunRow) -> StoredRun:
    """The run of a row."""
    return StoredRun(
        id=row.id,
        seed=row.seed,
        moves=row.moves,
        count=row.count,
        version=row.version,
        options=row.options,
        started_at=row.started_at,
        ended_at=row.ended_at,
        candidates=row.candidates,
    )


def set_progress(session: Session, run: RunRow, candidates: int, rejections: Mapping[str, int]) -> None:
    """Replace a run's totals."""
    run.candidates = int(candidates)
    session.execute(delete(RejectionRow).where(RejectionRow.run_id == run.id))
    rows = [{"run_id": run.id, "reason": why, "number": int(number)} for why, number in rejections.items()]
    if rows:
        session.execute(insert(RejectionRow), rows)
