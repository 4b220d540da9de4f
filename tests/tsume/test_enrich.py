# SPDX-License-Identifier: GPL-3.0-or-later
"""`tsume enrich`"""

from __future__ import annotations

import subprocess
import sys

from tests.tsume.conftest import Run, answer
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume_rules.moves import parse_move
from tsume_rules.position import parse_square, rotated
from tsume_rules.sfen import parse_sfen

NATURAL = ("--kind", "natural", "--edits", 1)


def test_suggestions_are_shown_with_changes_lines_worth_and_positions(tsume: Run) -> None:
    done = tsume("enrich", CORRECT, *NATURAL)
    assert done.exit_code == 0
    first, worth, change, line, marks, gain, sfen = done.stdout.splitlines()
    assert first.startswith("perfect in 3: ")
    assert worth.startswith("   quality ")
    assert change == "1. exchange the attacker's promoted silver on 3c for a gold"
    assert line.startswith("   perfect in 3: ")
    assert marks == "   blemishes (キズ): EQUAL_DEFENCES (変同)"
    assert "likeness" in gain
    assert ": +" in gain
    assert parse_sfen(sfen.strip()).position != parse_sfen(CORRECT).position


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


def test_a_longer_introduction(tsume: Run) -> None:
    asked = ("--kind", "introduction", "--plies", 4, "--edits", 0)
    suggested = answer(tsume, "enrich", CORRECT, *asked)["suggestions"]
    assert suggested
    assert {one["length"] for one in suggested} == {7}


def test_an_odd_introduction_is_refused_in_one_line(tsume: Run) -> None:
    done = tsume("enrich", CORRECT, "--plies", 3)
    assert done.exit_code == 2
    assert "3 is odd" in done.stderr


def test_of_a_position_in_which_white_attacks_all_is_in_its_orientation(tsume: Run) -> None:
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


def test_an_unsound_problem_is_left_to_mend(tsume: Run) -> None:
    done = tsume("enrich", COOKED)
    assert done.exit_code == 1
    assert "argument 1: the problem is unsound (tsume mend repairs it): no suggestions" in done.stderr
    fields = answer(tsume, "enrich", COOKED, status=1)
    assert fields["suggestions"] == []
    assert fields["quality"] is None


def test_time_that_runs_out_is_said(tsume: Run) -> None:
    done = tsume("enrich", CORRECT, "--time", 0)
    assert done.exit_code == 1
    assert "argument 1: time ran out while judging it: no suggestions" in done.stderr


def test_wrong_squares_are_refused_in_one_line(tsume: Run) -> None:
    done = tsume("enrich", CORRECT, "--keep", "2b,zz")
    assert done.exit_code == 2
    assert "invalid squares '2b,zz': give them as 1a,2b" in done.stderr


def test_what_cannot_be_read_is_reported_and_the_others_are_answered(tsume: Run) -> None:
    done = tsume("enrich", "nonsense", CORRECT, *NATURAL)
    assert done.exit_code == 1
    assert "argument 1: " in done.stderr
    assert "1. exchange" in done.stdout


def test_its_help_compiles_nothing() -> None:
    code = "import sys, tsume.commands.changing; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
