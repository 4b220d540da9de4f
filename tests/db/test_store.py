# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems come out of the store as they went in, each once."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from db import query
from db.errors import StoreError
from db.models import FEATURE_SETS
from db.selection import ORDERS, Order, ProblemSelection
from db.store import Store
from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Grade
from tests.db.samples import change_file, execute, ids_of, problem, stored
from tsume_rules.sfen import format_sfen, mirrored_sfen, parse_sfen


def test_round_trip(store: Store) -> None:
    given = problem(40)
    number = store.add(given)
    found = stored(store, number)
    assert (found.problem, found.id) == (given, number)
    assert timedelta(0) <= datetime.now(UTC) - found.created_at < timedelta(minutes=5)
    assert found.created_at.utcoffset() == timedelta(0)


def test_round_trip_through_a_file(path: Path) -> None:
    given = [problem(index) for index in range(5)]
    with Store.open(path) as store:
        assert [store.add(one) for one in given] == [1, 2, 3, 4, 5]
        assert store.get(6) is None
    with Store.open(path, create=False) as store:
        assert [found.problem for found in store.find()] == given


def test_imported_ones_large_seeds_and_numbers_of_numpy(store: Store) -> None:
    given = replace(problem(1), provenance=None)
    given = replace(given, judgement=replace(given.judgement, searched=None, remarks=Defect.NONE))
    found = stored(store, store.add(given))
    assert found.problem == given
    assert found.version
    given = replace(
        problem(2),
        difficulty=Difficulty({"x": np.float64(0.1), "n": np.int64(3)}, np.float64(2.5)),  # type: ignore[dict-item]
        provenance=Provenance(2**127 + 1, np.int64(5), "0.1.0"),  # type: ignore[arg-type]
    )
    assert stored(store, store.add(given)).problem == given
    assert ids_of(store, seed=2**127 + 1) == [2]


def test_mirror_image_is_the_same_problem(store: Store) -> None:
    given = problem(3)
    mirrored = replace(given, position=given.position.mirrored)
    assert mirrored.position != given.position
    assert [store.add(one) for one in (mirrored, given, mirrored)] == [1, None, None]
    assert stored(store).position == mirrored.position


def test_problems_without_a_grade_and_of_unknown_runs_are_refused(store: Store) -> None:
    given = problem(0)
    for grade in (None, Grade.UNSOUND):
        with pytest.raises(StoreError, match="perfect or sound"):
            store.add(replace(given, judgement=replace(given.judgement, grade=grade)))
    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        store.add(problem(0), run_id=5)
    with pytest.raises(StoreError, match="finite"):
        store.add(problem(0, score=float("nan")))
    assert list(store.find()) == []


def sound(index: int, defects: Defect, blemishes: Defect = Defect.NONE, unresolved: bool = False) -> Problem:
    judgement = replace(
        problem(index).judgement, defects=defects, unresolved=unresolved, grade=Grade.SOUND,
        blemishes=blemishes,
    )  # fmt: skip
    return replace(problem(index), judgement=judgement)


def test_a_sound_problem_comes_out_with_its_blemishes_and_its_record(store: Store) -> None:
    blemishes = Defect.UNDETERMINED_FORM | Defect.COOK_IN_EQUAL_DEFENCE
    cooked = sound(0, Defect.UNDETERMINED_FORM | Defect.COOK, blemishes)
    given = [
        replace(cooked, record='{"header": {"作者": "無名"}}'), sound(1, Defect.NONE, Defect.LONGER_WITH_LEFTOVER),
        sound(2, Defect.NONE, unresolved=True), problem(3),
    ]  # fmt: skip
    for one in given:
        store.add(one)
    assert [found.problem for found in store.find()] == given
    assert (ids_of(store, grade=Grade.SOUND), ids_of(store, grade=Grade.PERFECT)) == ([1, 2, 3], [4])
    assert store.stats().grades == {"perfect": 1, "sound": 3}


@pytest.fixture
def filled(store: Store) -> Store:
    for index in range(60):
        store.add(
            problem(index, length=1 + 2 * (index % 2), score=index // 2, seed=index % 3, tree=2 + 4 * (index % 7))
        )
    return store


def test_find(filled: Store) -> None:
    asked: list[tuple[dict[str, Any], list[int]]] = [
        ({}, list(range(1, 61))), ({"moves": 3}, list(range(2, 61, 2))), ({"min_score": 28, "max_score": 28}, [57, 58]),
        ({"stars": 2}, list(range(41, 61))), ({"stars": 5}, []), ({"seed": 0, "limit": 2}, [1, 4]),
        ({"max_pieces": 2}, list(range(1, 37))), ({"moves": 3, "stars": 2, "min_score": 28}, [58, 60]),
        ({"min_proof_tree": 25}, list(range(7, 61, 7))), ({"max_proof_tree": 2, "moves": 3}, [8, 22, 36, 50]),
        ({"moves": 5}, []), ({"limit": 0}, []),
    ]  # fmt: skip
    assert [(one, ids_of(filled, **one)) for one, _ in asked] == asked
    assert [one.id for one in filled.find(ProblemSelection(limit=60), skip=57)] == [58, 59, 60]
    assert list(filled.find(ProblemSelection(stars=2), skip=99)) == []


@pytest.mark.parametrize("size", [1, 7, 500])
def test_pages(filled: Store, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "PAGE", size)
    filled.add(problem(100, score=0.5))
    assert ids_of(filled) == list(range(1, 62))
    by_score = [(found.difficulty.score, found.id) for found in filled.find(ProblemSelection(order="score"))]
    assert by_score == sorted(by_score)
    assert len(by_score) == 61
    by_tree = [(one.difficulty.proof_tree, one.id) for one in filled.find(ProblemSelection(order="proof-tree"))]
    assert by_tree == sorted(by_tree)
    assert by_tree[:2] == [(0, 61), (2, 1)]  # that of the last is not known
    assert filled.count(ProblemSelection(max_proof_tree=10**9)) == 60
    behind = [one.id for one in filled.find(ProblemSelection(order="proof-tree", after=by_tree[30][1]))]
    assert behind == [number for _, number in by_tree[31:]]
    assert ids_of(filled, order="score", limit=4) == [1, 2, 61, 3]


def test_adding_while_finding(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "PAGE", 7)
    added = [filled.add(problem(100 + found.id)) for found in filled.find()]
    assert len(added) == 60
    assert None not in added


def test_themes_and_quality(store: Store) -> None:
    given = [
        problem(0, themes=("distant drop", "sacrifice"), quality=70.0), problem(1, themes=("sacrifice",), quality=90.5),
        problem(2, quality=70.0),
    ]  # fmt: skip
    for one in given:
        store.add(one)
    assert [found.problem for found in store.find()] == given
    asked: list[tuple[dict[str, Any], list[int]]] = [
        ({"themes": ["sacrifice"]}, [1, 2]), ({"themes": ["sacrifice", "distant drop", "sacrifice"]}, [1]),
        ({"themes": ["sacrifice", "none such"]}, []), ({"min_quality": 70.0}, [1, 2, 3]), ({"min_quality": 70.1}, [2]),
        ({"order": "quality"}, [2, 1, 3]), ({"order": "quality", "themes": ["sacrifice"], "limit": 1}, [2]),
    ]  # fmt: skip
    assert [(one, ids_of(store, **one)) for one, _ in asked] == asked
    assert stored(store, store.add(problem(3, themes=("b", "a", "b")))).themes == ("a", "b")


def test_problems_are_selected_by_resistance_and_surprise(store: Store) -> None:
    for index, values in enumerate(((9.5, 1.0), (12.0, 0.0), (3.0, 4.5))):
        features = dict(zip(("resistance", "surprise"), values, strict=True))
        store.add(replace(problem(index), difficulty=Difficulty(features, 1.0)))
    store.add(problem(3))  # scored before there were these features
    assert ids_of(store) == [1, 2, 3, 4]
    assert ids_of(store, min_resistance=9.5) == [1, 2]
    assert ids_of(store, min_surprise=0.0) == [1, 2, 3]
    assert ids_of(store, min_resistance=5.0, min_surprise=0.5) == [1]


@pytest.mark.parametrize("order", ORDERS)
def test_each_problem_is_followed_by_the_next_of_the_selection(store: Store, order: Order) -> None:
    for index in range(12):
        store.add(problem(index, quality=float(index % 3), themes=(f"theme {index % 2}",)))
    wanted = ProblemSelection(themes=("theme 1",), order=order)
    expected = [found.id for found in store.find(wanted)]
    assert len(expected) == store.count(wanted) == store.count(replace(wanted, limit=1)) == 6
    walked = [expected[0]]
    while following := list(store.find(replace(wanted, after=walked[-1], limit=1))):
        walked.append(following[0].id)
    assert walked == expected


@pytest.mark.parametrize("size", [1, 2, 500])
def test_pages_by_quality(store: Store, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "PAGE", size)
    for index in range(20):
        store.add(problem(index, quality=float(index % 4), themes=(f"theme {index % 3}",)))
    found = list(store.find(ProblemSelection(order="quality")))
    keys = [(-one.quality, one.id) for one in found]
    assert keys == sorted(keys)
    assert [one.themes for one in found] == [(f"theme {(one.id - 1) % 3}",) for one in found]
    assert len(found) == 20


def test_find_refuses_and_nothing_follows_a_problem_that_is_not_there(store: Store) -> None:
    asked: list[dict[str, Any]] = [{"order": "length"}, {"limit": -1}]
    for one in asked:
        with pytest.raises(ValueError, match=r"order is|limit is"):
            store.find(ProblemSelection(**one))
    store.add(problem(0))
    assert not list(store.find(ProblemSelection(after=2**70, order="score")))
    beyond: list[dict[str, Any]] = [
        {"moves": 2**70},
        {"stars": -(2**70)},
        {"max_pieces": -(2**70)},
        {"defenders": 2**70},
    ]
    assert [one for one in beyond if store.count(ProblemSelection(**one))] == []
    assert len(list(store.find(ProblemSelection(limit=2**70)))) == 1
    assert store.count(ProblemSelection(after=7)) == 0


def test_spoilt_row() -> None:
    for spoilt, fault in (
        ("remarks = '[\"ODD\"]'", "unknown remarks: ODD"), ("remarks = '[[1]]'", "remarks is"), ("line = 'x'",
         "not a move"),
        ("line = 'K*5e'", "not a move"), ("proof_tree = -1", "proof_tree is -1"),
        ("proof_tree = 'x'", "proof_tree is 'x'"), ("score = 9e999", "score is inf"), ("score = 'x'", "score is 'x'"),
        ("length = -1", "length is -1"), ("quality = 'good'", "quality is 'good'"),
        ("blemishes = '[\"ODD\"]'", "unknown blemishes: ODD"), ("grade = 'unsound'", "grade is 'unsound'"),
        ("grade = 'sound', record = x'00'", "record is b"), ("title = x'00'", "title is b"),
        ("defenders = 'x'", "defenders is 'x'"), ("key_kinds = x'00'", "key_kinds is b"),
        *((f"features = '{odd}'", "features") for odd in (
            "[1]", "[1, 2, 3]", "[]", '{"a": 1}', '"x"', "[1, null]", "[1, 1e999]", "x", "[1, [2]]", "[", "5",
            '{"a": NaN}',
        )),
    ):  # fmt: skip
        with Store.open(":memory:") as store:
            store.add(problem(0))
            execute(store, f"UPDATE problems SET {spoilt}")
            with pytest.raises(StoreError, match=f"problem 1 cannot be read: {fault}"):
                store.get(1)


def test_features_are_read_however_they_are_spelt(in_sqlite: Store) -> None:
    in_sqlite.add(problem(0))
    for even in ("[1,2.5]", "[1, 2.5]", " [1e0, 25e-1]"):
        execute(in_sqlite, "UPDATE problems SET features = ?", even)
        assert stored(in_sqlite).difficulty.features == {"checks": 1.0, "quiet": 2.5}


def test_names_of_features_are_stored_once(store: Store) -> None:
    odd = Difficulty({"100%": 1.5, '飛"': 1e300}, 1.0)
    for index in range(4):
        store.add(replace(problem(index), difficulty=odd) if index % 2 else problem(index))
    found = [one.difficulty for one in store.find()]
    assert found[1] == found[3] == odd
    assert found[0] == problem(0).difficulty
    with store._sessions.reading() as session:
        assert session.execute(select(func.count()).select_from(FEATURE_SETS)).scalar_one() == 2


def test_neither_kernels_nor_alembic_are_imported(path: Path) -> None:
    Store.open(path).close()
    program = (
        "import sys; from db.store import Store; store = Store.open(sys.argv[1]); store.stats(); "
        "sys.exit(' '.join({'tsume_rules.kernel', 'alembic', 'tsume'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", program, path], check=True, cwd=Path(__file__).parents[2])


def test_a_mirrored_sfen_is_that_of_the_mirrored_position() -> None:
    for sfen in (
        "l7g/4kp1Sn/1P+R1gs3/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/1+p3G1+p1/P1PsP4 b Lnl5p 1",
        "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1",
    ):  # fmt: skip
        position = parse_sfen(sfen).position
        assert mirrored_sfen(format_sfen(position)) == format_sfen(position.mirrored)
        assert mirrored_sfen(format_sfen(position.mirrored)) == format_sfen(position)


# --- A place that is not a store is refused in one clear line and left as it is --------------------


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


def test_texts_damage_folders_and_missing_files(tmp_path: Path, path: Path) -> None:
    assert "does not exist" in refusal(path, create=False)
    assert "is a directory" in refusal(tmp_path)
    assert f"the folder {tmp_path / 'nowhere'} does not exist" in refusal(tmp_path / "nowhere" / "problems.db")
    assert snapshot(tmp_path) == {}
    for text in ("a", "no database\n" * 100):
        path.write_text(text)
        assert "is not a SQLite database" in refusal(path)
        assert snapshot(tmp_path) == {str(path): text.encode()}
    assert "Not a directory" in refusal(path / "problems.db")
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="is empty"):
        Store.open(path, create=False)
    assert path.read_bytes() == b""
    with Store.open(path) as store:
        store.add(problem(0))
    path.write_bytes(path.read_bytes()[:100] + b"x" * 5000)
    assert "malformed" in refusal(path)


def test_database_of_another_program(tmp_path: Path) -> None:
    for number, statements in enumerate((
        ["CREATE TABLE songs (title TEXT)"],
        ["CREATE TABLE problems (title TEXT)"],
        ["CREATE TABLE alembic_version (version_num TEXT)"],
        ["PRAGMA application_id = 5", "CREATE TABLE songs (title TEXT)"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE songs (title TEXT)"],
    )):  # fmt: skip
        path = tmp_path / f"{number}.db"
        change_file(path, *statements)
        before = snapshot(tmp_path)
        assert "is another program's" in refusal(path), statements
        assert snapshot(tmp_path) == before


def test_database_of_another_program_at_work(path: Path) -> None:
    """Its tables are only in the write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE songs (title TEXT)")
        before = path.read_bytes()
        assert "tables: songs" in refusal(path)
        assert path.read_bytes() == before
        connection.execute("INSERT INTO songs VALUES ('x')")


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


def test_empty_places_become_stores_and_have_names(path: Path) -> None:
    path.touch()
    other = path.with_name("vacuum.db")
    change_file(other, "VACUUM")
    url = path.with_name("url.db")
    for place, name in (
        (path, path), (other, other), (path.with_name("50%? #1.db"),) * 2, (f"sqlite:///{url}", url)
    ):  # fmt: skip
        with Store.open(place) as store:
            assert store.add(problem(0)) == 1
            assert store.name == str(name)
        assert name.exists()
    with Store.open(str(path)) as store:
        assert store.name == str(path)


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
    ("url", "fault"),
    [
        *((url, ".+") for url in (
            "postgresql://me:hunter2@127.0.0.1:1/tsume", "postgresql+nodriver://me:hunter2@localhost/tsume",
            "postgresql://me:hunter2@localhost:port/tsume", "postgresql://me:hun@hunter2@localhost/tsume",
            "postgresql:/me:hunter2@localhost/tsume", "postgresql://127.0.0.1:1/tsume?user=me&password=hunter2",
            "nonsense://me:hunter2@localhost", "me:hunter2@localhost://x", "sqlite://me:hunter2@localhost/x.db",
            "sqlite:///x.db?password=hunter2", "sqlite+aiosqlite:///x.db", "sqlite:x.db",
        )),
        *((url, r"unsupported database: use .*sqlite:///path, or postgresql://") for url in (
            "mysql://me:hunter2@h/d", "mysql+pymysql://me:hunter2@h/d", "mariadb://h/d", "oracle://me:hunter2@h/d",
            "mssql+pyodbc://h/d", "mongodb://h/d", "postgres://me:hunter2@h/d", "psql://h/d", "Postgresql://h/d",
            "SQLITE:///x.db", "http://h/d", "mysql:me@h", "postgres:me@h",
        )),
        ("postgresql+foo://h/d", "unknown driver, use postgresql://"), ("sqlite+foo:///d", "driver, use sqlite://"),
    ],
)  # fmt: skip
def test_urls_that_do_not_open(url: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=fault) as caught:
        Store.open(url)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert snapshot(tmp_path) == {}


def test_a_schema_with_names_that_are_not_text_is_damage(tmp_path: Path) -> None:
    """SQLite's message quotes the name, and reading the message fails."""
    path = tmp_path / "store.db"
    with Store.open(path):
        pass
    change_file(path, "PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"tableproblemsproblems", b"table\xceroblems\xceroblems"))
    assert path.read_bytes() != whole
    with pytest.raises(StoreError, match=r"store\.db: "):
        Store.open(path, create=False).find()
