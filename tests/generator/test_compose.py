"""From a root to problems: the same every time, and every one correct."""

from __future__ import annotations

from itertools import islice

import pytest

from generator.compose import Composer, Options, RootResult
from generator.reasons import Rejection
from generator.run import run
from rules.symmetry import canonical
from solver.judge import Judge
from solver.minimal import reductions
from solver.results import Limits, Remark

LENGTHS = (1, 3, 5)
ROOTS = {1: 12, 3: 12, 5: 12}
AT_A_CANDIDATE = (
    Rejection.ALREADY_SEEN, Rejection.LEFTOVER_AT_MATE, Rejection.SHORTER_MATE, Rejection.SECOND_MATE,
    Rejection.COOK_IN_DEFENCE, Rejection.LONGER_COOK,
)  # fmt: skip
AT_THE_END = tuple(
    reason for reason in Rejection
    if list(Rejection).index(reason) >= list(Rejection).index(Rejection.GREY)
    and reason not in (Rejection.UNRESOLVED, Rejection.DUPLICATE)
)  # fmt: skip


@pytest.fixture(scope="module")
def results() -> dict[int, list[RootResult]]:
    """A few roots of each length, composed in order."""
    return {n: list(islice(run(3, Options(n), "test"), ROOTS[n])) for n in LENGTHS}


@pytest.mark.parametrize("length", LENGTHS)
def test_a_root_does_not_depend_on_those_before(length: int, results: dict[int, list[RootResult]]) -> None:
    fruitful = [result.index for result in results[length] if result.problems][-2:]
    backwards = Composer(3, Options(length), "test")
    for index in (*reversed(fruitful), 0, *fruitful):
        assert backwards.root(index) == results[length][index]


def test_seeds_differ(results: dict[int, list[RootResult]]) -> None:
    other = Composer(4, Options(3), "test")
    assert [other.root(i).counts for i in range(3)] != [result.counts for result in results[3][:3]]


@pytest.mark.parametrize("length", LENGTHS)
def test_every_problem_is_correct_canonical_and_minimal(
    length: int, results: dict[int, list[RootResult]]
) -> None:
    problems = [problem for result in results[length] for problem in result.problems]
    assert problems
    for problem in problems:
        judgement = Judge().judge(problem.position, length)
        assert judgement.correct, judgement
        assert not judgement.remarks & Remark.LEFTOVER_IN_VARIATION
        assert judgement.line == problem.line
        assert len(problem.line) == problem.length == length
        assert problem.position == canonical(problem.position)


def test_no_piece_of_a_problem_can_go(results: dict[int, list[RootResult]]) -> None:
    judge = Judge()
    for problem in (problem for result in results[3] for problem in result.problems):
        for name, reduced in reductions(problem.position):
            judgement = judge.judge(reduced, 3, Limits(nodes=500_000))
            assert not (judgement.correct and judgement.line == problem.line), name


@pytest.mark.parametrize("length", LENGTHS)
def test_counts_add_up(length: int, results: dict[int, list[RootResult]]) -> None:
    for result in results[length]:
        counts = result.counts
        assert counts["roots"] == 1
        assert counts["problems"] == len(result.problems) <= Options(length).per_root
        assert counts["candidates"] >= sum(counts[reason] for reason in AT_A_CANDIDATE)
        assert counts["defences"] >= counts[Rejection.LONGER_DEFENCE] + counts[Rejection.SHORTER_DEFENCE]
        refused = counts["finalists"] - counts["problems"] - sum(counts[reason] for reason in AT_THE_END)
        shared = counts[Rejection.LEFTOVER] + counts[Rejection.UNRESOLVED]
        assert refused == shared if length == 1 else 0 <= refused <= shared
        assert set(counts) <= {*Rejection, "roots", "candidates", "defences", "finalists", "problems"}
