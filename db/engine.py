# SPDX-License-Identifier: GPL-3.0-or-later
"""SQLAlchemy engines for a location, configured for several writing processes."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from db.errors import DamageError, LostConnectionError, StoreError, store_place_name

# ---------------------------------------------------------------------------------------------------
#
# The location of a store: a path or a URL, parsed once and named without its password.

MEMORY = ":memory:"
_SUPPORTED = ("postgresql", "sqlite")
_UNSUPPORTED = "unsupported database: use a path or sqlite:///path, or postgresql://user@host/name"
_BROKEN_URL = re.compile(r"(postgres(?:ql)?|mysql|mariadb|oracle|mssql|sqlite)(\+\w+)?:", re.ASCII)
_LONGEST = 500
_SHORT = 4
"""A shorter password may be part of any word."""
_FILE, _READ_ONLY = "file:", "?mode=ro"
_POSTGRESQL = "postgresql+psycopg"
"""What a URL without a driver means: psycopg 3."""
_SCHEME = re.compile(r"[\w+]+", re.ASCII)


@dataclass(frozen=True)
class Location:
    """The location of a store.

    ``path`` is the file of a SQLite database, None for one in memory or on a server. ``name`` is its name
    in messages, without a password. ``read_only``: the file is opened read-only.
    """

    url: URL
    name: str
    path: Path | None = None
    read_only: bool = False

    @property
    def is_sqlite(self) -> bool:
        """Whether SQLite keeps this store."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def is_postgresql(self) -> bool:
        """Whether a PostgreSQL server keeps this store."""
        return self.url.get_backend_name() == "postgresql"

    def fault(self, text: object) -> StoreError:
        """The error that names this place and a fault, on one line, cut when long, without passwords."""
        line = " ".join(str(text).split())
        options = self.url.normalized_query.items()
        hidden = [value for key, values in options if "pass" in key.lower() for value in values]
        for secret in filter(None, [self.url.password or "", *hidden]):
            line = _without_secret(secret, line)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
        return StoreError(f"{self.name}: {line}")

    def require_writable(self) -> None:
        """Raise `StoreError` if the location is read-only."""
        if self.read_only:
            raise self.fault("is read-only")


def _without_secret(secret: str, line: str) -> str:
    """A line without a password; a short one is hidden only where a password would stand."""
    if len(secret) >= _SHORT:
        return line.replace(secret, "***")
    return re.sub(rf"(?<=[:='\"]){re.escape(secret)}(?=[@&'\"\s]|$)", "***", line)


def locate_store(place: str | os.PathLike[str]) -> Location:
    """The location of a path or of a SQLAlchemy URL.

    A plain path means a SQLite file, ``:memory:`` a SQLite database in memory;
    ``sqlite:///path?mode=ro`` and ``file:path?mode=ro`` mean a file that is only read.
    Raises `StoreError` for a URL that cannot be read. Looks at no file.
    """
    text = os.fspath(place)
    if "://" in text:
        url = _parsed_database_url(text)
        if url.get_backend_name() == "sqlite":
            return _from_sqlite_url(url)
        if url.drivername == "postgresql":
            return Location(url.set(drivername=_POSTGRESQL), _without_secrets(url))
        return Location(url, _without_secrets(url))
    if text.startswith(_FILE) and text.endswith(_READ_ONLY):
        return _sqlite_location(_sqlite_path_of_uri(text.removesuffix(_READ_ONLY)), read_only=True)
    broken = _BROKEN_URL.match(text)
    if broken and broken[1] in _SUPPORTED:
        raise StoreError(f"{broken[0]}...: a database URL starts with {broken[0]}//")
    if broken:
        raise StoreError(f"{broken[0]}...: {_UNSUPPORTED}")
    return _sqlite_location(text)


def _parsed_database_url(text: str) -> URL:
    scheme = text.partition("://")[0]
    shown = f"{scheme}://..." if _SCHEME.fullmatch(scheme) else "database URL"
    if scheme.partition("+")[0] not in _SUPPORTED:
        raise StoreError(f"{shown}: {_UNSUPPORTED}")
    try:
        url = make_url(text)
        url.get_dialect()
        url.render_as_string()  # ValueError if it is not UTF-8
    except NoSuchModuleError:
        raise StoreError(f"{shown}: unknown driver, use {scheme.partition('+')[0]}://") from None
    except (ArgumentError, ValueError):
        raise StoreError(f"{shown}: invalid database URL") from None
    except ImportError as error:
        raise StoreError(f"{shown}: needs the Python package {error.name}") from None
    if "@" in (url.host or ""):
        raise StoreError(f"{shown}: write an @ in a password as %40")
    return url


def _without_secrets(url: URL) -> str:
    kept = URL.create(url.drivername, url.username, None, url.host, url.port, url.database)
    return store_place_name(kept.render_as_string())


def _from_sqlite_url(url: URL) -> Location:
    if url.host or url.username or url.password:
        raise StoreError("sqlite://...: a SQLite URL has three slashes before the path: sqlite:///path")
    database, options = url.database or MEMORY, dict(url.query)
    if database.startswith(_FILE) and options.pop("uri", "") == "true":
        database = _sqlite_path_of_uri(database)
    read_only = options.get("mode") == "ro"
    if read_only:
        del options["mode"]
    if options or database.startswith(_FILE) or url.get_driver_name() != "pysqlite":
        raise StoreError(
            f"{store_place_name(database)}: a SQLite URL must be sqlite:///path or sqlite:///path?mode=ro, "
            "without a driver or other options"
        )
    return _sqlite_location(database, read_only=read_only)


def _sqlite_path_of_uri(uri: str) -> str:
    """The path of a URI that begins with ``file:``."""
    return unquote(urlsplit(uri).path)


def _sqlite_location(database: str, *, read_only: bool = False) -> Location:
    if not database:
        raise StoreError("the path is empty")
    url = URL.create("sqlite", database=database)
    path = None if database == MEMORY else Path(database)
    return Location(url, store_place_name(database), path, read_only and path is not None)


# ---------------------------------------------------------------------------------------------------
#
# A look at a SQLite file before it is opened, so that another program's file is not touched.

APPLICATION_ID = 0x7473_756D
"""``tsum``: marks our files in SQLite's header (``PRAGMA application_id``)."""

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_READ_VERSION_AT = 19
_WAL_VERSION = 2
_VFS_WITHOUT_LOCKS = "win32-none" if os.name == "nt" else "unix-none"


def tables_in_file(path: Path, *, create: bool) -> frozenset[str] | None:
    """The tables of a file that is not marked as ours; None if there is nothing to look at.

    None means: marked as ours, empty, or (with ``create``) not there yet. Raises
    `StoreError` for what cannot be a store. Nothing is written and no lock is left.
    """
    header = _sqlite_header(path, create=create)
    if not header:
        return None
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreError(f"{store_place_name(path)}: is not a SQLite database")
    owner = int.from_bytes(header[68:72], "big")
    if owner == APPLICATION_ID:
        return None
    if owner:
        raise StoreError(
            f"{store_place_name(path)}: is another program's SQLite database (application id {owner:#x})"
        )
    return _sqlite_tables(path, wal=header[_READ_VERSION_AT] == _WAL_VERSION)


def _sqlite_header(path: Path, *, create: bool) -> bytes:
    try:
        return _read_sqlite_header(path)
    except StoreError:
        raise
    except FileNotFoundError:
        if not create:
            raise StoreError(f"{store_place_name(path)}: does not exist") from None
        if not path.parent.is_dir():
            raise StoreError(
                f"{store_place_name(path)}: the folder {store_place_name(path.parent)} does not exist"
            ) from None
        return b""
    except OSError as error:
        raise StoreError(f"{store_place_name(path)}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StoreError(f"{store_place_name(path)}: invalid path: {error}") from None


def _read_sqlite_header(path: Path) -> bytes:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise StoreError(f"{store_place_name(path)}: is a directory")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{store_place_name(path)}: is not a regular file")
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def is_writable_store_file(path: Path) -> bool:
    """Whether a store in a file can be written to, as far as rights and mounts say; True if it is missing.

    SQLite writes beside the file: either to new files in its folder, or to those of another process.
    """
    if not path.exists():
        return True
    beside = all(os.access(file, os.W_OK) for file in _wal_files(path))
    return os.access(path, os.W_OK) and (beside or os.access(path.absolute().parent, os.W_OK))


def read_only_sqlite_uri(path: Path) -> tuple[str, dict[str, str]]:
    """The URI by which SQLite reads a file without writing to it, and its options.

    Reading needs an index of the log (``-shm``) beside the file, except where there is no log: such a file in
    a read-only folder is assumed not to change, and a log without an index there
    is read without locks.
    """
    log, index = _wal_files(path)
    options = {"mode": "ro"}
    if not os.access(path.absolute().parent, os.W_OK) and not (log.exists() and index.exists()):
        logged = log.exists() and log.stat().st_size > 0
        options |= {"vfs": _VFS_WITHOUT_LOCKS} if logged else {"immutable": "1"}
    return path.absolute().as_uri(), options


def is_in_use(path: Path) -> bool:
    """Whether a process uses a SQLite file, or was killed while it did: its log is beside the file."""
    return any(Path(f"{path}{end}").exists() for end in ("-wal", "-shm", "-journal"))


def _wal_files(path: Path) -> tuple[Path, Path]:
    return Path(f"{path}-wal"), Path(f"{path}-shm")


def _sqlite_tables(path: Path, *, wal: bool) -> frozenset[str]:
    # Without a -wal file everything is in the file itself; "immutable" then keeps SQLite
    # from making a -wal and a -shm file beside it.
    uri, options = read_only_sqlite_uri(path)
    if wal and not Path(f"{path}-wal").exists():
        options["immutable"] = "1"
    uri = f"{uri}?{urlencode(options)}"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(name for (name,) in rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{store_place_name(path)}: cannot be read: {error}") from None


# --- SQLAlchemy engines for a location, configured for several writing processes -------------------

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


# --- inserts that skip existing rows ---------------------------------------------------------------


def insert_missing(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose keys are not in a table yet; existing rows stay unchanged."""
    if not rows:
        return
    connection = session.connection()
    kind = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(kind.insert(table).on_conflict_do_nothing(), rows)
