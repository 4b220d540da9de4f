# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine's search: exact whatever the weight and the number of workers."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from solver.engines.iterative.engine import IterativeEngine
from solver.engines.iterative.sekine import RootSearch
from solver.results import Interposition, Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from tests import naive
from tests.sampling import attacks
from tsume_rules.packed import Record, pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"


def search_of(record: Record, jobs: int = 1, weight: float = 0.4) -> RootSearch:
    return RootSearch(record, [IterativeEngine(table_bits=12) for _ in range(jobs)], weight)


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


@cache
def known() -> list[tuple[Position, int | None]]:
    """Positions, and the lengths of their mates by the slow twin."""
    return [(position, naive.length(format_sfen(position), 5)) for position in attacks(25, seed="root")]


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("weight", [0.0, 0.4, 3.0])
def test_the_length_is_exact(weight: float, jobs: int) -> None:
    for position, length in known():
        search = search_of(pack(position), jobs, weight)
        result = search.search(Limits(max_length=5))
        assert _agrees(length, result), format_sfen(position)


def _agrees(length: int | None, result: SearchResult) -> bool:
    if length is not None:
        return result == Mate(length)
    return isinstance(result, NoMate) or result == Unresolved(Reason.LENGTH, 5)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_length_with_every_interposition_counted(jobs: int) -> None:
    sfen = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
    for reading, length in (
        (Interposition.NARROW, 1),
        (Interposition.COUNT_ALL, naive.length(sfen, 5, "count_all")),
    ):
        found = RootSearch(
            record_of(sfen), [IterativeEngine(interposition=reading) for _ in range(jobs)]
        ).search(Limits(max_length=5))
        assert found == (Mate(length) if length else Unresolved(Reason.LENGTH, 5))


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_checks_is_no_mate(jobs: int) -> None:
    record = record_of("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1")
    assert search_of(record, jobs).search(Limits()) == NoMate()
    bare = record_of("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1")
    assert search_of(bare, jobs).search(Limits()) == NoMate()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("limits", "reason"), [
    (Limits(nodes=50), Reason.NODES), (Limits(seconds=0.0), Reason.SECONDS),
    (Limits(max_length=3), Reason.LENGTH),
])  # fmt: skip
def test_limits_end_the_search_unresolved(limits: Limits, reason: Reason, jobs: int) -> None:
    result = search_of(record_of(LONG), jobs).search(limits)
    assert isinstance(result, Unresolved)
    assert result.reason is reason
    assert result.no_mate_within <= 3


def test_nodes_are_counted_to_the_first_mate_and_to_the_end() -> None:
    search = search_of(record_of(LONG), weight=0.4)
    result = search.search(Limits())
    assert isinstance(result, Mate)
    assert search.nodes_at_first_mate is not None
    assert 0 < search.nodes_at_first_mate <= search.nodes


def test_without_a_weight_all_checks_are_searched_to_one_depth() -> None:
    search = search_of(record_of(LONG), weight=0.0)
    search.search(Limits(max_length=3))
    assert {child.step for child in search.children} == {1.0}
    assert {child.bound for child in search._open} == {5}


def test_little_freedom_is_a_small_step() -> None:
    children = sorted(search_of(record_of(LONG), weight=0.4).children, key=lambda child: child.freedom)
    assert all(one.step <= other.step for one, other in pairwise(children))
    assert children[0].step == pytest.approx(1 + 0.4 * (max(1, children[0].freedom) - 1))
