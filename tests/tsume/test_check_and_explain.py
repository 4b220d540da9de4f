# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of check and explain, in words and in JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge, Rigour
from solver.results import Defect
from tests import naive
from tests.solver.judging.test_judge import PUBLISHED_IN_3
from tests.solver.judging.test_readings import RESTORING, TO_AND_FRO
from tests.tsume.conftest import Run, answer, replay, rotated
from tests.tsume.formats.trees import random_tree
from tests.tsume.problems import (
    COOKED,
    CORRECT,
    CORRECT_WHITE,
    FAULTY,
    FIVE,
    GREY,
    HARD,
    LOOSE,
    NEEDLESS,
    NO_MATE,
    SAME_POSITION,
)
from tsume.formats.kif import write_ki2
from tsume.language.catalogue import Voice
from tsume.language.terms import TERMS
from tsume.reports.judgement import judgement_fields, judgement_lines
from tsume.uses.explaining import PRINTED, Explainer
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

PROBLEMS = [CORRECT, COOKED, LOOSE, GREY, NEEDLESS, NO_MATE, FIVE]


def checked(tsume: Run, sfen: str, *options: str) -> Any:
    """The JSON of check, whose exit status is 1 for an unsound problem."""
    status = tsume("check", sfen, "--jsonl", *options).exit_code
    found = answer(tsume, "check", sfen, *options, status=status)
    assert status == (found["grade"] not in ("perfect", "sound"))
    return found


@pytest.mark.parametrize("white", [False, True])
@pytest.mark.parametrize("sfen", PROBLEMS)
def test_every_line_of_check_is_legal_as_the_position_was_given(sfen: str, white: bool, tsume: Run) -> None:
    given = rotated(sfen) if white else sfen
    found = checked(tsume, given)
    assert {one["defect"] for one in found["findings"]} - {None} == set(found["defects"])
    for one in found["findings"]:
        assert (one["defect"] is None) != (one["remark"] is None)
        assert one["text"]
        replay(given, *one["line"])
        for tried in one.get("tries", []):
            replay(given, tried["check"], tried["answer"])


def test_the_smaller_problem_is_given_as_the_position_was(tsume: Run) -> None:
    for sfen, square, piece in ((NEEDLESS, "1b", "P"), (rotated(NEEDLESS), "9h", "p")):
        found = checked(tsume, sfen)
        (one,) = [one for one in found["findings"] if one["defect"] == "UNNECESSARY_PIECE"]
        assert (one["piece"], one["square"], one["side"]) == (piece, square, "attacker")
        assert f"attacker's pawn on {square} is not needed" in found["notes"]
        smaller = answer(tsume, "check", one["smaller"])
        assert smaller["correct"]
        assert one["line"] == found["line"]
        replay(one["smaller"], *one["line"])


def test_readings_stand_side_by_side(tsume: Run) -> None:
    readings = checked(tsume, GREY)["readings"]
    assert (readings["agree"], readings["narrow"], readings["purist"], readings["wide"]) == (False, 3, 5, 3)
    assert (readings["turn"], readings["left"]) == (1, 3)
    moves = readings["first_moves"]
    for name in ("narrow", "purist", "wide"):
        assert set(moves[name]["moves"]) == naive.mating_moves(GREY, 3, name)
    agreeing = answer(tsume, "check", CORRECT)["readings"]
    assert agreeing["agree"]
    assert agreeing["narrow"] == agreeing["purist"] == agreeing["wide"] == 3
    assert agreeing["first_moves"] is None
    assert checked(tsume, NO_MATE)["readings"] is None
    readings = answer(tsume, "check", "--all-findings", TO_AND_FRO, status=1)["readings"]
    assert (readings["narrow"], readings["restoring"]) == (11, 5)
    assert readings["restoring_line"] == RESTORING.split()
    assert readings["restoring_drop"] == ["7e6f", "P*5e"]
    text = tsume("check", "--all-findings", TO_AND_FRO).stdout
    assert "(復元型無駄合) 5: " in text


def test_a_length_without_moved_interpositions_that_are_only_captured_is_remarked(tsume: Run) -> None:
    found = answer(tsume, "check", PUBLISHED_IN_3, status=1)
    assert (found["length"], found["without_moved"]) == (5, ["4e4f", "6c6g", "4f1f"])
    assert found["moved_between"] == ["4e4f", "2a2c"]
    english, japanese = (tsume("check", "--lang", lang, PUBLISHED_IN_3).stdout for lang in ("en", "ja"))
    assert "(移動合) 3: R-4f +Rx6g R-1f (move 2, L-2c, is one)" in english
    assert "移動合も無駄合と見れば3手: ▲４六飛 △６七龍 ▲１六飛（2手目 △２三香 などは" in japanese
    counts = answer(tsume, "check", CORRECT)
    assert (counts["without_moved"], counts["moved_between"]) == ([], [])
    for lang in ("en", "ja"):
        assert "移動合" not in tsume("check", "--lang", lang, CORRECT).stdout


def test_check_prints_boards_and_lines(tsume: Run) -> None:
    for sfen in PROBLEMS:
        found, text = checked(tsume, sfen), tsume("check", sfen).stdout
        assert text.count("攻方の持駒") == bool(found["defects"])
        for name in found["defects"]:
            assert f"defect {name} ({TERMS[name]})" in text
    assert len(tsume("check", FIVE).stdout.splitlines()) == 2
    assert "agree" in tsume("check", FIVE).stdout
    text = tsume("check", LOOSE).stdout
    assert "instead of ▲５二飛打 also ▲５三飛 ▲５四飛" in text
    assert "▲２一銀成 instead of ▲４四角 mates in 3 moves" in tsume("check", COOKED).stdout
    assert "narrow 3, purist 5, wide 3" in tsume("check", GREY).stdout
    assert "△７一歩" in tsume("check", GREY).stdout
    assert "attacker's pawn on １二 is not needed" in tsume("check", NEEDLESS).stdout
    assert "▲５二歩 is met by △同玉: no further check" in tsume("check", "--all-findings", NO_MATE).stdout
    assert "expected mate in 5, found mate in 3" in tsume("check", CORRECT, "--moves=5").stdout
    assert "White" in tsume("check", CORRECT_WHITE).stdout
    assert "White" not in tsume("check", CORRECT).stdout
    for sfen in (NO_MATE, LOOSE):
        both = tsume("check", sfen, "--lang", "both")
        texts = [tsume("check", sfen, "--lang", language).stdout for language in ("ja", "en")]
        assert both.stdout == "\n".join(texts)
        assert both.exit_code == tsume("check", sfen).exit_code


def test_faults_of_the_start_and_rules_that_decide_are_named(tsume: Run) -> None:
    for sfen in FAULTY:
        found = answer(tsume, "check", sfen, status=1)
        assert {one["defect"] for one in found["findings"]} == {"ILLEGAL_START"}
        unread = [one["fault"] for one in found["findings"] if one["reason"] is None]
        assert unread == ([found["error"]] if found["error"] else [])
    # The pawn may be dropped after a piece that does not promote, and no other check fails by a rule.
    turns = answer(tsume, "explain", AVOIDED, "--all")["turns"]
    named = [(turn["turn"], t["check"]) for turn in turns for t in turn["tries"] if t["cause"]]
    assert named == [(1, "6b1b+")]
    for one in checked(tsume, "7nl/6+P2/7k1/9/6R2/9/9/9/9 b GS 1", "--all-findings")["findings"]:
        assert all(tried["cause"] is None for tried in one["tries"]), "pieces are left to drop"
    assert answer(tsume, "explain", FORBIDDEN)["turns"][0]["forbidden"] == "P*1b"
    assert answer(tsume, "tree", FORBIDDEN)["turns"][0]["forbidden"] == "P*1b"
    (finding,) = checked(tsume, FORBIDDEN)["findings"]
    assert finding["forbidden"] == "P*1b"
    assert "▲１二歩 は打歩詰の禁じ手です" in tsume("check", FORBIDDEN, "--lang=ja").stdout
    assert "打歩詰: ▲１二歩は禁じ手です" in tsume("explain", FORBIDDEN, "--lang=ja").stdout
    assert "P*1b forbidden: mate by a dropped pawn (打歩詰)" in tsume("tree", FORBIDDEN, "--lang=en").stdout


@pytest.mark.parametrize(
    ("sfen", "reasons", "japanese", "english"),
    [
        ("4k4/4P4/4P4/9/9/9/9/9/9 b G 1", ["TWO_PAWNS"], "攻方の歩が同じ筋に2枚あります（二歩）: ５二、５三",
         "the attacker has 2 pawns on one file (二歩): 5b, 5c"),
        ("4k4/9/9/9/4p4/4p4/9/9/9 b G 1", ["TWO_PAWNS"], "玉方の歩が同じ筋に2枚あります（二歩）: ５五、５六",
         "the defender has 2 pawns on one file (二歩): 5e, 5f"),
        ("9/9/9/9/9/4P4/4P4/9/4K4 w g 1", ["TWO_PAWNS"], "玉方の歩が同じ筋に2枚あります（二歩）: ５三、５四",
         "the defender has 2 pawns on one file (二歩): 5c, 5d"),
        ("P3k4/1N7/9/9/9/9/9/9/8l b G 1", ["DEAD_PIECE"] * 3, "攻方の９一歩は行き所のない駒です",
         "the defender's lance on 1i can never move (行き所のない駒)"),
        ("4k4/4R4/9/9/9/9/9/9/9 b G 1", ["IN_CHECK"], "攻方の手番で玉に王手がかかっています",
         "the defender's king is in check with the attacker to move"),
        ("4k4/4K4/9/9/9/9/9/9/9 b G 1", ["BOTH_IN_CHECK"], "両方の玉に王手がかかっています", "both kings are in check"),
        ("4k4/9/9/9/9/9/9/9/K8 b 5G 1", ["TOO_MANY"], "金が5枚あります（一組には4枚）",
         "there are 5 pieces of the kind gold; a set has 4"),
        ("9/9/9/9/9/9/9/9/9 b G 1", ["KINGS"], "玉方の玉がありません", "the defender has no king"),
        ("8k/9/9/9/9/9/9/9/9 w G 1", ["KINGS"], "手番を変えてください", "let it move (b or w in an SFEN)"),
        ("8K/9/9/9/9/9/9/9/9 b G 1", ["KINGS"], "手番を変えてください", "let it move (b or w in an SFEN)"),
        ("3kk4/9/9/9/9/9/9/9/9 b G 1", ["KINGS"], "玉方の玉が2枚あります（５一、６一）",
         "the defender has 2 kings: 5a, 6a"),
    ],
)  # fmt: skip
def test_an_illegal_start_is_a_verdict(sfen: str, reasons: list[str], japanese: str, english: str, tsume: Run) -> None:
    found = answer(tsume, "check", sfen, status=1)
    assert (found["grade"], found["faults"], found["error"]) == ("unsound", ["ILLEGAL_START"], None)
    assert [one["reason"] for one in found["findings"]] == reasons
    for command, field in ((["explain"], "illegal"), (["tree"], "illegal"), (["mend", "--time=1"], "findings")):
        other = json.loads(tsume(*command, sfen, "--jsonl").stdout)
        assert [one["reason"] for one in other[field]] == reasons
        assert other["error"] is None
    for language, text in (("ja", japanese), ("en", english)):
        for name in ("check", "explain", "tree"):
            done = tsume(name, sfen, "--lang", language)
            assert (done.exit_code, done.stderr) == (1, "")
            assert text in done.stdout


# --- explain --------------------------------------------------------------------------------------


@pytest.mark.parametrize("white", [False, True])
@pytest.mark.parametrize("sfen", PROBLEMS)
def test_every_claim_of_explain_can_be_played(sfen: str, white: bool, tsume: Run) -> None:
    given = rotated(sfen) if white else sfen
    found = answer(tsume, "explain", given)
    assert found["complete"]
    assert found["correct"] == (not found["defects"])
    for turn in found["turns"]:
        for tried in turn["tries"]:
            replay(given, *turn["path"], tried["check"], tried["answer"])
        for one in turn["variations"]:
            board = replay(given, *turn["path"], turn["key"], one["answers"][0], *one["line"])
            assert board.is_check()
            assert len(turn["path"]) + 2 + one["length"] == one["total"]


AVOIDED = "9/3R4p/9/7pk/9/8S/6R2/9/9 b - 1"
FORBIDDEN = "7nk/9/7G1/9/9/9/9/9/9 b P 1"
CHASED = "8k/9/6+R2/9/9/9/9/9/9 b - 1"
COUNTERED = "4r4/4k4/9/9/9/9/9/9/4K4 b G 1"


@pytest.mark.parametrize(
    ("sfen", "check", "cause", "japanese", "english"),
    [
        (AVOIDED, "6b1b+", {"kind": "pawn_drop_mate", "line": ["P*1e"], "squares": []},
         "▲１二飛成には△１三歩で詰みません（▲１五歩は打歩詰）",
         "Rx1b+ fails to P*1c: no mate (P*1e would be mate by a dropped pawn, 打歩詰)."),
        (CHASED, "3c3a", {"kind": "repetition", "line": ["3a3b", "1b1a", "3b3a", "1a1b"], "squares": []},
         "▲３一龍には△１二玉で詰みません（▲３二龍 △１一玉 ▲３一龍 △１二玉と繰り返すのは連続王手の千日手）",
         "(repeating +R-3b K-1a +R-3a K-1b is perpetual check, 連続王手の千日手)."),
        (COUNTERED, "G*4b", {"kind": "counter_check", "line": [], "squares": []}, "（逆王手）", "逆王手)."),
    ],
)  # fmt: skip
def test_a_try_names_the_rule_that_decides(
    sfen: str, check: str, cause: dict[str, Any], japanese: str, english: str, tsume: Run
) -> None:
    (found,) = (t for t in answer(tsume, "explain", sfen, "--all")["turns"][0]["tries"] if t["check"] == check)
    assert found["cause"] == cause
    (failed,) = (c for c in answer(tsume, "tree", sfen)["turns"][0]["checks"] if c["move"] == check)
    assert failed["cause"] == cause
    for language, text in (("ja", japanese), ("en", english)):
        assert text in tsume("explain", sfen, "--all", "--lang", language).stdout
    if not answer(tsume, "explain", sfen)["length"]:
        for options in ((), ("--all-findings",)):
            assert cause["kind"] in str(checked(tsume, sfen, *options)["findings"])


def test_words_for_no_check_one_move_and_futile_drops(tsume: Run) -> None:
    for command, japanese, english in (
        ("explain", "王手がありません", "There is no check."),
        ("tree", "王手がありません", "there is no check"),
    ):
        assert japanese in tsume(command, "4k4/9/9/9/4r4/9/9/9/4K4 b RGP 1", "--lang=ja").stdout
        assert english in tsume(command, "4k4/9/9/9/4r4/9/9/9/4K4 b RGP 1", "--lang=en").stdout
    said = tsume("explain", "3lkl3/3p1p3/4P4/9/9/9/9/9/4R4 b GS 1", "--lang=en").stdout
    assert "Also mate by P-5b=, in 1 move." in said
    assert "1 moves" not in said
    sfen = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
    assert "無駄合" in tsume("explain", "--lang=ja", sfen).stdout
    assert "Futile" in tsume("explain", sfen, "--lang=en").stdout
    (turn,) = answer(tsume, "explain", sfen)["turns"]
    assert all(drop[1] == "*" for one in turn["futile"] for drop in one["drops"])


@pytest.mark.parametrize(
    ("sfen", "causes", "japanese"),
    [
        ("9/9/6B1r/6+Rpk/6s2/7P1/9/9/9 b Sb4g2s4n4l16p 1", [("pin", ["2d"])],
         "詰上り: 玉方の２四歩はピンされていて動けません"),
        ("9/9/5B2p/6+R2/8k/7r1/7+p1/9/9 b Sb4g3s4n4l16p 1", [("double_check", [])],
         "詰上り: 両王手なので、取る手も合駒も利きません"),
        (CORRECT, [], "これで詰みです"),
    ],
)  # fmt: skip
def test_what_decides_the_mate_is_named(
    sfen: str, causes: list[tuple[str, list[str]]], japanese: str, tsume: Run
) -> None:
    turns = answer(tsume, "explain", sfen)["turns"]
    assert [(one["kind"], one["squares"]) for one in turns[-1]["causes"]] == causes
    assert japanese in tsume("explain", sfen, "--lang=ja").stdout


def test_explained_positions_are_told_apart(tsume: Run, tmp_path: Path) -> None:
    alone = [tsume("explain", "--lang=ja", sfen).stdout for sfen in (CORRECT, FIVE)]
    assert not any(sfen in text for sfen, text in zip((CORRECT, FIVE), alone, strict=True))
    together = tsume("explain", "--lang=ja", CORRECT, FIVE).stdout
    assert together == f"argument 1: {CORRECT}\n{alone[0]}\nargument 2: {FIVE}\n{alone[1]}\n"
    file = tmp_path / "one.sfen"
    file.write_text(f"{CORRECT}\n", encoding="utf-8")
    assert tsume("explain", "--lang=ja", "-f", file).stdout == f"{file}, line 1: {CORRECT}\n{alone[0]}\n"


def test_explain_in_both_languages_with_only_answers_and_all_tries(tsume: Run) -> None:
    japanese, english = (tsume("explain", FIVE, "--lang", lang).stdout for lang in ("ja", "en"))
    assert tsume("explain", "--lang=ja", FIVE).stdout == japanese
    assert tsume("explain", FIVE, "--lang", "both").stdout == f"{japanese}\n{english}"
    assert "紛れ: ▲１六飛には△同玉で王手が続きません" in tsume("explain", "--lang=ja", FIVE, "--all").stdout
    assert "紛れ: ▲２四飛には△１五玉で詰みません" in japanese
    assert "Try: R-2d fails to K-1e: no mate." in english
    every = tsume("explain", FIVE, "--all", "--lang=en").stdout
    assert "Try: R-1f fails to Kx1f: no further check." in every
    assert "変化: △２一玉には▲２二金まで3手詰（変同）" in tsume("explain", "--lang=ja", CORRECT).stdout
    text = answer(tsume, "explain", FIVE, "--lang", "both")["text"]
    assert "\n".join(text["ja"]) + "\n" == japanese
    assert "\n".join(text["en"]) + "\n" == english
    plain = tsume("explain", FIVE, "--lang=both", "--all").stdout
    assert "の一手" not in plain
    assert "the only answer" not in plain
    asked = tsume("explain", FIVE, "--lang=both", "--only-answers").stdout
    assert "紛れ: ▲２四飛には△１五玉の一手で詰みません" in asked
    assert "Try: R-2d fails to K-1e (the only answer): no mate." in asked
    assert "Try: R-1f fails to Kx2c: no mate." in asked  # another answer refutes it too
    for option, kinds in ((), {None}), (("--only-answers",), {True, False}):
        turns = answer(tsume, "explain", FIVE, *option)["turns"]
        assert {one["only"] for turn in turns for one in turn["tries"]} == kinds
    few, every = (tsume("explain", "--lang=ja", FIVE, *option).stdout for option in ((), ("--all",)))
    assert ("--all" in few, "--all" in every) == (True, False)
    turns = answer(tsume, "explain", FIVE)["turns"]
    assert every.count("紛れ") == sum(len(turn["tries"]) for turn in turns) > few.count("紛れ")
    assert turns[-1]["tries"]
    assert ["紛れ" in text.rsplit("【", 1)[1] for text in (few, every)] == [False, True], "at the last move"
    assert len(answer(tsume, "explain", "8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s3n3l17p 1")["turns"]) == 1


def test_a_best_line_of_the_composer_is_explained() -> None:
    parsed = parse_sfen(CORRECT)
    explainer = Explainer(PRINTED)
    usual = explainer.explain(parsed).explanation
    line = tuple(map(parse_move, ("3d2c", "1b2a", "2c2b")))
    explained = explainer.explain(parsed, line)
    judgement, explanation = explained.judgement, explained.explanation
    assert usual.line != line == explanation.line
    assert explanation.turns[-1].path == line[:2]
    (variation,) = explanation.turns[0].variations
    assert variation.answers == usual.line[1:2]
    assert judgement.correct
    other = explainer.explain(parsed, line[:1]).explanation  # it does not mate
    assert other.line == usual.line


def test_a_longer_mate_is_not_named_where_the_judge_stopped(tsume: Run) -> None:
    sfen = "8k/9/6+R1G/9/9/9/9/9/9 b r2b3g4s4n4l18p 1"
    text = tsume("explain", sfen, "--lang=both").stdout
    assert "判定が決まったところで検討を打ち切りました。ほかにも欠陥があるかもしれません。" in text
    assert "Examination stopped there; there may be other defects." in text
    assert "  ▲３一龍でも3手で詰みます" in text
    assert "  Also mate by +R-3a, in 3 moves." in text
    assert (
        "打ち切りました"
        not in tsume("explain", "--lang=ja", NO_MATE).stdout + tsume("explain", "--lang=ja", LOOSE).stdout
    )


def test_defects_and_blemishes_come_before_the_explanation(tsume: Run) -> None:
    found = answer(tsume, "explain", LOOSE, "--lang=both")
    assert (found["grade"], found["blemishes"]) == ("sound", ["FORM", "EQUAL_DEFENCES"])
    assert "キズ: 非限定、変同" in found["text"]["ja"]
    assert "Blemishes: form 非限定, equal defences 変同." in found["text"]["en"]
    assert "キズ" not in tsume("explain", "--lang=ja", COOKED).stdout
    assert "完全作ではありません（余詰）" in tsume("explain", "--lang=ja", COOKED).stdout
    assert "余詰: ▲２一銀成" in tsume("explain", "--lang=ja", COOKED).stdout
    loose = tsume("explain", "--lang=both", LOOSE).stdout
    assert "キズのある作品です。" in loose
    assert "Sound, but with blemishes." in loose
    assert "完全作ではありません" not in loose
    assert "余詰: " not in loose
    assert "Cook" not in loose
    assert tsume("explain", "--lang=ja", NO_MATE).stdout.startswith("不詰です。")
    assert "There is no mate." in tsume("explain", NO_MATE, "--lang=en").stdout


@pytest.mark.parametrize(
    ("arguments", "said", "not_said"),
    [
        (["8k/R7b/g4+pN2/1R5+p1/9/4+b3L/9/9/9 b 3g4s3n3l16p 1"], "非限定", "最終手余詰"),  # one move
        (["3+R3nk/9/5p1G1/9/9/9/8p/9/8L b 16p3l3n4s3g2br 1"], "駒余り", "同手数駒余り"),
        (["1k7/3G5/sn2G4/RpPp1B3/9/9/9/9/9 b Br2g3s3n4l15p 1"], "  合流: ", "余詰: "),
        (
            ["8g/6k2/7l1/7G1/9/9/9/9/9 b 2G2r2b4s4n3l18p 1 moves G*3c 3b3a G*3b"],
            "  変長: 駒の余る2手長い変化があります",
            "  駒余り: ",
        ),
        (["8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"], "▲１二金には△同玉の一手で王手が続きません", "には "),
    ],
)
def test_a_verdict_names_each_thing_once(tsume: Run, arguments: list[str], said: str, not_said: str) -> None:
    text = tsume("check", *arguments, "--lang=ja").stdout
    assert said in text
    assert not_said not in text


@pytest.mark.parametrize(
    ("sfen", "japanese", "english"),
    [
        ("8k/9/6+R1G/9/9/9/9/9/9 b r2b3g4s4n4l18p 1", "余詰: ▲２二龍でも1手で", "Cook: also mate by +R-2b, in 1 move."),
        ("8k/R7b/g4+pN2/1R5+p1/9/4+b3L/9/9/9 b 3g4s3n3l16p 1", "非限定: ▲８一飛不成でも1手で",
         "Undetermined form: also mate by R-8a=, in 1 move."),
        ("8k/6R2/5b3/8G/9/8+R/9/9/9 b b3g4s4n4l18p 1", "余詰: ▲３一飛成でも5手で",
         "Cook: also mate by R-3a+, in 5 moves."),
        (SAME_POSITION, "同一局面: ", "Same position: "),
    ],
)  # fmt: skip
def test_another_mate_is_named_as_in_the_verdict(tsume: Run, sfen: str, japanese: str, english: str) -> None:
    text = tsume("explain", sfen, "--lang=both").stdout
    assert japanese in text
    assert english in text


def test_positions_that_cannot_or_can_hardly_be_explained(tsume: Run, tmp_path: Path) -> None:
    assert tsume("explain", "--lang=ja", HARD, "--time=0.05").exit_code == 1
    done = tsume("explain", "--lang=ja", "nonsense", CORRECT, status=1)
    assert done.stderr.startswith("argument 1: ")
    assert "▲２三金" in done.stdout
    found = answer(tsume, "explain", HARD, "--time=0.05", status=1)
    assert not found["complete"]
    assert tsume("explain").exit_code == 2
    (tmp_path / "a.kif").write_text(write_ki2(random_tree(104)))
    done = tsume("explain", "--lang=ja", "--time", 5, "--memory", 40, "-f", tmp_path / "a.kif")
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "11手詰" in done.stdout


def test_a_certificate_is_written_and_verified(tsume: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    done = tsume("check", CORRECT, "nonsense", "--certificate", path)
    assert done.exit_code == 1, "one position cannot be read"
    said = tsume("verify", path, status=0)
    assert said.stdout.count("\n") == 1
    assert "no second solution at any length" in said.stdout
    proved = json.loads(tsume("verify", "--jsonl", path).stdout)
    assert (proved["sfen"], proved["unique"]) == (CORRECT, "*")
    tsume("check", CORRECT, "--certificate", path)
    path.write_bytes(path.read_bytes()[:-20])
    for name in (path, tmp_path / "missing", tmp_path):
        done = tsume("verify", name)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1
    path = tmp_path / "none.cert"
    done = tsume("check", "nonsense", "--certificate", path, status=1)
    assert not path.exists()
    assert tsume("check", CORRECT, "-j2", "--certificate", path).exit_code == 2


def test_what_is_not_settled_is_named() -> None:
    parsed = parse_sfen(FIVE)
    judgement = Judge(DfPnEngine(), Rigour(reduced_nodes=0)).judge(parsed.position)
    assert judgement.not_settled == Defect.UNNECESSARY_PIECE
    fields = judgement_fields(judgement, parsed)
    assert (fields["unresolved"], fields["correct"], fields["grade"]) == (False, False, "sound")
    assert fields["not_settled"] == judgement.not_settled.names
    for words in ("en", "ja"):
        told = "\n".join(judgement_lines(judgement, parsed, Voice.of(words)))
        assert all(TERMS[name] in told for name in fields["not_settled"])
    whole = Judge(DfPnEngine()).judge(parsed.position)
    assert judgement_fields(whole, parsed)["not_settled"] == []


GIVEN_AWAY = "8k/9/9/9/9/9/9/9/9 b R2b4g4s4n4l18pr 1"


@pytest.mark.parametrize("given", [GIVEN_AWAY, rotated(GIVEN_AWAY)])
def test_no_mate_is_shown_by_a_refutation(given: str, tsume: Run) -> None:
    found = answer(tsume, "check", given, status=1)
    (proof,) = (one for one in found["findings"] if one["defect"] == "NO_MATE")
    best, by_rule = proof["tries"]
    assert (best["cause"], by_rule["cause"]["kind"]) == (None, "repetition")
    for shown in (best, by_rule):
        replay(given, shown["check"], shown["answer"])
        assert shown["proof"] in ("any_length", "no_check")
    text = tsume("check", "--lang", "ja", given).stdout
    assert "には" in text
    assert f"ほかの{proof['checks'] - 2}通りの王手でも詰みません" in text
