"""Runs give the roots' results in order, from one process or several."""

from __future__ import annotations

import time
from contextlib import closing
from itertools import islice

import pytest

from generator import novelty
from generator.compose import RootResult
from generator.novelty import first_needed
from generator.options import Options
from generator.run import run
from generator.wishes import Wishes

DISTINCT = Options(3, Wishes(distinct_lines=True))


def first(
    number: int,
    options: Options | None = None,
    *,
    jobs: int = 1,
    start: int = 0,
    deadline: float | None = None,
    earlier: list[tuple[int, str]] | None = None,
) -> list[RootResult]:
    with closing(run(2, options or Options(3), "test", jobs, start, deadline, earlier or ())) as results:
        return list(islice(results, number))


@pytest.fixture(scope="module")
def alone() -> list[RootResult]:
    """Enough roots for the later ones to know lines of the earlier."""
    return first(4 * novelty.ROUND + 2, DISTINCT)


def lines_of(results: list[RootResult]) -> list[tuple[int, str]]:
    return [(result.index, line) for result in results for line in result.lines]


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_processes_changes_nothing(jobs: int, alone: list[RootResult]) -> None:
    assert [result.index for result in alone] == list(range(len(alone)))
    assert first(len(alone), DISTINCT, jobs=jobs) == alone


def test_nor_does_a_deadline() -> None:
    assert first(6, deadline=time.monotonic() + 1000) == first(6)


@pytest.mark.parametrize(
    ("jobs", "start"), [(1, 3), (1, novelty.ROUND), (1, 2 * novelty.ROUND + 3), (2, 3 * novelty.ROUND)]
)
def test_a_run_may_begin_later(jobs: int, start: int, alone: list[RootResult]) -> None:
    """It is given the lines that were found before."""
    earlier = lines_of(alone[:start])
    number = min(len(alone) - start, 12)
    assert first(number, DISTINCT, jobs=jobs, start=start, earlier=earlier) == alone[start : start + number]


def test_it_is_the_earlier_lines_that_matter(alone: list[RootResult]) -> None:
    start = 2 * novelty.ROUND
    known = [line for _, line in lines_of(alone[: first_needed(start)])]
    index = next(i for i in range(start, len(alone)) if alone[i].problems)
    (without,) = first(1, DISTINCT, start=index)
    earlier = [(0, line) for line in known + without.lines]
    assert first(1, DISTINCT, start=index, earlier=earlier)[0].lines != without.lines


def test_a_root_gives_no_line_that_it_may_know(alone: list[RootResult]) -> None:
    for result in alone:
        known = {line for index, line in lines_of(alone) if index < first_needed(result.index)}
        assert known.isdisjoint(result.lines)
    assert any(result.problems for result in alone[2 * novelty.ROUND :])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_deadline_ends_a_run_in_the_middle_of_a_root(jobs: int) -> None:
    assert list(run(2, Options(99), "test", jobs, deadline=time.monotonic() + 0.2)) == []
