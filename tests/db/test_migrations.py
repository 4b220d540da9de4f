# SPDX-License-Identifier: GPL-3.0-or-later
"""Migrations: they make the tables of the models, and old stores are upgraded only on demand."""

import json
import shutil
import sqlite3
from contextlib import closing
from math import log2
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from db import schema
from db.errors import StoreError
from db.models import Base
from db.runs import RunState
from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Provenance, line_key
from generator.problem_keys import key_hash
from solver.results import Defect, Grade
from tests.db.samples import change_file, problem, stored

HEAD = schema.migration_revisions()[-1]
NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "9999_comments"
down_revision = "{HEAD}"


def upgrade():
    op.add_column("problems", sa.Column("comment", sa.Text()))
"""


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the migrations and one newer."""
    copy = tmp_path / "100% migrations"
    shutil.copytree(schema.MIGRATIONS, copy)
    (copy / "versions" / "9999_comments.py").write_text(NEXT)
    monkeypatch.setattr(schema, "MIGRATIONS", copy)
    return copy


def columns(path: Path) -> set[str]:
    return {name for _, name, *_ in rows(path, "PRAGMA table_info(problems)")}


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


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
    assert schema.migration_revisions() == in_order
    assert script.get_heads() == [in_order[-1]]


def test_older_store_is_refused_until_upgraded(path: Path, request: pytest.FixtureRequest) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
    request.getfixturevalue("newer")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"{HEAD}, .* 9999_comments: run `tsume db upgrade`"):
        Store.open(path)
    assert path.read_bytes() == before
    assert Store.upgrade(path) == (HEAD, "9999_comments")
    assert Store.upgrade(path) == ("9999_comments", "9999_comments")
    with Store.open(path) as store:
        assert [found.problem for found in store.find()] == [problem(0)]
    assert "comment" in columns(path)


def test_failed_upgrade_changes_nothing(path: Path, newer: Path) -> None:
    script = newer / "versions" / "9999_comments.py"
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
        with pytest.raises(StoreError, match=r"problems\.db: has unknown revision '9999_comments'.* newer"):
            attempt(path)


def test_upgrade_of_an_empty_file(path: Path) -> None:
    path.touch()
    assert Store.upgrade(path) == (None, schema.migration_revisions()[-1])
    Store.open(path, create=False).close()
    Store.open(path).close()
    assert rows(path, "PRAGMA application_id") == [(0x7473756D,)]
    assert rows(path, "PRAGMA journal_mode") == [("wal",)]


OLD_RUNS = [
    (1, 2, "2026-01-01 00:00:00.000000", RunState.COMPLETE),
    (2, 5, "2026-01-01 00:00:00.000000", RunState.STOPPED),
    (3, 5, None, RunState.RUNNING),
]
"""Runs of the first version: id, problems asked for, when they ended, and their state after the upgrade."""

OLD_TIME = "2026-01-01 00:00:00.000000"
OLD_REMARKS = ["EQUAL_DEFENCES", "LAST_MOVE_ALTERNATIVES", "DETOUR"]


def store_of(revision: str, path: Path) -> None:
    """An empty store as an older version made it."""
    names = schema.migration_revisions()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "migration_revisions", lambda: names[: names.index(revision) + 1])
        upgrade = command.upgrade
        patch.setattr(command, "upgrade", lambda config, _head: upgrade(config, revision))
        Store.open(path).close()


def insert(path: Path, table: str, fields: dict[str, Any]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        places = ", ".join("?" * len(fields))
        connection.execute(f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({places})", tuple(fields.values()))


OLD_RUN: dict[str, Any] = {"seed": "7", "moves": 3, "version": "0.1.0", "options": "{}", "started_at": OLD_TIME,
                           "candidates": 9}  # fmt: skip
OLD_PROBLEM: dict[str, Any] = {
    "sfen": "8k/9/9/9/9/9/9/9/9 b - 1", "length": 3, "line": "G*5b 5a4a 2b3c+", "remarks": "[]", "score": 1.5,
    "stars": 1, "features": "{}", "board_pieces": 1, "hand_pieces": 0, "version": "0.1.0", "created_at": OLD_TIME,
}  # fmt: skip


def old_store(path: Path) -> None:
    """A store of the first version: three runs, two problems of the first, one with a spoilt line."""
    store_of("0001_problems", path)
    for number, count, ended, _ in OLD_RUNS:
        insert(path, "runs", {**OLD_RUN, "id": number, "count": count, "ended_at": ended})
    for number, line in ((1, OLD_PROBLEM["line"]), (2, "nonsense")):
        given = {"id": number, "canonical": f"key {number}", "line": line, "remarks": json.dumps(OLD_REMARKS[:number])}
        insert(path, "problems", {**OLD_PROBLEM, **given, "seed": "7", "root_index": 4, "run_id": 1})


def test_an_old_store_gets_line_keys_and_states(path: Path) -> None:
    old_store(path)
    with pytest.raises(StoreError, match="tsume db upgrade"):
        Store.open(path)
    assert Store.upgrade(path) == ("0001_problems", schema.migration_revisions()[-1])
    with Store.open(path) as store:
        roots, keys = store.runs.lines(1)
        assert (roots.tolist(), keys.tolist()) == ([4], [key_hash(line_key(problem(0).line))])
        found = stored(store)
        assert (found.themes, found.quality) == ((), 0.0)
        assert found.provenance == Provenance(7, 4, "0.1.0", recipe=None)
        runs = store.runs.all()
    assert [(run.id, run.count, run.state) for run in runs] == [(i, c, state) for i, c, _, state in OLD_RUNS]
    assert [run.totals.found for run in runs] == [2, 0, 0]
    assert not any(run.resumable or run.recipe is not None for run in runs)


def test_old_problems_are_perfect_and_their_remarks_name_the_blemishes(path: Path) -> None:
    old_store(path)
    remarks = ["LEFTOVER_IN_VARIATION", "EQUAL_DEFENCES", "DETOUR", "VARIATION_COOK"]
    change_file(path, f"UPDATE problems SET line = 'G*5b', remarks = '{json.dumps(remarks)}' WHERE id = 2")
    Store.upgrade(path)
    with Store.open(path) as store:
        one, other = store.find(ProblemSelection(grade=Grade.PERFECT))
        assert list(store.find(ProblemSelection(grade=Grade.SOUND))) == []
    assert (one.blemishes, one.record) == (Defect.EQUAL_DEFENCES, None)
    assert other.blemishes == Defect.EQUAL_DEFENCES | Defect.DETOUR | Defect.LEFTOVER_IN_VARIATION


RECORDS = [
    (json.dumps({"header": {"作品名": "曙光\x1b", "作者": "無名", "出典": "本"}, "moves": [{}]}), ("曙光", "無名",
     "本")),
    (json.dumps({"header": {"作品名": 5, "作者": ["x"], "発表誌": "x" * 300, "出典": "本"}}), ("", "", "x" * 200)),
    *((odd, ("", "", "")) for odd in ("{}", "[]", "x", "null", '{"header": 5}', '{"header": ["a"]}', "[" * 9999, None)),
]  # fmt: skip
"""Composers' records, and the title, author and source that they make."""


def test_older_problems_get_the_texts_of_their_records_and_their_facts(path: Path) -> None:
    names = schema.migration_revisions()[:4]
    store_of(names[-1], path)
    sfen = "6p1k/7+R1/7p1/9/9/9/9/9/9 b r2b4g4s4n4l16p 1"
    for number, (record, _) in enumerate(RECORDS):
        given = {"sfen": sfen if number < 4 else "odd", "line": "2b2c 1a1b 1c1b", "board_pieces": 4, "record": record}
        insert(path, "problems", {**OLD_PROBLEM, "canonical": str(number), **given})
    assert Store.upgrade(path)[0] == names[-1]
    texts = rows(path, "SELECT title, author, source FROM problems ORDER BY id")
    facts = rows(path, "SELECT defenders, key_kinds, same_when_counted, notes, parent_id FROM problems ORDER BY id")
    assert texts == [made for _, made in RECORDS]
    assert set(facts[:4]) == {(2, "", None, "", None)}
    assert set(facts[4:]) == {(None, None, None, "", None)}


FEATURES = [
    ('{"checks": 4.5, "quiet": 1}', 1, 8, "s 0,0\nm x"),
    ('{"checks": -1e300, "quiet": 0.1}', 1, 8, "s 1"),
    ('{"quiet": 0.5, "checks": 2.0}', 1, 3, "s 2\ns 3"),
    ("{}", None, None, "s 4"),
    ("{}", 1, None, "s 5"),
    ("{}", 1, 9, None),
    *((odd, 1, 3, "s 2") for odd in ('{"a": "b"}', '{"a": null}', "[]", "5", "x", "null", "[" * 9999)),
]
"""Features, run, root and line keys of rows as revision 0005 wrote them, the last ones odd."""
_ODD_LINES: tuple[Any, ...] = (5, None, [5], [["a", "b"]], [[1, 2]], {})
OTHER_LINES: list[tuple[Any, list[tuple[int, str]]]] = [
    ([[2, "s 9"], [2, "m 9"], [8, "s 1"]], [(2, "s 9"), (2, "m 9"), (8, "s 1")]),
    ([], []),
    *((odd, []) for odd in _ODD_LINES),
]
"""What duplicates gave, by run, and what comes of it."""


def store_of_0005(path: Path) -> None:
    store_of("0005_notebook", path)
    for number, (lines, _) in enumerate(OTHER_LINES, 1):
        insert(path, "runs", {**OLD_RUN, "id": number, "count": 5, "other_lines": json.dumps(lines)})
    for number, (features, run, root, keys) in enumerate(FEATURES):
        given = {"canonical": str(number), "features": features, "run_id": run, "root_index": root, "line_key": keys}
        insert(path, "problems", {**OLD_PROBLEM, **given})


def test_keys_and_names_of_features_get_tables_of_their_own(path: Path) -> None:
    store_of_0005(path)
    assert Store.upgrade(path) == ("0005_notebook", schema.migration_revisions()[-1])
    made = {(root, key) for _, run, root, keys in FEATURES if run and root and keys for key in keys.split("\n")}
    with Store.open(path) as store:
        for number, (_, lines) in enumerate(OTHER_LINES, 1):
            expected = {(root, key_hash(key)) for root, key in (made if number == 1 else set()) | set(lines)}
            roots, keys = (part.tolist() for part in store.runs.lines(number))
            assert list(zip(roots, keys, strict=True)) == sorted(expected)
        for number, (features, *_) in enumerate(FEATURES[:6], 1):
            assert list(stored(store, number).difficulty.features.items()) == list(json.loads(features).items())
        assert store.count(ProblemSelection(min_proof_tree=1)) == 0
        for number in range(7, len(FEATURES) + 1):
            with pytest.raises(StoreError, match="cannot be read"):
                store.get(number)
    assert rows(path, "SELECT count(*) FROM feature_sets") == [(3,)]


def test_old_problems_get_the_size_of_their_tree_and_stars_by_their_score(path: Path) -> None:
    store_of("0009_training", path)
    sizes = [2, 12, 20_002, 2**40, 0]
    names = {1: ["length", "log_proof_tree"], 2: ["length"]}
    for number, some in names.items():
        insert(path, "feature_sets", {"id": number, "names": json.dumps(some)})
    for size in sizes:
        values = [3.0, round(log2(size), 4)] if size else [3.0]
        given = {"canonical": str(size), "score": 45.0, "stars": 1, "features": json.dumps(values)}
        insert(path, "problems", {**OLD_PROBLEM, **given, "feature_set": len(values) % 2 + 1})
    assert Store.upgrade(path) == ("0009_training", HEAD)
    assert "stars" not in columns(path)
    assert [size for (size,) in rows(path, "SELECT proof_tree FROM problems ORDER BY id")] == sizes
    with Store.open(path) as store:
        assert [(one.difficulty.stars, one.difficulty.proof_tree) for one in store.find()] == [(3, n) for n in sizes]
        assert store.stats().trees[3].number == 4
