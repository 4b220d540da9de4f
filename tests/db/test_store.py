# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems come out of the store as they went in, each once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from shutil import copy, rmtree
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from db import query, stored_problem
from db.errors import StoreError
from db.models import FEATURE_SETS, PROBLEMS
from db.problem_rows import problem_rows
from db.selection import ORDERS, Order, ProblemSelection
from db.store import Store
from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Grade
from tests.db.conftest import KINDS, new_place
from tests.db.samples import REMARKS, problem
from tsume_rules.sfen import format_sfen, mirrored_sfen, parse_sfen


def test_round_trip(store: Store) -> None:
    given = problem(40)
    number = store.add(given)
    assert number is not None
    found = store.get(number)
    assert found is not None
    assert found.problem == given
    assert found.id == number
    assert found.position == given.position
    assert (found.length, found.line, found.searched, found.remarks) == (3, given.line, 9, REMARKS)
    assert (found.difficulty, found.provenance) == (given.difficulty, given.provenance)
    assert timedelta(0) <= datetime.now(UTC) - found.created_at < timedelta(minutes=5)
    assert found.created_at.utcoffset() == timedelta(0)


def test_round_trip_through_a_file(path: Path) -> None:
    given = [problem(index) for index in range(5)]
    with Store.open(path) as store:
        assert [store.add(one) for one in given] == [1, 2, 3, 4, 5]
        assert store.get(6) is None
    with Store.open(path, create=False) as store:
        assert [found.problem for found in store.find()] == given


def test_imported_and_unbounded(store: Store) -> None:
    given = problem(1)
    given = replace(
        given, provenance=None, judgement=replace(given.judgement, searched=None, remarks=Defect.NONE)
    )
    found = store.get(store.add(given) or 0)
    assert found is not None
    assert found.problem == given
    assert found.version


def test_large_seeds_and_numbers_of_numpy(store: Store) -> None:
    given = replace(
        problem(1),
        difficulty=Difficulty({"x": np.float64(0.1), "n": np.int64(3)}, np.float64(2.5), np.int8(4)),  # type: ignore[dict-item,arg-type]
        provenance=Provenance(2**127 + 1, np.int64(5), "0.1.0"),  # type: ignore[arg-type]
    )
    found = store.get(store.add(given) or 0)
    assert found is not None
    assert found.problem == given
    assert [one.id for one in store.find(ProblemSelection(seed=2**127 + 1))] == [found.id]


def test_mirror_image_is_the_same_problem(store: Store) -> None:
    given = problem(3)
    mirrored = replace(given, position=given.position.mirrored)
    assert mirrored.position != given.position
    assert store.add(mirrored) == 1
    assert store.add(given) is None
    assert store.add(mirrored) is None
    found = store.get(1)
    assert found is not None
    assert found.position == mirrored.position


def test_only_perfect_and_sound_problems(store: Store) -> None:
    given = problem(0)
    for grade in (None, Grade.UNSOUND):
        with pytest.raises(StoreError, match="perfect or sound"):
            store.add(replace(given, judgement=replace(given.judgement, grade=grade)))


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
        replace(cooked, record='{"header": {"作者": "無名"}}'),
        sound(1, Defect.NONE, Defect.LONGER_WITH_LEFTOVER),
        sound(2, Defect.NONE, unresolved=True),
        problem(3),
    ]  # fmt: skip
    for one in given:
        store.add(one)
    assert [found.problem for found in store.find()] == given
    assert [found.id for found in store.find(ProblemSelection(grade=Grade.SOUND))] == [1, 2, 3]
    assert [found.id for found in store.find(ProblemSelection(grade=Grade.PERFECT))] == [4]
    assert store.stats().grades == {"perfect": 1, "sound": 3}


def test_unknown_run_is_no_duplicate(store: Store) -> None:
    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        store.add(problem(0), run_id=5)
    with pytest.raises(StoreError, match="finite"):
        store.add(problem(0, score=float("nan")))
    assert list(store.find()) == []


@pytest.fixture
def filled(store: Store) -> Store:
    for index in range(60):
        store.add(
            problem(index, length=1 + 2 * (index % 2), score=index // 2, stars=1 + index % 5, seed=index % 3)
        )
    return store


def test_find(filled: Store) -> None:
    def ids(**asked: float) -> list[int]:
        return [found.id for found in filled.find(ProblemSelection(**asked))]  # type: ignore[arg-type]

    assert ids() == list(range(1, 61))
    assert ids(moves=3) == list(range(2, 61, 2))
    assert ids(min_score=28, max_score=28) == [57, 58]
    assert ids(stars=5) == list(range(5, 61, 5))
    assert ids(seed=0, limit=2) == [1, 4]
    assert ids(max_pieces=2) == list(range(1, 37))
    assert ids(moves=3, stars=5, min_score=10) == [30, 40, 50, 60]
    assert ids(moves=5) == []
    assert ids(limit=0) == []


def test_find_skips(filled: Store) -> None:
    assert [one.id for one in filled.find(ProblemSelection(limit=60), skip=57)] == [58, 59, 60]
    assert list(filled.find(ProblemSelection(stars=5), skip=99)) == []


@pytest.mark.parametrize("size", [1, 7, 500])
def test_pages(filled: Store, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "PAGE", size)
    filled.add(problem(100, score=0.5))
    assert [found.id for found in filled.find()] == list(range(1, 62))
    by_score = [(found.difficulty.score, found.id) for found in filled.find(ProblemSelection(order="score"))]
    assert by_score == sorted(by_score)
    assert len(by_score) == 61
    assert [found.id for found in filled.find(ProblemSelection(order="score", limit=4))] == [1, 2, 61, 3]


def test_adding_while_finding(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "PAGE", 7)
    added = [filled.add(problem(100 + found.id)) for found in filled.find()]
    assert len(added) == 60
    assert None not in added


def test_themes_and_quality(store: Store) -> None:
    given = [
        problem(0, themes=("distant drop", "sacrifice"), quality=70.0),
        problem(1, themes=("sacrifice",), quality=90.5),
        problem(2, quality=70.0),
    ]
    for one in given:
        store.add(one)
    assert [found.problem for found in store.find()] == given

    def ids(**asked: Any) -> list[int]:
        return [found.id for found in store.find(ProblemSelection(**asked))]

    assert ids(themes=["sacrifice"]) == [1, 2]
    assert ids(themes=["sacrifice", "distant drop", "sacrifice"]) == [1]
    assert ids(themes=["sacrifice", "none such"]) == []
    assert ids(min_quality=70.0) == [1, 2, 3]
    assert ids(min_quality=70.1) == [2]
    assert ids(order="quality") == [2, 1, 3]
    assert ids(order="quality", themes=["sacrifice"], limit=1) == [2]


def test_problems_are_selected_by_resistance_and_surprise(store: Store) -> None:
    for index, values in enumerate(((9.5, 1.0), (12.0, 0.0), (3.0, 4.5))):
        features = dict(zip(("resistance", "surprise"), values, strict=True))
        store.add(replace(problem(index), difficulty=Difficulty(features, 1.0, 1)))
    store.add(problem(3))  # scored before there were these features

    def ids(**asked: Any) -> list[int]:
        return [found.id for found in store.find(ProblemSelection(**asked))]

    assert ids() == [1, 2, 3, 4]
    assert ids(min_resistance=9.5) == [1, 2]
    assert ids(min_surprise=0.0) == [1, 2, 3]
    assert ids(min_resistance=5.0, min_surprise=0.5) == [1]


def test_themes_of_an_odd_order_are_kept_in_alphabetical_order(store: Store) -> None:
    store.add(problem(0, themes=("b", "a", "b")))
    found = store.get(1)
    assert found is not None
    assert found.themes == ("a", "b")


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


def test_nothing_follows_a_problem_that_is_not_there(store: Store) -> None:
    store.add(problem(0))
    assert not list(store.find(ProblemSelection(after=2**70, order="score")))
    assert store.count(ProblemSelection(after=7)) == 0


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


@pytest.mark.parametrize("asked", [{"order": "length"}, {"limit": -1}])
def test_find_refuses(store: Store, asked: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"order is|limit is"):
        store.find(ProblemSelection(**asked))  # type: ignore[arg-type]


def test_spoilt_row(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
        for spoilt, fault in (
            ("remarks = '[\"ODD\"]'", "unknown remarks: ODD"),
            ("remarks = '[]', line = 'x'", "not a move"),
            ("line = 'G*5b', quality = 'good'", "quality is 'good'"),
            ("quality = 0, blemishes = '[\"ODD\"]'", "unknown blemishes: ODD"),
            ("grade = 'unsound'", "grade is 'unsound'"),
            ("grade = 'sound', record = x'00'", "record is b"),
        ):
            with store._sessions.writer.begin() as connection:
                connection.exec_driver_sql(f"UPDATE problems SET {spoilt}")
            with pytest.raises(StoreError, match=rf"problems\.db: problem 1 cannot be read: {fault}"):
                store.get(1)


def test_spoilt_features(in_sqlite: Store) -> None:
    in_sqlite.add(problem(0))
    for odd in ("[1]", "[1, 2, 3]", "[]", '{"a": 1}', '"x"', "[1, null]", "[1, 1e999]", "x", "[1, [2]]"):
        with in_sqlite._sessions.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE problems SET features = ?", (odd,))
        with pytest.raises(StoreError, match="problem 1 cannot be read: features"):
            in_sqlite.get(1)
    for even in ("[1,2.5]", "[1, 2.5]", " [1e0, 25e-1]"):
        with in_sqlite._sessions.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE problems SET features = ?", (even,))
        assert next(in_sqlite.find()).difficulty.features == {"checks": 1.0, "quiet": 2.5}


def test_names_of_features_are_stored_once(store: Store) -> None:
    odd = Difficulty({"100%": 1.5, '飛"': 1e300}, 1.0, 2)
    for index in range(4):
        store.add(replace(problem(index), difficulty=odd) if index % 2 else problem(index))
    found = [one.difficulty for one in store.find()]
    assert found[1] == found[3] == odd
    assert found[0] == problem(0).difficulty
    with store._sessions.reading() as session:
        assert session.execute(select(func.count()).select_from(FEATURE_SETS)).scalar_one() == 2


ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1, 6, 2**31, 2**63, 0.5, float("nan"), float("inf"), "x", "", b"x", [], ["x"], [5],
    {}, {"a": 1}, {"a": 0.5}, {"a": "b"}, {"a": float("nan")}, datetime(2020, 1, 1), "perfect", "sound",
)  # fmt: skip


@pytest.fixture(scope="module", params=KINDS)
def usual(request: pytest.FixtureRequest) -> Any:
    """The row of a problem, once in SQLite and once in PostgreSQL."""
    with new_place(request) as place, Store.open(place) as store:
        store.add(problem(0))
        with store._sessions.reading() as session:
            (row,) = problem_rows(session, [1]).values()
    return row


@pytest.mark.parametrize("column", PROBLEMS.c.keys())
def test_the_quick_look_at_a_row_passes_nothing_that_the_slow_one_refuses(usual: Any, column: str) -> None:
    assert stored_problem._is_usual_row(usual)
    for value in ODD:
        odd = usual._replace(**{column: value})
        if stored_problem._is_usual_row(odd):
            stored_problem._require_each_column(odd)


def test_neither_numba_nor_alembic_is_imported(path: Path) -> None:
    Store.open(path).close()
    program = (
        "import sys; from db.store import Store; store = Store.open(sys.argv[1]); store.stats(); "
        "sys.exit(' '.join({'numba', 'alembic', 'tsume'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", program, path], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("sfen", [
    "l7g/4kp1Sn/1P+R1gs3/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/1+p3G1+p1/P1PsP4 b Lnl5p 1",
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1",
])  # fmt: skip
def test_a_mirrored_sfen_is_that_of_the_mirrored_position(sfen: str) -> None:
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


# --- A store that cannot be written to is read all the same ----------------------------------------

NOBODY = 65534
pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="rights of POSIX"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody can reach; those of pytest are only for who runs it."""
    found = Path(tempfile.mkdtemp(prefix="tsume-"))
    found.chmod(0o755)
    yield found
    found.chmod(0o755)
    rmtree(found)


@pytest.fixture
def place(folder: Path) -> Path:
    path = folder / "50%? #1.db"
    with Store.open(path) as store:
        store.add(problem(0))
    path.chmod(0o444)
    return path


def unprivileged(work: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns in a process without root's rights."""
    if os.geteuid():
        return work(*arguments)
    with get_context("fork").Pool(1, os.setuid, (NOBODY,)) as pool:
        return pool.apply(work, arguments)


def looked_at(place: str | Path) -> tuple[list[int], int, bool]:
    with Store.open(place, create=False) as store:
        found = store.find()
        return [one.id for one in found], store.stats().problems, store.read_only


def refusals(place: str | Path) -> list[str]:
    with Store.open(place, create=False) as store:
        writings: list[Callable[[], object]] = [
            lambda: store.add(problem(1)), lambda: Store.open(place), lambda: Store.upgrade(place)
        ]  # fmt: skip
        said = []
        for write in writings:
            with pytest.raises(StoreError) as caught:
                write()
            said.append(str(caught.value))
        return said


def beside(place: Path) -> list[str]:
    return sorted(path.name for path in place.parent.iterdir())


def test_a_file_and_a_folder_without_rights(place: Path) -> None:
    place.parent.chmod(0o555)
    assert unprivileged(looked_at, place) == ([1], 1, True)
    assert unprivileged(refusals, place) == [f"{place}: is read-only"] * 3
    assert beside(place) == [place.name]


def test_a_file_without_rights_in_a_folder_with_them(place: Path) -> None:
    place.parent.chmod(0o777)
    assert unprivileged(looked_at, place) == ([1], 1, True)
    assert len(unprivileged(refusals, place)) == 3


def test_a_folder_without_rights_and_a_file_with_them(place: Path) -> None:
    place.chmod(0o666)
    place.parent.chmod(0o555)
    assert unprivileged(looked_at, place) == ([1], 1, True)


def test_rights_make_it_writable(place: Path) -> None:
    place.chmod(0o666)
    place.parent.chmod(0o777)
    assert unprivileged(looked_at, place) == ([1], 1, False)


def test_what_another_process_has_only_in_its_log_is_read(place: Path) -> None:
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("DELETE FROM problems")
        writer.commit()
        place.parent.chmod(0o555)
        assert unprivileged(looked_at, place) == ([], 0, True)


def test_a_log_without_its_index_is_read(place: Path, folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("DELETE FROM problems")
        writer.commit()
        for ending in ("", "-wal"):
            copy(f"{place}{ending}", other)
    other.chmod(0o555)
    assert unprivileged(looked_at, other / place.name) == ([], 0, True)
    other.chmod(0o755)
    assert beside(other / place.name) == [place.name, f"{place.name}-wal"]


@pytest.mark.parametrize(
    "form", ["sqlite:///{}?mode=ro", "sqlite:///file:{}?mode=ro&uri=true", "file:{}?mode=ro"]
)
def test_a_url_may_ask_for_reading_only(form: str, folder: Path) -> None:
    path = folder / "x.db"
    with Store.open(path) as store:
        store.add(problem(0))
    url = form.format(path)
    assert looked_at(url) == ([1], 1, True)
    assert refusals(url) == [f"{path}: is read-only"] * 3
    missing = form.format(folder / "none.db")
    with pytest.raises(StoreError, match="does not exist"):
        looked_at(missing)


@pytest.mark.parametrize(
    "url", ["sqlite:///x.db?mode=rw", "sqlite:///x.db?mode=ro&cache=shared", "sqlite:///file:x.db"]
)
def test_other_options_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="without a driver or other options"):
        Store.open(url, create=False)
