# SPDX-License-Identifier: GPL-3.0-or-later
"""import: perfect and sound problems are stored, the given line is judged, the composer's record is kept."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from db.store import Store
from db.stored_problem import StoredProblem
from solver.judging.judge import Judge
from solver.results import Defect, Grade, Judgement
from tests.tsume.conftest import Run
from tests.tsume.formats.trees import tree_of
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE, LOOSE, NO_MATE, SAME_POSITION
from tsume.files.exported import kept_record
from tsume.files.inputs import Entry
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.jkf import find_jkf, write_jkf
from tsume.formats.kif import find_kif, write_ki2, write_kif
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
    with Store.open(place, create=False) as store:
        return list(store.find())


def told(done: Result) -> list[str]:
    """What is said of the problems, one line each."""
    return [row for row in done.stderr.splitlines() if row.startswith("stdin")]


def imported(tsume: Run, place: Path, text: str, *options: str, status: int = 0) -> list[dict[str, Any]]:
    done = tsume("import", "-", "--db", place, "--jsonl", *options, stdin=text)
    assert done.exit_code == status, done.stderr
    return [json.loads(row) for row in done.stdout.splitlines()]


# --- one problem -----------------------------------------------------------------------------


def test_an_sfen_is_imported(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", CORRECT, "--db", tmp_path / "a")
    assert (done.exit_code, done.stderr) == (0, f"1 problem stored as No. 1 in {tmp_path / 'a'}\n")
    assert len(stored(tmp_path / "a")) == 1
    again = tsume("import", CORRECT, "--db", tmp_path / "a")
    assert "argument 1: already stored" in again.stderr


@pytest.mark.parametrize("form", ["kif", "ki2", "csa", "jkf"])
def test_a_folder_that_was_exported_comes_back(form: str, tsume: Run, tmp_path: Path) -> None:
    tsume("import", CORRECT, LOOSE, FIVE, "--db", tmp_path / "a")
    tsume("export", "--format", form, "-o", f"{tmp_path}/out/", "--db", tmp_path / "a")
    done = tsume("import", tmp_path / "out", "--db", tmp_path / "b")
    assert done.exit_code == 0, done.stderr
    assert [found.sfen for found in stored(tmp_path / "b")] == [CORRECT, LOOSE, FIVE]


def test_files_folders_and_sfens_are_imported_together(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "inner" / "1.sfen").write_text(f"{CORRECT}\n")
    (tmp_path / "folder" / ".hidden.sfen").write_text("nonsense\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "more.txt").write_text(f"{LOOSE}\n")
    sources = [tmp_path / name for name in ("folder", "empty", "more.txt", "none.kif")]
    done = tsume("import", *sources, FIVE, "--db", tmp_path / "a")
    assert done.exit_code == 1
    assert [found.sfen for found in stored(tmp_path / "a")] == [FIVE, CORRECT, LOOSE]
    assert f"{tmp_path / 'empty'}: a folder without problem files (.kif, " in done.stderr
    assert f"{tmp_path / 'none.kif'}: No such file or directory" in done.stderr


def test_versions_are_those_of_their_own_file(tsume: Run, tmp_path: Path) -> None:
    for name, sfens in (("a.csv", (CORRECT, LOOSE)), ("b.csv", (FIVE, PURIST))):
        rows = [f"1,{sfens[0]},", f"2,{sfens[1]},1"]
        (tmp_path / name).write_text("\n".join(["id,sfen,version_of", *rows]) + "\n")
    assert tsume("import", tmp_path / "a.csv", tmp_path / "b.csv", "--db", tmp_path / "s").exit_code == 0
    assert [found.notebook.parent for found in stored(tmp_path / "s")] == [None, 1, None, 3]


# --- grades ---------------------------------------------------------------------------------


def test_sound_problems_are_stored_with_their_blemishes(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT}\n{LOOSE}\n")
    assert done.exit_code == 0
    assert told(done) == ["stdin, line 2: sound: FORM (非限定), EQUAL_DEFENCES (変同)"]
    assert f"2 problems stored as No. 1-2 in {tmp_path / 'a'}" in done.stderr
    perfect, sound = stored(tmp_path / "a")
    assert (perfect.grade, perfect.blemishes) == (Grade.PERFECT, Defect.EQUAL_DEFENCES)
    assert (sound.grade, sound.blemishes) == (Grade.SOUND, Defect.UNDETERMINED_FORM | Defect.EQUAL_DEFENCES)


def test_strict_takes_perfect_problems_only(tsume: Run, tmp_path: Path) -> None:
    same = tsume("import", SAME_POSITION, "--strict", "--db", tmp_path / "b")
    assert (same.exit_code, "同一局面" in same.stderr) == (1, True)
    assert tsume("import", SAME_POSITION, "--db", tmp_path / "b").exit_code == 0
    done = tsume("import", "-", "--strict", "--db", tmp_path / "a", stdin=f"{LOOSE}\n{CORRECT}\n")
    assert done.exit_code == 1
    assert told(done) == ["stdin, line 1: not perfect; sound: FORM (非限定), EQUAL_DEFENCES (変同)"]
    assert [problem.sfen for problem in stored(tmp_path / "a")] == [CORRECT]


def test_json_has_the_grade_and_what_it_rests_on(tsume: Run, tmp_path: Path) -> None:
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


def test_a_settled_grade_is_enough(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a limit came before the nine conditions were settled."""
    judge = Judge.judge

    def limited(self: Judge, *given: Any, **named: Any) -> Judgement:
        found = judge(self, *given, **named)
        return Judgement(
            Defect.NONE, True, found.length, found.line, searched=7, grade=Grade.SOUND
        )  # fmt: skip

    monkeypatch.setattr(Judge, "judge", limited)
    (row,) = imported(tsume, tmp_path / "a", CORRECT)
    assert (row["verdict"], row["grade"]) == ("stored", "sound")
    (problem,) = stored(tmp_path / "a")
    assert (problem.grade, problem.searched) == (Grade.SOUND, 7)
    assert "a limit was reached" in tsume("import", "-", "--db", tmp_path / "b", stdin=CORRECT).stderr


def test_without_a_grade_a_problem_is_unresolved(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsume.uses.importing.SECONDS", 0.0)
    (row,) = imported(tsume, tmp_path / "a", CORRECT, status=1)
    assert (row["verdict"], row["grade"]) == ("unresolved", None)


# --- the given line -------------------------------------------------------------------------


def test_a_given_line_that_is_best_is_the_main_line(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT} moves {EQUAL_LINE}")
    assert told(done) == []
    (problem,) = stored(tmp_path / "a")
    assert (problem.line, problem.length, problem.record) == (line(EQUAL_LINE), 3, None)


def test_a_given_line_of_another_reading_is_told_and_kept_beside_the_main_line(
    tsume: Run, tmp_path: Path
) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{PURIST} moves {PURIST_LINE}")
    assert done.exit_code == 0
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
def test_a_given_line_that_is_not_best_is_told_and_the_programs_is_stored(
    given: str, tsume: Run, tmp_path: Path
) -> None:
    """Also where its length, were it the composer's, would be a fault."""
    alone = imported(tsume, tmp_path / "b", FIVE)
    (row,) = imported(tsume, tmp_path / "a", f"{FIVE} moves {given}")
    assert (row["verdict"], row["grade"], row["given"]["reading"]) == ("stored", "perfect", None)
    done = tsume("import", "-", "--db", tmp_path / "c", stdin=f"{FIVE} moves {given}")
    assert f"GIVEN_LINE (作意): move {row['given']['wrong_at']}, " in done.stderr
    assert stored(tmp_path / "a")[0].line == stored(tmp_path / "b")[0].line
    assert alone[0]["given"] is None


def test_a_given_line_that_breaks_off_is_told_and_completed(tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT} moves {EQUAL_LINE[:9]}")
    assert "GIVEN_LINE (作意): the record stops after 2 of 3 moves" in done.stderr
    (problem,) = stored(tmp_path / "a")
    assert problem.line[:2] == line(EQUAL_LINE)[:2]
    assert len(problem.line) == 3


@pytest.mark.parametrize("given", ODD_LINES)
def test_moves_that_cannot_be_played_are_told(given: str, tsume: Run, tmp_path: Path) -> None:
    checked = tsume("check", f"{CORRECT} moves {given}")
    if given.endswith("K*5e"):
        assert (checked.exit_code, "not a move" in checked.stderr) == (1, True)
        return
    assert "GIVEN_LINE (作意): " in checked.stdout
    json.loads(tsume("check", "--jsonl", f"{CORRECT} moves {given}").stdout)
    done = tsume("import", "-", "--db", tmp_path / "a", stdin=f"{CORRECT} moves {given}")
    assert "GIVEN_LINE (作意): " in done.stderr
    assert done.exit_code == 0
    (problem,) = stored(tmp_path / "a")
    assert problem.sfen == CORRECT
    assert len(problem.line) == 3


def test_a_line_that_is_no_line_is_a_fault_of_the_entry(tsume: Run, tmp_path: Path) -> None:
    text = json.dumps({"sfen": CORRECT, "line": ["zz"]})
    for command in (("check", "-f", "-"), ("import", "-", "--db", tmp_path / "a")):
        done = tsume(*command, stdin=text)
        assert done.exit_code == 1
        assert "not a move in USI notation: 'zz'" in done.stderr
    imported(tsume, tmp_path / "a", json.dumps({"sfen": CORRECT, "line": 5}))


def test_a_line_of_white_s_is_turned(tsume: Run, tmp_path: Path) -> None:
    (row,) = imported(tsume, tmp_path / "a", f"{CORRECT_WHITE} moves 7f8g 9h8i 8g8h")
    assert row["given"]["line"] == ["7f8g", "9h8i", "8g8h"]
    assert stored(tmp_path / "a")[0].line == line(EQUAL_LINE)


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
WRITERS = {"kif": (write_kif, find_kif), "ki2": (write_ki2, find_kif), "jkf": (write_jkf, find_jkf)}


def exported(tsume: Run, place: Path, form: str, *options: str) -> GameRecord:
    done = tsume("export", "--db", place, "--format", form, *options)
    assert done.exit_code == 0, done.stderr
    (found,) = WRITERS[form][1](done.stdout)
    assert found.record is not None, found.fault
    return found.record


@pytest.fixture
def composed(tsume: Run, tmp_path: Path) -> Path:
    """A store with the composer's record."""
    (tmp_path / "in.kifu").write_text("出題者：某\n" + write_kif(RECORD))
    assert tsume("import", tmp_path / "in.kifu", "--db", tmp_path / "a").exit_code == 0
    return tmp_path / "a"


@pytest.mark.parametrize("form", WRITERS)
def test_the_composers_record_comes_back(form: str, tsume: Run, composed: Path) -> None:
    found = exported(tsume, composed, form)
    assert (found.title, found.line, found.comments) == (RECORD.title, RECORD.line, RECORD.comments)
    assert tree_of(found) == tree_of(RECORD)
    assert found.move_comments == RECORD.move_comments
    assert [one.move_comments for one in found.branches] == [one.move_comments for one in RECORD.branches]
    assert dict(HEADERS).items() <= dict(found.headers).items()
    assert dict(found.headers)["完全性"] == "完全作"


def test_the_store_keeps_every_header(composed: Path) -> None:
    (problem,) = stored(composed)
    assert problem.record is not None
    (found,) = find_jkf(problem.record)
    assert found.record is not None
    assert {*HEADERS, ("出題者", "某")} <= set(found.record.headers)


def test_a_csa_file_has_the_composers_line(tsume: Run, composed: Path) -> None:
    text = tsume("export", "--db", composed, "--format=csa").stdout
    assert "$EVENT:無題\n" in text
    assert "+3423KI\n'*好手\n-1221OU\n" in text


@pytest.mark.parametrize("form", WRITERS)
def test_computed_variations_stand_beside_the_composers_once(form: str, tsume: Run, composed: Path) -> None:
    found = exported(tsume, composed, form, "--variations")
    assert found.line == RECORD.line
    assert set(RECORD.move_comments) < set(found.move_comments)
    starts = [(one.first, one.line[0]) for one in found.branches]
    assert len(set(starts)) == len(starts) > len(RECORD.branches)
    assert {(one.first, one.line[0]) for one in RECORD.branches} <= set(starts)
    twice = exported(tsume, composed, form, "--variations")
    assert twice == found


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


def test_a_title_alone_comes_back(tsume: Run, tmp_path: Path) -> None:
    imported(tsume, tmp_path / "a", json.dumps({"sfen": CORRECT, "title": "無題"}))
    found = exported(tsume, tmp_path / "a", "kif")
    (problem,) = stored(tmp_path / "a")
    assert (found.title, found.line) == ("無題", problem.line)


def test_the_blemishes_stand_beside_the_soundness(tsume: Run, tmp_path: Path) -> None:
    imported(tsume, tmp_path / "a", LOOSE)
    for form in WRITERS:
        assert dict(exported(tsume, tmp_path / "a", form).headers)["完全性"] == "完全作（非限定、変同）"


def test_a_record_that_was_spoilt_is_an_error(tsume: Run, composed: Path) -> None:
    other = write_jkf(GameRecord(parse_sfen(FIVE).position, (), "x"))
    for text in ("x", "[]", "{}", other, '{"moves": 5}'):
        with sqlite3.connect(composed) as connection:
            connection.execute("UPDATE problems SET record = ?", (text,))
        connection.close()
        done = tsume("export", "--db", composed, "--format=kif")
        assert done.exit_code == 1
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
    text = kept_record(entry, deep.line, None)
    assert text is not None
    (found,) = find_jkf(text)
    assert found.record is not None
    assert found.record.title == "深い"


def test_a_diagram_with_a_title_gets_the_programs_line(tsume: Run, tmp_path: Path) -> None:
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


def test_known_problems_are_left_out(known: Path, tsume: Run, tmp_path: Path) -> None:
    done = tsume("import", OTHER_CORRECT, NEAR_CORRECT, LOOSE, "--known", known, "--db", tmp_path / "a")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[:3] == [
        "2 known problems read",
        f"argument 1: known: the mirror image of {known}, line 3",
        f"argument 2: near: {known}, line 3, one piece differs",
    ]
    assert "3 problems compared: 1 equal to a known problem, 1 near one" in done.stderr
    assert [found.sfen for found in stored(tmp_path / "a")] == [LOOSE]


def test_near_problems_are_kept_on_demand(known: Path, tsume: Run, tmp_path: Path) -> None:
    near = f"{CORRECT}\n9/8k/6+S2/6G2/9/9/9/9/8g b 2r2b2g3s4n4l18p 1\n"
    rows = imported(tsume, tmp_path / "a", near, "--known", str(known), "--keep-near", status=1)
    assert [(row["verdict"], row["resemblance"]) for row in rows] == [
        ("known", "same"),
        ("stored", "one_piece"),
    ]
    assert rows[1]["known"] == f"{known}, line 3"
    assert len(stored(tmp_path / "a")) == 1


def test_a_dry_run_only_compares(known: Path, tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    done = tsume("import", "--dry-run", NO_MATE, COOKED, "--known", known, "--db", place, "--jsonl")
    assert done.exit_code == 0
    assert [json.loads(row)["verdict"] for row in done.stdout.splitlines()] == ["new", "new"]
    assert tsume("import", "--dry-run", FIVE, "--known", known).exit_code == 1
    assert tsume("import", "--dry-run", "nonsense", "--known", known).exit_code != 0
    assert not place.exists()


@pytest.mark.parametrize("options", [["--dry-run"], ["--keep-near"]])
def test_options_that_need_known_problems(options: list[str], tsume: Run) -> None:
    done = tsume("import", CORRECT, *options)
    assert done.exit_code == 2
    assert "needs --known" in done.stderr


def test_known_problems_that_cannot_be_read(known: Path, tsume: Run, tmp_path: Path) -> None:
    place = tmp_path / "a"
    missing = tsume("import", CORRECT, "--known", tmp_path / "missing.tsv", "--db", place)
    assert missing.exit_code == 1
    assert "No such file" in missing.stderr
    with known.open("a") as file:
        file.write("nonsense\n")
    partly = tsume("import", LOOSE, "--known", known, "--db", place)
    assert partly.exit_code == 0
    assert f"{known}, line 4: skipped: SFEN needs board" in partly.stderr
    known.write_text("nonsense\n")
    assert "no problem could be read" in tsume("import", CORRECT, "--known", known, "--db", place).stderr


def test_a_table_with_tabs_has_lines(tsume: Run, tmp_path: Path) -> None:
    table = f"{CORRECT}\t{EQUAL_LINE}\t3\n{LOOSE}\ta title\n"
    rows = imported(tsume, tmp_path / "a", table)
    assert [row["verdict"] for row in rows] == ["stored", "stored"]
    assert [row["given"] is None for row in rows] == [False, True]
    assert " ".join(move.usi for move in stored(tmp_path / "a")[0].line) == EQUAL_LINE
