# SPDX-License-Identifier: GPL-3.0-or-later
"""The location of a store: a path or a URL, parsed once and named without its password."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from db.errors import StoreError, store_place_name

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
        for secret in filter(None, self._secrets()):
            line = _without_secret(secret, line)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
        return StoreError(f"{self.name}: {line}")

    def require_writable(self) -> None:
        """Raise `StoreError` if the location is read-only."""
        if self.read_only:
            raise self.fault("is read-only")

    def _secrets(self) -> list[str]:
        options = self.url.normalized_query.items()
        hidden = [value for key, values in options if "pass" in key.lower() for value in values]
        return [self.url.password or "", *hidden]


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
        return _from_url(text)
    if text.startswith(_FILE) and text.endswith(_READ_ONLY):
        return _sqlite_location(_sqlite_path_of_uri(text.removesuffix(_READ_ONLY)), read_only=True)
    broken = _BROKEN_URL.match(text)
    if broken and broken[1] in _SUPPORTED:
        raise StoreError(f"{broken[0]}...: a database URL starts with {broken[0]}//")
    if broken:
        raise StoreError(f"{broken[0]}...: {_UNSUPPORTED}")
    return _sqlite_location(text)


def _from_url(text: str) -> Location:
    url = _parsed_database_url(text)
    if url.get_backend_name() == "sqlite":
        return _from_sqlite_url(url)
    if url.drivername == "postgresql":
        return Location(url.set(drivername=_POSTGRESQL), _without_secrets(url))
    return Location(url, _without_secrets(url))


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
