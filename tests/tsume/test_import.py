# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume import` and `tsume edit`"""

import csv
import io
import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from db.notebook import TEXTS, Notebook
from db.problem_rows import ProblemAddition
from db.store import Store
from db.stored_problem import StoredProblem
from generator.problem import Problem
from solver.judging.judge import Judge
from solver.results import Defect, Grade, Judgement
from tests.db.samples import change_file, execute, problem
from tests.tsume.conftest import Run, json_lines, present, problems_of, refused
from tests.tsume.formats.trees import tree_of
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, LOOSE, NO_MATE, SAME_POSITION
from tsume.files.exported import record_to_store
from tsume.files.inputs import Entry
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.kif import find_kif, write_kif
from tsume.formats.registry import FORMAT_OF_NAME, READERS, WRITERS
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import ParsedSfen, parse_sfen

EQUAL_LINE = "3d2c 1b2a 2c2b"
"""The other longest defence of CORRECT."""
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
PURIST_LINE = "8d8a+ P*6a 8a6a 5a6a 7c6b"
FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"
ODD_LINES = (
    "9i9a G*5e", "3d2c 9i9a", "R*1a 1b1a 2c2b", "P*5e", "3d2c 1b1a 2c2b+", "3d2c 1b1a 2c2b 1a2b",
    "1b1a 3d2c", "3d3d", "3d2c 1b1a G*1a", "3d2c K*5e",
)  # fmt: skip
"""Lines for CORRECT with moves of pieces that are not there, of the wrong side, or after the mate."""


def line(text: str) -> tuple[Move, ...]:
    return tuple(map(parse_move, text.split()))


def stored(place: Path) -> list[StoredProblem]:
    return problems_of(place)


def told(done: Result) -> list[str]:
    """What is said of the problems, one line each."""
    return [row for row in done.stderr.splitlines() if row.startswith("stdin")]


def imported(tsume: Run, place: Path, text: str, *options: str, status: int = 0) -> list[dict[str, Any]]:
    return json_lines(tsume("import", "-", "--db", place, "--jsonl", *options, stdin=text, status=status))


# --- one problem -----------------------------------------------------------------------------


def test_an_sfen_is_imported_and_versions_are_those_of_their_file(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", CORRECT, "--db", tmp_path / "a")
    assert (done.exit_code, done.stderr) == (0, f"1 problem stored as No. 1 in {tmp_path / 'a'}\n")
    assert len(stored(tmp_path / "a")) == 1
    again = tsume("import", CORRECT, "--db", tmp_path / "a")
    assert "argument 1: already stored" in again.stderr
    for name, sfens in (("a.csv", (CORRECT, LOOSE)), ("b.csv", (FIVE, PURIST))):
        rows = [f"1,{sfens[0]},", f"2,{sfens[1]},1"]
        (tmp_path / name).write_text("\n".join(["id,sfen,version_of", *rows]) + "\n")
    assert tsume("import", tmp_path / "a.csv", tmp_path / "b.csv", "--db", tmp_path / "s").exit_code == 0
    assert [found.notebook.parent for found in stored(tmp_path / "s")] == [None, 1, None, 3]


def test_files_folders_and_sfens_are_imported_together(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "inner" / "1.sfen").write_text(f"{CORRECT}\n")
    (tmp_path / "folder" / ".hidden.sfen").write_text("nonsense\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "more.txt").write_text(f"{LOOSE}\n")
    sources = [tmp_path / name for name in ("folder", "empty", "more.txt", "none.kif")]
    done = tsume("import", *sources, FIVE, "--db", tmp_path / "a", status=1)
    assert [found.sfen for found in stored(tmp_path / "a")] == [FIVE, CORRECT, LOOSE]
    assert f"{tmp_path / 'empty'}: a folder without problem files (.kif, " in done.stderr
    assert f"{tmp_path / 'none.kif'}: No such file or directory" in done.stderr


# --- grades ---------------------------------------------------------------------------------


def test_sound_problems_are_stored_with_blemishes_unless_strict(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT}\n{LOOSE}\n", status=0)
    assert told(done) == ["stdin, line 2: sound: FORM (非限定), EQUAL_DEFENCES (変同)"]
    assert f"2 problems stored as No. 1-2 in {tmp_path / 'a'}" in done.stderr
    perfect, sound = stored(tmp_path / "a")
    assert (perfect.grade, perfect.blemishes) == (Grade.PERFECT, Defect.EQUAL_DEFENCES)
    assert (sound.grade, sound.blemishes) == (Grade.SOUND, Defect.UNDETERMINED_FORM | Defect.EQUAL_DEFENCES)
    quick = tsume("import", "-", "--grade-only", "--db", tmp_path / "c", stdin=f"{CORRECT}\n{LOOSE}\n", status=0)
    assert (told(quick), stored(tmp_path / "c")[1].blemishes) == (told(done), sound.blemishes)
    same = tsume("import", SAME_POSITION, "--strict", "--db", tmp_path / "b")
    assert (same.exit_code, "同一局面" in same.stderr) == (1, True)
    assert tsume("import", SAME_POSITION, "--db", tmp_path / "b").exit_code == 0
    done = tsume("import", "-", "--strict", "--db", tmp_path / "a2", stdin=f"{LOOSE}\n{CORRECT}\n", status=1)
    assert told(done) == ["stdin, line 1: not perfect; sound: FORM (非限定), EQUAL_DEFENCES (変同)"]
    assert [problem.sfen for problem in stored(tmp_path / "a2")] == [CORRECT]


def test_json_has_the_grade_and_a_table_with_tabs_lines(tsume: Run, tmp_path: Path) -> None:
    text = f"{CORRECT} moves {EQUAL_LINE}\n{LOOSE}\n{COOKED}\nx\n{NO_MATE}\n{CORRECT}\n"
    rows = imported(tsume, tmp_path / "a", text, status=1)
    assert [row["verdict"] for row in rows] == [
        "stored", "stored", "refused", "invalid", "refused", "stored already",
    ]  # fmt: skip
    assert [row["grade"] for row in rows] == ["perfect", "sound", "unsound", None, "unsound", None]
    assert [row["faults"] for row in rows] == [[], [], ["COOK"], [], ["NO_MATE"], []]
    assert rows[1]["blemishes"] == ["FORM", "EQUAL_DEFENCES"]
    assert rows[1]["defects"] == ["UNDETERMINED_FORM"]
    assert rows[0]["given"] == {
        "line": EQUAL_LINE.split(), "reading": "narrow", "wrong_at": None, "better": [],
        "beginning_of": None, "parts_at": 2,
    }  # fmt: skip
    table = f"{CORRECT}\t{EQUAL_LINE}\t3\n{LOOSE}\ta title\n"
    rows = imported(tsume, tmp_path / "a2", table)
    assert [row["verdict"] for row in rows] == ["stored", "stored"]
    assert [row["given"] is None for row in rows] == [False, True]
    assert " ".join(move.usi for move in stored(tmp_path / "a2")[0].line) == EQUAL_LINE


def test_a_settled_grade_is_enough_and_without_one_nothing_is_stored(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a limit came before the nine conditions were settled, and before any grade."""
    judge = Judge.judge

    def limited(self: Judge, *given: Any, **named: Any) -> Judgement:
        found = judge(self, *given, **named)
        return Judgement(Defect.NONE, True, found.length, found.line, searched=7, grade=Grade.SOUND)

    with monkeypatch.context() as patch:
        patch.setattr(Judge, "judge", limited)
        (row,) = imported(tsume, tmp_path / "a", CORRECT)
        assert (row["verdict"], row["grade"]) == ("stored", "sound")
        (problem,) = stored(tmp_path / "a")
        assert (problem.grade, problem.searched) == (Grade.SOUND, 7)
        assert "a limit was reached" in tsume("import", "-", "--db", tmp_path / "b", stdin=CORRECT).stderr
    monkeypatch.setattr("tsume.uses.importing.SECONDS", 0.0)
    (row,) = imported(tsume, tmp_path / "c", CORRECT, status=1)
    assert (row["verdict"], row["grade"]) == ("unresolved", None)


# --- the given line -------------------------------------------------------------------------


def test_a_given_line_of_another_reading_is_kept_beside_the_main_line(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{PURIST} moves {PURIST_LINE}", status=0)
    worth = "best by the purist reading; it leaves the program's line of 3 moves at move 2"
    assert f"GIVEN_LINE (作意): {worth}" in done.stderr
    (problem,) = stored(tmp_path / "a")
    assert (problem.length, problem.line == line(PURIST_LINE)) == (3, False)
    assert Defect.GREY_INTERPOSITION in problem.blemishes
    exported = tsume("export", "--db", tmp_path / "a", "--format=kif").stdout
    (found,) = find_kif(exported)
    assert found.record is not None
    assert found.record.line == line(PURIST_LINE)


@pytest.mark.parametrize("given", ["3d2c", "3a2a", "1c1b+ 1a1b 1d2c"])
def test_of_a_given_line_that_is_not_best(given: str, tsume: Run, tmp_path: Path) -> None:
    """Also where its length, were it the composer's, would be a fault."""
    alone = imported(tsume, tmp_path / "b", FIVE)
    (row,) = imported(tsume, tmp_path / "a", f"{FIVE} moves {given}")
    assert (row["verdict"], row["grade"], row["given"]["reading"]) == ("stored", "perfect", None)
    done = tsume("import", "-", "--db", tmp_path / "c", stdin=f"{FIVE} moves {given}")
    assert f"GIVEN_LINE (作意): move {row['given']['wrong_at']}, " in done.stderr
    assert stored(tmp_path / "a")[0].line == stored(tmp_path / "b")[0].line
    assert alone[0]["given"] is None


def test_a_best_line_is_the_main_line_and_a_part_is_completed(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT} moves {EQUAL_LINE}")
    assert told(done) == []
    (problem,) = stored(tmp_path / "a")
    assert (problem.line, problem.length, problem.record) == (line(EQUAL_LINE), 3, None)
    done = tsume("import", "-", "--db", tmp_path / "b", stdin=f"{CORRECT} moves {EQUAL_LINE[:9]}")
    assert "GIVEN_LINE (作意): the record stops after 2 of 3 moves" in done.stderr
    (problem,) = stored(tmp_path / "b")
    assert problem.line[:2] == line(EQUAL_LINE)[:2]
    assert len(problem.line) == 3


def test_moves_that_cannot_be_played_are_told(tsume: Run, tmp_path: Path) -> None:
    for number, odd in enumerate(ODD_LINES):
        checked = tsume("check", f"{CORRECT} moves {odd}")
        if odd.endswith("K*5e"):
            assert (checked.exit_code, "not a move" in checked.stderr) == (1, True)
            continue
        assert "GIVEN_LINE (作意): " in checked.stdout, odd
        json.loads(tsume("check", "--jsonl", f"{CORRECT} moves {odd}").stdout)
        place = tmp_path / str(number)
        done = tsume("import", "-", "--db", place, stdin=f"{CORRECT} moves {odd}")
        assert "GIVEN_LINE (作意): " in done.stderr, odd
        assert done.exit_code == 0
        (problem,) = stored(place)
        assert problem.sfen == CORRECT
        assert len(problem.line) == 3


def test_a_line_that_is_none_is_a_fault_and_one_of_white_is_turned(tsume: Run, tmp_path: Path) -> None:
    text = json.dumps({"sfen": CORRECT, "line": ["zz"]})
    for command in (("check", "-f", "-"), ("import", "-", "--db", tmp_path / "a")):
        done = tsume(*command, stdin=text, status=1)
        assert "not a move in USI notation: 'zz'" in done.stderr
    imported(tsume, tmp_path / "a", json.dumps({"sfen": CORRECT, "line": 5}))
    (row,) = imported(tsume, tmp_path / "a2", f"{CORRECT_WHITE} moves 7f8g 9h8i 8g8h")
    assert row["given"]["line"] == ["7f8g", "9h8i", "8g8h"]
    assert stored(tmp_path / "a2")[0].line == line(EQUAL_LINE)


# --- the composer's record ------------------------------------------------------------------


HEADERS = (("作者", "無名"), ("発表誌", "詰将棋の本"), ("発表年月", "2026年1月"))
RECORD = GameRecord(
    parse_sfen(CORRECT).position,
    line(EQUAL_LINE),
    "無題",
    ("初手の余韻",),
    HEADERS,
    ((1, "好手"), (3, "詰み")),
    (
        Branch(1, line("3c2b 1b2b"), ((2, "逃れ"),)),
        Branch(2, line("1b1a 2c2b"), ((2, "変化"),), (Branch(3, line("3c2b")),)),
    ),
)
WITH_VARIATIONS = {
    name: (writer.write, READERS[FORMAT_OF_NAME[name]]) for name, writer in WRITERS.items() if writer.variations
}


def exported(tsume: Run, place: Path, form: str, *options: str) -> GameRecord:
    (found,) = WITH_VARIATIONS[form][1](tsume("export", "--db", place, "--format", form, *options, status=0).stdout)
    assert found.record is not None, found.fault
    return found.record


@pytest.fixture
def composed(tsume: Run, tmp_path: Path) -> Path:
    """A store with the composer's record."""
    (tmp_path / "in.kifu").write_text("出題者：某\n" + write_kif(RECORD))
    assert tsume("import", tmp_path / "in.kifu", "--db", tmp_path / "a").exit_code == 0
    return tmp_path / "a"


@pytest.mark.parametrize("form", WITH_VARIATIONS)
def test_the_composers_record_with_computed_variations(form: str, tsume: Run, composed: Path) -> None:
    found = exported(tsume, composed, form)
    assert (found.title, found.line, found.comments) == (RECORD.title, RECORD.line, RECORD.comments)
    assert tree_of(found) == tree_of(RECORD)
    assert found.move_comments == RECORD.move_comments
    assert [one.move_comments for one in found.branches] == [one.move_comments for one in RECORD.branches]
    assert dict(HEADERS).items() <= dict(found.headers).items()
    assert dict(found.headers)["完全性"] == "完全作"
    found = exported(tsume, composed, form, "--variations")
    assert found.line == RECORD.line
    assert set(RECORD.move_comments) < set(found.move_comments)
    starts = [(one.first, one.line[0]) for one in found.branches]
    assert len(set(starts)) == len(starts) > len(RECORD.branches)
    assert {(one.first, one.line[0]) for one in RECORD.branches} <= set(starts)
    assert exported(tsume, composed, form, "--variations") == found


def test_the_store_keeps_every_header_and_a_csa_file_has_the_line(tsume: Run, composed: Path) -> None:
    (problem,) = stored(composed)
    assert problem.record is not None
    (found,) = find_jkf(problem.record)
    assert found.record is not None
    assert {*HEADERS, ("出題者", "某")} <= set(found.record.headers)
    text = tsume("export", "--db", composed, "--format=csa").stdout
    assert "$EVENT:無題\n" in text
    assert "+3423KI\n'*好手\n-1221OU\n" in text


def test_a_wrong_line_of_a_record_becomes_a_variation(tsume: Run, tmp_path: Path) -> None:
    given = GameRecord(parse_sfen(FIVE).position, line("1c1b+ 1a1b 1d1c+"), "短い", branches=(
        Branch(1, line("3a2a 1a2a"), ((1, "紛れ"),)),
    ))  # fmt: skip
    (tmp_path / "in.kifu").write_text(write_kif(given))
    assert tsume("import", tmp_path / "in.kifu", "--db", tmp_path / "a").exit_code == 0
    found = exported(tsume, tmp_path / "a", "kif")
    (problem,) = stored(tmp_path / "a")
    assert found.line == problem.line
    assert len(found.line) == 5
    assert (1, line("3a2a 1a2a")) in [(one.first, one.line) for one in found.branches]


def test_a_record_that_was_spoilt_is_an_error(tsume: Run, composed: Path) -> None:
    other = write_jkf(GameRecord(parse_sfen(FIVE).position, (), "x"))
    for text in ("x", "[]", "{}", other, '{"moves": 5}'):
        change_file(composed, f"UPDATE problems SET record = '{text}'")
        done = tsume("export", "--db", composed, "--format=kif", status=1)
        assert done.stderr.startswith(f"Error: {composed}: problem 1 cannot be read: ")


def test_a_record_with_variations_too_deep_is_kept_without_them() -> None:
    """Variations inside variations, each leaving the one before; JKF would have a list for each."""
    swap = ("2c2d", "1a1b", "2d2c", "1b1a")
    branch: Branch | None = None
    for depth in range(300, 0, -1):
        moves = line(" ".join(swap[(depth + n) % 4] for n in range(2)))
        branch = Branch(depth + 2, moves, (), (branch,) if branch else ())
    assert branch is not None
    deep = GameRecord(RECORD.position, RECORD.line, "深い", branches=(branch,))
    entry = Entry("x", CORRECT, ParsedSfen(deep.position), line=deep.line, record=deep)
    text = present(record_to_store(entry, deep.line, None))
    (found,) = find_jkf(text)
    assert found.record is not None
    assert found.record.title == "深い"


def test_a_title_alone_and_a_diagram_with_a_title_get_the_programs_line(tsume: Run, tmp_path: Path) -> None:
    imported(tsume, tmp_path / "b", json.dumps({"sfen": CORRECT, "title": "無題"}))
    found = exported(tsume, tmp_path / "b", "kif")
    (problem,) = stored(tmp_path / "b")
    assert (found.title, found.line) == ("無題", problem.line)
    imported(tsume, tmp_path / "c", LOOSE)
    for form in WITH_VARIATIONS:
        assert dict(exported(tsume, tmp_path / "c", form).headers)["完全性"] == "完全作（非限定、変同）"
    given = GameRecord(RECORD.position, (), "図面", ("解いてみよ",), HEADERS)
    (tmp_path / "in.kifu").write_text(write_kif(given))
    assert tsume("import", tmp_path / "in.kifu", "--db", tmp_path / "a").exit_code == 0
    found = exported(tsume, tmp_path / "a", "kif")
    (problem,) = stored(tmp_path / "a")
    assert (found.title, found.comments, found.line) == ("図面", ("解いてみよ",), problem.line)


@pytest.mark.parametrize("form", ["kif", "jkf"])
def test_what_was_exported_is_imported_again_as_it_is(form: str, tsume: Run, composed: Path) -> None:
    file = composed.with_name(f"again.{form}")
    assert tsume("export", "--db", composed, "--format", form, "-o", file).exit_code == 0
    assert tsume("import", file, "--db", composed.with_name("b")).exit_code == 0
    assert exported(tsume, composed.with_name("b"), form) == exported(tsume, composed, form)


# --- known problems --------------------------------------------------------------------------

NEAR_CORRECT = "9/8k/6+S2/6G2/9/7P1/9/9/9 b 2r2b3g3s4n4l17p 1"
"""CORRECT with a pawn more."""
OTHER_CORRECT = "9/k8/2+S6/2G6/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
"""Its mirror image."""


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A table of known problems, with its head as a comment: position, line, number of moves."""
    path = tmp_path / "known.tsv"
    path.write_text(f"# sfen, line, plies\n{FIVE}\t\t5\n{CORRECT}\t{' '.join(CORRECT_LINE)}\t3\n")
    return path


def test_known_problems_are_left_out_and_near_ones_kept_on_demand(known: Path, tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", OTHER_CORRECT, NEAR_CORRECT, LOOSE, "--known", known, "--db", tmp_path / "a", status=1)
    assert done.stderr.splitlines()[:3] == [
        "2 known problems read",
        f"argument 1: known: the mirror image of {known}, line 3",
        f"argument 2: near: {known}, line 3, one piece differs",
    ]
    assert "3 problems compared: 1 equal to a known problem, 1 near one" in done.stderr
    assert [found.sfen for found in stored(tmp_path / "a")] == [LOOSE]
    near = f"{CORRECT}\n9/8k/6+S2/6G2/9/9/9/9/8g b 2r2b2g3s4n4l18p 1\n"
    rows = imported(tsume, tmp_path / "a2", near, "--known", str(known), "--keep-near", status=1)
    assert [(row["verdict"], row["resemblance"]) for row in rows] == [("known", "same"), ("stored", "one_piece")]
    assert rows[1]["known"] == f"{known}, line 3"
    assert len(stored(tmp_path / "a2")) == 1


def test_a_dry_run_only_compares(known: Path, tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    done = tsume("import", "--dry-run", NO_MATE, COOKED, "--known", known, "--db", place, "--jsonl", status=0)
    assert [json.loads(row)["verdict"] for row in done.stdout.splitlines()] == ["new", "new"]
    assert tsume("import", "--dry-run", FIVE, "--known", known).exit_code == 1
    assert tsume("import", "--dry-run", "nonsense", "--known", known).exit_code != 0
    assert not place.exists()
    for option in ("--dry-run", "--keep-near"):
        done = tsume("import", CORRECT, option, status=2)
        assert "needs --known" in done.stderr


def test_known_problems_that_cannot_be_read(known: Path, tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    missing = tsume("import", CORRECT, "--known", tmp_path / "missing.tsv", "--db", place, status=1)
    assert "No such file" in missing.stderr
    with known.open("a") as file:
        file.write("nonsense\n")
    partly = tsume("import", LOOSE, "--known", known, "--db", place, status=0)
    assert f"{known}, line 4: skipped: SFEN needs board" in partly.stderr
    known.write_text("nonsense\n")
    assert "no problem could be read" in tsume("import", CORRECT, "--known", known, "--db", place).stderr


OTHER_RECORD = GameRecord(RECORD.position, (), "曙光　その一", (), HEADERS)


def notebooks(place: Path) -> list[Notebook]:
    return [problem.notebook for problem in stored(place)]


def lines(tsume: Run, *arguments: Any, status: int = 0) -> list[str]:
    done = tsume(*arguments, status=status)
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
    told = refused(tsume, "edit", "1", "--title=x", "--db", tmp_path / "absent")
    assert told == f"Error: {tmp_path / 'absent'}: does not exist"
    change_file(store, "UPDATE alembic_version SET version_num = '0004_grades'")
    assert refused(tsume, "edit", "1", "--title=x", "--db", store).endswith("run `tsume db upgrade`")


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
    assert [fields[name] for name in ("title", "author", "source", "own_notes")] == ["[/red]x", "Me", None, None]
    assert (fields["tags"], fields["version_of"]) == (["t"], 1)
    assert tsume("list", "--title", "x" * 201, "--db", store).exit_code == 2
    assert tsume("export", "--format=sfen", "--tag", "\x1b", "--db", store).exit_code == 2


def test_what_a_damaged_store_holds_is_escaped(tsume: Run, store: Path) -> None:
    change_file(
        store, "UPDATE problems SET title = 'a' || char(27), notes = 'b' || char(8238)",
        "INSERT INTO problem_tags VALUES (1, 'c' || char(10))",
    )  # fmt: skip
    for command in (("show", "1"), ("list",), ("edit", "1")):
        shown = tsume(*command, "--db", store).stdout
        assert (r"a\x1b" in shown, "\x1b" in shown, "\u202e" in shown) == (True, False, False)


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
    (tmp_path / "in.kifu").write_text(write_kif(OTHER_RECORD))
    place = tmp_path / "a"
    tsume("import", tmp_path / "in.kifu", "--db", place)
    assert notebooks(place) == [Notebook("曙光 その一", "無名", "詰将棋の本")]
    tsume("edit", "1", "--title=", "--author=別人", "--source=", "--db", place)
    found = exported(tsume, place, "kif")
    headers = dict(found.headers)
    assert (found.title, headers["作者"], "発表誌" in headers) == ("No. 1", "別人", False)
    assert headers["発表年月"] == "2026年1月"


def test_titles_of_exports_and_of_what_is_stored(tsume: Run, made: Path, tmp_path: Path) -> None:
    tsume("export", "--format=kif", "--id=4", "--db", made, "-o", tmp_path / "4.kif")
    tsume("import", tmp_path / "4.kif", "--db", tmp_path / "a")
    assert notebooks(tmp_path / "a") == [Notebook()]
    for title in ("first", "second"):
        tsume("import", "-", "--db", tmp_path / "a2", stdin=json.dumps({"sfen": CORRECT, "title": title}))
    assert notebooks(tmp_path / "a2") == [Notebook("first")]


def test_fields_that_make_no_sense_are_left_out(tsume: Run, tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"title": 5}, {"tags": 5}, {"tags": ["a b", 3]}, {"author": ["x"]}, {"version_of": "x"},
        {"version_of": 99}, {"version_of": True}, {"own_notes": {}}, {"id": 1, "version_of": 1},
    ]  # fmt: skip
    for number, fields in enumerate(odd):
        place = tmp_path / str(number)
        tsume("import", "-", "--db", place, stdin=json.dumps({"sfen": CORRECT, **fields}), status=0)
        assert notebooks(place) == [Notebook()], fields


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
def composed_pair(made: Path) -> tuple[Problem, Problem]:
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
    form: str, composed_pair: tuple[Problem, Problem], empty: Path, tsume: Run
) -> None:
    @settings(max_examples=15, deadline=None)
    @given(NOTEBOOKS, NOTEBOOKS, st.booleans())
    def check(one: Notebook, other: Notebook, linked: bool) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for place in ("a", "b"):
                shutil.copy(empty, folder / place)
            with Store.open(folder / "a") as store:
                store.add(composed_pair[0], notebook=one)
                store.add(composed_pair[1], notebook=replace(other, parent=1 if linked else None))
            written = notebooks(folder / "a")
            file = folder / f"out.{form}"
            assert tsume("export", "--format", form, "--db", folder / "a", "-o", file).exit_code == 0
            assert tsume("import", file, "--db", folder / "b").exit_code == 0
            assert notebooks(folder / "b") == written

    check()


def test_a_range_may_be_of_any_length(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.query.READ_AT_ONCE", 1000)
    store = tmp_path / "large.db"
    with Store.open(store) as opened:
        opened.add_all([ProblemAddition(problem(number)) for number in range(400)])
        with opened._sessions.writer.connect() as connection:
            names = [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(problems)") if row[1] != "id"]
    taken = ", ".join(f"{name} || ' ' || ?" if name == "canonical" else name for name in names)
    with Store.open(store) as opened:  # larger by rows that differ by their ids and positions only
        for copy in range(1, 4000 // 400):
            statement = f"INSERT INTO problems ({', '.join(names)}) SELECT {taken} FROM problems WHERE id <= 400"
            execute(opened, statement, str(copy))
    done = tsume("edit", "1-4000", "--tag", "all", "--db", store, status=0)
    assert done.stdout.count("tags: all") == 4000
    listed = tsume("list", "--id", "2-3999", "--tag", "all", "--jsonl", "--db", store)
    assert len(listed.stdout.splitlines()) == 3998
    missing = tsume("edit", "3900-4001", "--title", "x", "--db", store, status=1)
    assert missing.stderr.endswith(": no problem 4001\n")
    odd = ",".join(str(number) for number in range(1, 4000, 2))
    assert len(tsume("list", "--jsonl", "--db", store, "--id", odd).stdout.splitlines()) == 2000


def test_versions_are_linked_by_the_ids_of_the_file(tsume: Run, store: Path, tmp_path: Path) -> None:
    tsume("edit", "2", "--version-of", 5, "--db", store)
    table = tsume("export", "--format=csv", "--sort=score", "--db", store).stdout
    tsume("import", "-", "--format=csv", "--db", tmp_path / "copy", stdin=table)
    order = [row["id"] for row in csv.DictReader(io.StringIO(table))]
    parents = [one.parent for one in notebooks(tmp_path / "copy")]
    assert parents[order.index("2")] == order.index("5") + 1
    assert len([parent for parent in parents if parent]) == 1
