# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored runs of the generator: the request and the progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from db.engine import DatabaseSessions, insert_missing_rows
from db.errors import BusyRunError, stored_value_excerpt
from db.models import RUN_LINES, RUNS, ProblemRow, RejectionRow, RunRow
from db.problem_rows import ProblemAddition, add_problem_rows, fault_of_problem, stored_ids_by_sfen
from db.query import READ_AT_ONCE, ProblemFigures, problem_figures
from generator.problem import Problem
from tsume_rules.sfen import canonical_sfen

if TYPE_CHECKING:
    import numpy as np


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
class RunTotals:
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

    ``ended_at`` is None for a run that goes on or was killed; times are in UTC. A run that is not ``resumable`` is of a
    version that did not keep which roots were done. ``version`` is that of the tsume that began it, ``recipe`` the
    number in `generator.problem`, None for a run older than recipes.
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
    totals: RunTotals


def stored_run(session: Session, row: RunRow) -> StoredRun:
    """Return the run of a row. Raises ValueError for a value that no run can have."""
    wanted = select(RejectionRow.reason, RejectionRow.number).where(RejectionRow.run_id == row.id)
    totals = RunTotals(
        next_root=int(row.next_root or 0), found=int(row.found), elapsed=float(row.elapsed),
        counters={name: int(number) for name, number in _stored_dict_items("counters", row.counters)},
        rejections={str(reason): int(number) for reason, number in session.execute(wanted)},
        seconds={name: float(number) for name, number in _stored_dict_items("seconds", row.seconds)},
    )  # fmt: skip
    return StoredRun(
        row.id, row.seed, row.moves, row.count, row.version, None if row.recipe is None else int(row.recipe),
        row.options, row.started_at, row.ended_at, row.candidates, RunState(row.state),
        resumable=row.next_root is not None, totals=totals,
    )  # fmt: skip


def _stored_dict_items(name: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is {stored_value_excerpt(repr(value))}")
    return list(value.items())


def set_run_totals(session: Session, run_id: int, totals: RunTotals, others: Mapping[str, Any]) -> None:
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


# --- the log of runs: a run starts, advances root by root, ends, and may be resumed ----------------

_LARGEST_ID = 2**63


class RunTransaction:
    """One transaction of a run: it writes problems together with the totals."""

    def __init__(self, sessions: DatabaseSessions, session: Session, run_id: int) -> None:
        self._sessions = sessions
        self._session = session
        self._run_id = run_id

    def stored_sfens(self, problems: Sequence[Problem]) -> set[str]:
        """Return the canonical SFENs of the problems that are stored, themselves or as mirror images."""
        return set(stored_ids_by_sfen(self._session, [canonical_sfen(problem.position) for problem in problems]))

    def add(self, problems: Sequence[Problem]) -> list[int]:
        """Store problems of the run that are all different and not `stored_sfens`; returns their ids."""
        for fault in filter(None, map(fault_of_problem, problems)):
            raise self._sessions.fault(fault)
        added = add_problem_rows(self._session, [ProblemAddition(problem, run_id=self._run_id) for problem in problems])
        return [one.id for one in added]

    def add_lines(self, rows: Iterable[tuple[int, int]]) -> None:
        """Record what roots found, as root and hash of a key; repeated entries are ignored. One for each key
        (`generator.problem_keys.key_hash`) of each problem found, stored now or before."""
        lines = [{"run_id": self._run_id, "root": root, "key": key} for root, key in dict.fromkeys(rows)]
        insert_missing_rows(self._session, RUN_LINES, lines)

    def set_totals(self, totals: RunTotals) -> None:
        """Replace the totals of the run and mark it as running."""
        values = {"state": RunState.RUNNING.value, "ended_at": None}
        set_run_totals(self._session, self._run_id, totals, values)


class RunLog:
    """The runs of a store. Every method is a transaction; all raise `StoreError`. All but `start`, `advancing` and
    `all` wait for a lost server (`DatabaseSessions.persist`)."""

    def __init__(self, sessions: DatabaseSessions) -> None:
        self._sessions = sessions

    def start(
        self, *, seed: int, moves: int, count: int, version: str, recipe: int, options: Mapping[str, Any]
    ) -> StoredRun:
        """Record the start of a run with its version and recipe. ``options`` are stored as JSON."""
        row = RunRow(
            seed=seed, moves=moves, count=count, version=version, recipe=recipe, options=dict(options),
            started_at=datetime.now(UTC), candidates=0, next_root=0, found=0, elapsed=0.0,
            state=RunState.RUNNING.value, counters={}, seconds={},
        )  # fmt: skip
        with self._sessions.writing() as session:
            session.add(row)
            session.flush()
            return stored_run(session, row)

    def reopen(self, run_id: int) -> None:
        """Record that a run continues."""

        def note() -> None:
            with self._sessions.writing() as session:
                self._reached(session, run_id)
                values = {"state": RunState.RUNNING.value, "ended_at": None}
                session.connection().execute(update(RUNS).where(RUNS.c.id == run_id).values(values))

        self._sessions.persist(note)

    @contextmanager
    def advancing(self, run_id: int, next_root: int) -> Iterator[RunTransaction]:
        """One transaction that advances a run from ``next_root``. Raises `StoreError` if the run is further than that:
        another process is continuing it."""
        with self._sessions.writing() as session:
            reached = self._reached(session, run_id)
            if reached != next_root:
                fault = self._sessions.fault(
                    f"run {run_id} is at root {reached}, not {next_root}: is another process working on it?"
                )
                raise BusyRunError(str(fault))
            yield RunTransaction(self._sessions, session, run_id)

    def finish(
        self, run_id: int, state: RunState, next_root: int, totals: RunTotals, last_step: int | None = None
    ) -> None:
        """Record the end of a run, with its totals if it is still at ``next_root``.

        If it is at ``last_step``, the process was interrupted just after committing that step: the stored
        totals are right. If it is anywhere else, another process is continuing it and will record the end.
        """
        values = {"state": state.value, "ended_at": datetime.now(UTC)}

        def note() -> None:
            with self._sessions.writing() as session:
                reached = self._reached(session, run_id)
                if reached == next_root:
                    set_run_totals(session, run_id, totals, values)
                elif reached == last_step:
                    session.connection().execute(update(RUNS).where(RUNS.c.id == run_id).values(values))

        self._sessions.persist(note)

    def get(self, run_id: int) -> StoredRun | None:
        """Return the run with an id, None if there is none."""

        def read(session: Session) -> StoredRun | None:
            wanted = select(RunRow).where(RunRow.id == run_id)
            row = session.scalar(wanted) if abs(run_id) < _LARGEST_ID else None
            return None if row is None else stored_run(session, row)

        return self._sessions.persist_reading(read)

    def all(self) -> list[StoredRun]:
        """Return all runs, oldest first."""
        with self._sessions.reading() as session:
            rows = session.scalars(select(RunRow).order_by(RunRow.id)).all()
            return [stored_run(session, row) for row in rows if row is not None]

    def lines(self, run_id: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what a run's roots found, in their order: roots and hashes of keys, int64 [line] each."""
        import numpy as np  # noqa: PLC0415 - slow, and only runs need it

        columns = RUN_LINES.c
        wanted = select(columns.root, columns.key).where(columns.run_id == run_id)
        ordered = wanted.order_by(columns.root, columns.key).execution_options(yield_per=READ_AT_ONCE)

        kind = [("root", np.int64), ("key", np.int64)]
        found = self._sessions.persist_reading(
            lambda session: np.fromiter(map(tuple, session.connection().execute(ordered)), dtype=kind)
        )
        return np.ascontiguousarray(found["root"]), np.ascontiguousarray(found["key"])

    def figures(self, run_id: int) -> ProblemFigures:
        """Return the scores, quality and themes of a run's problems."""
        return self._sessions.persist_reading(lambda session: problem_figures(session, ProblemRow.run_id == run_id))

    def _reached(self, session: Session, run_id: int) -> int | None:
        """Return the next root of a run; no other process can change it until the transaction ends."""
        wanted = select(RunRow.next_root).where(RunRow.id == run_id).with_for_update()
        found = session.connection().execute(wanted).one_or_none()
        if found is None:
            raise self._sessions.fault(f"has no run {run_id}")
        return found[0]
