# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of a store's tables: reading it, making new ones, upgrading old ones.

Alembic is imported only where a migration runs; the version itself is one row of the table ``alembic_version``.
"""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import Connection, Engine, inspect

from db import engine as database
from db.errors import StoreError, store_place_name, stored_value_excerpt

MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"
_OUR_TABLES = frozenset({_VERSION_TABLE, "problems"})
_SHOWN_TABLES = 5


def migration_revisions() -> list[str]:
    """Return the names of all revisions, oldest first."""
    return sorted(file.stem for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def require_own_tables(tables: Collection[str], name: str) -> None:
    """Raise `StoreError` when the tables are those of another program."""
    if tables and not _OUR_TABLES.issubset(tables):
        names = ", ".join(sorted(tables)[:_SHOWN_TABLES]) + ", ..." * (len(tables) > _SHOWN_TABLES)
        raise StoreError(f"{name}: is another program's database (tables: {stored_value_excerpt(names)})")


def current_revision(connection: Connection, name: str) -> str | None:
    """Return the revision of a database, None for an empty one. Raises `StoreError` when the database is another
    program's, or was made by a version of tsume that knows more revisions than this one."""
    tables = inspect(connection).get_table_names()
    require_own_tables(tables, name)
    if not tables:
        return None
    rows = connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").scalars().fetchmany(2)
    found = ", ".join(map(str, rows))
    if found not in migration_revisions():
        raise StoreError(
            f"{name}: has unknown revision {stored_value_excerpt(found) or 'none'!r}: was it written by a newer tsume?"
        )
    return found


def prepare_schema(engine: Engine, name: str, *, create: bool) -> None:
    """Make sure that a database is at the newest revision; with ``create`` bring an empty one to it. Raises
    `StoreError` for an older revision, for an empty database without ``create``, and as `current_revision` does."""
    with engine.connect() as connection:
        found = current_revision(connection, name)
    head = migration_revisions()[-1]
    if found is None and create:
        migrate_schema(engine, name)
    elif found is None:
        raise StoreError(f"{name}: is empty")
    elif found != head:
        raise StoreError(f"{name}: has revision {found}, this tsume needs {head}: run `tsume db upgrade`")


def migrate_schema(engine: Engine, name: str) -> tuple[str | None, str]:
    """Bring a database to the newest revision, in one transaction; returns those before and after. Processes that do so
    at the same time wait for each other; the later ones find the work done."""
    head = migration_revisions()[-1]
    with database.writing_engine(engine).begin() as connection:
        found = current_revision(connection, name)
        if found != head:
            from alembic import command  # noqa: PLC0415 - slow, and seldom needed
            from alembic.config import Config  # noqa: PLC0415

            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql(f"PRAGMA application_id = {database.APPLICATION_ID}")
    return found, head


# --- backups of stores: a file, written whole or not at all, of one moment of a store that may be in use ---

_DUMP = "pg_dump"
_Copy = Callable[[database.StoreLocation, Path, Path], None]
"""Writes a copy of a store to a new file; the last path is the name that the file gets."""


def back_up_store(place: str | os.PathLike[str], target: Path, *, replace: bool = False) -> int:
    """Write a copy of the store at a place to a file; returns its size in bytes.

    A SQLite store is copied by SQLite's online backup, so that processes may write to it meanwhile; one in
    PostgreSQL by ``pg_dump`` in its custom format. The store may be of any version. Raises `StoreError`,
    also if the file is there already, unless ``replace`` is set; then it is what it was before.
    """
    location = database.locate_store(place)
    if location.path is None and location.is_sqlite:
        raise location.fault("a store in memory has no backup")
    _require_target(location, target, replace=replace)
    if location.path is not None:
        require_own_tables(database.tables_in_file(location.path, create=False) or (), location.name)
        copy: _Copy = _copy_sqlite
        mode = stat.S_IMODE(location.path.stat().st_mode)
    elif location.is_postgresql:
        # Raise `StoreError` unless a database on a server is a store.
        engine = database.build_engine(location)
        try:
            with database.database_errors_reported(location), engine.connect() as connection:
                if current_revision(connection, location.name) is None:
                    raise location.fault("is empty")
        finally:
            engine.dispose()
        copy, mode = _dump_postgresql, stat.S_IRUSR | stat.S_IWUSR
    else:
        raise location.fault("tsume backs up SQLite and PostgreSQL only")
    try:
        return _written(location, target, copy, mode, replace=replace)
    except OSError as error:
        raise StoreError(f"{store_place_name(target)}: {error.strerror or error}") from None


def _require_target(location: database.StoreLocation, target: Path, *, replace: bool) -> None:
    name = store_place_name(target)
    if target.is_dir():
        raise StoreError(f"{name}: is a directory; name a file")
    if not target.absolute().parent.is_dir():
        raise StoreError(f"{name}: the folder {store_place_name(target.parent)} does not exist")
    real = os.path.realpath(target)
    if os.path.islink(real):  # noqa: PTH114 - a loop, for which Path.resolve has another error in each Python
        raise StoreError(f"{name}: {os.strerror(errno.ELOOP)}")
    if location.path is not None and real == os.path.realpath(location.path):
        raise StoreError(f"{name}: is the store itself")
    if target.exists() and not target.is_file():
        raise StoreError(f"{name}: is not a regular file")
    if target.exists() and not replace:
        raise StoreError(f"{name}: is there already; --replace replaces it")
    if any(Path(f"{target}{end}").exists() for end in ("-wal", "-shm", "-journal")):
        raise StoreError(f"{name}: is in use, or was not closed ({name}-wal, -shm or -journal is beside it)")


def _written(location: database.StoreLocation, target: Path, copy: _Copy, mode: int, *, replace: bool) -> int:
    """Write to a file beside the target, to disk, and move it there."""
    real = Path(os.path.realpath(target))
    folder = Path(tempfile.mkdtemp(dir=real.parent, prefix=f".{real.name}."))
    try:
        file = folder / real.name
        copy(location, file, target)
        file.chmod(mode)
        with file.open("r+b") as written:
            os.fsync(written.fileno())
        size = file.stat().st_size
        _require_target(location, target, replace=replace)  # it may have come meanwhile
        file.replace(real)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return size


def _copy_sqlite(location: database.StoreLocation, file: Path, _target: Path) -> None:
    assert location.path is not None
    uri, options = database.read_only_sqlite_uri(location.path)
    try:
        with (
            closing(sqlite3.connect(f"{uri}?{urlencode(options)}", uri=True, timeout=database.BUSY_SECONDS)) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)  # in one step: all of one moment, and writers of a log do not wait
            (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise location.fault(f"is damaged: {found}")
            copy.execute("PRAGMA journal_mode = DELETE")  # one file; who opens it logs again
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise location.fault(error) from None


def _dump_postgresql(location: database.StoreLocation, file: Path, target: Path) -> None:
    query = dict(location.url.query)
    hidden = location.url.password or query.pop("password", None)
    url = location.url.set(drivername="postgresql", query=query)._replace(password=None)
    address = url.render_as_string(hide_password=False)  # a password in it would be seen by all users
    command = [_DUMP, "--format=custom", "--no-owner", "--no-privileges", f"--dbname={address}"]
    program = shutil.which(_DUMP)
    if program is None:
        line = shlex.join([*command, f"--file={target}"])
        raise location.fault(f"{_DUMP} is not installed here; on a machine that has it: {line}")
    environment = {**os.environ, **({"PGPASSWORD": str(hidden)} if hidden else {})}
    done = subprocess.run(
        [program, *command[1:], f"--file={file}"],
        check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
        env=environment,
    )  # fmt: skip
    if done.returncode:
        raise location.fault(done.stderr.strip() or f"{_DUMP} failed with status {done.returncode}")
