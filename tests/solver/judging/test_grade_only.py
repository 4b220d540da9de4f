# SPDX-License-Identifier: GPL-3.0-or-later
"""A judge that stops when the grade is settled, against one that examines everything."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import Proof
from solver.judging.findings import AllFail
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade, Judgement, Limits
from tests.sampling import attacks, crowded
from tests.solver.judging.test_grade import COOKED_LATER, EQUAL, LEFT_OVER, NEEDLESS, NO_MATE, PERFECT
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

LIMITS = Limits(nodes=300_000)
ENGINE = DfPnEngine(table_bits=16)
QUICK, THOROUGH = Judge(ENGINE, Rigour(all_findings=False)), Judge(ENGINE, Rigour())


def judged(judge: Judge, position: Position, expected: int | None = None) -> Judgement:
    ENGINE.forget()
    return judge.judge(position, expected, LIMITS)


def test_the_grade_is_the_same() -> None:
    grades = []
    for position in [*attacks(40, seed="graded"), *crowded(15, seed="graded")]:
        quick, thorough = judged(QUICK, position), judged(THOROUGH, position)
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
    position = parse_sfen(NEEDLESS).position
    quick, thorough = judged(QUICK, position), judged(THOROUGH, position)
    assert quick.grade is thorough.grade is Grade.SOUND
    assert quick.findings == thorough.findings[:1]
    assert Defect.UNNECESSARY_PIECE in quick.blemishes
    assert not quick.complete


@pytest.mark.parametrize("sfen", [PERFECT, EQUAL])
def test_a_problem_without_a_fault_is_examined_to_the_end(sfen: str) -> None:
    position = parse_sfen(sfen).position
    quick, thorough = judged(QUICK, position), judged(THOROUGH, position)
    assert quick.complete
    assert (quick.grade, quick.blemishes) == (thorough.grade, thorough.blemishes)


def test_a_fault_comes_with_its_line() -> None:
    found = judged(QUICK, parse_sfen(COOKED_LATER).position)
    assert found.faults == Defect.COOK
    assert not found.complete
    assert not found.correct
    assert any(finding.of is Defect.COOK and finding.line for finding in found.findings)


def test_another_fault_needs_no_longer_second_solution() -> None:
    position = parse_sfen(LEFT_OVER).position
    assert judged(QUICK, position).faults == Defect.LEFTOVER
    assert judged(QUICK, parse_sfen(COOKED_LATER).position, 5).faults == Defect.EARLY_MATE
    assert Defect.COOK in judged(THOROUGH, parse_sfen(COOKED_LATER).position, 5).faults


def test_without_a_mate_the_best_try_is_refuted() -> None:
    position = parse_sfen(NO_MATE).position
    (quick,), (thorough,) = judged(QUICK, position).findings, judged(THOROUGH, position).findings
    assert isinstance(quick, AllFail)
    assert isinstance(thorough, AllFail)
    assert quick.checks == thorough.checks
    assert len(quick.tries) == len(thorough.tries) == 1
    position = parse_sfen("8k/9/9/9/9/9/9/9/9 b RG 1").position
    (quick,), (thorough,) = judged(QUICK, position).findings, judged(THOROUGH, position).findings
    assert isinstance(quick, AllFail)
    assert isinstance(thorough, AllFail)
    (best,) = quick.tries
    assert best.proof is not Proof.BOUNDED
    assert best.check in [one.check for one in thorough.tries]
    assert len(thorough.tries) > 1
