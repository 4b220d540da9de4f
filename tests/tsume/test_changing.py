# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume mend` and `tsume enrich`"""

import subprocess
import sys
from pathlib import Path

import pytest

from solver.results import Defect, Judgement
from tests.sampling import few
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume.language.catalogue import Voice
from tsume.reports.judgement import defect_term_lines
from tsume_rules.moves import parse_move
from tsume_rules.position import parse_square, rotated
from tsume_rules.sfen import format_sfen, parse_sfen

PERFECT = "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1"
NEEDLESS = "9/9/9/9/9/9/9/8+R/5Pk2 b Brb4g4s4n4l17p 1"
IN_CHECK = "8k/9/8R/9/9/9/9/9/9 b G 1"


def test_repairs_are_problems_that_check_calls_perfect(tsume: Run) -> None:
    done = tsume("mend", COOKED, "-n", 3, "--edits", 1, status=0)
    assert "unsound in 3" in done.stdout
    numbered = [line for line in done.stdout.splitlines() if line[:2] in ("1.", "2.", "3.")]
    assert len(numbered) == 3
    assert done.stdout.count("   perfect in ") == 3
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
    fields = answer(tsume, "mend", COOKED, "-n", 3, "--edits", 1, "--time", 600)
    first = fields["repairs"][0]
    assert first["alternatives"]
    assert first["line"][:2] == fields["line"][:2]
    assert "（または " in tsume("mend", COOKED, "-n", 3, "--edits", 1, "--lang", "ja", "--time", 600).stdout
    made = Judgement(Defect.NONE, blemishes=Defect.UNDETERMINED_FORM)
    assert list(defect_term_lines(made, Voice.of("ja"))) == ["キズ: 非限定"]


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


def test_perfect_problems_other_lengths_and_illegal_starts(tsume: Run) -> None:
    assert "nothing to mend" in tsume("mend", PERFECT).stdout
    assert answer(tsume, "mend", PERFECT)["repairs"] == []
    fields = answer(tsume, "mend", PERFECT, "--moves", 5, "-n", 2)
    assert [repair["length"] for repair in fields["repairs"]] == [5, 5]
    fields = answer(tsume, "mend", IN_CHECK, "--edits", 1, "-n", 1)
    assert fields["defects"] == ["ILLEGAL_START"]
    assert len(fields["repairs"]) == 1
    # Two pawns that can never move.
    for language, text in (("en", "no single change makes a legal start"), ("ja", "正しい初形になりません")):
        assert text in tsume("mend", "4k4/9/9/9/9/9/9/9/4p3p b G 1", "--lang", language).stdout


@pytest.mark.parametrize("number", few([1, 4, 9], 1))
def test_a_sound_problem_is_repaired_by_perfect_ones_only(number: int, tsume: Run) -> None:
    fields = answer(tsume, "mend", NEEDLESS, "--edits", 1, "-n", number, "--time", 1500)
    assert fields["grade"] == "sound"
    assert {repair["grade"] for repair in fields["repairs"]} == {"perfect"}


def test_kept_and_wrong_squares_and_odd_introductions(tsume: Run) -> None:
    fields = answer(tsume, "mend", COOKED, "--keep", "3b,2d", "--keep", "3e", "-n", 3, "--edits", 1)
    squares = {change.get("square") for repair in fields["repairs"] for change in repair["changes"]}
    assert fields["repairs"]
    assert squares.isdisjoint({"3b", "2d", "3e"})
    for command in ("mend", "enrich"):
        done = tsume(command, COOKED, "--keep", "2b,zz", status=2)
        assert "invalid squares '2b,zz': give them as 1a,2b" in done.stderr
    done = tsume("enrich", CORRECT, "--plies", 3, status=2)
    assert "3 is odd" in done.stderr
    code = "import sys, tsume.commands.changing; sys.exit('tsume_rules.kernel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


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


def test_time_that_runs_out_and_what_cannot_be_read_are_said(tsume: Run, tmp_path: Path) -> None:
    done = tsume("mend", COOKED, "--time", 0, status=1)
    assert "argument 1: time ran out after 0 s; repairs found: 0" in done.stderr
    assert "no repair found" in done.stdout
    assert "time ran out" in done.stdout
    file = tmp_path / "problems.sfen"
    file.write_text(f"nonsense\n{CORRECT} moves {' '.join(CORRECT_LINE)}\n")
    done = tsume("mend", "-f", file, "-n", 1, "--edits", 1, status=1)
    assert "problems.sfen, line 1: " in done.stderr
    done = tsume("enrich", CORRECT, "--time", 0, status=1)
    assert "argument 1: time ran out while judging it: no suggestions" in done.stderr
    done = tsume("enrich", "nonsense", CORRECT, *NATURAL, status=1)
    assert "argument 1: " in done.stderr
    assert "1. exchange" in done.stdout
    done = tsume("enrich", COOKED, status=1)
    assert "argument 1: the problem is unsound (tsume mend repairs it): no suggestions" in done.stderr
    fields = answer(tsume, "enrich", COOKED, status=1)
    assert fields["suggestions"] == []
    assert fields["quality"] is None


NATURAL = ("--kind", "natural", "--edits", 1)


def test_suggestions_are_shown_with_changes_lines_worth_and_positions(tsume: Run) -> None:
    done = tsume("enrich", CORRECT, *NATURAL, status=0)
    first, worth, change, line, marks, gain, sfen = done.stdout.splitlines()
    assert first.startswith("perfect in 3: ")
    assert worth.startswith("   quality ")
    assert change == "1. exchange the attacker's promoted silver on 3c for a gold"
    assert line.startswith("   perfect in 3: ")
    assert marks == "   blemishes (キズ): EQUAL_DEFENCES (変同)"
    assert "likeness" in gain
    assert ": +" in gain
    assert parse_sfen(sfen.strip()).position != parse_sfen(CORRECT).position
    asked = ("--kind", "introduction", "--plies", 4, "--edits", 0)
    suggested = answer(tsume, "enrich", CORRECT, *asked)["suggestions"]
    assert suggested
    assert {one["length"] for one in suggested} == {7}


def test_as_json_each_suggestion_is_a_problem_that_check_calls_perfect(tsume: Run) -> None:
    fields = answer(tsume, "enrich", CORRECT, "--kind", "introduction", "--kind", "natural", "--edits", 1)
    assert fields["grade"] == "perfect"
    assert fields["complete"]
    assert {one["kind"] for one in fields["suggestions"]} == {"introduction", "natural"}
    for one in fields["suggestions"]:
        checked = answer(tsume, "check", one["sfen"])
        assert (checked["grade"], checked["length"]) == ("perfect", one["length"])
        assert (checked["quality"], checked["likeness"]) == (one["quality"], one["likeness"])
        rise = one["quality"] + one["likeness"] - fields["quality"] - fields["likeness"]
        rise -= one["material"] - fields["material"]
        assert abs(one["gain"] - rise) < 0.11
        if one["introduction"]:
            assert one["line"][:2] == one["introduction"]
            assert [move[2:] for move in one["line"][2:]] == [move[2:] for move in CORRECT_LINE]


def test_of_a_position_in_which_white_attacks_all_is_in_its_orientation_by_enrich(tsume: Run) -> None:
    asked = ("--kind", "natural", "--kind", "introduction", "--edits", 1)
    black = answer(tsume, "enrich", CORRECT, *asked, "--keep", "9i")["suggestions"]
    found = answer(tsume, "enrich", CORRECT_WHITE, *asked, "--keep", "1a")["suggestions"]
    assert len(found) == len(black) > 1
    for one, other in zip(found, black, strict=True):
        assert parse_sfen(one["sfen"]).position == parse_sfen(other["sfen"]).position
        assert " w " in one["sfen"]
        for name in ("line", "introduction"):
            assert [parse_move(move).rotated for move in one[name]] == list(map(parse_move, other[name]))
        for change, same in zip(one["changes"], other["changes"], strict=True):
            assert parse_square(change["square"]) == rotated(parse_square(same["square"]))
