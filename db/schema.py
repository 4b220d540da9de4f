# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of a store's tables: reading it, making new ones, upgrading old ones.

Alembic is imported only where a migration runs; the version itself is one row
of the table ``alembic_version``.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect

from db.engine import writing_engine
from db.errors import StoreError, stored_value_excerpt
from db.sqlite_file import APPLICATION_ID

MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"
_OUR_TABLES = frozenset({_VERSION_TABLE, "problems"})
_SHOWN_TABLES = 5


def migration_revisions() -> list[str]:
    """The names of all revisions, oldest first."""
    return sorted(file.stem for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def require_own_tables(tables: Collection[str], name: str) -> None:
    """Raise `StoreError` when the tables are those of another program."""
    if tables and not _OUR_TABLES.issubset(tables):
        names = ", ".join(sorted(tables)[:_SHOWN_TABLES]) + ", ..." * (len(tables) > _SHOWN_TABLES)
        raise StoreError(f"{name}: is another program's database (tables: {stored_value_excerpt(names)})")


def current_revision(connection: Connection, name: str) -> str | None:
    """The revision of a database, None for an empty one.

    Raises `StoreError` when the database is another program's, or was made by
    a version of tsume that knows more revisions than this one.
    """
    tables = inspect(connection).get_table_names()
    require_own_tables(tables, name)
    if not tables:
        return None
    rows = connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").scalars().fetchmany(2)
    found = ", ".join(map(str, rows))
    if found not in migration_revisions():
        raise StoreError(
            f"{name}: has unknown revision {stored_value_excerpt(found) or 'none'!r}: "
            "was it written by a newer tsume?"
        )
    return found


def prepare_schema(engine: Engine, name: str, *, create: bool) -> None:
    """Make sure that a database is at the newest revision; with ``create`` bring an empty one to it.

    Raises `StoreError` for an older revision, for an empty database without
    ``create``, and as `current_revision` does.
    """
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
    """Bring a database to the newest revision, in one transaction; returns those before and after.

    Processes that do so at the same time wait for each other; the later ones
    find the work done.
    """
    head = migration_revisions()[-1]
    with writing_engine(engine).begin() as connection:
        found = current_revision(connection, name)
        if found != head:
            _run_migrations(connection)
    return found, head


def _run_migrations(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - slow, and seldom needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
