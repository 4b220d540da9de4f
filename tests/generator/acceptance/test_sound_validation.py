# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound problems: blemishes pass, faults do not."""

from __future__ import annotations

from itertools import islice

import pytest

from generator.acceptance.reasons import Rejection
from generator.acceptance.validation import CandidateValidator, SoundCandidateValidator
from generator.constraints.options import ComposingOptions
from generator.problem import Problem
from generator.run.roots import compose_roots
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade
from solver.solving import tree
from solver.solving.tree import TreeBuilder
from tests.tsume.problems import COOKED, CORRECT, LOOSE, NO_MATE
from tsume_rules.kernel.move_generation import differs_in_form_only
from tsume_rules.packed import legal_checks, pack, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen

ROOTS = {3: 24, 5: 48, 7: 12}
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
BEHIND_EQUAL_DEFENCE = "8S/6R1S/7Lk/9/6S2/8N/9/9/9 b r2b4gs3n3l18p 1"


def composed(length: int, grade: Grade) -> list[Problem]:
    results = islice(compose_roots(6, ComposingOptions.of(length, grade=grade), "test"), ROOTS[length])
    return [problem for result in results for problem in result.problems]


@pytest.fixture(scope="module")
def sound() -> dict[int, list[Problem]]:
    return {length: composed(length, Grade.SOUND) for length in ROOTS}


def test_there_are_more_than_perfect_ones(sound: dict[int, list[Problem]]) -> None:
    for length in ROOTS:
        perfect = composed(length, Grade.PERFECT)
        assert {problem.grade for problem in perfect} == {Grade.PERFECT}
        assert len(sound[length]) > len(perfect), length


def test_each_has_its_grade_and_blemishes_from_the_full_judge(sound: dict[int, list[Problem]]) -> None:
    for problem in (one for of_length in sound.values() for one in of_length):
        found = Judge(DfPnEngine(), Rigour(evidence=False)).judge(problem.position, problem.length)
        assert not found.unresolved
        assert (found.grade, found.faults) == (problem.grade, Defect.NONE), format_sfen(problem.position)
        assert (found.line, found.length) == (problem.line, problem.length)
        assert found.blemishes == problem.blemishes


def test_they_show_several_blemishes(sound: dict[int, list[Problem]]) -> None:
    problems = [one for of_length in sound.values() for one in of_length if one.grade is Grade.SOUND]
    shown = {blemish for problem in problems for blemish in problem.blemishes}
    assert {Defect.UNDETERMINED_FORM, Defect.COOK_IN_EQUAL_DEFENCE} <= shown


@pytest.mark.parametrize("sfen", [CORRECT, LOOSE, NEEDLESS, LEFTOVER_IN_VARIATION, BEHIND_EQUAL_DEFENCE])
def test_blemishes_are_not_refused(sfen: str) -> None:
    position = parse_sfen(sfen).position
    validator = SoundCandidateValidator(DfPnEngine())
    length = 7 if sfen == BEHIND_EQUAL_DEFENCE else 3
    judgement = validator.judge(position, length, 2_000_000)
    assert Defect.COOK not in judgement.faults
    if judgement.grade is not Grade.UNSOUND:
        assert validator.refusal(position, judgement) is None
    assert (judgement.grade is Grade.UNSOUND) is (validator.refusal(position, judgement) is not None)


@pytest.mark.parametrize("sfen", [COOKED, NO_MATE])
def test_faults_are_refused(sfen: str) -> None:
    position = parse_sfen(sfen).position
    validator = SoundCandidateValidator(DfPnEngine())
    assert validator.refusal(position, validator.judge(position, 3, 400_000)) is Rejection.NOT_CORRECT
    assert validator.refusal(position, validator.judge(position, 3, 1)) is Rejection.UNRESOLVED


def test_another_form_of_the_key_is_no_rival() -> None:
    record = pack(parse_sfen(LOOSE).position)
    key = TreeBuilder(DfPnEngine()).turn(record, 3).key
    engine = DfPnEngine()
    strict, lenient = (
        CandidateValidator(engine)._rivals(record, key, 3),
        SoundCandidateValidator(engine)._rivals(record, key, 3),
    )
    assert {unpack_move(move).usi for move in set(strict) - set(lenient)} == {
        f"R*5{rank}" for rank in "cdefghi"
    }


@pytest.mark.parametrize("sfen", [CORRECT, LOOSE, NEEDLESS, BEHIND_EQUAL_DEFENCE])
def test_no_piece_that_can_go_adds_a_form(sfen: str) -> None:
    """A needless piece comes off as long as the same checks mate at every turn."""
    position = parse_sfen(sfen).position
    engine = DfPnEngine()
    record = pack(position)
    length = 7 if sfen == BEHIND_EQUAL_DEFENCE else 3
    line = TreeBuilder(engine).turn(record, length).line()
    validator = SoundCandidateValidator(engine)
    smaller = pack(validator.minimised(record, line))
    assert validator._checks_in_time(smaller, line) == validator._checks_in_time(record, line)


def test_the_kernel_and_its_twin_agree_on_forms() -> None:
    seen = set()
    for sfen in (CORRECT, LOOSE, NEEDLESS, "3k5/9/9/9/9/9/9/9/4RB3 b Rb4g4s4n4l18p 1",
                 "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"):  # fmt: skip
        record = pack(parse_sfen(sfen).position)
        checks = legal_checks(record)
        for one in checks:
            for other in checks:
                twin = tree.differs_in_form_only(record, one, other)
                assert bool(differs_in_form_only(record, one, other)) == twin, (
                    unpack_move(one), unpack_move(other),
                )  # fmt: skip
                seen.add(twin)
    assert seen == {True, False}


def test_options_keep_the_grade() -> None:
    options = ComposingOptions.of(3, grade=Grade.SOUND)
    assert ComposingOptions.from_dict(options.to_dict()) == options
    old = {name: value for name, value in ComposingOptions.of(3).to_dict().items() if name != "grade"}
    assert ComposingOptions.from_dict(old).grade is Grade.PERFECT
    assert options.to_dict()["grade"] == "sound"
