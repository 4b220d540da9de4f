"""The store: problems in, problems out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db import query, schema
from db.engine import build_engine, reported, use_wal, writer
from db.errors import StoreError
from db.location import Location, locate
from db.models import ProblemRow, RunRow
from db.records import StoredProblem, require_playable, row_of, stored
from db.runs import StoredRun, set_progress, stored_run
from db.sqlite_file import tables_in_file
from db.stats import Stats, gather
from generator.problem import Problem


class Store:
    """A library of problems in a database; open it with `Store.open`.

    Every method is a transaction of its own, committed when it returns; several
    processes may use one store at once. All methods raise `StoreError` when the
    database fails. A store is a context manager that closes itself. It is not
    to be carried over a fork: open it in the process that uses it.
    """

    def __init__(self, location: Location, engine: Engine) -> None:
        self._location = location
        self._reader = engine
        self._writer = writer(engine)

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, create: bool = True) -> Self:
        """Open the store at a path (SQLite) or a SQLAlchemy URL, ``:memory:`` for a passing one.

        A missing file and an empty database become a new store, unless
        ``create`` is False. Raises `StoreError`, leaving the place as it is,
        for an older version, a newer one, another program's database, a place
        that cannot be read.
        """
        location = locate(place)
        with _opening(location, create=create) as engine:
            schema.prepare(engine, location.name, create=create)
        return cls(location, engine)

    @classmethod
    def upgrade(cls, place: str | os.PathLike[str]) -> tuple[str | None, str]:
        """Bring the store at a place to the newest version, in one transaction.

        Returns the revisions before (None: the database was empty) and after.
        Raises `StoreError` as `open` does, and where there is no database.
        """
        location = locate(place)
        with _opening(location, create=False) as engine:
            revisions = schema.migrate(engine, location.name)
        engine.dispose()
        return revisions

    @property
    def name(self) -> str:
        """The place as messages may show it, without a password."""
        return self._location.name

    def close(self) -> None:
        """Close all connections; the store opens new ones should it be used again."""
        self._reader.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, problem: Problem, run_id: int | None = None) -> int | None:
        """Store a problem; its id, or None when it or its mirror image is stored already.

        Raises `StoreError` for a problem that is not proved correct and for an
        unknown run.
        """
        if not problem.judgement.correct:
            raise self._location.fault("only problems proved correct are stored")
        row = row_of(problem, run_id)
        canonical = row.canonical
        with reported(self._location):
            try:
                with self._transaction(self._writer) as session:
                    session.add(row)
                    session.flush()
                    return row.id
            except IntegrityError:
                if self.contains(canonical):
                    return None
                raise

    def contains(self, canonical_sfen: str) -> bool:
        """Whether a canonical SFEN (`rules.symmetry.canonical_sfen`) is stored."""
        wanted = select(ProblemRow.id).where(ProblemRow.canonical == canonical_sfen)
        with self._reading() as session:
            return session.scalar(wanted) is not None

    def known(self) -> set[str]:
        """The canonical SFENs of all problems."""
        with self._reading() as session:
            return set(session.scalars(select(ProblemRow.canonical)))

    def get(self, problem_id: int) -> StoredProblem | None:
        """The problem of an id, None when there is none."""
        if abs(problem_id) >= 2**63:
            return None
        with self._reading() as session:
            row = session.get(ProblemRow, problem_id)
        return None if row is None else self._stored(row)

    def playable(self, problem: StoredProblem) -> StoredProblem:
        """A problem of this store; `StoreError` when its line cannot be played on its position."""
        try:
            require_playable(problem)
        except ValueError as error:
            raise self._location.fault(f"problem {problem.id} cannot be read: {error}") from None
        return problem

    def find(
        self,
        *,
        moves: int | None = None,
        min_score: float | None = None,
        max_score: float | None = None,
        stars: int | None = None,
        max_pieces: int | None = None,
        seed: int | None = None,
        limit: int | None = None,
        order: query.Order = "id",
    ) -> Iterator[StoredProblem]:
        """The problems that fulfil all that is asked, lowest id or lowest score first.

        ``moves`` is the length; the bounds of the score and ``max_pieces``
        (board and attacker's hand) are inclusive. Read page by page: the store
        may be written to meanwhile, and what is added after the first page was
        read does not turn up.
        """
        if order not in ("id", "score"):
            raise ValueError(f"order is id or score, not {order!r}")
        if limit is not None and limit < 0:
            raise ValueError(f"limit is negative: {limit}")
        wanted = query.conditions(
            moves=moves,
            min_score=min_score,
            max_score=max_score,
            stars=stars,
            max_pieces=max_pieces,
            seed=seed,
        )
        return self._pages(wanted, order, limit)

    def stats(self) -> Stats:
        """What the store holds, in numbers."""
        with self._reading() as session:
            return gather(session)

    def start_run(
        self, *, seed: int, moves: int, count: int, version: str, options: Mapping[str, Any]
    ) -> int:
        """Note that a run begins; its id. ``options`` are kept as JSON."""
        row = RunRow(
            seed=seed,
            moves=moves,
            count=count,
            version=version,
            options=dict(options),
            started_at=datetime.now(UTC),
        )
        with self._writing() as session:
            session.add(row)
            session.flush()
            return row.id

    def record_progress(self, run_id: int, candidates: int, rejections: Mapping[str, int]) -> None:
        """Note how far a run is: its totals so far, which replace those noted before."""
        with self._writing() as session:
            set_progress(session, self._run(session, run_id), candidates, rejections)

    def finish_run(self, run_id: int, candidates: int, rejections: Mapping[str, int]) -> None:
        """Note a run's final totals and that it ended."""
        with self._writing() as session:
            run = self._run(session, run_id)
            run.ended_at = datetime.now(UTC)
            set_progress(session, run, candidates, rejections)

    def runs(self) -> list[StoredRun]:
        """All runs, oldest first."""
        with self._reading() as session:
            return [stored_run(row) for row in session.scalars(select(RunRow).order_by(RunRow.id))]

    def _run(self, session: Session, run_id: int) -> RunRow:
        run = session.get(RunRow, run_id)
        if run is None:
            raise self._location.fault(f"has no run {run_id}")
        return run

    def _pages(
        self, wanted: list[ColumnElement[bool]], order: query.Order, limit: int | None
    ) -> Iterator[StoredProblem]:
        with self._reading() as session:
            newest = session.scalar(query.newest())
        bounded = [*wanted, ProblemRow.id <= newest]
        last: ProblemRow | None = None
        for size in query.page_sizes(limit):
            with self._reading() as session:
                rows: Sequence[ProblemRow] = session.scalars(query.page(bounded, order, last, size)).all()
            yield from [self._stored(row) for row in rows]
            if not query.advances(order, last, rows):
                raise self._location.fault("is damaged: problems stand in no order")
            if len(rows) < size:
                return
            last = rows[-1]

    def _stored(self, row: ProblemRow | None) -> StoredProblem:
        if row is None:
            raise self._location.fault("is damaged: a problem has no id")
        try:
            return stored(row)
        except ValueError as error:
            raise self._location.fault(f"problem {row.id} cannot be read: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        """A session that only fetches rows: values of another type than their column's are faults."""
        try:
            with self._guarded(self._reader) as session:
                yield session
        except StoreError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise self._location.fault(f"holds what cannot be read: {error}") from None

    def _writing(self) -> AbstractContextManager[Session]:
        return self._guarded(self._writer)

    @contextmanager
    def _guarded(self, engine: Engine) -> Iterator[Session]:
        with reported(self._location), self._transaction(engine) as session:
            yield session

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Session]:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session


@contextmanager
def _opening(location: Location, *, create: bool) -> Iterator[Engine]:
    """An engine for a place that was looked at; closed again when the opening fails."""
    if location.path is not None:
        tables = tables_in_file(location.path, create=create)
        schema.require_ours(tables or (), location.name)
    engine = build_engine(location)
    try:
        with reported(location):
            yield engine
            if location.path is not None:
                use_wal(engine)
    except BaseException:
        engine.dispose()
        raise
