# SPDX-License-Identifier: GPL-3.0-or-later
"""Every defect and every remark: a problem that has it, and one that does not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging import cooks, evidence
from solver.judging.case import Case
from solver.judging.cooks import CookKind
from solver.judging.findings import StartFault
from solver.judging.judge import Judge, Rigour
from solver.limits import LimitReached
from solver.results import WITHOUT_FAULT, Defect, Grade, Judgement, Limits, Reason
from solver.solving import deepening
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

CORRECT = [
    ("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s3n3l17p 1", 1),
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]
UNDETERMINED = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
MIRRORED = "4k4/9/9/2N3N2/9/9/9/9/9 b GS2r2b3g3s2n4l18p 1"
GREY = "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1"
LEAVES_A_PIECE = "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1"
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
LIMITS = Limits(nodes=300_000)


@cache
def judged(sfen: str, expected: int | None = None) -> Judgement:
    return Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position, expected, LIMITS)


def test_long_works_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every problem here as if it were one."""
    problems = [
        *(sfen for sfen, _ in CORRECT),
        COOKED,
        COOKED_LATER,
        MIRRORED,
        GREY,
        LEAVES_A_PIECE,
        NEEDLESS,
    ]
    before = [judged(sfen) for sfen in problems]
    monkeypatch.setattr(deepening, "LAST_RAISED", 0)
    for sfen, known in zip(problems, before, strict=True):
        found = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position, None, LIMITS)
        assert (found.defects, found.length, found.line) == (known.defects, known.length, known.line)
        assert (found.grade, found.unresolved) == (known.grade, known.unresolved)


@pytest.mark.parametrize(("sfen", "length"), CORRECT)
def test_correct_problems_have_no_defect(sfen: str, length: int) -> None:
    found = judged(sfen, length)
    assert found.defects is Defect.NONE
    assert found.correct
    assert (found.length, len(found.line), found.cooks, found.faults) == (length, length, (), Defect.NONE)
    assert found.searched is None or found.searched >= length + 8


@pytest.mark.parametrize(
    ("flag", "sfen", "expected"),
    [
        (Defect.ILLEGAL_START, "4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1", None),
        (Defect.NO_MATE, "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", None),
        (Defect.WRONG_LENGTH, CORRECT[1][0], 5),
        (Defect.COOK, COOKED, 3),
        (Defect.COOK, COOKED_LATER, 1),
        (Defect.UNDETERMINED_FORM, "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", 3),
        (Defect.MIRROR_KEY, MIRRORED, 5),
        (Defect.LEFTOVER, LEAVES_A_PIECE, None),
        (Defect.UNDETERMINED_FORM, UNDETERMINED, 3),
        (Defect.UNDETERMINED_FORM, "9/8k/7R1/7R1/9/9/9/9/9 b 2b4g4s4n4l18p 1", 1),
        (Defect.UNNECESSARY_PIECE, NEEDLESS, 3),
        (Defect.UNNECESSARY_PIECE, "5B1b1/8k/8g/8G/8G/9/9/9/9 b 2rg4s4n4l18p 1", 3),
        (Defect.GREY_INTERPOSITION, GREY, 3),
        (Defect.GREY_INTERPOSITION, "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3),
    ],
)
def test_each_defect_is_found(flag: Defect, sfen: str, expected: int | None) -> None:
    found = judged(sfen, expected)
    assert flag in found.defects
    assert flag.name in found.defects.names
    assert not found.correct


def test_an_illegal_start_says_why_and_is_not_searched() -> None:
    found = judged("4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1")
    assert found.defects is Defect.ILLEGAL_START
    assert found.faults is Defect.ILLEGAL_START
    (shown,) = (one for one in found.findings if isinstance(one, StartFault))
    assert shown.fault == "the defender's king is in check with the attacker to move"
    assert found.length is None


def test_a_cook_is_shown_with_its_line() -> None:
    found = judged(COOKED, 3)
    assert found.defects is Defect.COOK
    assert [[move.usi for move in cook] for cook in found.cooks] == [["3b2a+", "1a1b", "2d2b+"]]


def test_a_longer_second_way_is_a_cook_too() -> None:
    longer = judged(COOKED_LATER, 1)
    assert Defect.COOK in longer.defects
    assert {len(cook) for cook in longer.cooks} == {3}


def test_a_cook_by_another_move_is_not_undetermined_form() -> None:
    assert judged(COOKED, 3).defects is Defect.COOK
    assert Defect.COOK not in judged(UNDETERMINED, 3).defects


@pytest.mark.parametrize(
    ("remark", "with_it", "without"),
    [
        (Defect.LEFTOVER_IN_VARIATION, "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1", CORRECT[2][0]),
        (Defect.EQUAL_DEFENCES, CORRECT[2][0], CORRECT[1][0]),
        (Defect.LAST_MOVE_ALTERNATIVES, CORRECT[3][0], CORRECT[2][0]),
    ],
)
def test_remarks_refuse_nothing(remark: Defect, with_it: str, without: str) -> None:
    assert remark in judged(with_it).remarks
    assert judged(with_it).defects is Defect.NONE
    assert remark not in judged(without).remarks


STARTS_IN_CHECK = "9/9/9/9/9/9/7Lk/5+RR1g/8K b 2b3g4s4n3l18p 1"


def test_a_start_in_check_is_a_blemish() -> None:
    found = judged(STARTS_IN_CHECK)
    assert found.grade is Grade.PERFECT
    assert Defect.STARTS_IN_CHECK in found.blemishes
    assert [one for one in found.findings if one.of is Defect.STARTS_IN_CHECK]
    without_king = judged(STARTS_IN_CHECK.replace("8K", "9"))
    assert Defect.STARTS_IN_CHECK not in without_king.blemishes


@pytest.mark.parametrize("nodes", [0, 1, 20, 200])
def test_out_of_nodes_is_unresolved_and_never_correct(nodes: int) -> None:
    position = parse_sfen("6R2/8k/8r/8G/9/9/9/9/9 b N2b3g4s3n4l18p 1").position
    found = Judge(DfPnEngine(table_bits=16)).judge(position, 5, Limits(nodes=nodes))
    assert found.unresolved
    assert not found.correct
    assert Defect.NO_MATE not in found.defects


def test_one_defect_is_enough_when_asked_so() -> None:
    judge = Judge(DfPnEngine(table_bits=16), Rigour(first_defect=True))
    found = judge.judge(parse_sfen(GREY).position, 5, LIMITS)
    assert found.defects is Defect.WRONG_LENGTH
    assert judge.judge(parse_sfen(CORRECT[1][0]).position, 3, LIMITS).correct


@pytest.mark.parametrize("sfen", [CORRECT[2][0], COOKED, UNDETERMINED, NEEDLESS, GREY])
def test_mirror_images_are_judged_alike(sfen: str) -> None:
    found = judged(sfen)
    image = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position.mirrored, None, LIMITS)
    assert (image.defects, image.length, image.unresolved) == (found.defects, found.length, found.unresolved)


def test_a_used_judge_judges_as_a_new_one() -> None:
    used = Judge(DfPnEngine(table_bits=16))
    sfens = [sfen for sfen, _ in CORRECT] + [COOKED, UNDETERMINED, NEEDLESS, GREY]
    for sfen in sfens + sfens[::-1]:
        found = used.judge(parse_sfen(sfen).position, None, LIMITS)
        assert (found.defects, found.length, found.correct) == (
            judged(sfen).defects,
            judged(sfen).length,
            judged(sfen).correct,
        )


def test_a_cook_found_with_the_last_nodes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes for longer cooks run out while it is looked at: it must not be lost."""
    looked = []

    def cook_kind(*arguments: Any) -> CookKind:
        looked.append(arguments)
        if len(looked) == 1:
            raise LimitReached(Reason.NODES)
        return cooks.cook_kind(*arguments)

    monkeypatch.setattr(evidence, "cook_kind", cook_kind)
    rigour = Rigour(margins=(0, 2), required=1, unbounded_nodes=0, grades=False)
    found = Judge(DfPnEngine(table_bits=16), rigour).judge(parse_sfen(COOKED_LATER).position)
    assert Defect.COOK in found.defects
    assert len(looked) > 1


def test_an_examination_may_leave_time_to_its_caller() -> None:
    """With no share of the time for the examination the line is known, and the caller's time is left."""
    engine, (sfen, length) = DfPnEngine(table_bits=16), CORRECT[-1]
    position = parse_sfen(sfen).position
    with engine.within(Limits(seconds=600)):
        found = Judge(engine, Rigour(examining=0.0)).judge(position)
        assert engine.seconds_left is not None
        assert engine.seconds_left > 0
        engine.check_limits()
    assert found.unresolved
    assert (found.length, len(found.line), found.grade) == (length, length, None)
    assert engine.seconds_left is None
    assert not Judge(engine, Rigour(examining=0.0)).judge(position).unresolved


def test_rules_without_a_fault_that_are_not_settled_leave_the_rest_settled() -> None:
    """With no nodes for rules 7 and 8 the grade is known; neither rule is claimed to hold."""
    position = parse_sfen(CORRECT[-1][0]).position
    for rule, examine in ((Defect.GREY_INTERPOSITION, "_grey"), (Defect.UNNECESSARY_PIECE, "_minimal")):
        judge = Judge(DfPnEngine(table_bits=16))
        setattr(judge, examine, _out_of_nodes)
        found = judge.judge(position)
        assert (found.unresolved, found.settled, found.correct) == (False, False, False)
        assert (found.grade, found.not_settled, found.defects) == (Grade.SOUND, rule, Defect.NONE)
        assert (found.readings is None) is (rule is Defect.GREY_INTERPOSITION)
    whole = Judge(DfPnEngine(table_bits=16)).judge(position)
    assert (whole.grade, whole.not_settled, whole.settled) == (Grade.PERFECT, Defect.NONE, True)


def _out_of_nodes(*_arguments: object) -> bool:
    raise LimitReached(Reason.NODES)


def test_an_outer_limit_in_the_last_rules_leaves_the_judgement_unresolved() -> None:
    """Whatever the limit, a rule that is not examined to the end is named or the judgement is unresolved."""
    position, seen = parse_sfen(CORRECT[-1][0]).position, set()
    for nodes in range(0, 4000, 100):
        found = Judge(DfPnEngine(table_bits=16)).judge(position, limits=Limits(nodes=nodes))
        assert found.settled or not found.correct
        assert found.unresolved or found.grade is Grade.PERFECT
        seen.add(found.not_settled)
    assert Defect.NONE in seen
    assert WITHOUT_FAULT in seen


def test_an_unnecessary_piece_is_found_behind_one_that_takes_all_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The easy pieces come first, so the budget of all is not spent on a hard one before them."""
    asked: list[int | None] = []

    def is_needless(_judge: Judge, _case: Case, _reduced: Position, nodes: int | None) -> bool | None:
        asked.append(nodes)
        return None if len(asked) == 1 else len(asked) == 3

    monkeypatch.setattr(Judge, "_is_needless", is_needless)
    found = Judge(DfPnEngine(table_bits=16), Rigour(all_findings=False)).judge(
        parse_sfen(CORRECT[-1][0]).position
    )
    assert found.defects == Defect.UNNECESSARY_PIECE
    assert len(asked) == 3
    assert len(set(asked)) == 1
