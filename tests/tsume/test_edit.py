# SPDX-License-Identifier: GPL-3.0-or-later
"""edit, and what the other commands do with what was written."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db.notebook import TEXTS, Notebook
from db.problem_rows import Addition
from db.store import Store
from generator.problem import Problem
from tests.db.samples import problem
from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT
from tests.tsume.test_import import HEADERS, RECORD, exported
from tsume.formats.game_record import GameRecord
from tsume.formats.kif import write_kif

OTHER = GameRecord(RECORD.position, (), "曙光　その一", (), HEADERS)


def notebooks(place: Path) -> list[Notebook]:
    with Store.open(place, create=False) as store:
        return [problem.notebook for problem in store.find()]


def lines(tsume: Run, *arguments: Any, status: int = 0) -> list[str]:
    done = tsume(*arguments)
    assert done.exit_code == status, done.stderr
    return (done.stdout if status == 0 else done.stderr).splitlines()


def test_edit_prints_what_each_problem_has_now(tsume: Run, store: Path) -> None:
    written = ("--title", " 曙光 ", "--source", "誌", "--notes", "一\n二", "--tag", "b", "--tag", "a")
    assert lines(tsume, "edit", "1", *written, "--db", store) == [
        "No. 1  1手詰", "  title: 曙光", "  source: 誌", "  tags: a, b", "  notes: 一", "    二",
    ]  # fmt: skip
    assert lines(tsume, "edit", "2", "3-4", "--version-of", 1, "--db", store) == [
        "No. 2  1手詰", "  version of: 1", "No. 3  1手詰", "  version of: 1",
        "No. 4  3手詰", "  version of: 1",
    ]  # fmt: skip
    change = ("--title", "", "--notes", "", "--untag", "b")
    assert lines(tsume, "edit", "1", *change, "--db", store) == [
        "No. 1  1手詰", "  source: 誌", "  tags: a", "  versions: 2, 3, 4",
    ]  # fmt: skip
    tsume("edit", "3", "--no-version", "--db", store)
    assert lines(tsume, "edit", "3", "--db", store) == ["No. 3  1手詰"]


@pytest.mark.parametrize(
    ("options", "status", "fault"),
    [
        (("1", "99", "--title=x"), 1, "no problem 99"), (("99",), 1, "no problem 99"),
        (("1", "--title=x", "--version-of=98"), 1, "no problem 98"),
        (("1", "--title=x", "--version-of=1"), 1, "problem 1 cannot be a version of itself"),
        (("0", "--title=x"), 2, "is neither an id"), (("x",), 2, "is neither an id"),
        ((), 2, "Missing argument"),
        (("1", "--title", "x" * 201), 2, "201 characters: at most 200"),
        (("1", "--notes", "x" * 10_001), 2, "10001 characters: at most 10000"),
        (("1", "--author=a\nb"), 2, r"'\n' is not printable"),
        (("1", "--notes=a\x1b[31m"), 2, r"'\x1b' is not printable"),
        (("1", "--tag=a b"), 2, "a tag is one word"), (("1", "--untag="), 2, "1 to 50 characters"),
        (("1", "--version-of=2", "--no-version"), 2, "contradict"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_told_and_nothing_is_changed(
    options: tuple[str, ...], status: int, fault: str, tsume: Run, store: Path
) -> None:
    told = lines(tsume, "edit", *options, "--db", store, status=status)
    assert fault in told[-1]
    assert told[-1].startswith("Error: ")
    assert set(notebooks(store)) == {Notebook()}


def test_a_store_that_cannot_be_written_to_is_told(tsume: Run, store: Path, tmp_path: Path) -> None:
    (told,) = lines(tsume, "edit", "1", "--title=x", "--db", tmp_path / "absent", status=1)
    assert told == f"Error: {tmp_path / 'absent'}: does not exist"
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0004_grades'")
        connection.commit()
    (told,) = lines(tsume, "edit", "1", "--title=x", "--db", store, status=1)
    assert told.endswith("run `tsume db upgrade`")


def test_show_and_list_have_what_was_written(tsume: Run, store: Path) -> None:
    before = tsume("show", 4, "--db", store).stdout
    tsume("edit", "4", "--title", "[/red]x", "--author", "Me", "--tag", "t", "--version-of", 1, "--db", store)
    shown = lines(tsume, "show", 4, "--db", store)
    added = ["title: [/red]x", "author: Me", "tags: t", "version of: 1"]
    assert [line for line in shown if line not in added] == before.splitlines()
    assert "versions: 4" in lines(tsume, "show", 1, "--db", store)
    table = lines(tsume, "list", "--db", store)
    assert " title " in table[0]
    assert "  [/red]x  " in table[4]
    assert " title " not in lines(tsume, "list", "--db", store, "--id", 1)[0]
    for selection in (("--tag", "t"), ("--title", "RED"), ("--author", "me")):
        assert len(lines(tsume, "list", *selection, "--db", store)) == 2
        (row,) = lines(tsume, "list", *selection, "--db", store, "--jsonl")
    fields = json.loads(row)
    assert (fields["title"], fields["author"], fields["source"], fields["own_notes"]) == (
        "[/red]x",
        "Me",
        None,
        None,
    )
    assert (fields["tags"], fields["version_of"]) == (["t"], 1)
    assert tsume("list", "--title", "x" * 201, "--db", store).exit_code == 2
    assert tsume("export", "--format=sfen", "--tag", "\x1b", "--db", store).exit_code == 2


def test_what_a_damaged_store_holds_is_escaped(tsume: Run, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE problems SET title = 'a' || char(27), notes = 'b' || char(8238)")
        connection.execute("INSERT INTO problem_tags VALUES (1, 'c' || char(10))")
        connection.commit()
    for command in (("show", "1"), ("list",), ("edit", "1")):
        shown = tsume(*command, "--db", store).stdout
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert r"a\x1b" in shown


@pytest.mark.parametrize("form", ["kif", "ki2", "jkf"])
def test_records_have_title_author_and_source(form: str, tsume: Run, store: Path, tmp_path: Path) -> None:
    written = ("--title=曙光", "--author=無名", "--source=詰棋誌", "--tag=x")
    tsume("edit", "4", *written, "--db", store)
    file = tmp_path / f"4.{form}"
    assert tsume("export", "--format", form, "--id=4", "--db", store, "-o", file).exit_code == 0
    found = exported(tsume, store, form, "--id=4")
    assert found.title == "曙光"
    assert dict(found.headers).items() >= {"作者": "無名", "発表誌": "詰棋誌"}.items()
    tsume("import", file, "--db", tmp_path / "copy.db")
    assert notebooks(tmp_path / "copy.db") == [Notebook("曙光", "無名", "詰棋誌")]
    assert "$EVENT:曙光\n" in tsume("export", "--format=csa", "--id=4", "--db", store).stdout


def test_the_composers_headers_are_taken_and_may_be_changed(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "in.kifu").write_text(write_kif(OTHER))
    place = tmp_path / "a"
    tsume("import", tmp_path / "in.kifu", "--db", place)
    assert notebooks(place) == [Notebook("曙光 その一", "無名", "詰将棋の本")]
    tsume("edit", "1", "--title=", "--author=別人", "--source=", "--db", place)
    found = exported(tsume, place, "kif")
    headers = dict(found.headers)
    assert (found.title, headers["作者"], "発表誌" in headers) == ("No. 1", "別人", False)
    assert headers["発表年月"] == "2026年1月"


def test_the_title_that_exports_give_is_no_title(tsume: Run, made: Path, tmp_path: Path) -> None:
    tsume("export", "--format=kif", "--id=4", "--db", made, "-o", tmp_path / "4.kif")
    tsume("import", tmp_path / "4.kif", "--db", tmp_path / "a")
    assert notebooks(tmp_path / "a") == [Notebook()]


def test_what_is_stored_keeps_what_it_has(tsume: Run, tmp_path: Path) -> None:
    for title in ("first", "second"):
        tsume("import", "-", "--db", tmp_path / "a", stdin=json.dumps({"sfen": CORRECT, "title": title}))
    assert notebooks(tmp_path / "a") == [Notebook("first")]


@pytest.mark.parametrize("fields", [
    {"title": 5}, {"tags": 5}, {"tags": ["a b", 3]}, {"author": ["x"]}, {"version_of": "x"},
    {"version_of": 99}, {"version_of": True}, {"own_notes": {}}, {"id": 1, "version_of": 1},
])  # fmt: skip
def test_fields_that_make_no_sense_are_left_out(fields: dict[str, Any], tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=json.dumps({"sfen": CORRECT, **fields}))
    assert done.exit_code == 0
    assert notebooks(tmp_path / "a") == [Notebook()]


# --- export and import again ----------------------------------------------------------------


def _texts(name: str) -> st.SearchStrategy[str]:
    breaks = st.just("\n") if name == "notes" else st.nothing()
    return st.text(PRINTABLE | breaks, max_size=30).map(str.strip)


PRINTABLE = st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
WORDS = st.text(st.characters(categories=["L", "N", "P", "S", "M"]), min_size=1, max_size=8)
TAGS = st.lists(WORDS, max_size=3)
NOTEBOOKS = st.builds(
    Notebook, *map(_texts, TEXTS), TAGS.map(lambda tags: tuple(sorted(set(tags))))
)  # fmt: skip


@pytest.fixture(scope="module")
def composed(made: Path) -> tuple[Problem, Problem]:
    with Store.open(made, create=False) as store:
        one, other, *_ = (replace(found.problem, provenance=None) for found in store.find())
    return one, other


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    Store.open(path).close()
    return path


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_tables_bring_back_what_was_written(
    form: str, composed: tuple[Problem, Problem], empty: Path, tsume: Run
) -> None:
    @settings(max_examples=15, deadline=None)
    @given(NOTEBOOKS, NOTEBOOKS, st.booleans())
    def check(one: Notebook, other: Notebook, linked: bool) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for place in ("a", "b"):
                shutil.copy(empty, folder / place)
            with Store.open(folder / "a") as store:
                store.add(composed[0], notebook=one)
                store.add(composed[1], notebook=replace(other, parent=1 if linked else None))
            written = notebooks(folder / "a")
            file = folder / f"out.{form}"
            assert tsume("export", "--format", form, "--db", folder / "a", "-o", file).exit_code == 0
            assert tsume("import", file, "--db", folder / "b").exit_code == 0
            assert notebooks(folder / "b") == written

    check()


def copy_rows(store: Path, number: int) -> None:
    """Make a store of 400 problems larger, by rows that differ by their ids and positions only."""
    with closing(sqlite3.connect(store)) as connection, connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(problems)") if row[1] != "id"]
        taken = ", ".join(f"{name} || ' ' || ?" if name == "canonical" else name for name in names)
        for copy in range(1, number // 400):
            connection.execute(
                f"INSERT INTO problems ({', '.join(names)}) SELECT {taken} FROM problems WHERE id <= 400",
                (str(copy),),
            )


def test_a_range_may_be_of_any_length(tsume: Run, tmp_path: Path) -> None:
    store = tmp_path / "large.db"
    with Store.open(store) as opened:
        opened.add_all([Addition(problem(number)) for number in range(400)])
    copy_rows(store, 20_000)
    done = tsume("edit", "1-20000", "--tag", "all", "--db", store)
    assert done.exit_code == 0
    assert done.stdout.count("tags: all") == 20_000
    listed = tsume("list", "--id", "2-19999", "--tag", "all", "--jsonl", "--db", store)
    assert len(listed.stdout.splitlines()) == 19_998
    missing = tsume("edit", "19000-20001", "--title", "x", "--db", store)
    assert missing.exit_code == 1
    assert missing.stderr.endswith(": no problem 20001\n")
    odd = ",".join(str(number) for number in range(1, 20_000, 2))
    assert len(tsume("list", "--jsonl", "--db", store, "--id", odd).stdout.splitlines()) == 10_000


def test_versions_are_linked_by_the_ids_of_the_file(tsume: Run, store: Path, tmp_path: Path) -> None:
    tsume("edit", "2", "--version-of", 5, "--db", store)
    table = tsume("export", "--format=csv", "--sort=score", "--db", store).stdout
    tsume("import", "-", "--format=csv", "--db", tmp_path / "copy", stdin=table)
    order = [row["id"] for row in csv.DictReader(io.StringIO(table))]
    parents = [one.parent for one in notebooks(tmp_path / "copy")]
    assert parents[order.index("2")] == order.index("5") + 1
    assert len([parent for parent in parents if parent]) == 1
