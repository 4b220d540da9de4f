# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume mend`"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from solver.results import Defect, Judgement
from tests.sampling import few
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE
from tsume.language.voice import Voice
from tsume.reports.judgement import mark_lines
from tsume_rules.moves import parse_move
from tsume_rules.position import parse_square, rotated
from tsume_rules.sfen import format_sfen, parse_sfen

PERFECT = "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1"
NEEDLESS = "9/9/9/9/9/9/9/8+R/5Pk2 b Brb4g4s4n4l17p 1"
IN_CHECK = "8k/9/8R/9/9/9/9/9/9 b G 1"


def test_repairs_are_shown_with_their_changes_lines_and_positions(tsume: Run) -> None:
    done = tsume("mend", COOKED, "-n", 3, "--edits", 1)
    assert done.exit_code == 0
    assert "unsound in 3" in done.stdout
    numbered = [line for line in done.stdout.splitlines() if line[:2] in ("1.", "2.", "3.")]
    assert len(numbered) == 3
    assert done.stdout.count("   perfect in ") == 3


def test_as_json_each_repair_is_a_problem_that_check_calls_perfect(tsume: Run) -> None:
    fields = answer(tsume, "mend", COOKED, "-n", 3, "--edits", 1)
    assert fields["grade"] == "unsound"
    assert fields["complete"]
    assert len(fields["repairs"]) == 3
    for repair in fields["repairs"]:
        (change,) = repair["changes"]
        assert change["text"]
        assert repair["grade"] == "perfect"
        checked = answer(tsume, "check", repair["sfen"])
        assert (checked["grade"], checked["length"]) == ("perfect", repair["length"])


def test_without_a_repair_the_reason_and_the_nearest_position_are_said(tsume: Run) -> None:
    keep = ",".join(f"{file}{rank}" for file in range(1, 10) for rank in "abcdefg")
    asked = ("mend", COOKED, "--moves", 11, "--edits", 1, "--keep", keep, "--time", 600)
    fields = answer(tsume, *asked, status=1)
    assert fields["repairs"] == []
    assert fields["tried"] > fields["mating"] > 0
    nearest = fields["nearest"]
    assert nearest["changes"]
    assert nearest["length"]
    for language, reason in (("en", "changed positions"), ("ja", "最も近い詰む局面")):
        text = tsume(*asked, "--lang", language).stdout
        assert reason in text
        assert nearest["sfen"] in text


def test_alternatives_and_blemishes_are_named(tsume: Run) -> None:
    fields = answer(tsume, "mend", COOKED, "-n", 3, "--edits", 1, "--time", 600)
    first = fields["repairs"][0]
    assert first["alternatives"]
    assert first["line"][:2] == fields["line"][:2]
    assert "（または " in tsume("mend", COOKED, "-n", 3, "--edits", 1, "--lang", "ja", "--time", 600).stdout
    made = Judgement(Defect.NONE, blemishes=Defect.UNDETERMINED_FORM)
    assert list(mark_lines(made, Voice.of("ja"))) == ["キズ: 非限定"]


def test_what_is_perfect_is_left_as_it_is(tsume: Run) -> None:
    assert "nothing to mend" in tsume("mend", PERFECT).stdout
    assert answer(tsume, "mend", PERFECT)["repairs"] == []


@pytest.mark.parametrize("number", few([4, 9], 1))
def test_a_sound_problem_is_repaired_by_perfect_ones_only(number: int, tsume: Run) -> None:
    fields = answer(tsume, "mend", NEEDLESS, "--edits", 1, "-n", number, "--time", 1500)
    assert fields["grade"] == "sound"
    assert {repair["grade"] for repair in fields["repairs"]} == {"perfect"}


def test_a_perfect_problem_of_another_length_than_wished_is_mended(tsume: Run) -> None:
    fields = answer(tsume, "mend", PERFECT, "--moves", 5, "-n", 2)
    assert [repair["length"] for repair in fields["repairs"]] == [5, 5]


def test_an_illegal_start_is_mended(tsume: Run) -> None:
    fields = answer(tsume, "mend", IN_CHECK, "--edits", 1, "-n", 1)
    assert fields["defects"] == ["ILLEGAL_START"]
    assert len(fields["repairs"]) == 1


def test_kept_squares(tsume: Run) -> None:
    fields = answer(tsume, "mend", COOKED, "--keep", "3b,2d", "--keep", "3e", "-n", 3, "--edits", 1)
    squares = {change.get("square") for repair in fields["repairs"] for change in repair["changes"]}
    assert fields["repairs"]
    assert squares.isdisjoint({"3b", "2d", "3e"})


def test_of_a_position_in_which_white_attacks_all_is_in_its_orientation(tsume: Run) -> None:
    white = format_sfen(parse_sfen(COOKED).position, rotated=True)
    asked = ("-n", 3, "--edits", 1)
    black = answer(tsume, "mend", COOKED, *asked, "--keep", "3b,2d")["repairs"]
    found = answer(tsume, "mend", white, *asked, "--keep", "7h,8f")["repairs"]
    assert len(found) == len(black) == 3
    for one, other in zip(found, black, strict=True):
        assert parse_sfen(one["sfen"]).position == parse_sfen(other["sfen"]).position
        assert " w " in one["sfen"]
        assert parse_move(one["line"][0]).rotated == parse_move(other["line"][0])
        for change, same in zip(one["changes"], other["changes"], strict=True):
            assert parse_square(change["square"]) == rotated(parse_square(same["square"]))
            assert change["square"] in change["text"]


def test_its_help_compiles_nothing() -> None:
    code = "import sys, tsume.commands.changing; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_wrong_squares_are_refused_in_one_line(tsume: Run) -> None:
    done = tsume("mend", COOKED, "--keep", "2b,zz")
    assert done.exit_code == 2
    assert "invalid squares '2b,zz': give them as 1a,2b" in done.stderr


def test_a_start_that_no_single_change_makes_legal_says_so(tsume: Run) -> None:
    """Two pawns that can never move."""
    for language, text in (("en", "no single change makes a legal start"), ("ja", "正しい初形になりません")):
        assert text in tsume("mend", "4k4/9/9/9/9/9/9/9/4p3p b G 1", "--lang", language).stdout


def test_time_that_runs_out_is_said(tsume: Run) -> None:
    done = tsume("mend", COOKED, "--time", 0)
    assert done.exit_code == 1
    assert "argument 1: time ran out after 0 s; repairs found: 0" in done.stderr
    assert "no repair found" in done.stdout
    assert "time ran out" in done.stdout


def test_a_file_with_a_line_that_cannot_be_read(tsume: Run, tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text(f"nonsense\n{CORRECT} moves {' '.join(CORRECT_LINE)}\n")
    done = tsume("mend", "-f", file, "-n", 1, "--edits", 1)
    assert done.exit_code == 1
    assert "problems.sfen, line 1: " in done.stderr
