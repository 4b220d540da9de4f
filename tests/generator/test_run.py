"""Runs give the roots' results in order, from one process or several."""

from __future__ import annotations

import time
from contextlib import closing
from itertools import islice

import pytest

from generator.compose import Options, RootResult
from generator.run import run


def first(number: int, *, jobs: int = 1, start: int = 0, deadline: float | None = None) -> list[RootResult]:
    with closing(run(2, Options(3), "test", jobs, start, deadline)) as results:
        return list(islice(results, number))


def test_the_number_of_processes_changes_nothing() -> None:
    alone = first(6)
    assert [result.index for result in alone] == list(range(6))
    assert first(6, jobs=2) == alone
    assert first(6, deadline=time.monotonic() + 1000) == alone


def test_a_run_may_begin_later() -> None:
    assert first(2, start=3) == first(5)[3:]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_deadline_ends_a_run_in_the_midst_of_a_root(jobs: int) -> None:
    assert list(run(2, Options(99), "test", jobs, deadline=time.monotonic() + 0.2)) == []
