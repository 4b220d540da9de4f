# SPDX-License-Identifier: GPL-3.0-or-later
"""Two engines on one problem."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.cross import Cross, cross_check
from solver.judging.judge import Judge
from solver.results import Defect, Grade, Interposition, Judgement, Limits, Reason
from tests.tsume.problems import CORRECT
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

GREY = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
COOKED = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
LOOSE = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"
ONE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
IN_CHECK = "4k4/4G4/9/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1"


def judged(sfen: str) -> tuple[DfPnEngine, Position, Judgement]:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(sfen).position
    return engine, position, Judge(engine).judge(position)


def crossed(sfen: str, **changes: object) -> Cross:
    """The result of asking the second engine about a judgement that was changed."""
    engine, position, judgement = judged(sfen)
    changed = replace(judgement, **changes)  # type: ignore[arg-type]
    return cross_check(engine, IterativeEngine(table_bits=16), position, changed)


def test_a_grade_that_only_one_engine_gives_is_a_difference() -> None:
    cross = crossed(CORRECT, grade=Grade.UNSOUND, faults=Defect.LEFTOVER)
    assert cross.differences == ("faults LEFTOVER and none",)


@pytest.mark.parametrize("sfen", [CORRECT, GREY, COOKED, LOOSE, NO_MATE, ONE, IN_CHECK])
def test_the_engines_agree(sfen: str) -> None:
    assert crossed(sfen) == Cross()
    assert crossed(sfen).agrees is True


@pytest.mark.parametrize(("sfen", "changes", "part"), [
    (CORRECT, {"length": 5}, "length 5 and 3"),
    (NO_MATE, {"length": 3}, "length 3 and None"),
    (CORRECT, {"defects": Defect.COOK}, "defects COOK and none"),
    (COOKED, {"defects": Defect.NONE}, "defects none and COOK"),
    (LOOSE, {"defects": Defect.NONE}, "defects none and UNDETERMINED_FORM"),
])  # fmt: skip
def test_a_judgement_that_the_second_engine_does_not_confirm_is_reported(
    sfen: str, changes: dict[str, object], part: str
) -> None:
    cross = crossed(sfen, **changes)
    assert cross.agrees is False
    assert part in " ".join(cross.differences)


def test_a_detour_that_is_called_a_cook_is_not_confirmed() -> None:
    engine, position, judgement = judged("7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1")
    assert judgement.remarks & Defect.DETOUR
    cooks = tuple(replace(found, of=Defect.COOK) for found in judgement.findings if found.of is Defect.DETOUR)
    wrong = replace(judgement, defects=Defect.COOK, findings=cooks)
    assert cooks
    assert cross_check(engine, IterativeEngine(table_bits=16), position, wrong).agrees is False


def test_engines_that_read_interpositions_differently_disagree() -> None:
    engine, position, judgement = judged(ONE)
    second = IterativeEngine(table_bits=16, interposition=Interposition.COUNT_ALL)
    cross = cross_check(engine, second, position, judgement, limits=Limits(nodes=500_000))
    assert cross.agrees is not True


def test_a_second_engine_that_runs_out_is_no_agreement() -> None:
    engine, position, judgement = judged(CORRECT)
    cross = cross_check(engine, IterativeEngine(table_bits=16), position, judgement, limits=Limits(nodes=5))
    assert cross.agrees is None
    assert cross.unheard is Reason.NODES


def test_a_wrong_length_is_seen_by_both() -> None:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(CORRECT).position
    judgement = Judge(engine).judge(position, 5)
    assert judgement.defects & Defect.WRONG_LENGTH
    assert cross_check(engine, IterativeEngine(table_bits=16), position, judgement, 5).agrees is True


def test_a_long_second_solution_without_a_piece_is_confirmed() -> None:
    engine, second = DfPnEngine(), IterativeEngine(table_bits=18)
    position = parse_sfen("8n/9/6B1k/9/7R1/9/9/9/9 b rb4g4s3n4l18p 1").position
    judgement = Judge(engine).judge(position)
    assert judgement.grade is Grade.PERFECT  # only without a bound is the knight on 1a needed
    assert cross_check(engine, second, position, judgement).agrees
