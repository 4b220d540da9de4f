# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers of solve, check and score."""

from __future__ import annotations

import pytest

from generator.theme_names import english_name
from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import (
    COOKED,
    CORRECT,
    CORRECT_LINE,
    CORRECT_WHITE,
    CORRECT_WHITE_LINE,
    HARD,
    LOOSE,
    NO_MATE,
    SAME_POSITION,
)
from tsume.uses.engines import EngineOptions, df_pn_engine, make_engine
from tsume.uses.scoring import PositionScorer
from tsume_rules.sfen import parse_sfen


def test_solve_gives_the_best_line(tsume: Run) -> None:
    found = answer(tsume, "solve", CORRECT)
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert found == {
        "sfen": CORRECT, "result": "mate", "length": 3, "line": CORRECT_LINE, "error": None,
    }  # fmt: skip
    assert tsume("solve", CORRECT).stdout == f"mate in 3: {' '.join(CORRECT_LINE)}\n"


def test_with_white_to_move_the_moves_are_white_s(tsume: Run) -> None:
    assert answer(tsume, "solve", CORRECT_WHITE)["line"] == CORRECT_WHITE_LINE
    assert answer(tsume, "check", CORRECT_WHITE)["line"] == CORRECT_WHITE_LINE
    assert answer(tsume, "score", CORRECT_WHITE)["score"] == answer(tsume, "score", CORRECT)["score"]


def test_no_mate_is_an_answer(tsume: Run) -> None:
    found = answer(tsume, "solve", NO_MATE)
    assert (found["result"], found["length"], found["line"]) == ("no_mate", None, [])


def test_a_limit_leaves_a_position_unresolved_and_says_what_is_known(tsume: Run) -> None:
    for limit in ("--time=0.05", "--nodes=500", "--max-moves=3"):
        found = answer(tsume, "solve", HARD, limit, status=1)
        assert found["result"] == "unresolved"
        assert " limit reached" in found["error"]
    assert answer(tsume, "solve", CORRECT, "--max-moves=1", status=1)["error"] == (
        "length limit reached; no mate within 1 moves"
    )


def test_jobs_are_threads_for_one_position_and_processes_for_several(
    tsume: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[EngineOptions] = []

    def noted(name: str, options: EngineOptions) -> MateEngine:
        made.append(options)
        return make_engine(name, options)

    monkeypatch.setattr("tsume.uses.solving.make_engine", noted)
    for arguments in (["--jobs=2"], ["--jobs=2", "--nodes=1000"], []):
        assert answer(tsume, "solve", CORRECT, *arguments)["line"] == CORRECT_LINE
    assert [options.jobs for options in made] == [2, 1, 1]
    assert tsume("solve", CORRECT, COOKED, "--jobs=2").exit_code == 0
    assert len(made) == 3, "by other processes"


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ("check", "tsume.uses.checking"),
        ("explain", "tsume.uses.checking"),
        ("tree", "tsume.uses.trees"),
    ],
)
def test_jobs_are_threads_of_one_position_judged_or_explained(
    tsume: Run, monkeypatch: pytest.MonkeyPatch, command: str, where: str
) -> None:
    made: list[int] = []

    def noted(options: EngineOptions) -> DfPnEngine:
        made.append(options.jobs)
        return df_pn_engine(options)

    monkeypatch.setattr(f"{where}.df_pn_engine", noted)
    alone = tsume(command, CORRECT, "--jsonl").stdout
    assert tsume(command, CORRECT, "--jsonl", "--jobs=2").stdout == alone
    assert made == [1, 2]
    assert tsume(command, CORRECT, CORRECT_WHITE, "--jobs=2").exit_code == 0
    assert len(made) == 2, "by other processes"


def test_futile_interpositions_count_if_asked_for(tsume: Run) -> None:
    sfen = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
    assert answer(tsume, "solve", sfen)["length"] == 1
    assert answer(tsume, "solve", sfen, "--count-futile")["length"] != 1


def test_all_answers_of_solve(tsume: Run) -> None:
    assert "answers" not in answer(tsume, "solve", COOKED)
    first, last = answer(tsume, "solve", COOKED, "--all-answers")["answers"]
    assert (first["turn"], last["turn"]) == (1, 3)
    assert {first["key"], *first["other"]} == {"3e4d", "3b2a+"}
    assert first["form"] == []
    text = tsume("solve", COOKED, "--all-answers").stdout.splitlines()
    assert text[1] == f"  move 1: {first['key']}; other checks {first['other'][0]}"
    (white, _) = answer(tsume, "solve", CORRECT_WHITE, "--all-answers")["answers"]
    assert (white["key"], white["other"]) == (CORRECT_WHITE_LINE[0], [])


def test_check_recognises_a_correct_problem(tsume: Run) -> None:
    found = answer(tsume, "check", CORRECT, "--moves=3")
    assert found["correct"]
    assert not found["unresolved"]
    assert (found["length"], found["line"]) == (3, CORRECT_LINE)
    assert found["defects"] == found["cooks"] == []
    assert tsume("check", CORRECT).stdout.startswith("perfect in 3: ▲２三金 △１一玉 ▲２二金")


def test_check_names_the_defects_and_shows_the_cooks(tsume: Run) -> None:
    found = answer(tsume, "check", COOKED, status=1)
    assert not found["correct"]
    assert "COOK" in found["defects"]
    assert found["cooks"]
    assert all(cook[0] != found["line"][0] for cook in found["cooks"])
    assert "defect COOK" in tsume("check", COOKED).stdout
    assert answer(tsume, "check", CORRECT, "--moves=5", status=1)["defects"] == ["WRONG_LENGTH"]
    assert answer(tsume, "check", NO_MATE, status=1)["defects"] == ["NO_MATE"]


def test_check_grades_each_problem(tsume: Run) -> None:
    for sfen, grade, faults, blemishes, status in (
        (CORRECT, "perfect", [], ["EQUAL_DEFENCES"], 0),
        (LOOSE, "sound", [], ["FORM", "EQUAL_DEFENCES"], 0),
        (COOKED, "unsound", ["COOK"], [], 1),
        (NO_MATE, "unsound", ["NO_MATE"], [], 1),
    ):
        found = answer(tsume, "check", sfen, status=status)
        assert (found["grade"], found["faults"], found["blemishes"]) == (grade, faults, blemishes)
        assert found["given"] is None
        assert tsume("check", sfen).stdout.find(grade) >= 0
    assert tsume("check", SAME_POSITION).exit_code == 0
    assert tsume("check", SAME_POSITION, "--strict").exit_code == 1
    assert "同じ局面" in tsume("check", SAME_POSITION, "--lang", "ja").stdout
    assert "the same position as" in tsume("check", SAME_POSITION, "--all-findings", "--lang", "en").stdout
    assert tsume("check", LOOSE, "--strict").exit_code == 1
    assert tsume("check", CORRECT, "--strict").exit_code == 0
    assert "blemishes (キズ): FORM (非限定)" in tsume("check", LOOSE).stdout
    assert "faults (不完全作): COOK (余詰)" in tsume("check", COOKED).stdout
    assert answer(tsume, "check", CORRECT, "--moves=5", status=1)["faults"] == ["EARLY_MATE"]


def test_a_line_given_with_a_position_is_judged(tsume: Run) -> None:
    for sfen, line in ((CORRECT, CORRECT_LINE), (CORRECT_WHITE, CORRECT_WHITE_LINE)):
        given = answer(tsume, "check", f"{sfen} moves {' '.join(line)}")["given"]
        assert (given["line"], given["reading"], given["better"]) == (line, "narrow", [])
        assert given["wrong_at"] is given["beginning_of"] is given["parts_at"] is None
        wrong = answer(tsume, "check", f"{sfen} moves {' '.join([*line[:2], line[0]])}")
        assert (wrong["grade"], wrong["given"]["wrong_at"]) == ("perfect", 3)
        assert wrong["given"]["better"] == line[2:]
    text = tsume("check", f"{CORRECT} moves {' '.join([*CORRECT_LINE[:2], CORRECT_LINE[0]])}").stdout
    assert "    move 3, 3d2c, cannot be played: better is ▲２二金" in text
    assert "  GIVEN_LINE (作意): ▲２三金 △１一玉 3d2c (3 moves)" in text


LONGER = "8g/6k2/7l1/7G1/9/9/9/9/9 b 2G 1"
PAWN_DROP = "7nk/9/7G1/9/9/9/9/9/9 b P 1"
IN_FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def test_a_shorter_length_that_may_be_meant_is_remarked(tsume: Run) -> None:
    """Where all longest defences leave pieces and no line says what is meant."""
    for options in ([], ["--moves=3"], ["--moves=5"]):
        found = answer(tsume, "check", LONGER, *options, status=1)
        assert found["without_longer"] == ["G*3c", "3b3a", "G*3b"]
    assert answer(tsume, "check", f"{LONGER} moves G*3c 3b3a G*3b")["without_longer"] == []
    for language, text in (
        ("ja", "変長）を除けば3手詰とも見られます: ▲３三金打 △３一玉 ▲３二金打"),
        ("en", "mate in 3 may be meant"),
    ):
        assert text in tsume("check", LONGER, "--lang", language).stdout
    leaves = answer(tsume, "check", "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1", status=1)
    assert (leaves["faults"], leaves["without_longer"]) == (["LEFTOVER"], [])


@pytest.mark.parametrize(
    ("sfen", "line", "japanese", "english"),
    [
        (
            IN_FIVE, "1c1b+ 1a1b 1d1c+",
            ["備考: 5手のうち3手目までの記録です（そこまでは正しい手順です）"],
            ["note: the record stops after 3 of 5 moves"],
        ),
        (
            LONGER, "G*3c 3b3a G*3b",
            ["作意: ▲３三金打 △３一玉 ▲３二金打（3手）", "駒の余る長い変化（変長）を除けば最善の手順です。"
             "プログラムの解（5手）とは2手目で分かれます"],
            ["GIVEN_LINE (作意): G*3c K-3a G*3b (3 moves)", "best except for longer defences that leave "
             "pieces (変長); it leaves the program's line of 5 moves at move 2"],
        ),
        (
            LONGER, "G*3c 3b4a G*3b",
            ["作意: ▲３三金打 △４一玉 ▲３二金打（3手）",
             "2手目 △４一玉 は最善ではありません。正しくは △２一玉"],
            ["GIVEN_LINE (作意): G*3c K-4a G*3b (3 moves)", "move 2, K-4a, is not best: better is K-2a"],
        ),
        (
            CORRECT, "3d2c 1b2a 2c2b",
            ["作意: ▲２三金 △２一玉 ▲２二金（3手）",
             "これも最善の手順です。プログラムの解（3手）とは2手目で分かれます"],
            ["GIVEN_LINE (作意): G-2c K-2a G-2b (3 moves)",
             "a best line too; it leaves the program's line of 3 moves at move 2"],
        ),
        (
            LONGER, "G*3c 3b3c",
            ["作意: ▲３三金打 △同玉（2手）", "2手目 △同玉 は指せません。正しくは △２一玉"],
            ["GIVEN_LINE (作意): G*3c Kx3c (2 moves)", "move 2, Kx3c, cannot be played: better is K-2a"],
        ),
        (
            LONGER, "G*9i",
            ["作意: ▲９九金（1手）", "1手目 ▲９九金 は王手ではありません。正しくは ▲３三金打"],
            ["GIVEN_LINE (作意): G*9i (1 move)", "move 1, G*9i, gives no check: better is G*3c"],
        ),
        (
            CORRECT, "3d2c 1b1a 2c2b 1a1b",
            ["作意: ▲２三金 △１一玉 ▲２二金 △１二玉（4手）", "4手目 △１二玉 は指せません"],
            ["GIVEN_LINE (作意): G-2c K-1a G-2b K-1b (4 moves)", "move 4, K-1b, cannot be played"],
        ),
        (
            PAWN_DROP, "P*1b",
            ["作意: ▲１二歩（1手）", "1手目 ▲１二歩 は指せません"],
            ["GIVEN_LINE (作意): P*1b (1 move)", "move 1, P*1b, cannot be played"],
        ),
        (
            PAWN_DROP, "2c2b 1a2b P*2c",
            ["作意: ▲２二金 △同玉 ▲２三歩（3手）", "受ける手があるので詰みません"],
            ["GIVEN_LINE (作意): G-2b Kx2b P*2c (3 moves)", "the defender can escape"],
        ),
    ],
)  # fmt: skip
def test_a_given_line_is_shown_where_it_differs(
    sfen: str, line: str, japanese: list[str], english: list[str], tsume: Run
) -> None:
    for language, texts in (("ja", japanese), ("en", english)):
        printed = tsume("check", f"{sfen} moves {line}", "--lang", language).stdout.splitlines()
        at = next(number for number, text in enumerate(printed) if text.strip() == texts[0])
        assert [text.strip() for text in printed[at : at + len(texts)]] == texts


def test_without_a_mate_the_given_check_is_refuted_first(tsume: Run) -> None:
    for line in ("2c2b 1a2b", "2c1b 1a1b"):
        found = answer(tsume, "check", f"{PAWN_DROP} moves {line}", status=1)
        (finding,) = found["findings"]
        assert finding["tries"][0]["check"] == line.split()[0]
        assert (found["given"]["reading"], found["given"]["wrong_at"]) == (None, None)


def test_a_line_with_futile_drops_played_out_says_so(tsume: Run) -> None:
    said = tsume("check", "k8/9/1SP6/9/9/9/9/9/9 b R 1", "--all-findings", "--lang=en").stdout
    for line, remark in (
        ("R*5a P*6a Rx6a+ P*7a +Rx7a P*8a S-8b+", " (a futile interposition is played out)"),
        ("R*6a P*7a Rx7a+ P*8a S-8b+", ""),
    ):
        assert f" mates in 5 moves (2 later), cook that leaves pieces: {line}{remark}\n" in said


def test_a_check_cut_short_is_unresolved(tsume: Run) -> None:
    found = answer(tsume, "check", HARD, "--time=0.05", status=1)
    assert found["unresolved"]
    assert not found["correct"]


def test_missing_pieces_are_noted(tsume: Run) -> None:
    notes = answer(tsume, "check", "9/8k/6+S2/6G2/9/9/9/9/9 b - 1")["notes"]
    assert "36 missing pieces given to the defender's hand" in notes


def test_score_gives_a_number_stars_and_features(tsume: Run) -> None:
    found = answer(tsume, "score", CORRECT)
    assert found["length"] == 3
    assert 1 <= found["stars"] <= 5
    assert found["features"]["length"] == 3
    assert found["themes"] == sorted(found["themes"])
    assert 0 < found["quality"] < 100
    assert found["likeness"] in range(101)
    text = tsume("score", CORRECT).stdout
    assert f"mate in 3  quality {found['quality']}  likeness {found['likeness']}" in text
    assert all(english_name(theme) in text for theme in found["themes"])


def test_check_appraises_a_problem_as_score_does(tsume: Run) -> None:
    for sfen, status in ((CORRECT, 0), (CORRECT_WHITE, 0), (COOKED, 1)):
        checked = answer(tsume, "check", sfen, status=status)
        scored = answer(tsume, "score", sfen)
        assert all(checked[name] == scored[name] for name in ("themes", "quality", "likeness"))
    black, white = (answer(tsume, "score", sfen) for sfen in (CORRECT, CORRECT_WHITE))
    assert (black["quality"], black["likeness"]) == (white["quality"], white["likeness"])


def test_a_given_line_is_the_one_appraised_if_it_is_a_best_one(tsume: Run) -> None:
    own = answer(tsume, "score", CORRECT)
    assert answer(tsume, "score", f"{CORRECT} moves {' '.join(CORRECT_LINE)}") == own
    wrong = " ".join([*CORRECT_LINE[:2], CORRECT_LINE[0]])
    assert answer(tsume, "score", f"{CORRECT} moves {wrong}")["quality"] == own["quality"]


def test_without_a_mate_there_is_no_quality(tsume: Run) -> None:
    for command in ("check", "score"):
        found = answer(tsume, command, NO_MATE, status=1)
        assert (found["themes"], found["quality"], found["likeness"]) == ([], None, None)


def test_a_score_that_runs_out_of_time_says_so_in_one_line(tsume: Run) -> None:
    found = answer(tsume, "score", "--time", "0", CORRECT, status=1)
    assert found["score"] is None
    assert found["error"].startswith("unresolved: seconds limit reached")
    done = tsume("score", "--time", "0", CORRECT)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1


def test_mirror_images_are_appraised_by_mirrored_lines() -> None:
    for sfen in (CORRECT, "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"):
        position = parse_sfen(sfen).position
        one, other = (PositionScorer().score(start) for start in (position, position.mirrored))
        assert one == other


def test_what_does_not_mate_has_no_score(tsume: Run) -> None:
    found = answer(tsume, "score", NO_MATE, status=1)
    assert (found["score"], found["error"]) == (None, "no mate")
