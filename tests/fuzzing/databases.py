# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores that were tampered with: odd values in columns, odd tables, changed bytes, not even a file."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from db.models import Base
from tests.fuzzing.damage import WAYS, damaged

_COLUMNS = [(table.name, column.name) for table in Base.metadata.sorted_tables for column in table.columns]
_VALUES = (
    "NULL", "'x'", "''", "0", "-1", "1", "5", "9223372036854775807", "-9223372036854775808", "1e308",
    "-1e308",
    "9e999", "0.5", "x'00ff'", "x''", "CAST(x'ff' AS TEXT)", "CAST(x'61000062' AS TEXT)", "'['", "'[]'",
    "'{}'",
    "'[[1]]'", "'[null]'", "'[\"EQUAL_DEFENCES\", 5]'", "'{\"a\": \"b\"}'", "'{\"a\": 1e999}'",
    "'{\"a\": NaN}'", "'null'",
    "'5'", "replace(hex(zeroblob(100000)), '00', '[')", "hex(zeroblob(3000))", "hex(zeroblob(6000000))",
    "'[/red]'", "'a' || char(10) || 'b' || char(27)", "'2020-01-01'", "'9999-99-99 99:99:99.000000'",
    "'4k4/9/9/9/9/9/9/9/9 b - 1'", "'9/9/9/9/9/9/9/9/9 b - 1'", "'kkkkkkkkk/9/9/9/9/9/9/9/9 b 2r 1'",
    "'7g7f'",
    "'5e5d 5a5b'", "'K*5e'", "'R*5e R*5e'", "id + 1", "random()", "hex(randomblob(20))",
    "'sound'", "'unsound'", "'[\"FORM\", \"DETOUR\"]'", "'{\"moves\": [{}]}'",
    "'{\"header\": {\"作品名\": \"x\"}, \"moves\": [{\"comments\": [\"y\"]}]}'",
)  # fmt: skip
_SCHEMA = (
    "DROP TABLE runs", "DROP TABLE rejections", "DROP TABLE problems", "DROP TABLE alembic_version",
    "DELETE FROM alembic_version", "INSERT INTO alembic_version VALUES ('0001_problems')",
    "INSERT INTO alembic_version VALUES ('x')", "UPDATE alembic_version SET version_num = '9999_future'",
    "UPDATE alembic_version SET version_num = hex(zeroblob(200000))", "PRAGMA application_id = 0",
    "UPDATE alembic_version SET version_num = 5", "UPDATE alembic_version SET version_num = x'00'",
    "PRAGMA application_id = 5", "PRAGMA application_id = -1", "PRAGMA user_version = 99",
    "PRAGMA journal_mode = DELETE", "CREATE VIEW extra AS SELECT * FROM extra",
    "ALTER TABLE problems RENAME COLUMN sfen TO text", "ALTER TABLE problems DROP COLUMN score",
    "ALTER TABLE problems ADD COLUMN more TEXT", "ALTER TABLE runs RENAME TO races",
    "CREATE TABLE other (x)", "DROP INDEX ix_problems_score", "DELETE FROM problems", "DELETE FROM runs",
    "CREATE VIEW IF NOT EXISTS runs AS SELECT 1 AS id", "PRAGMA auto_vacuum = FULL", "VACUUM",
    "CREATE TRIGGER t BEFORE INSERT ON problems BEGIN SELECT RAISE(ABORT, 'no' || char(10)); END",
    "INSERT INTO problems SELECT * FROM problems", "INSERT INTO rejections SELECT * FROM rejections",
)  # fmt: skip


def _loosen(table: str) -> tuple[str, ...]:
    """Statements that remove types, keys and constraints from a table, so that it holds any value."""
    columns = ", ".join(f'"{column}"' for name, column in _COLUMNS if name == table)
    return (
        f"CREATE TABLE loose ({columns})",
        f"INSERT INTO loose SELECT {columns} FROM {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE loose RENAME TO {table}",
    )


def _update(place: tuple[str, str], value: str, one: bool) -> str:
    table, column = place
    only = " WHERE rowid = 1" if one else ""
    return f'UPDATE {table} SET "{column}" = {value}{only}'


_LOOSENED: st.SearchStrategy[tuple[str, ...]] = st.sampled_from(
    [_loosen(name) for name in ("problems", "runs", "rejections", "problem_themes", "problem_tags")]
)
_UPDATES = st.builds(_update, st.sampled_from(_COLUMNS), st.sampled_from(_VALUES), st.booleans())
_STATEMENTS = st.lists(
    _LOOSENED | _UPDATES.map(lambda one: (one,)) | st.sampled_from(_SCHEMA).map(lambda one: (one,)), max_size=4
)


@dataclass(frozen=True)
class Tampering:
    """Damage to a store: statements are run, then bytes changed; or something else is put in its place."""

    statements: Sequence[tuple[str, ...]] = ()
    ways: Sequence[int] = ()
    seed: int = 0
    instead: str = ""

    def at(self, made: Path, path: Path) -> None:
        """Put a tampered copy of the store ``made`` at a path."""
        if self.instead:
            _INSTEAD[self.instead](made, path)
            return
        shutil.copy(made, path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in (one for several in self.statements for one in several):
                with suppress(sqlite3.Error):
                    connection.execute(statement)
        if self.ways:
            path.write_bytes(damaged(path.read_bytes(), list(self.ways), self.seed))


def _loop(_made: Path, path: Path) -> None:
    path.symlink_to(path.name)


def _link(made: Path, path: Path) -> None:
    shutil.copy(made, path.with_name("real.db"))
    path.symlink_to("real.db")


def _read_only(made: Path, path: Path) -> None:
    shutil.copy(made, path)
    path.chmod(0o400)


def _damaged_log(made: Path, path: Path) -> None:
    shutil.copy(made, path)
    Path(f"{path}-wal").write_bytes(made.read_bytes()[:3000])


def _folder_for_log(made: Path, path: Path) -> None:
    shutil.copy(made, path)
    Path(f"{path}-wal").mkdir()


_INSTEAD: dict[str, Callable[[Path, Path], object]] = {
    "nothing": lambda _made, _path: None,
    "directory": lambda _made, path: Path.mkdir(path),
    "pipe": lambda _made, path: os.mkfifo(path),
    "device": lambda _made, path: path.symlink_to("/dev/zero"),
    "symlink loop": _loop,
    "symlink": _link,
    "dangling symlink": lambda _made, path: path.symlink_to("nowhere/x.db"),
    "read-only": _read_only,
    "empty": lambda _made, path: path.touch(),
    "text": lambda _made, path: path.write_text("no database\n" * 50),
    "beginning": lambda made, path: path.write_bytes(made.read_bytes()[:1000]),
    "header": lambda made, path: path.write_bytes(made.read_bytes()[:100]),
    "log of another": _damaged_log,
    "folder for the log": _folder_for_log,
}

TAMPERINGS: st.SearchStrategy[Tampering] = (
    st.builds(Tampering, _STATEMENTS)
    | st.builds(Tampering, _STATEMENTS, st.lists(st.integers(0, len(WAYS) - 1), max_size=3), st.integers(0, 2**32))
    | st.builds(Tampering, instead=st.sampled_from(sorted(_INSTEAD)))
)


def rows(path: Path) -> set[bytes] | None:
    """The SFENs of a store as raw bytes; None where it cannot be read."""
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.text_factory = bytes
            return {repr(row).encode() for row in connection.execute("SELECT sfen FROM problems")}
    except (sqlite3.Error, UnicodeDecodeError):  # a message may quote bytes that are not text
        return None
