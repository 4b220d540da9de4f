# SPDX-License-Identifier: GPL-3.0-or-later
"""SQLAlchemy engines for a location, configured for several writing processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from db.errors import DamageError, LostConnectionError
from db.location import Location
from db.sqlite_file import APPLICATION_ID, read_only_sqlite_uri

BUSY_SECONDS = 60
"""How long a process waits for another writer."""

_CONNECT_SECONDS = 10
"""Timeout of a server."""
_WRITES = "tsume_writes"
_READING = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_LOCK = f"SELECT set_config('lock_timeout', '{BUSY_SECONDS}s', true), pg_advisory_xact_lock({APPLICATION_ID})"
_NO_WAITING = "PRAGMA synchronous = NORMAL"
_LONGEST_VALUE = 10_000_000
"""Maximum bytes of a value or row read from SQLite: a hostile schema may compute endless ones."""


def build_engine(location: Location) -> Engine:
    """An engine for a location; nothing is opened yet.

    Raises `StoreError` when the database's Python package is missing.
    """
    try:
        engine = _engine(location)
    except ImportError as error:
        raise location.fault(_missing_driver_text(location, error)) from None
    except SQLAlchemyError as error:
        raise location.fault(error) from None
    if location.is_sqlite:
        event.listen(engine, "connect", _on_connect)
        if "vfs" in engine.url.query:
            event.listen(engine, "connect", _on_connect_without_locks)
        event.listen(engine, "begin", _on_begin)
    elif location.is_postgresql:
        event.listen(engine, "begin", _on_begin_postgresql)
    return engine


def writing_engine(engine: Engine) -> Engine:
    """The engine for writing transactions: they acquire a lock when they begin.

    In SQLite a transaction that reads first and then writes would fail at once when another process
    wrote in between, without waiting; in PostgreSQL two that insert in opposite orders would stop
    each other.
    """
    return engine.execution_options(**{_WRITES: True})


def reading_engine(engine: Engine) -> Engine:
    """The engine for reading transactions: each reads one snapshot."""
    return engine.execution_options(**_READING) if engine.dialect.name == "postgresql" else engine


@contextmanager
def database_errors_reported(location: Location) -> Iterator[None]:
    """Turn the database's errors into `StoreError`; passwords stay out of the traceback too."""
    try:
        yield
    except DBAPIError as error:
        fault = location.fault(error.orig)
        raise (LostConnectionError(str(fault)) if _is_lost(error, location) else fault) from None
    except DamageError as error:
        raise location.fault(f"is damaged: {error}") from None
    except UnicodeDecodeError:  # a damaged schema, which SQLite's message quotes
        raise location.fault("the file is damaged: a name in it is not text") from None


def _is_lost(error: DBAPIError, location: Location) -> bool:
    """Whether a connection to a server broke, or could not be made: no statement was sent then."""
    is_refused = isinstance(error, OperationalError) and error.statement is None and not location.is_sqlite
    return error.connection_invalidated or is_refused


def use_wal(engine: Engine) -> None:
    """Use a write-ahead log, so that a SQLite file can be read while one process writes.

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
        arguments = {"connect_timeout": _CONNECT_SECONDS} if location.is_postgresql else {}
        return create_engine(location.url, pool_pre_ping=True, connect_args=arguments)
    arguments = {"timeout": BUSY_SECONDS}
    if location.path is not None and location.read_only:
        uri, options = read_only_sqlite_uri(location.path)
        url = location.url.set(database=uri, query={**options, "uri": "true"})
        return create_engine(url, connect_args=arguments)
    if location.path is not None:
        return create_engine(location.url, connect_args=arguments)
    shared = {**arguments, "check_same_thread": False}
    return create_engine(location.url, connect_args=shared, poolclass=StaticPool)


def _on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # SQLAlchemy begins transactions, see _on_begin
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)


def _on_connect_without_locks(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # the index of the log is kept in memory


def _on_connect_to_wal(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute(_NO_WAITING)


def _on_begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _is_writing(connection) else "BEGIN")


def _on_begin_postgresql(connection: Connection) -> None:
    if _is_writing(connection):
        connection.exec_driver_sql(_LOCK)


def _is_writing(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_WRITES))


def _missing_driver_text(location: Location, error: ImportError) -> str:
    """What to install; a driver may be installed without the library that it needs."""
    if not location.is_postgresql:
        return f"needs the Python package {error.name}"
    what = f"{error.name} is not installed" if error.name else " ".join(str(error).split())
    return f"{what}: pip install 'tsume-shogi[postgresql]'"
