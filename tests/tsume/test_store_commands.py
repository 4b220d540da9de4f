# SPDX-License-Identifier: GPL-3.0-or-later
"""`list`, `show`, `stats`, `themes`, `export`, `db` and `backup`"""

import csv
import io
import json
import os
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from db.runs import RunState, RunTotals
from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Problem
from generator.theme_names import NAMES
from tests.db.conftest import postgresql  # noqa: F401
from tests.db.samples import change_file, problems
from tests.places import ROOT
from tests.tsume.conftest import Run, json_lines, problems_of, refused
from tests.tsume.problems import COOKED, CORRECT, NO_MATE


def sfens(place: Path) -> set[str]:
    return {problem.sfen for problem in problems_of(place)}


def rows(tsume: Run, place: Path, *options: Any) -> list[dict[str, Any]]:
    return json_lines(tsume("list", "--db", place, "--jsonl", *options, status=0))


def test_list_selects_and_sorts(tsume: Run, made: Path) -> None:
    everything = rows(tsume, made)
    assert [row["id"] for row in everything] == [1, 2, 3, 4, 5, 6]
    table = tsume("list", "--db", made).stdout
    assert all(row["sfen"] in table for row in everything)
    scores, stars = [row["score"] for row in everything], everything[0]["stars"]
    assert {row["length"] for row in rows(tsume, made, "-m3")} == {3}
    assert [row["score"] for row in rows(tsume, made, "--sort=score")] == sorted(scores)
    assert len(rows(tsume, made, "--limit=2")) == 2
    assert rows(tsume, made, "--min-score", max(scores)) == [row for row in everything if row["score"] == max(scores)]
    assert rows(tsume, made, "--max-score", min(scores)) == [row for row in everything if row["score"] == min(scores)]
    assert rows(tsume, made, "--stars", stars) == [row for row in everything if row["stars"] == stars]
    assert rows(tsume, made, "--seed=1") == everything
    for option in ("--min-quality=101", "--seed=" + "9" * 30, "--max-pieces=1"):
        assert rows(tsume, made, option) == []


@pytest.fixture
def appraised(store: Path) -> Path:
    """The store, with themes and quality that the test sets; one tag is that of an older version."""
    themes = [(1, "decoy"), (2, "decoy"), (2, "knight-mate"), (5, "knight-mate"), (5, "quiet-move")]
    change_file(
        store, "DELETE FROM problem_themes", *(f"INSERT INTO problem_themes VALUES {pair}" for pair in themes),
        "UPDATE problems SET quality = (id * 37) % 60",
    )  # fmt: skip
    return store


def test_list_selects_by_theme_and_quality(tsume: Run, appraised: Path) -> None:
    for name in ("decoy", "守備駒の誘導", "Decoy"):
        assert [row["id"] for row in rows(tsume, appraised, f"--theme={name}")] == [1, 2]
    (both,) = rows(tsume, appraised, "--theme=decoy", "--theme=knight mate")
    assert (both["id"], both["themes"], both["quality"]) == (2, ["decoy", "knight-mate"], 14.0)
    best = [row["quality"] for row in rows(tsume, appraised, "--sort=quality")]
    assert best == sorted(best, reverse=True)
    assert {row["quality"] for row in rows(tsume, appraised, "--min-quality", best[0])} == {best[0]}
    exported = tsume("export", "--format=csv", "--theme=吊し桂", "--sort=quality", "--db", appraised).stdout
    assert [(row["id"], row["themes"]) for row in csv.DictReader(io.StringIO(exported))] == [
        ("2", "decoy knight-mate"), ("5", "knight-mate quiet-move"),
    ]  # fmt: skip
    assert tsume("list", "--theme=odd", "--db", appraised).exit_code == 2
    assert "14.0" in tsume("list", "--theme=decoy", "--db", appraised).stdout


DETAILED = "6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1"
"""A silver is sacrificed and drawn away by a knight."""


def test_themes_are_selected_by_piece_and_number(tsume: Run, tmp_path: Path) -> None:
    store = tmp_path / "detailed.db"
    assert tsume("import", "-", "--db", store, stdin=DETAILED).exit_code == 0
    for theme, ids in {
        "sacrifice:S": [1], "捨駒:G": [], "decoy:N": [1], "decoy:+N": [], "sacrifice>=1": [1],
        "sacrifice>=2": [],
    }.items():  # fmt: skip
        found = rows(tsume, store, f"--theme={theme}", "--limit", 1)
        assert [row["id"] for row in found] == ids, theme
        exported = tsume("export", "--format=csv", f"--theme={theme}", "--db", store).stdout
        assert [int(row["id"]) for row in csv.DictReader(io.StringIO(exported))] == ids, theme


def test_show_and_stats_print_themes_and_quality(tsume: Run, appraised: Path) -> None:
    lines = tsume("show", 2, "--db", appraised).stdout.splitlines()
    assert lines[0].endswith("quality 14.0")
    assert lines[1] == "守備駒の誘導、吊し桂"
    assert tsume("show", 5, "--db", appraised).stdout.splitlines()[1] == "吊し桂、quiet-move"
    shown = tsume("stats", "--db", appraised).stdout
    assert shown == tsume("db", "stats", "--db", appraised).stdout
    for heading in ("Ratings by length", "Positions of proof trees by length", "Quality", "Themes", "Rejections"):
        assert heading in shown
    assert [shown.count(name) for name in ("decoy", "knight mate", "quiet-move")] == [1, 1, 1]


def test_stats_are_drawn(tsume: Run, appraised: Path, tmp_path: Path) -> None:
    for place in (appraised, tmp_path / "empty.db"):
        Store.open(place).close()
        picture = tmp_path / f"{place.stem}.png"
        done = tsume("stats", "--plot", picture, "--db", place)
        assert (done.exit_code, done.stderr) == (0, "")
        assert picture.read_bytes().startswith(b"\x89PNG")
    for name in ("no/stats.png", "stats.nonsense"):
        line = refused(tsume, "stats", "--plot", tmp_path / name, "--db", appraised)
        assert line.startswith(f"Error: {tmp_path / name}: ")


def test_stats_count_in_words(tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    with Store.open(place) as store:
        for runs in ("0 runs", "1 run (unfinished)", "2 runs (2 unfinished)"):
            assert tsume("stats", "--db", place).stdout.splitlines()[0] == f"0 problems, {runs}, 0 candidates"
            store.runs.start(seed=1, moves=3, count=1, version="0", recipe=1, options={})
        store.runs.finish(1, RunState.STOPPED, 0, RunTotals(counters={"candidates": 1}))
    assert tsume("stats", "--db", place).stdout.startswith("0 problems, 3 runs (2 unfinished), 1 candidate\n")


def test_imported_problems_are_appraised(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def appraised(problem: Problem, _engine: object) -> Problem:
        return replace(problem, themes=("knight-mate", "decoy"), quality=12.5)

    monkeypatch.setattr("tsume.uses.importing.appraised_problem", appraised)
    assert tsume("import", "-", "--db", tmp_path / "a", stdin=CORRECT).exit_code == 0
    (row,) = rows(tsume, tmp_path / "a")
    assert (row["themes"], row["quality"]) == (["decoy", "knight-mate"], 12.5)


def test_show_opens_the_store_once(tsume: Run, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    really_open = Store.open

    def note(place: str, *, create: bool) -> Store:
        opened.append(place)
        return really_open(place, create=create)

    monkeypatch.setattr(Store, "open", note)
    assert tsume("show", CORRECT, "--no-solution", "--db", made / "none").exit_code == 0
    assert not opened
    assert tsume("show", 4, "best", CORRECT, 99, 2, "--no-solution", "--db", made).exit_code == 1
    assert len(opened) == 1


def test_the_best_of_a_run_is_shown_whatever_else_the_store_has(tsume: Run, tmp_path: Path) -> None:
    """As `make run` shows it after `make serve` has filled the store with other problems."""
    place = tmp_path / "a"
    for seed in (1, 2):
        options = ("-m1", "-n4", f"--seed={seed}", "--style=free", "--db", place)
        assert tsume("generate", *options).exit_code == 0
    with Store.open(place, create=False) as store:
        best = {
            run: max(store.find(ProblemSelection(run=run)), key=lambda one: (one.quality, -one.id)).id for run in (1, 2)
        }
    for name, run in (("1", 1), ("2", 2), ("last", 2)):
        shown = tsume("show", "best", "--run", name, "--db", place)
        assert shown.stdout.startswith(f"No. {best[run]}  ")


def test_a_run_that_cannot_be_shown_is_an_error(tsume: Run, tmp_path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "tsume show best --run last --db tsume.db" in makefile
    with Store.open(tmp_path / "a") as store:
        done = tsume("show", "best", "--run", "last", "--db", tmp_path / "a")
        assert done.stderr == f"Error: {tmp_path / 'a'}: no runs\n"
        store.runs.start(seed=1, moves=3, count=1, version="x", recipe=1, options={})
    for words, status, told in (
        ("best --run=3", 1, "no run 3"),
        ("best --run=last", 1, "no problems of run 1"),
        ("1 --run=last", 2, "--run needs best"),
        ("best --run=first", 2, "neither the number of a run nor last"),
        ("best --run=0", 2, "neither the number of a run nor last"),
    ):
        done = tsume("show", *words.split(), "--db", tmp_path / "a", status=status)
        assert told in done.stderr


def test_show_draws_stored_problems_and_any_position(tsume: Run, made: Path) -> None:
    each = [tsume("show", problem, "--db", made).stdout for problem in (4, CORRECT, 2)]
    assert tsume("show", 4, CORRECT, 2, "--db", made).stdout == "\n".join(each)
    done = tsume("show", 4, 99, 2, "--db", made, status=1)
    assert done.stderr == f"Error: {made}: no problem 99\n"
    assert done.stdout.count("手詰としては") == 2
    for number in ("0", "999", "9" * 30, "9" * 5000):
        done = tsume("show", number, "--db", made, status=1)
        assert done.stderr.startswith(f"Error: {made}: no problem ")
    assert tsume("show", "nonsense").exit_code == 1
    stored = tsume("show", 4, "--db", made).stdout
    assert "3手詰" in stored
    assert "▲" in stored
    drawn = tsume("show", CORRECT).stdout
    assert "| ・ ・ ・ ・ ・ ・ 金 ・ ・|四" in drawn
    assert drawn.endswith("まで3手詰\n")
    assert "手詰" not in tsume("show", CORRECT, "--no-solution").stdout
    assert tsume("show", NO_MATE).stderr == "no mate\n"


@pytest.mark.parametrize("form", ["sfen", "csa", "csv", "jsonl", "tpa"])
def test_exports_can_be_imported(form: str, tsume: Run, made: Path, tmp_path: Path) -> None:
    file, copy = tmp_path / f"out.{form}", tmp_path / "copy.db"
    assert tsume("export", "--db", made, "--format", form, "-o", file).exit_code == 0
    done = tsume("import", file, "--db", copy)
    assert (done.exit_code, done.stderr) == (0, f"6 problems stored as No. 1-6 in {copy}\n")
    first, second = (tsume("export", "--db", place, "--format", "sfen").stdout for place in (made, copy))
    assert first == second
    again = tsume("import", file, "--db", copy, "--jsonl", status=0)
    assert again.stderr.count("already stored") == 6
    told = list(map(json.loads, again.stdout.splitlines()))
    assert [(one["id"], one["verdict"]) for one in told] == [(n, "stored already") for n in range(1, 7)]


ENDINGS = {("kif", None): ".kif", ("kif", "utf-8"): ".kifu", ("ki2", None): ".ki2", ("csa", None): ".csa",
           ("jkf", None): ".jkf", ("kif", "euc-jp"): ".kif"}  # fmt: skip


@pytest.mark.parametrize(("form", "encoding"), ENDINGS)
def test_a_folder_gets_a_file_for_each_problem(
    form: str, encoding: str | None, tsume: Run, made: Path, tmp_path: Path
) -> None:
    folder, copy = tmp_path / "out", tmp_path / "copy.db"
    chosen = ("--encoding", encoding) if encoding else ()
    done = tsume("export", "--db", made, "--format", form, "-o", f"{folder}/", *chosen, "--id", "2-4,6")
    assert (done.exit_code, done.output) == (0, "")
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{n}{ENDINGS[form, encoding]}" for n in (2, 3, 4, 6)]
    for file in files:
        (told,) = tsume("import", file, "--db", copy, "--jsonl").stdout.splitlines()
        assert json.loads(told)["verdict"] == "stored"
        assert json.loads(told)["title"] == f"No. {file.stem}"
    chosen_rows = rows(tsume, made, "--id=2-4", "--id=6")
    assert tsume("import", folder, "--db", tmp_path / "whole.db").exit_code == 0
    assert sfens(copy) == sfens(tmp_path / "whole.db") == {row["sfen"] for row in chosen_rows}


@pytest.mark.parametrize("form", ["kif", "ki2", "jkf"])
def test_a_file_of_one_problem_takes_no_second_one(form: str, tsume: Run, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "out"
    done = tsume("export", "--db", made, "--format", form, "-o", file)
    assert (done.exit_code, file.exists()) == (1, False)
    assert "holds one problem: give a folder" in done.stderr
    assert tsume("export", "--db", made, "--format", form, "--id=3", "-o", "-").stdout.count("No. 3") == 1
    file = tmp_path / f"out.{form}"
    arguments = ("export", "--db", made, "--id=4", "--format", form)
    assert tsume(*arguments, "--variations", "-o", file).exit_code == 0
    text = file.read_bytes().decode("utf-8" if form == "jkf" else "cp932")
    assert "紛れ: " in text
    assert ("forks" if form == "jkf" else "変化：") in text
    assert tsume("import", file, "--db", tmp_path / "copy.db").exit_code == 0
    assert "紛れ" not in tsume(*arguments).stdout


def test_selections_and_exports_that_make_no_sense_are_wrong_usage(tsume: Run, made: Path) -> None:
    for option in (
        "-m0", "-m" + "9" * 30, "--limit=0", "--stars=6", "--min-score=nan", "--max-score=x", "--sort=x",
        "--max-pieces=" + "9" * 30,
    ):  # fmt: skip
        assert tsume("list", "--db", made, option).exit_code == 2, option
        assert tsume("export", "--format=sfen", "--db", made, option).exit_code == 2, option
    for options in (
        "--format=csa --variations", "--format=sfen --variations", "--format=csv -o .", "--format=kif --id=0",
        "--format=kif --id=x", "--format=kif --id=5-3", "--format=kif --id=1-9999999",
        "--format=kif --encoding=x",
    ):  # fmt: skip
        assert tsume("export", "--db", made, *options.split()).exit_code == 2, options


def test_tables_are_exported_whole_and_kif_in_shift_jis(tsume: Run, made: Path, tmp_path: Path) -> None:
    def export(form: str) -> str:
        return str(tsume("export", "--db", made, "--format", form).stdout)

    assert [json.loads(line) for line in export("jsonl").splitlines()] == rows(tsume, made)
    table = list(csv.DictReader(io.StringIO(export("csv"))))
    assert {row["sfen"] for row in table} == sfens(made)
    for name, encoding in (("a.kif", "cp932"), ("a.kifu", "utf-8")):
        assert tsume("export", "--db", made, "--format=kif", "--id=4", "-o", tmp_path / name).exit_code == 0
        text = (tmp_path / name).read_bytes().decode(encoding)
        assert text.startswith("作品名：No. 4\r\n手数：3手\r\n完全性：完全作\r\n")
    for output, status in ((tmp_path / "no" / "x", 1), ("", 1), (tmp_path, 2)):
        assert tsume("export", "--db", made, "--format=sfen", "-o", output).exit_code == status


def test_a_file_is_replaced_with_its_rights_and_a_pipe_written_to(tsume: Run, made: Path, tmp_path: Path) -> None:
    file, link = tmp_path / "out", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    assert tsume("export", "--db", made, "--format=sfen", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert file.read_text().count(" moves ") == 6
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "out"]
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert tsume("export", "--db", made, "--format=sfen", "-o", pipe).exit_code == 0
    reader.join()
    assert read[0].count(" moves ") == 6
    assert pipe.is_fifo()


def test_import_stores_correct_problems_only(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT}\n{COOKED}\nx\n{NO_MATE}\n", status=1)
    assert sfens(tmp_path / "a") == {CORRECT}
    faults = done.stderr.splitlines()
    assert [fault.partition(": ")[0] for fault in faults[:3]] == [f"stdin, line {n}" for n in (2, 3, 4)]
    assert "COOK" in faults[0]
    assert "NO_MATE" in faults[2]
    (tmp_path / "empty.kif").touch()
    for form in ("kif", "csa"):
        (tmp_path / f"junk.{form}").write_bytes(bytes(range(256)))
    for name in ("absent", "absent.kif", "", "junk.kif", "junk.csa", "empty.kif"):
        done = tsume("import", tmp_path / name, "--db", tmp_path / "a2", status=1)
        assert str(tmp_path / name) in done.stderr


@pytest.mark.parametrize(
    "command",
    [("list",), ("show", "1"), ("export", "--format=sfen"), ("db", "stats"), ("db", "upgrade"),
     ("stats",), ("stats", "--plot=x.png"), ("runs", "list"), ("runs", "show", "1"), ("runs", "resume", "1")],
)  # fmt: skip
def test_a_file_that_is_no_store_is_left_alone(command: tuple[str, ...], tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "junk").write_bytes(b"SQLite format 3\0" + bytes(50))
    change_file(tmp_path / "other", "CREATE TABLE theirs (x)")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name in ("absent", ".", "junk", "other") + (() if command[-1] == "upgrade" else ("empty",)):
        line = refused(tsume, *command, "--db", tmp_path / name)
        assert line.startswith(f"Error: {tmp_path / name}: ")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_stats_and_upgrade_of_a_new_store(tsume: Run, store: Path) -> None:
    shown = tsume("db", "stats", "--db", store).stdout
    assert shown.startswith("6 problems, 2 runs, ")
    assert "Rejections" in shown
    done = tsume("db", "upgrade", "--db", store, status=0)
    assert "from" not in done.stdout.removeprefix(str(store))
    assert len(sfens(store)) == 6


def test_upgrade_of_an_old_store(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "upgrade", lambda _place: ("0001_problems", "0002_themes_and_runs"))
    done = tsume("db", "upgrade", "--db", tmp_path / "a")
    assert done.stdout == f"{tmp_path / 'a'}: from 0001_problems to 0002_themes_and_runs\n"
    assert done.stderr == "note: the problems in it have no themes and quality 0\n"


def test_themes_lists_all_or_those_named_with_names_and_meanings(tsume: Run) -> None:
    text = tsume("themes").stdout
    listed = [json.loads(line) for line in tsume("themes", "--jsonl").stdout.splitlines()]
    assert [row["tag"] for row in listed] == list(NAMES)
    for row in listed:
        assert f"{row['tag']}  {row['japanese']}  {row['english']}\n    {row['meaning']}\n" in text
        assert (row["length"] is None) == (row["seconds"] is None) == (row["within"] is None)
        assert row["within"] is None or row["within"] >= 3 * row["seconds"] + 2
    assert "composing: nearly always within " in text
    assert "composing: rare (none within " in text
    listed = [json.loads(line) for line in tsume("themes", "吊し桂", "king lure", "--jsonl").stdout.splitlines()]
    assert [theme["tag"] for theme in listed] == ["knight-mate", "king-lure"]
    refused = tsume("themes", "three", status=2)
    assert "'three' is not a theme" in refused.stderr


def ids(place: Path | str) -> list[int]:
    return [one.id for one in problems_of(place)]


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


def test_an_older_store_is_copied(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, saved = tmp_path / "old.db", tmp_path / "saved.db"
    Store.open(store).close()
    monkeypatch.setattr("db.schema.migration_revisions", lambda: ["0009_training", "0010_next"])
    assert tsume("stats", "--db", store).exit_code == 1
    assert tsume("backup", saved, "--db", store).exit_code == 0
    monkeypatch.undo()
    assert ids(saved) == []


def test_a_store_on_a_server_is_dumped_and_comes_back(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
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
        done = tsume("backup", tmp_path / "a b.dump", "--db", place.replace("tsume@", "tsume:secret@"), status=1)
        assert "pg_dump is not installed here; on a machine that has it: pg_dump --format=custom" in done.stderr
        assert f"'--file={tmp_path}/a b.dump'" in done.stderr
        assert "secret" not in done.stderr
        assert not (tmp_path / "a b.dump").exists()
