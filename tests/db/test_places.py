# SPDX-License-Identifier: GPL-3.0-or-later
"""A place that is not a store is refused in one clear line and left as it is."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from db.errors import StoreError
from db.store import Store
from tests.db.samples import problem


def refusal(place: str | Path, *, create: bool = True) -> str:
    with pytest.raises(StoreError) as caught:
        Store.open(place, create=create)
    with pytest.raises(StoreError):
        Store.upgrade(place)
    line = str(caught.value)
    assert line.startswith(f"{place}: ")
    assert "\n" not in line
    return line


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {str(one): one.read_bytes() if one.is_file() else None for one in folder.rglob("*")}


def foreign(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_text_file(path: Path) -> None:
    for text in ("a", "no database\n" * 100):
        path.write_text(text)
        assert "is not a SQLite database" in refusal(path)
        assert snapshot(path.parent) == {str(path): text.encode()}


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE songs (title TEXT)"],
        ["CREATE TABLE problems (title TEXT)"],
        ["CREATE TABLE alembic_version (version_num TEXT)"],
        ["PRAGMA application_id = 5", "CREATE TABLE songs (title TEXT)"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE songs (title TEXT)"],
    ],
)
def test_database_of_another_program(path: Path, statements: list[str]) -> None:
    foreign(path, *statements)
    before = snapshot(path.parent)
    assert "is another program's" in refusal(path)
    assert snapshot(path.parent) == before


def test_database_of_another_program_at_work(path: Path) -> None:
    """Its tables are only in the write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE songs (title TEXT)")
        before = path.read_bytes()
        assert "tables: songs" in refusal(path)
        assert path.read_bytes() == before
        connection.execute("INSERT INTO songs VALUES ('x')")


def test_damaged_database(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
    path.write_bytes(path.read_bytes()[:100] + b"x" * 5000)
    assert "malformed" in refusal(path)


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in refusal(tmp_path)
    assert snapshot(tmp_path) == {}


def test_missing_folder(tmp_path: Path) -> None:
    line = refusal(tmp_path / "nowhere" / "problems.db")
    assert f"the folder {tmp_path / 'nowhere'} does not exist" in line
    assert snapshot(tmp_path) == {}


def test_file_as_folder(path: Path) -> None:
    path.write_text("x")
    assert "Not a directory" in refusal(path / "problems.db")


def test_missing_file_not_to_be_created(path: Path) -> None:
    assert "does not exist" in refusal(path, create=False)
    path.touch()
    with pytest.raises(StoreError, match="is empty"):
        Store.open(path, create=False)
    assert path.read_bytes() == b""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(path: Path) -> None:
    path.touch(mode=0)
    assert "Permission denied" in refusal(path)


def test_device_and_odd_paths() -> None:
    assert "is not a regular file" in refusal("/dev/null")
    assert "File name too long" in refusal("x" * 5000)
    for place in ("", "a\0b"):
        with pytest.raises(StoreError, match="path"):
            Store.open(place)


def test_empty_places_become_stores(path: Path) -> None:
    path.touch()
    other = path.with_name("vacuum.db")
    foreign(other, "VACUUM")
    for place in (path, other, path.with_name("50%? #1.db"), f"sqlite:///{path.with_name('url.db')}"):
        with Store.open(place) as store:
            assert store.add(problem(0)) == 1
    assert path.with_name("50%? #1.db").exists()
    assert path.with_name("url.db").exists()


def test_restored_dump(path: Path) -> None:
    """A dump does not carry the application id."""
    with Store.open(path) as store:
        store.add(problem(0))
    with closing(sqlite3.connect(path)) as source:
        script = "\n".join(source.iterdump())
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(copy)) as target:
        target.executescript(script)
    with Store.open(copy) as store:
        assert store.add(problem(0)) is None


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hunter2@127.0.0.1:1/tsume",
        "postgresql+nodriver://me:hunter2@localhost/tsume",
        "postgres://me:hunter2@localhost/tsume",
        "postgresql://me:hunter2@localhost:port/tsume",
        "postgresql://me:hun@hunter2@localhost/tsume",
        "postgresql:/me:hunter2@localhost/tsume",
        "postgresql://127.0.0.1:1/tsume?user=me&password=hunter2",
        "nonsense://me:hunter2@localhost",
        "me:hunter2@localhost://x",
        "sqlite://me:hunter2@localhost/x.db",
        "sqlite:///x.db?password=hunter2",
        "sqlite+aiosqlite:///x.db",
        "sqlite:x.db",
    ],
)
def test_urls_that_do_not_open(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError) as caught:
        Store.open(url)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert snapshot(tmp_path) == {}


def test_names_of_stores(path: Path) -> None:
    for place in (path, str(path), f"sqlite:///{path}"):
        with Store.open(place) as store:
            assert store.name == str(path)


def test_a_schema_with_names_that_are_not_text_is_damage(tmp_path: Path) -> None:
    """SQLite's message quotes the name, and reading the message fails."""
    path = tmp_path / "store.db"
    with Store.open(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"tableproblemsproblems", b"table\xceroblems\xceroblems"))
    assert path.read_bytes() != whole
    with pytest.raises(StoreError, match=r"store\.db: "):
        Store.open(path, create=False).find()


@pytest.mark.parametrize(
    "place",
    [
        "mysql://me:hunter2@h/d", "mysql+pymysql://me:hunter2@h/d", "mariadb://h/d", "oracle://me:hunter2@h/d",
        "mssql+pyodbc://h/d", "mongodb://h/d", "postgres://me:hunter2@h/d", "psql://h/d", "Postgresql://h/d",
        "SQLITE:///x.db", "http://h/d", "mysql:me@h", "postgres:me@h",
    ],
)  # fmt: skip
def test_a_database_that_is_not_supported_names_those_that_are(place: str) -> None:
    with pytest.raises(
        StoreError, match=r"unsupported database: use .*sqlite:///path, or postgresql://"
    ) as error:
        Store.open(place)
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("place", ["postgresql+foo://h/d", "sqlite+foo:///d"])
def test_an_unknown_driver(place: str) -> None:
    with pytest.raises(StoreError, match=f"unknown driver, use {place.partition('+')[0]}://"):
        Store.open(place)
