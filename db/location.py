"""Where a store lies: a path or a URL, read once and named without its password."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from db.errors import StoreError, named

MEMORY = ":memory:"
_BROKEN_URL = re.compile(r"(postgres(?:ql)?|mysql|mariadb|oracle|mssql|sqlite)(\+\w+)?:", re.ASCII)
_LONGEST = 500
_SHORT = 4
"""A password of fewer characters may be part of any word."""
_SCHEME = re.compile(r"[\w+]+", re.ASCII)


@dataclass(frozen=True)
class Location:
    """A place for a store.

    ``path`` is the file of a SQLite database, None for one in memory or on a
    server. ``name`` is what messages call the place; it holds no password.
    """

    url: URL
    name: str
    path: Path | None = None

    @property
    def is_sqlite(self) -> bool:
        """Whether SQLite keeps this store."""
        return self.url.get_backend_name() == "sqlite"

    def fault(self, text: object) -> StoreError:
        """The error that names this place and a fault, on one line, cut when long, without passwords."""
        line = " ".join(str(text).split())
        for secret in filter(None, self._secrets()):
            line = _without(secret, line)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
        return StoreError(f"{self.name}: {line}")

    def _secrets(self) -> list[str]:
        options = self.url.normalized_query.items()
        hidden = [value for key, values in options if "pass" in key.lower() for value in values]
        return [self.url.password or "", *hidden]


def _without(secret: str, line: str) -> str:
    """A line without a password; a short one is hidden only where a password would stand."""
    if len(secret) >= _SHORT:
        return line.replace(secret, "***")
    return re.sub(rf"(?<=[:='\"]){re.escape(secret)}(?=[@&'\"\s]|$)", "***", line)


def locate(place: str | os.PathLike[str]) -> Location:
    """The location of a path or of a SQLAlchemy URL.

    A plain path means a SQLite file, ``:memory:`` a SQLite database in memory.
    Raises `StoreError` for a URL that cannot be read. Looks at no file.
    """
    text = os.fspath(place)
    if "://" in text:
        return _from_url(text)
    broken = _BROKEN_URL.match(text)
    if broken:
        raise StoreError(f"{broken[0]}...: a database URL starts with {broken[0]}//")
    return _sqlite(text)


def _from_url(text: str) -> Location:
    url = _parsed(text)
    if url.get_backend_name() == "sqlite":
        return _from_sqlite_url(url)
    return Location(url, _without_secrets(url))


def _parsed(text: str) -> URL:
    scheme = text.partition("://")[0]
    shown = f"{scheme}://..." if _SCHEME.fullmatch(scheme) else "database URL"
    try:
        url = make_url(text)
        url.get_dialect()
        url.render_as_string()  # ValueError if it is not UTF-8
    except NoSuchModuleError:
        raise StoreError(f"{shown}: no such kind of database, try postgresql:// or sqlite:///") from None
    except (ArgumentError, ValueError):
        raise StoreError(f"{shown}: cannot be read as a database URL") from None
    except ImportError as error:
        raise StoreError(f"{shown}: needs the Python package {error.name}") from None
    if "@" in (url.host or ""):
        raise StoreError(f"{shown}: an @ in a password is written %40")
    return url


def _without_secrets(url: URL) -> str:
    kept = URL.create(url.drivername, url.username, None, url.host, url.port, url.database)
    return named(kept.render_as_string())


def _from_sqlite_url(url: URL) -> Location:
    if url.host or url.username or url.password:
        raise StoreError("sqlite://...: a SQLite URL has three slashes before the path: sqlite:///path")
    database = url.database or MEMORY
    if url.query or database.startswith("file:") or url.get_driver_name() != "pysqlite":
        raise StoreError(f"{named(database)}: a SQLite URL here is sqlite:///path, without driver or options")
    return _sqlite(database)


def _sqlite(database: str) -> Location:
    if not database:
        raise StoreError("no database is named: the path is empty")
    url = URL.create("sqlite", database=database)
    return Location(url, named(database), None if database == MEMORY else Path(database))
