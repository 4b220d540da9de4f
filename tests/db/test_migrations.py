"""Migrations: they make what the models say, and old stores are upgraded on demand only."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from db import schema
from db.errors import StoreError
from db.models import Base
from db.store import Store
from tests.db.samples import problem

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0002_comments"
down_revision = "0001_problems"


def upgrade():
    op.add_column("problems", sa.Column("comment", sa.Text()))
"""


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations with one more."""
    copy = tmp_path / "100% migrations"
    shutil.copytree(schema.MIGRATIONS, copy)
    (copy / "versions" / "0002_comments.py").write_text(NEXT)
    monkeypatch.setattr(schema, "MIGRATIONS", copy)
    return copy


def columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute("PRAGMA table_info(problems)")}


def test_migrations_make_what_the_models_say(path: Path) -> None:
    Store.open(path).close()
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_file_names_are_the_revisions() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    in_order = [one.revision for one in script.walk_revisions()][::-1]
    assert schema.revisions() == in_order
    assert script.get_heads() == [in_order[-1]]


def test_older_store_is_refused_until_upgraded(path: Path, request: pytest.FixtureRequest) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
    request.getfixturevalue("newer")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"0001_problems, .* 0002_comments: run `tsume db upgrade`"):
        Store.open(path)
    assert path.read_bytes() == before
    assert Store.upgrade(path) == ("0001_problems", "0002_comments")
    assert Store.upgrade(path) == ("0002_comments", "0002_comments")
    with Store.open(path) as store:
        assert [found.problem for found in store.find()] == [problem(0)]
    assert "comment" in columns(path)


def test_failed_upgrade_changes_nothing(path: Path, newer: Path) -> None:
    script = newer / "versions" / "0002_comments.py"
    script.unlink()
    Store.open(path).close()
    script.write_text(NEXT + '    op.execute("SELECT * FROM nowhere")\n')
    with pytest.raises(StoreError, match="no such table: nowhere"):
        Store.upgrade(path)
    assert "comment" not in columns(path)
    script.unlink()
    Store.open(path).close()


@pytest.mark.usefixtures("newer")
def test_newer_store_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(path).close()
    monkeypatch.undo()
    for attempt in (Store.open, Store.upgrade):
        with pytest.raises(StoreError, match=r"problems\.db: has revision '0002_comments'.* newer"):
            attempt(path)


def test_upgrade_of_an_empty_file(path: Path) -> None:
    path.touch()
    assert Store.upgrade(path) == (None, schema.revisions()[-1])
    Store.open(path, create=False).close()


def test_files_are_marked_and_in_wal_mode(path: Path) -> None:
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x7473756D,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
