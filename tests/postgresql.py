# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL server for the tests: one that is named, or one that they start and stop themselves.

`TSUME_TEST_POSTGRESQL` names one by the URL of a database on it, with the right to make others.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import URL, create_engine, make_url

from db.store import Store

NAMED = "TSUME_TEST_POSTGRESQL"
_USER = "tsume"
_NOBODY = "nobody"
"""Who runs the server if the tests run as root, whom PostgreSQL refuses."""
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=", "max_connections=50")
_DEBIAN = Path("/usr/lib/postgresql")


class NoServer(Exception):
    """There is no server to test with; the message says why."""


class Server:
    """A server; each test gets a database of its own, a copy of an empty store."""

    def __init__(self, url: URL, control: Callable[..., object] | None = None) -> None:
        self._url = url.set(drivername="postgresql+psycopg")
        self._control = control
        self._numbers = count(1)
        self._names = f"tsume_test_{os.getpid()}"
        self.copy_of(None, self._names)
        with Store.open(self.place(self._names)):
            pass

    def place(self, name: str) -> str:
        """The URL of a database, as a user writes it."""
        return self._url.set(drivername="postgresql", database=name).render_as_string(hide_password=False)

    @contextmanager
    def store(self) -> Iterator[str]:
        """The place of a new store, which is gone afterwards."""
        with self.empty(self._names) as place:
            yield place

    @contextmanager
    def empty(self, template: str | None = None) -> Iterator[str]:
        """The place of a new database, which is gone afterwards."""
        name = f"{self._names}_{next(self._numbers)}"
        self.copy_of(template, name)
        try:
            yield self.place(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def copy_of(self, template: str | None, name: str) -> None:
        """Make a database."""
        self._execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))

    def stop(self) -> None:
        """Stop the server as an administrator does."""
        self._require_own()("-m", "fast", "stop")

    def start(self) -> None:
        """Start it again."""
        self._require_own()("start")

    def _require_own(self) -> Callable[..., object]:
        if self._control is None:
            raise NoServer(f"the server that {NAMED} names is somebody else's")
        return self._control

    def close(self) -> None:
        """Leave nothing behind."""
        self._execute(f"DROP DATABASE {self._names} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        engine = create_engine(self._url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()


@contextmanager
def server() -> Iterator[Server]:
    """A server while the block runs. Raises `NoServer`."""
    if find_spec("psycopg") is None:
        raise NoServer("psycopg is not installed")
    named = os.environ.get(NAMED)
    if named:
        found = Server(make_url(named))
        yield found
        found.close()
        return
    with _started() as (url, control):
        yield Server(url, control)


@contextmanager
def _started() -> Iterator[tuple[URL, Callable[..., object]]]:
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="tsume-pg-"))
    try:
        data, log = str(folder / "data"), str(folder / "log")
        options = " ".join(f"-c {option}" for option in (*_QUICK, f"unix_socket_directories={folder}"))
        run = partial(subprocess.run, check=True, stdout=subprocess.DEVNULL, **_identity(folder))
        run([programs / "initdb", "-N", "-E", "UTF8", "-U", _USER, "-A", "trust", "--locale=C.UTF-8", data])

        def control(*words: str) -> object:
            return run([programs / "pg_ctl", "-w", "-D", data, "-l", log, "-o", options, *words])

        control("start")
        try:
            url = URL.create("postgresql", _USER, database="postgres", query={"host": str(folder)})
            yield url, control
        finally:
            control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    found = shutil.which("initdb")
    versions = [Path(found).parent] if found else sorted(_DEBIAN.glob("*/bin"), key=lambda path: path.parent.name)
    if not versions:
        raise NoServer(f"PostgreSQL is not installed, and {NAMED} names no server")
    return versions[-1]


def _identity(folder: Path) -> dict[str, Any]:
    """As whom the server runs: not as root; the folder becomes his."""
    if os.name == "nt" or os.geteuid() != 0:
        return {}
    shutil.chown(folder, _NOBODY)
    return {"user": _NOBODY, "group": folder.stat().st_gid, "extra_groups": [], "cwd": "/"}
