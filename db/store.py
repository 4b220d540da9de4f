# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: problems in, problems out."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import ParamSpec, Self, TypeVar, cast

from sqlalchemy import Engine, Table, delete, func, insert, select, update

from db import engine as database
from db import problem_rows, query, schema
from db.models import PROBLEMS, THEMES, Base, TreeRow
from db.notebook import EMPTY, TEXTS, Notebook, NotebookEdit
from db.runs import RunLog
from db.selection import ALL, ProblemSelection
from db.stored_problem import StoredProblem, problem_of_row, problem_row_values, require_playable_line, sfen_with_line
from db.training.log import TrainingLog
from generator.problem import Problem
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """A library of problems in a database; open it with `Store.open`.

    Every method is a transaction of its own, committed when it returns; several processes may use one store at once.
    All methods raise `StoreError` when the database fails. A store is a context manager that closes itself. Open it in
    the process that uses it: it must not be used after a fork. ``runs`` is the log of the runs that filled it,
    ``training`` that of the persons who solve its problems.
    """

    def __init__(self, location: database.StoreLocation, engine: Engine) -> None:
        self._sessions = database.DatabaseSessions(location, engine)
        self.runs = RunLog(self._sessions)
        self.training = TrainingLog(self._sessions)

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, create: bool = True) -> Self:
        """Open the store at a path (SQLite) or a SQLAlchemy URL; ``:memory:`` is lost when closed.

        A missing file and an empty database become a new store, unless ``create`` is False. A read-only
        place can be read; with ``create`` it is refused. Raises `StoreError`, without changing the place,
        for an older or newer version, another program's database, or an unreadable place.
        """
        location = _store_location(place)
        if create:
            location.require_writable()
        with _opened_store_engine(location, create=create) as engine:
            schema.prepare_schema(engine, location.name, create=create)
        return cls(location, engine)

    @classmethod
    def upgrade(cls, place: str | os.PathLike[str]) -> tuple[str | None, str]:
        """Bring the store at a place to the newest version, in one transaction. Returns the revisions before (None: the
        database was empty) and after. Raises `StoreError` as `open` does, and if there is no database."""
        location = _store_location(place)
        location.require_writable()
        with _opened_store_engine(location, create=False) as engine:
            revisions = schema.migrate_schema(engine, location.name)
        engine.dispose()
        return revisions

    @property
    def name(self) -> str:
        """The place without its password, as messages show it."""
        return self._sessions.location.name

    def report_outages(self, tell: Callable[[str], None]) -> None:
        """Pass a line to ``tell`` when the server is lost and when it is back."""
        self._sessions.tell = tell

    def persist(self, work: Callable[[], T]) -> T:
        """Run an idempotent operation, retrying for up to two minutes while the server is unreachable."""
        return self._sessions.persist(work)

    @property
    def read_only(self) -> bool:
        """Whether the store is read-only."""
        return self._sessions.location.read_only

    def close(self) -> None:
        """Close all connections; the store opens new ones if it is used again."""
        self._sessions.reader.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, problem: Problem, run_id: int | None = None, notebook: Notebook = EMPTY) -> int | None:
        """Store a problem; returns its id, or None if it or its mirror image is stored already.

        ``notebook`` is written to it if it is new. Raises `StoreError` for a problem whose grade is
        not perfect or sound, for values that databases cannot store and for an unknown run.
        """
        (added,) = self.add_all([problem_rows.ProblemAddition(problem, notebook, run_id=run_id)])
        return added.id if added.is_new else None

    def add_all(self, additions: Sequence[problem_rows.ProblemAddition]) -> list[problem_rows.AddedProblem]:
        """Store problems in one transaction; returns the id of each and whether it is new, in their order. Mirror
        images are one problem. Raises `StoreError` as `add` does; then none is stored."""
        for fault in filter(None, (problem_rows.fault_of_problem(one.problem, one.notebook) for one in additions)):
            raise self._sessions.fault(fault)
        with self._sessions.writing() as session:
            return problem_rows.add_problem_rows(session, additions)

    def get(self, problem_id: int) -> StoredProblem | None:
        """Return the problem with an id, None if there is none."""
        if abs(problem_id) >= 2**63:
            return None
        return next(iter(self.problems_of_ids([problem_id])), None)

    def edit(self, problem_ids: Sequence[int], change: NotebookEdit) -> None:
        """Change the notebooks of all these problems or, on an error, of none. Raises `StoreError` for an unknown id
        and for a problem that would be a version of itself."""
        try:
            with self._sessions.writing() as session:
                problem_rows.edit_problems(session, problem_ids, change)
        except problem_rows.EditError as error:
            raise self._sessions.fault(error) from None

    def versions(self, problem_id: int) -> problem_rows.ProblemVersions:
        """Return the problems of which a problem is a version, and its own versions."""
        with self._sessions.reading() as session:
            return problem_rows.versions_of(session, problem_id)

    def versions_among(self, problem_ids: Sequence[int]) -> dict[int, problem_rows.ProblemVersions]:
        """Return the same for each of these problems that has any."""
        with self._sessions.reading() as session:
            return problem_rows.versions_of_problems(session, problem_ids)

    def id_of(self, position: Position) -> int | None:
        """Return the id of the problem with this position or its mirror image, None if there is none."""
        canonical = canonical_sfen(position)
        with self._sessions.reading() as session:
            return problem_rows.stored_ids_by_sfen(session, [canonical]).get(canonical)

    def playable(self, problem: StoredProblem) -> StoredProblem:
        """Give back a problem of this store; raises `StoreError` if its line cannot be played."""
        try:
            require_playable_line(problem)
        except ValueError as error:
            raise self._sessions.fault(f"problem {problem.id} cannot be read: {error}") from None
        return problem

    def find(self, wanted: ProblemSelection = ALL, skip: int = 0) -> Iterator[StoredProblem]:
        """Yield the problems of a selection in its order, without the first ``skip``. They are read page by page: the
        store may change meanwhile, and problems added after the first page are not included."""
        return (problem for numbers in self.id_pages(wanted, skip) for problem in self.problems_of_ids(numbers))

    def sfens_with_lines(self, wanted: ProblemSelection = ALL) -> Iterator[str]:
        """Positions and lines of a selection in its order, as SFEN with moves; otherwise as `find`."""
        for numbers in self.id_pages(wanted):
            with self._sessions.reading() as session:
                columns = PROBLEMS.c
                lines = select(columns.id, columns.sfen, columns.line).where(columns.id.in_(numbers))
                rows = {row.id: row for row in session.connection().execute(lines)}
            for number in numbers:
                if number in rows:
                    yield self._readable(number, sfen_with_line, rows[number].sfen, rows[number].line)

    def problems_of_ids(self, problem_ids: Sequence[int]) -> list[StoredProblem]:
        """Return the problems with these ids, in their order; missing ones are omitted."""
        with self._sessions.reading() as session:
            rows = problem_rows.stored_rows(session, problem_ids)
        return [self._readable(number, problem_of_row, *rows[number]) for number in problem_ids if number in rows]

    def id_pages(self, wanted: ProblemSelection = ALL, skip: int = 0) -> Iterator[Sequence[int]]:
        """Yield the ids of a selection in its order, without the first ``skip``, page by page. There is at least one
        page; it may be empty."""
        for numbers in query.pages_of_ids(self._selected_ids(wanted)[skip:]):
            if len(set(numbers)) < len(numbers):
                raise self._sessions.fault("is damaged: several problems have one id")
            yield numbers

    def count(self, wanted: ProblemSelection = ALL) -> int:
        """Return how many problems a selection has, without its limit."""
        if wanted.theme_details:
            return len(self._selected_ids(replace(wanted, limit=None)))
        with self._sessions.reading() as session:
            counted = select(func.count()).select_from(PROBLEMS).where(*query.selection_conditions(wanted))
            return int(session.connection().execute(counted).scalar_one())

    def lengths(self) -> dict[int, int]:
        """Return how many problems there are of each length, the shortest first."""
        with self._sessions.reading() as session:
            length = PROBLEMS.c.length
            counted = select(length, func.count().label("number")).group_by(length).order_by(length)
            return {row.length: row.number for row in session.connection().execute(counted)}

    def choice_counts(self, wanted: ProblemSelection) -> query.ChoiceCounts:
        """Return how many problems there are with other lengths, stars and themes, and else as wanted."""
        with self._sessions.reading() as session:
            return query.choice_counts(session, wanted)

    def row_counts(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the numbers of rows of some tables."""
        counted = {name: select(func.count()).select_from(Base.metadata.tables[name]) for name in tables}
        with self._sessions.reading() as session:
            return {name: int(session.execute(wanted).scalar_one()) for name, wanted in counted.items()}

    def stats(self) -> query.StoreStats:
        """Statistics of the store."""
        with self._sessions.reading() as session:
            return query.gather_store_stats(session)

    def figures(self) -> query.ProblemFigures:
        """Return the scores and quality of all problems, one by one, and their themes."""
        with self._sessions.reading() as session:
            return query.problem_figures(session)

    def _selected_ids(self, wanted: ProblemSelection) -> array[int]:
        found = array("q")
        with self._sessions.reading() as session:
            chosen = query.ids_query(wanted).execution_options(yield_per=query.READ_AT_ONCE)
            for part in session.connection().execute(chosen).scalars().partitions():
                if None in part:
                    raise self._sessions.fault("is damaged: a problem has no id")
                found.extend(part)
        details = wanted.theme_details
        if not details:
            return found
        # Those whose lines show themes by certain pieces and so often.
        from generator.replay import replay_line  # noqa: PLC0415 - loads kernels, seldom needed
        from generator.themes.table import shows_detail  # noqa: PLC0415

        showing = array("q")
        for page in query.pages_of_ids(found):
            for problem in self.problems_of_ids(page):
                replayed = replay_line(self.playable(problem).position, problem.line)
                if all(shows_detail(replayed, detail) for detail in details):
                    showing.append(problem.id)
        return showing[: wanted.limit]

    def _readable(self, number: int, read: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        try:
            return read(*given, **named)
        except (ValueError, TypeError, AttributeError) as error:
            raise self._sessions.fault(f"problem {number} cannot be read: {error}") from error


def _store_location(place: str | os.PathLike[str]) -> database.StoreLocation:
    location = database.locate_store(place)
    try:
        writable = location.path is None or database.is_writable_store_file(location.path)
    except (OSError, ValueError):  # no path; opening it fails
        return location
    return location if writable else replace(location, read_only=True)


@contextmanager
def _opened_store_engine(location: database.StoreLocation, *, create: bool) -> Iterator[Engine]:
    """An engine for a place, after a check of its schema; closed if opening fails."""
    if location.path is not None:
        tables = database.tables_in_file(location.path, create=create)
        schema.require_own_tables(tables or (), location.name)
    engine = database.build_engine(location)
    try:
        with database.database_errors_reported(location):
            yield engine
            if location.path is not None and not location.read_only:
                database.use_wal(engine)
    except BaseException:
        engine.dispose()
        raise


# --- reply trees kept with the problems of a store: they save work and may be lost -----------------

_TREES = cast(Table, TreeRow.__table__)


@dataclass(frozen=True)
class StoredTree:
    """The tree of a problem; ``key`` names all that it depends on, at most 64 characters."""

    problem_id: int
    key: str
    content: bytes


class StoredTrees:
    """The trees of a store, one for each problem at most. All methods raise `StoreError`."""

    def __init__(self, store: Store) -> None:
        self._sessions = store._sessions

    def content(self, problem_id: int, key: str) -> bytes | None:
        """Return the content of a problem's tree with this key; None if there is none."""
        wanted = select(_TREES.c.content).where(_TREES.c.problem_id == problem_id, _TREES.c.key == key)
        with self._sessions.reading() as session:
            return session.connection().execute(wanted).scalar()

    def save(self, trees: Sequence[StoredTree]) -> None:
        """Keep trees instead of earlier ones, in one transaction; those of missing problems are left out."""
        wanted = {tree.problem_id: tree for tree in trees}
        with self._sessions.writing() as session:
            connection = session.connection()
            known = connection.execute(select(PROBLEMS.c.id).where(PROBLEMS.c.id.in_(wanted))).scalars()
            rows = [vars(wanted[number]) for number in known]
            if rows:
                connection.execute(delete(_TREES).where(_TREES.c.problem_id.in_(wanted)))
                connection.execute(insert(_TREES), rows)


# --- replaces stored problems by other copies; an id belongs to a position -------------------------

_KEPT = (*TEXTS, "parent_id")
"""Notebooks stay."""


def replace_problems(store: Store, replacements: Sequence[tuple[int, problem_rows.ProblemAddition]]) -> None:
    """Overwrite the problems with the given ids and the same positions, in one transaction. Notebooks and ids stay.
    Raises `StoreError` like `Store.add_all`, writing nothing."""
    sessions = store._sessions
    for fault in filter(None, (problem_rows.fault_of_problem(one.problem) for _, one in replacements)):
        raise sessions.fault(fault)
    with sessions.writing() as session:
        connection = session.connection()
        problem_rows.add_feature_names(session, [one.problem for _, one in replacements])
        for number, one in replacements:
            values = problem_row_values(one.problem, one.run_id, version=one.version)
            row = {name: value for name, value in values.items() if name not in _KEPT}
            connection.execute(update(PROBLEMS).where(PROBLEMS.c.id == number).values(**row))
            connection.execute(delete(THEMES).where(THEMES.c.problem_id == number))
            problem_rows.insert_problem_words(session, THEMES.c.theme, {number: one.problem.themes})
