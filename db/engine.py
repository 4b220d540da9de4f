"""Engines for a location, set up so that several processes may write to one store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from db.errors import DamageError
from db.location import Location
from db.sqlite_file import reading_uri

BUSY_SECONDS = 60
"""How long SQLite waits for another process to end its writing."""

_BEGIN = "sqlite_begin"
_NO_WAITING = "PRAGMA synchronous = NORMAL"
_LONGEST_VALUE = 10_000_000
"""Most bytes of a value or a row read from SQLite: a hostile schema may compute endless ones."""


def build_engine(location: Location) -> Engine:
    """An engine for a location; nothing is opened yet.

    Raises `StoreError` when the database's Python package is missing.
    """
    try:
        engine = _engine(location)
    except ImportError as error:
        raise location.fault(f"needs the Python package {error.name}") from None
    except SQLAlchemyError as error:
        raise location.fault(error) from None
    if location.is_sqlite:
        event.listen(engine, "connect", _on_connect)
        if "vfs" in engine.url.query:
            event.listen(engine, "connect", _on_connect_without_locks)
        event.listen(engine, "begin", _on_begin)
    return engine


def writer(engine: Engine) -> Engine:
    """The engine for transactions that write: SQLite takes the lock at their beginning.

    A transaction that reads first and then writes would fail at once when
    another process wrote in between, without waiting.
    """
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


@contextmanager
def reported(location: Location) -> Iterator[None]:
    """Turn the database's errors into `StoreError`; passwords stay out of the traceback too."""
    try:
        yield
    except DBAPIError as error:
        raise location.fault(error.orig) from None
    except DamageError as error:
        raise location.fault(f"is damaged: {error}") from None
    except UnicodeDecodeError:  # a damaged schema, which SQLite's message quotes
        raise location.fault("the file is damaged: a name in it is not text") from None


def use_wal(engine: Engine) -> None:
    """Let readers of a SQLite file go on while one process writes (write-ahead log).

    The mode stays with the file. If it cannot be set now (another process is at work,
    the file is read-only) the store works without. With the log no commit waits for the
    disk: a killed process loses nothing, a power failure at most the last transactions.
    """
    with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        try:
            (mode,) = cursor.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode == "wal":
                cursor.execute(_NO_WAITING)
                event.listen(engine, "connect", _on_connect_to_wal)
        except (sqlite3.Error, UnicodeDecodeError):
            return


def _engine(location: Location) -> Engine:
    if not location.is_sqlite:
        return create_engine(location.url)
    arguments = {"timeout": BUSY_SECONDS}
    if location.path is not None and location.read_only:
        uri, options = reading_uri(location.path)
        url = location.url.set(database=uri, query={**options, "uri": "true"})
        return create_engine(url, connect_args=arguments)
    if location.path is not None:
        return create_engine(location.url, connect_args=arguments)
    shared = {**arguments, "check_same_thread": False}
    return create_engine(location.url, connect_args=shared, poolclass=StaticPool)


def _on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy says, see _on_begin
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)


def _on_connect_without_locks(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # the index of the log is kept in memory


def _on_connect_to_wal(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute(_NO_WAITING)


def _on_begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
