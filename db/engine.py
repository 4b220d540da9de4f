# SPDX-License-Identifier: GPL-3.0-or-later
"""SQLAlchemy engines for a location, configured for several writing processes."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlencode, urlsplit

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from db.errors import DamageError, LostConnectionError, StoreError, store_place_name

# --- the location of a store: a path or a URL, parsed once and named without its password ----------

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
class StoreLocation:
    """The location of a store. ``path`` is the file of a SQLite database, None for one in memory or on a server.
    ``name`` is its name in messages, without a password. ``read_only``: the file is opened read-only."""

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
            if len(secret) >= _SHORT:
                line = line.replace(secret, "***")
            else:  # only where a password would stand
                line = re.sub(rf"(?<=[:='\"]){re.escape(secret)}(?=[@&'\"\s]|$)", "***", line)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
        return StoreError(f"{self.name}: {line}")

    def require_writable(self) -> None:
        """Raise `StoreError` if the location is read-only."""
        if self.read_only:
            raise self.fault("is read-only")


def locate_store(place: str | os.PathLike[str]) -> StoreLocation:
    """Return the location of a path or of a SQLAlchemy URL.

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
            return StoreLocation(url.set(drivername=_POSTGRESQL), _without_secrets(url))
        return StoreLocation(url, _without_secrets(url))
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


def _from_sqlite_url(url: URL) -> StoreLocation:
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
    return unquote(urlsplit(uri).path)


def _sqlite_location(database: str, *, read_only: bool = False) -> StoreLocation:
    if not database:
        raise StoreError("the path is empty")
    url = URL.create("sqlite", database=database)
    path = None if database == MEMORY else Path(database)
    return StoreLocation(url, store_place_name(database), path, read_only and path is not None)


# --- A look at a SQLite file before it is opened, so that another program's file is not touched ----

APPLICATION_ID = 0x7473_756D
"""``tsum``: marks our files in SQLite's header (``PRAGMA application_id``)."""

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_READ_VERSION_AT = 19
_WAL_VERSION = 2
_VFS_WITHOUT_LOCKS = "win32-none" if os.name == "nt" else "unix-none"


def tables_in_file(path: Path, *, create: bool) -> frozenset[str] | None:
    """Return the tables of a file that is not marked as ours; None if there is nothing to look at.

    None means: marked as ours, empty, or (with ``create``) not there yet. Raises `StoreError` for what cannot
    be a store. Nothing is written and no lock is left.
    """
    name, header = store_place_name(path), _sqlite_header(path, create=create)
    if not header:
        return None
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreError(f"{name}: is not a SQLite database")
    owner = int.from_bytes(header[68:72], "big")
    if owner == APPLICATION_ID:
        return None
    if owner:
        raise StoreError(f"{name}: is another program's SQLite database (application id {owner:#x})")
    # Without a -wal file everything is in the file itself; "immutable" then keeps SQLite
    # from making a -wal and a -shm file beside it.
    uri, options = read_only_sqlite_uri(path)
    if header[_READ_VERSION_AT] == _WAL_VERSION and not Path(f"{path}-wal").exists():
        options["immutable"] = "1"
    try:
        with closing(sqlite3.connect(f"{uri}?{urlencode(options)}", uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(table for (table,) in rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{name}: cannot be read: {error}") from None


def _sqlite_header(path: Path, *, create: bool) -> bytes:
    name = store_place_name(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        if not create:
            raise StoreError(f"{name}: does not exist") from None
        if not path.parent.is_dir():
            raise StoreError(f"{name}: the folder {store_place_name(path.parent)} does not exist") from None
        return b""
    except OSError as error:
        raise StoreError(f"{name}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StoreError(f"{name}: invalid path: {error}") from None
    raise StoreError(f"{name}: is {'a directory' if stat.S_ISDIR(mode) else 'not a regular file'}")


def is_writable_store_file(path: Path) -> bool:
    """Whether a store in a file can be written to, as far as rights and mounts say; True if it is missing. SQLite
    writes beside the file: either to new files in its folder, or to those of another process."""
    if not path.exists():
        return True
    beside = all(os.access(file, os.W_OK) for file in _wal_files(path))
    return os.access(path, os.W_OK) and (beside or os.access(path.absolute().parent, os.W_OK))


def read_only_sqlite_uri(path: Path) -> tuple[str, dict[str, str]]:
    """Return the URI by which SQLite reads a file without writing to it, and its options.

    Reading needs an index of the log (``-shm``) beside the file, except where there is no log: such a file in a
    read-only folder is assumed not to change, and a log without an index there is read without locks.
    """
    log, index = _wal_files(path)
    options = {"mode": "ro"}
    if not os.access(path.absolute().parent, os.W_OK) and not (log.exists() and index.exists()):
        logged = log.exists() and log.stat().st_size > 0
        options |= {"vfs": _VFS_WITHOUT_LOCKS} if logged else {"immutable": "1"}
    return path.absolute().as_uri(), options


def _wal_files(path: Path) -> tuple[Path, Path]:
    return Path(f"{path}-wal"), Path(f"{path}-shm")


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


def build_engine(location: StoreLocation) -> Engine:
    """Return an engine for a location; nothing is opened yet. Raises `StoreError` when the database's Python package is
    missing."""
    url = location.url
    arguments: dict[str, Any] = {}
    options: dict[str, Any] = {}
    if location.is_sqlite:
        arguments = {"timeout": BUSY_SECONDS}
        if location.path is None:
            arguments["check_same_thread"], options["poolclass"] = False, StaticPool
        elif location.read_only:
            uri, query = read_only_sqlite_uri(location.path)
            url = url.set(database=uri, query={**query, "uri": "true"})
    else:
        options["pool_pre_ping"] = True
        if location.is_postgresql:
            arguments = {"connect_timeout": _CONNECT_SECONDS}
    try:
        engine = create_engine(url, connect_args=arguments, **options)
    except ImportError as error:
        text = f"needs the Python package {error.name}"
        if location.is_postgresql:  # a driver may be installed without the library that it needs
            what = f"{error.name} is not installed" if error.name else " ".join(str(error).split())
            text = f"{what}: pip install 'tsume-shogi[postgresql]'"
        raise location.fault(text) from None
    except SQLAlchemyError as error:
        raise location.fault(error) from None
    if location.is_sqlite:
        event.listen(engine, "connect", _on_connect)
        if "vfs" in engine.url.query:  # without locks: the index of the log is kept in memory
            _run_on_connect(engine, "PRAGMA locking_mode = EXCLUSIVE")
    if location.is_sqlite or location.is_postgresql:
        event.listen(engine, "begin", _on_begin)
    return engine


def writing_engine(engine: Engine) -> Engine:
    """Return the engine for writing transactions: they acquire a lock when they begin.

    In SQLite a transaction that reads first and then writes would fail at once when another process wrote in between,
    without waiting; in PostgreSQL two that insert in opposite orders would stop each other.
    """
    return engine.execution_options(**{_WRITES: True})


@contextmanager
def database_errors_reported(location: StoreLocation) -> Iterator[None]:
    """Turn the database's errors into `StoreError`; passwords stay out of the traceback too."""
    try:
        yield
    except DBAPIError as error:
        fault = location.fault(error.orig)
        # A connection to a server broke, or could not be made: no statement was sent then.
        is_refused = isinstance(error, OperationalError) and error.statement is None and not location.is_sqlite
        is_lost = error.connection_invalidated or is_refused
        raise (LostConnectionError(str(fault)) if is_lost else fault) from None
    except DamageError as error:
        raise location.fault(f"is damaged: {error}") from None
    except UnicodeDecodeError:  # a damaged schema, which SQLite's message quotes
        raise location.fault("the file is damaged: a name in it is not text") from None


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
                _run_on_connect(engine, _NO_WAITING)
        except (sqlite3.Error, UnicodeDecodeError):
            return


def _on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # SQLAlchemy begins transactions, see _on_begin
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)


def _run_on_connect(engine: Engine, statement: str) -> None:
    event.listen(engine, "connect", lambda connection, _entry: connection.execute(statement))


def _on_begin(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get(_WRITES)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")
    elif is_writing:
        connection.exec_driver_sql(_LOCK)


# --- inserts that skip existing rows ---------------------------------------------------------------


def insert_missing_rows(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose keys are not in a table yet; existing rows stay unchanged."""
    if not rows:
        return
    connection = session.connection()
    kind = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(kind.insert(table).on_conflict_do_nothing(), rows)


# --- transactions on one database, to read or to write; errors name its place ----------------------

T = TypeVar("T")
RETRY_SECONDS = 120.0
"""How long a server that is lost is tried again."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


def wait_for_server(seconds: float) -> None:
    """Wait before the next try; `tsume.__main__` knows this function as one that may be interrupted."""
    time.sleep(seconds)


class DatabaseSessions:
    """Gives out sessions, each a transaction, committed when it is left without an exception."""

    def __init__(self, location: StoreLocation, engine: Engine) -> None:
        self.location = location
        # Each reading transaction reads one snapshot.
        self.reader = engine.execution_options(**_READING) if engine.dialect.name == "postgresql" else engine
        self.writer = writing_engine(engine)
        self.tell: Callable[[str], None] = lambda _text: None
        """Called with a line when the server is lost, and when it is back."""
        self._is_lost = False

    def fault(self, text: object) -> StoreError:
        """Return the error that names this place and a fault."""
        return self.location.fault(text)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads, all of one moment; what is not of its column's type is a fault."""
        try:
            with self._session(self.reader) as session:
                yield session
        except StoreError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise self.fault(f"contains unreadable data: {error}") from None

    def writing(self) -> AbstractContextManager[Session]:
        """Return a session that writes; other processes that write wait for it."""
        self.location.require_writable()
        return self._session(self.writer)

    def persist(self, work: Callable[[], T]) -> T:
        """Do what may be done twice, again with growing pauses while the server cannot be reached.

        For `RETRY_SECONDS` at most; then, and after an interrupt, the next call tries only once. ``tell`` is
        called when the server is lost and when it is back. Raises `LostConnectionError`.
        """
        began, pause = time.monotonic(), _FIRST_PAUSE
        may_retry = not self._is_lost
        while True:
            try:
                result = work()
            except LostConnectionError as error:
                if not may_retry or time.monotonic() + pause > began + RETRY_SECONDS:
                    raise
                if not self._is_lost:
                    self.tell(f"{error}; retrying for {RETRY_SECONDS:g} s")
                    self._is_lost = True
                wait_for_server(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if self._is_lost:
                    self.tell(f"{self.location.name}: reconnected after {time.monotonic() - began:.1f} s")
                    self._is_lost = False
                return result

    def persist_reading(self, read: Callable[[Session], T]) -> T:
        """Read in a transaction, as `persist`."""

        def work() -> T:
            with self.reading() as session:
                return read(session)

        return self.persist(work)

    @contextmanager
    def _session(self, engine: Engine) -> Iterator[Session]:
        with (
            database_errors_reported(self.location),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session
