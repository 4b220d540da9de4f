# SPDX-License-Identifier: GPL-3.0-or-later
"""What a store of any size needs: tables that stream, whole values, lines that are trusted."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from db.notebook import Notebook
from db.problem_rows import ProblemAddition
from db.store import Store
from generator.problem import STORED
from solver.results import Grade
from tests.db.samples import change_file, problem
from tests.tsume.conftest import Run, json_lines, present, problems_of
from tests.tsume.problems import CORRECT
from tsume.files import exported
from tsume.files.writing import chunked

MANY = 600
"""More than a page, and more than the lines that are looked at first."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of problems, the last of which has a title, is sound, and has a score with many digits."""
    path = tmp_path_factory.mktemp("large") / "large.db"
    with Store.open(path) as store:
        for index in range(MANY):
            store.add(problem(index))
        last = problem(MANY, score=123456.5)
        sound = replace(last.judgement, grade=Grade.SOUND)
        store.add(replace(last, judgement=sound), notebook=Notebook("曙光"))
    return path


def test_the_table_and_jsonl_have_every_value_whole(tsume: Run, large: Path) -> None:
    heading, *lines = tsume("list", "--db", large).stdout.splitlines()
    assert heading.split() == ["id", "moves", "rating", "stars", "rank", "tree", "quality", "sfen"]
    assert [int(line.split()[0]) for line in lines] == list(range(1, MANY + 2))
    assert "…" not in "".join(lines)
    assert " 2600  ★★★★★  very hard " in lines[-1]
    assert lines[-1].endswith(" 1  sound  曙光")
    heading, line = tsume("list", "--db", large, "--grade", "sound").stdout.splitlines()
    assert heading.split() == ["id", "moves", "rating", "stars", "rank", "tree", "quality", "grade", "title", "sfen"]
    assert line.split()[-6:-4] == ["sound", "曙光"]
    lines = tsume("list", "--db", large, "--grade", "perfect").stdout.splitlines()
    places = {line.index(" b ") - len(line.split()[-4]) for line in lines[1:]}
    assert len(places) == 1
    with Store.open(large) as store:
        for number in (1, MANY + 1):
            found = present(store.get(number))
            assert exported.problem_text(found) == json.dumps(exported.problem_fields(found), ensure_ascii=False)
        parts = [line.partition(" moves ") for line in store.sfens_with_lines()]
        moves = [(one.sfen, " ".join(move.usi for move in one.line)) for one in store.find()]
        assert [(sfen, line) for sfen, _, line in parts] == moves


@pytest.mark.parametrize("command", [("list",), ("list", "--jsonl"), ("export", "--format=sfen"),
                                     ("export", "--format=csv")])  # fmt: skip
def test_a_reader_that_goes_away_ends_it_without_a_word(command: tuple[str, ...], large: Path) -> None:
    program = [sys.executable, "-m", "tsume", *command, "--db", str(large), "--min-score", "1"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""


def test_what_was_read_before_an_error_is_printed_first() -> None:
    def numbers() -> Iterator[int]:
        yield from range(7)
        raise ValueError

    seen: list[list[int]] = []
    with pytest.raises(ValueError):  # noqa: PT011
        seen.extend(chunked(numbers(), first=2, size=4))
    assert seen == [[0, 1], [2, 3, 4, 5], [6]]


def test_a_file_is_kept_if_a_problem_is_damaged(tsume: Run, store: Path, tmp_path: Path) -> None:
    with Store.open(store) as opened, opened._sessions.writer.begin() as connection:
        connection.exec_driver_sql("UPDATE problems SET line = 'x' WHERE id = 5")
    file = tmp_path / "out"
    file.write_text("old")
    for form in ("sfen", "jsonl", "csv", "csa"):
        assert tsume("export", "--format", form, "--db", store, "-o", file).exit_code == 1
        assert file.read_text() == "old"
    done = tsume("export", "--format", "sfen", "--db", store)
    assert (done.exit_code, done.stdout.count(" moves ")) == (1, 4)


# --- trusted lines ------------------------------------------------------------------------


@pytest.fixture
def lines(tsume: Run, made: Path) -> list[dict[str, Any]]:
    """The lines of an export, as objects."""
    return json_lines(tsume("export", "--format=jsonl", "--db", made))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SFENs that are judged."""
    from tsume.uses.importing import EntryChecker

    seen: list[str] = []
    really = EntryChecker.check

    def check(self: EntryChecker, entry: Any) -> Any:
        seen.append(entry.sfen)
        return really(self, entry)

    monkeypatch.setattr(EntryChecker, "check", check)
    return seen


def write(path: Path, objects: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects))
    return path


def test_trusted_lines_are_stored_without_a_check(
    tsume: Run, made: Path, lines: list[dict[str, Any]], judged: list[str], tmp_path: Path
) -> None:
    written = write(tmp_path / "in.jsonl", lines)
    done = tsume("import", "--trusted", written, "--db", tmp_path / "a")
    assert (done.exit_code, done.stderr) == (0, f"6 problems stored as No. 1-6 in {tmp_path / 'a'}\n")
    assert judged == []
    for old, new in zip(problems_of(made), problems_of(tmp_path / "a"), strict=True):
        assert replace(new, created_at=old.created_at, run_id=old.run_id) == old
    assert tsume("export", "--format=jsonl", "--db", tmp_path / "a").stdout == written.read_text()
    again = tsume("import", "--trusted", written, "--db", tmp_path / "a", "--jsonl")
    told = [json.loads(line) for line in again.stdout.splitlines()]
    assert [(one["id"], one["verdict"]) for one in told] == [(n, "stored already") for n in range(1, 7)]
    changed = [{**lines[0], "title": "曙光", "tags": ["gift"], "id": 77}, {**lines[1], "version_of": 77}]
    written = write(tmp_path / "in.jsonl", changed)
    assert tsume("import", "--trusted", written, "--db", tmp_path / "a2").exit_code == 0
    first, second = problems_of(tmp_path / "a2")
    assert (first.notebook.title, first.notebook.tags, second.notebook.parent) == ("曙光", ("gift",), first.id)
    assert judged == []


CHANGES = {
    "sfen": CORRECT, "length": 5, "line": ["G*5b"], "score": 99.0, "themes": ["decoy"],
    "quality": 100.0, "grade": "sound", "blemishes": ["DETOUR"], "features": {}, "searched": 3,
    "notes": ["the last move has alternatives (最終手余詰)"],
    "same_when_counted": None, "seed": 2, "index": 99, "recipe": 1, "version": "9", "hash": "0" * 32,
}  # fmt: skip


def test_a_changed_claim_is_checked(lines: list[dict[str, Any]], judged: list[str], tsume: Run, tmp_path: Path) -> None:
    for name, changed in CHANGES.items():
        assert lines[0][name] != changed
        judged.clear()
        written = write(tmp_path / "in.jsonl", [{**lines[0], name: changed}, lines[1]])
        tsume("import", "--trusted", written, "--db", tmp_path / name)
        assert len(judged) == 1, name
        assert {one.difficulty.score for one in problems_of(tmp_path / name)} != {99}


def test_without_the_option_and_from_another_version_every_line_is_checked(
    lines: list[dict[str, Any]], judged: list[str], tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(tmp_path / "in.jsonl", lines)
    assert tsume("import", written, "--db", tmp_path / "a").exit_code == 0
    monkeypatch.setattr(exported, "__version__", "0.0")
    assert tsume("import", "--trusted", written, "--db", tmp_path / "b").exit_code == 0
    assert len(judged) == 2 * len(lines)


ODD: list[dict[str, Any]] = (
    [{"score": "x"}, {"score": 1e999}, {"features": [1]},
     {"features": {"a": "b"}}, {"grade": "unsound"}, {"grade": 5}, {"notes": ["odd"]}, {"notes": 5},
     {"blemishes": ["ODD"]}, {"themes": 5}, {"seed": "x"}, {"index": None}, {"line": []},
     {"length": None}, {"searched": "x"}, {"line": ["9i9h"]}, {"hash": 5},
     {"recipe": "x"}, {"index": 2**70}, {"same_when_counted": 5}, {"version": "x" * 99},
     {"themes": ["x" * 99]}, {"quality": "x"}]
)  # fmt: skip


def test_a_hash_that_somebody_computed_for_nonsense_is_no_reason_to_trust(
    lines: list[dict[str, Any]], judged: list[str], tsume: Run, tmp_path: Path
) -> None:
    for number, odd in enumerate(ODD):
        fields = {**lines[0], **odd}
        judged.clear()
        line = {**fields, "hash": odd.get("hash", exported.problem_hash(fields))}
        written = write(tmp_path / "in.jsonl", [line])
        assert tsume("import", "--trusted", written, "--db", tmp_path / str(number)).exit_code in (0, 1)
        assert len(judged) == 1, odd


def test_strict_trusts_perfect_ones_only(large: Path, judged: list[str], tsume: Run, tmp_path: Path) -> None:
    text = tsume("export", "--format=jsonl", "--grade=sound", "--db", large).stdout
    written = tmp_path / "in.jsonl"
    written.write_text(text)
    assert tsume("import", "--trusted", "--strict", written, "--db", tmp_path / "a").exit_code == 1
    assert len(judged) == 1
    assert Grade.SOUND in STORED


def test_an_interruption_loses_nothing_that_was_taken(
    tsume: Run, lines: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def interrupted(entry: Any) -> Any:
        seen.append(entry)
        if len(seen) == 4:
            raise KeyboardInterrupt
        return exported.trusted_problem(entry)

    monkeypatch.setattr("tsume.uses.importing.trusted_problem", interrupted)
    written = write(tmp_path / "in.jsonl", lines)
    done = tsume("import", "--trusted", "-j1", written, "--db", tmp_path / "a")
    assert (done.exit_code, len(problems_of(tmp_path / "a"))) == (130, 3)
    assert "interrupted after 3 positions" in done.stderr


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_several_processes(form: str, tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "many.db"
    with Store.open(place) as store:
        store.add_all([ProblemAddition(problem(number)) for number in range(150)])
    alone = tsume("export", "--format", form, "--db", place)
    monkeypatch.setattr("db.query.PAGE", 1)
    monkeypatch.setattr("db.query.FIRST_PAGE", 1)
    monkeypatch.setattr("tsume.parallel.ordered_map._WORTH", 0.0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    some = tsume("export", "--format", form, "--db", place)
    assert (some.exit_code, some.stdout) == (0, alone.stdout)
    change_file(place, "UPDATE problems SET length = 'many' WHERE id = 140")
    damaged = tsume("export", "--format", form, "--db", place, status=1)
    (line,) = (line for line in damaged.stderr.splitlines() if line.startswith("Error"))
    assert "problem 140 cannot be read: length is 'many'" in line
