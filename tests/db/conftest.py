# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores for the tests, in SQLite and on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from db.store import Store
from tests.postgresql import NoServer, Server, server

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server; without one the test is skipped."""
    try:
        with server() as found:
            yield found
    except NoServer as why:
        pytest.skip(str(why))


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The place of an empty store that several processes may use."""
    if request.param == "sqlite":
        yield str(tmp_path / "problems.db")
        return
    postgresql: Server = request.getfixturevalue("postgresql")
    with postgresql.store() as found:
        yield found


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store, once in SQLite and once in PostgreSQL."""
    with new_place(request) as place, Store.open(place) as opened:
        yield opened


@pytest.fixture
def in_sqlite() -> Iterator[Store]:
    """An empty store whose columns take anything."""
    with Store.open(":memory:") as opened:
        yield opened


@pytest.fixture
def in_postgresql(postgresql: Server) -> Iterator[Store]:
    """An empty store on a server."""
    with postgresql.store() as place, Store.open(place) as opened:
        yield opened


@contextmanager
def new_place(request: pytest.FixtureRequest) -> Iterator[str]:
    """The place of an empty store of the kind that the fixture asks for."""
    if request.param == "sqlite":
        yield ":memory:"
        return
    postgresql: Server = request.getfixturevalue("postgresql")
    with postgresql.store() as found:
        yield found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "problems.db"
