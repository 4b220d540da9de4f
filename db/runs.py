# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored runs of the generator: the request and the progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from db.errors import stored_value_excerpt
from db.models import RUNS, RejectionRow, RunRow

CANDIDATES = "candidates"
"""The counter with a column of its own, so that it can be summed over runs."""
_REJECTIONS = cast(Table, RejectionRow.__table__)


class RunState(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    """At work, or killed."""
    COMPLETE = "complete"
    """All requested problems were found."""
    STOPPED = "stopped"
    """Its time was up."""
    EXHAUSTED = "exhausted"
    """Nothing new was to be had."""
    INTERRUPTED = "interrupted"
    """Ended by a signal or an error."""
    MERGED = "merged"
    """Started in another store, whose problems were merged into this one; it can only be continued there."""


@dataclass(frozen=True)
class Totals:
    """What the roots below ``next_root`` gave: all that is needed to resume a run.

    ``found`` problems were stored in ``elapsed`` seconds. ``counters`` says how often each
    stage was reached, ``rejections`` how often a candidate was rejected for each reason,
    ``seconds`` how long each stage took, summed over the processes.
    """

    next_root: int = 0
    found: int = 0
    elapsed: float = 0.0
    counters: Mapping[str, int] = field(default_factory=dict)
    rejections: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredRun:
    """A run: ``count`` problems of ``moves`` plies asked for with a seed and options.

    ``ended_at`` is None for a run that goes on or was killed; times are in UTC. A run that
    is not ``resumable`` is of a version that did not keep which roots were done.
    ``version`` is that of the tsume that began it, ``recipe`` the number in
    `generator.run.version`, None for a run older than recipes.
    """

    id: int
    seed: int
    moves: int
    count: int
    version: str
    recipe: int | None
    options: dict[str, Any]
    started_at: datetime
    ended_at: datetime | None
    candidates: int
    state: RunState
    resumable: bool
    totals: Totals


def stored_run(session: Session, row: RunRow) -> StoredRun:
    """The run of a row. Raises ValueError for a value that no run can have."""
    return StoredRun(
        id=row.id,
        seed=row.seed,
        moves=row.moves,
        count=row.count,
        version=row.version,
        recipe=None if row.recipe is None else int(row.recipe),
        options=row.options,
        started_at=row.started_at,
        ended_at=row.ended_at,
        candidates=row.candidates,
        state=RunState(row.state),
        resumable=row.next_root is not None,
        totals=_run_totals(session, row),
    )


def _run_totals(session: Session, row: RunRow) -> Totals:
    wanted = select(RejectionRow.reason, RejectionRow.number).where(RejectionRow.run_id == row.id)
    return Totals(
        next_root=int(row.next_root or 0),
        found=int(row.found),
        elapsed=float(row.elapsed),
        counters={name: int(number) for name, number in _stored_dict_items("counters", row.counters)},
        rejections={str(reason): int(number) for reason, number in session.execute(wanted)},
        seconds={name: float(number) for name, number in _stored_dict_items("seconds", row.seconds)},
    )


def _stored_dict_items(name: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is {stored_value_excerpt(repr(value))}")
    return list(value.items())


def set_run_totals(session: Session, run_id: int, totals: Totals, others: Mapping[str, Any]) -> None:
    """Replace a run's totals and, with them, the values of ``others``, by column."""
    values = {
        "next_root": int(totals.next_root),
        "found": int(totals.found),
        "elapsed": float(totals.elapsed),
        "candidates": int(totals.counters.get(CANDIDATES, 0)),
        "counters": {name: int(number) for name, number in totals.counters.items()},
        "seconds": {name: float(number) for name, number in totals.seconds.items()},
        **others,
    }
    connection = session.connection()
    connection.execute(update(RUNS).where(RUNS.c.id == run_id).values(values))
    connection.execute(delete(_REJECTIONS).where(_REJECTIONS.c.run_id == run_id))
    numbers = {str(why): int(number) for why, number in totals.rejections.items() if number}
    rows = [{"run_id": run_id, "reason": why, "number": number} for why, number in numbers.items()]
    if rows:
        connection.execute(insert(_REJECTIONS), rows)
