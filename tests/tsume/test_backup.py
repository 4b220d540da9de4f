# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume backup: a copy of a store in use, and the way back that docs/backup.md describes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from db.store import Store
from tests.db.conftest import postgresql  # noqa: F401
from tests.db.samples import problems
from tests.places import ROOT
from tests.tsume.conftest import Run


def ids(place: Path | str) -> list[int]:
    with Store.open(place, create=False) as store:
        return [one.id for one in store.find()]


def test_a_store_that_is_written_to_is_copied_and_comes_back(tsume: Run, tmp_path: Path) -> None:
    store, saved = tmp_path / "tsume.db", tmp_path / "saved.db"
    with Store.open(store) as opened:
        opened.add(next(problems(0, 1)))
    command = [sys.executable, "-m", "tests.db.writer", str(store), "1", "640"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(5):
            assert writer.stdout.readline().strip()
        done = tsume("backup", saved, "--db", store)
        is_still_writing = writer.stdout.readline() != ""
        assert len(writer.stdout.readlines()) < 640
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{store}: saved to {saved}, ")
    assert is_still_writing
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saved.db", "tsume.db"]
    kept = ids(saved)
    assert kept == list(range(1, len(kept) + 1))
    assert 6 <= len(kept) < len(ids(store)) == 640
    store.write_bytes(b"damaged")
    assert tsume("backup", store, "--db", saved, "--replace").exit_code == 0
    assert ids(store) == kept


def test_what_a_backup_refuses_and_leaves_as_it_is(tsume: Run, tmp_path: Path) -> None:
    store, there, busy = (tmp_path / f"{name}.db" for name in ("store", "there", "busy"))
    with Store.open(store) as opened:
        opened.add(next(problems(0, 1)))
    there.write_text("mine")
    Store.open(busy).close()
    (tmp_path / "link.db").symlink_to(store)
    (tmp_path / "loop.db").symlink_to(tmp_path / "loop.db")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(store.read_bytes()[:8192] + b"\xff" * 8192 + store.read_bytes()[16384:])
    with Store.open(busy) as used:
        used.add(next(problems(1, 2)))
        cases = {
            (there, store): "is there already; --replace replaces it",
            (store, store, "--replace"): "is the store itself",
            (tmp_path / "link.db", store, "--replace"): "is the store itself",
            (tmp_path / "loop.db", store, "--replace"): "Too many levels of symbolic links",
            (tmp_path / "new.db", tmp_path / "loop.db"): "Too many levels of symbolic links",
            (busy, store, "--replace"): "is in use, or was not closed",
            (tmp_path, store): "is a directory",
            (tmp_path / "no" / "x.db", store): "does not exist",
            (tmp_path / "new.db", tmp_path / "none.db"): "does not exist",
            (tmp_path / "new.db", there): "is not a SQLite database",
            (there, damaged, "--replace"): "is damaged",
            (tmp_path / "new.db", ":memory:"): "a store in memory has no backup",
        }
        for (target, place, *flags), reason in cases.items():
            done = tsume("backup", target, "--db", place, *flags)
            assert (done.exit_code, done.stdout) == (1, ""), reason
            (line,) = done.stderr.splitlines()
            assert reason in line
    assert there.read_text() == "mine"
    assert not (tmp_path / "new.db").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert ids(store) == [1]
    assert tsume("backup", "-", "--db", store).exit_code == 2


def test_an_older_store_is_copied_as_it_is(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, saved = tmp_path / "old.db", tmp_path / "saved.db"
    Store.open(store).close()
    monkeypatch.setattr("db.schema.migration_revisions", lambda: ["0009_training", "0010_next"])
    assert tsume("stats", "--db", store).exit_code == 1
    assert tsume("backup", saved, "--db", store).exit_code == 0
    monkeypatch.undo()
    assert ids(saved) == []


def test_a_store_on_a_server_is_dumped_and_comes_back(
    tsume: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    dump, server = tmp_path / "saved.dump", request.getfixturevalue("postgresql")
    with server.store() as place, server.empty() as restored:
        with Store.open(place) as store:
            for one in problems(0, 5):
                store.add(one)
            done = tsume("backup", dump, "--db", place)  # while it is open
        assert done.exit_code == 0, done.output
        assert dump.stat().st_mode & 0o077 == 0
        assert tsume("backup", dump, "--db", place).exit_code == 1
        subprocess.run(["pg_restore", "--no-owner", "--dbname", restored, str(dump)], check=True)
        assert ids(restored) == ids(place) == [1, 2, 3, 4, 5]
        monkeypatch.setattr("db.schema.shutil.which", lambda _name: None)
        done = tsume("backup", tmp_path / "a b.dump", "--db", place.replace("tsume@", "tsume:secret@"))
        assert done.exit_code == 1
        assert (
            "pg_dump is not installed here; on a machine that has it: pg_dump --format=custom" in done.stderr
        )
        assert f"'--file={tmp_path}/a b.dump'" in done.stderr
        assert "secret" not in done.stderr
        assert not (tmp_path / "a b.dump").exists()
