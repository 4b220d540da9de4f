# SPDX-License-Identifier: GPL-3.0-or-later
"""Grades: what spoils a problem, what only marks it down, and what a given line is worth."""

from functools import cache

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import Proof
from solver.judging.findings import AllChecksFail, CookClass, SecondSolution
from solver.judging.grade import alternative_best_lines
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade, Judgement, Limits
from solver.solving.tree import TreeBuilder
from tests.sampling import attacks, crowded
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

PERFECT = "9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1"
EQUAL = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"
DISTANCE = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"
PROMOTION = "5g2l/6k2/5s1Pp/3b5/8B/9/9/9/9 b R2Sr3gs4n3l16p 1"
"""At move 7 either form of 3c, as the king leaves."""
SAME_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
"""At move 1 either form of 3a, as the piece is captured."""
MIRRORED = "4k4/9/9/2N3N2/9/9/9/9/9 b GS"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
WIDE = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
LEFT_OVER = "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"
IN_CHECK = "4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1"
DETOUR = "7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1"
LONGER = "8g/6k2/7l1/7G1/9/9/9/9/9 b 2G 1"
LIMITS = Limits(nodes=2_000_000)


@cache
def judged(sfen: str, line: str = "", expected: int | None = None) -> Judgement:
    moves = tuple(parse_move(usi) for usi in line.split())
    judge = Judge(DfPnEngine(table_bits=16))
    return judge.judge(parse_sfen(sfen).position, expected, LIMITS, line=moves)


def line_of(judgement: Judgement) -> str:
    return " ".join(move.usi for move in judgement.line)


def test_equal_defences_leave_a_problem_perfect_and_are_named() -> None:
    assert judged(EQUAL).blemishes == Defect.EQUAL_DEFENCES
    assert judged(PERFECT).blemishes == Defect.NONE
    assert Defect.DETOUR in judged(DETOUR).blemishes
    assert Defect.COOK not in judged(DETOUR).faults


@pytest.mark.parametrize(("sfen", "blemish"), [
    (DISTANCE, Defect.UNDETERMINED_FORM),
    (PROMOTION, Defect.UNDETERMINED_FORM),
    (MIRRORED, Defect.MIRROR_KEY),
    (NEEDLESS, Defect.UNNECESSARY_PIECE),
    (PURIST, Defect.GREY_INTERPOSITION),
])  # fmt: skip
def test_a_blemish_leaves_a_problem_sound(sfen: str, blemish: Defect) -> None:
    found = judged(sfen)
    assert (found.grade, found.faults) == (Grade.SOUND, Defect.NONE)
    assert blemish in found.blemishes
    assert Defect.COOK not in found.defects


@pytest.mark.parametrize(("sfen", "expected", "fault"), [
    (COOKED, None, Defect.COOK),
    (COOKED_LATER, None, Defect.COOK),
    (LEFT_OVER, None, Defect.LEFTOVER),
    (NO_MATE, None, Defect.NO_MATE),
    (IN_CHECK, None, Defect.ILLEGAL_START),
    (PERFECT, 5, Defect.EARLY_MATE),
    (FIVE, 3, Defect.WRONG_LENGTH),
])  # fmt: skip
def test_a_fault_makes_a_problem_unsound(sfen: str, expected: int | None, fault: Defect) -> None:
    found = judged(sfen, "", expected)
    assert (found.grade, found.faults) == (Grade.UNSOUND, fault)


def test_the_length_of_another_reading_is_no_fault() -> None:
    assert judged(PURIST, "", 5).grade is Grade.SOUND
    assert judged(PURIST, "", 7).faults == Defect.EARLY_MATE
    assert Defect.EARLY_MATE not in judged(WIDE, "", 1).faults
    assert Defect.WRONG_LENGTH not in judged(WIDE, "", 1).faults


def test_the_form_of_a_move_and_its_mirror_image_are_no_second_solution() -> None:
    found = judged(MIRRORED)
    assert found.defects is Defect.MIRROR_KEY
    keys = {line_of(found).split()[0], *(cook[0].usi for cook in found.cooks)}
    assert keys == {"S*4b", "S*6b"}
    found = judged(PROMOTION)  # the promotion is the main line
    assert found.defects == Defect.UNDETERMINED_FORM
    assert line_of(found).split()[6] == "1e3c+"


def test_a_promotion_of_a_piece_that_is_captured_at_once_is_a_remark() -> None:
    found = judged(SAME_POSITION)
    assert (found.grade, found.defects, found.blemishes, found.correct) == (
        Grade.PERFECT, Defect.NONE, Defect.NONE, True,
    )  # fmt: skip
    assert found.remarks == Defect.SAME_POSITION
    assert not found.strictly_perfect
    assert judged(PERFECT).strictly_perfect
    (shown,) = (one for one in found.findings if isinstance(one, SecondSolution))
    assert (shown.kind, shown.joins, shown.late) == (CookClass.SAME_POSITION, 2, 0)
    assert [move.usi for move in shown.line] == ["4b3a", *line_of(found).split()[1:]]
    assert line_of(found).split()[0] == "4b3a+"


# --- a line given with the problem ----------------------------------------------------------
def test_any_longest_defence_may_be_the_given_line() -> None:
    found = judged(EQUAL, "3b2c+ 1b1a 2c2b")
    assert found.given is not None
    assert (found.given.reading, found.given.wrong_at, found.grade) == ("narrow", None, Grade.PERFECT)


def test_lines_by_the_wider_readings_are_known() -> None:
    found = judged(PURIST, "8d8a+ P*6a 8a6a 5a6a 7c6b")
    assert found.given is not None
    assert found.given.reading == "purist"
    assert found.grade is Grade.SOUND
    readings = judged(WIDE).readings
    assert readings is not None
    assert readings.parting is not None
    found = judged(WIDE, readings.parting.wide.moves[0].usi)
    assert found.given is not None
    assert found.given.reading == "wide"
    assert Defect.EARLY_MATE not in found.faults


def test_a_line_that_is_not_best_says_where_and_what_is_better() -> None:
    assert judged(PERFECT, "").given is None
    for line in ("2f2d 1d1e 2d2e", "5e5d"):  # the second is illegal
        found = judged(PERFECT, line)
        assert found.given is not None
        assert (found.given.reading, found.line) == (None, judged(PERFECT).line)
        assert found.given.wrong_at is not None
        at = found.given.wrong_at
        assert line != "5e5d" or found.given.moves[:at] + found.given.better == found.line


@pytest.mark.parametrize(("sfen", "line", "length", "whole"), [
    (PERFECT, "3c2d+", 3, True),  # after a check
    (PERFECT, "2f2d 1d1e", None, False),  # with another check than the key
    (FIVE, "1c1b+ 1a1b", 5, True),
    (FIVE, "1c1b+ 1a1b 1d2c", None, False),
    (LONGER, "G*3c 3b3a", None, False),  # the defence is not the longest
    (EQUAL, "3b2c+ 1b1a", 3, True),  # equal defences, of which the program plays one
    (EQUAL, "3b2c+ 1b2a", 3, True),
    (PURIST, "8d8a+ P*6a", 5, False),  # by the purist reading alone
    (LONGER, "G*3c 3b2a G*3b", 5, True),  # no mate, though the longer line leaves a piece
])  # fmt: skip
def test_a_given_line_that_breaks_off_is_no_wrong_line(sfen: str, line: str, length: int | None, whole: bool) -> None:
    alone, found = judged(sfen), judged(sfen, line)
    assert found.given is not None
    assert (found.given.reading, found.given.beginning_of) == (None, length)
    assert (found.given.wrong_at is None) == (length is not None)
    if length is None:
        return
    assert (found.grade, found.faults) == (alone.grade, alone.faults)
    assert len(found.given.best_line) == (length if whole else 0)
    contradicted = judged(sfen, line, expected=length + 4)
    assert Defect.EARLY_MATE in contradicted.faults


def test_wrong_moves_of_the_given_line_are_named() -> None:
    found = judged(LONGER, "G*3c 3b4a G*3b")
    assert found.given is not None
    assert (found.given.reading, found.given.wrong_at, found.given.beginning_of) == (None, 1, None)
    assert Defect.WRONG_LENGTH in found.faults
    line = line_of(judged(FIVE)).split()
    found = judged(FIVE, " ".join([*line[:2], "5i5h", *line[3:]]))
    assert found.given is not None
    assert (found.given.reading, found.given.wrong_at) == (None, 2)
    assert " ".join(move.usi for move in found.given.better) == " ".join(line[2:])
    assert found.grade is Grade.PERFECT
    # A repetition of a thousand checks with a mate at its end.
    sfen = "7k1/9/7S1/9/9/9/9/9/9 b G2r2b3g3s4n4l18p 1"
    found = judged(sfen, "2c3b 2a1b 3b2c 1b2a " * 500 + "G*2b")
    assert found.given is not None
    assert found.given.reading is None


# --- limits ---------------------------------------------------------------------------------


def test_a_cook_that_only_the_judge_s_further_rounds_find_is_a_fault() -> None:
    """The grade's own search stops early; what the nine rules' search finds on the line counts too."""
    sfen = "8k/8B/8r/8G/9/9/9/9/9 b RNb3g4s3n4l18p 1"
    found = Judge(DfPnEngine(), Rigour(evidence=False)).judge(parse_sfen(sfen).position)
    (cook,) = found.cooks
    assert cook[:2] == found.line[:2]
    assert cook[2] != found.line[2]
    assert (found.grade, found.faults) == (Grade.UNSOUND, Defect.COOK)


def test_a_cook_behind_an_equal_defence_only_is_a_blemish() -> None:
    sfen = "8S/6R1S/7Lk/9/6S2/8N/9/9/9 b r2b4gs3n3l18p 1"
    found = judged(sfen)
    assert found.defects is Defect.COOK
    assert all(cook[:2] != found.line[:2] for cook in found.cooks)
    assert (found.grade, found.faults) == (Grade.SOUND, Defect.NONE)
    assert Defect.COOK_IN_EQUAL_DEFENCE in found.blemishes
    behind = judged(sfen, " ".join(move.usi for move in found.cooks[0]))
    assert behind.given is not None
    assert (behind.given.reading, behind.grade) == ("narrow", Grade.UNSOUND)


def test_a_line_whose_longer_defences_all_leave_pieces_is_accepted() -> None:
    """変長: two plies longer by every defence that lasts longest, each leaving a piece."""
    found = judged("7sp/6+B+pk/6S2/8S/9/9/9/9/9 b Rrb4gs4n4l16p 1", "1d1c 1b1c R*1d")
    assert found.length == 5
    assert found.given is not None
    assert found.given.reading == "longer"
    assert Defect.LONGER_WITH_LEFTOVER in found.blemishes
    assert Defect.EARLY_MATE not in found.faults


def test_lines_beside_another_leave_it_before_a_second_solution() -> None:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(EQUAL).position
    root = TreeBuilder(engine).turn(pack(position), 3)
    line = root.line()
    beside = list(alternative_best_lines(root, line, line[:2]))
    assert beside
    for other in beside:
        assert (other[0], len(other)) == (line[0], len(line))
        assert other[1] != line[1]
    assert list(alternative_best_lines(root, line, ())) == []


# --- A judge that stops when the grade is settled, against one that examines everything ------------

QUICK_LIMITS = Limits(nodes=300_000)
ENGINE = DfPnEngine(table_bits=16)
QUICK, THOROUGH = Judge(ENGINE, Rigour(all_findings=False)), Judge(ENGINE, Rigour())


def judged_by(judge: Judge, start: Position | str, expected: int | None = None) -> Judgement:
    ENGINE.forget()
    position = parse_sfen(start).position if isinstance(start, str) else start
    return judge.judge(position, expected, QUICK_LIMITS)


def both(sfen: str) -> tuple[Judgement, Judgement]:
    return judged_by(QUICK, sfen), judged_by(THOROUGH, sfen)


def test_the_grade_is_the_same() -> None:
    grades = []
    for position in [*attacks(40, seed="graded"), *crowded(15, seed="graded")]:
        quick, thorough = judged_by(QUICK, position), judged_by(THOROUGH, position)
        if thorough.grade is None or quick.grade is None:
            continue  # a limit was reached
        grades.append(quick.grade)
        assert quick.grade is thorough.grade
        assert quick.faults in thorough.faults
        needless = Defect.UNNECESSARY_PIECE in quick.defects
        assert quick.complete == (quick.grade is not Grade.UNSOUND and not needless)
        assert quick.line == thorough.line
        if quick.complete:
            assert quick.blemishes == thorough.blemishes
            assert quick.defects == thorough.defects
            assert quick.remarks | Defect.VARIATION_COOK == thorough.remarks | Defect.VARIATION_COOK
    assert Grade.UNSOUND in grades


def test_of_needless_pieces_one_is_named() -> None:
    quick, thorough = both(NEEDLESS)
    assert quick.grade is thorough.grade is Grade.SOUND
    assert quick.findings == thorough.findings[:1]
    assert Defect.UNNECESSARY_PIECE in quick.blemishes
    assert not quick.complete


def test_a_problem_without_a_fault_is_examined_to_the_end() -> None:
    for sfen in (PERFECT, EQUAL):
        quick, thorough = both(sfen)
        assert quick.complete
        assert (quick.grade, quick.blemishes) == (thorough.grade, thorough.blemishes)


def test_a_fault_comes_with_its_line_and_needs_no_other_fault() -> None:
    found = judged_by(QUICK, COOKED_LATER)
    assert found.faults == Defect.COOK
    assert not found.complete
    assert not found.correct
    assert any(finding.of is Defect.COOK and finding.line for finding in found.findings)
    assert judged_by(QUICK, LEFT_OVER).faults == Defect.LEFTOVER
    assert judged_by(QUICK, COOKED_LATER, 5).faults == Defect.EARLY_MATE
    assert Defect.COOK in judged_by(THOROUGH, COOKED_LATER, 5).faults


def test_without_a_mate_the_best_try_is_refuted() -> None:
    for sfen in (NO_MATE, "8k/9/9/9/9/9/9/9/9 b RG 1"):
        (quick,), (thorough,) = (judgement.findings for judgement in both(sfen))
        assert isinstance(quick, AllChecksFail)
        assert isinstance(thorough, AllChecksFail)
        assert quick.checks == thorough.checks
        (best,) = quick.tries
        assert best.check in [one.check for one in thorough.tries]
        if sfen == NO_MATE:
            assert len(thorough.tries) == 1
        else:
            assert best.proof is not Proof.BOUNDED
            assert len(thorough.tries) > 1
