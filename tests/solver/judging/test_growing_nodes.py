# SPDX-License-Identifier: GPL-3.0-or-later
"""Second solutions at any length, searched with growing nodes."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.cooks import DecisionPoint, decision_points, refute, refute_with_growing_nodes
from solver.judging.judge import Judge, Rigour
from solver.results import Limits
from solver.solving.tree import TreeBuilder
from tsume_rules.packed import Record, pack, unpack_move
from tsume_rules.sfen import parse_sfen

ENDLESS = "5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1"
"""A mate in three; other checks can be followed by checks for ever."""
COOKED_LATE = "3R4S/9/7gk/7N1/7+R1/9/9/9/9 b 2b3g3s3n4l18p 1"
"""Of the seven plies the third may be another check, which mates ten plies later."""


def open_points(engine: DfPnEngine, sfen: str, n: int) -> tuple[Record, list[DecisionPoint]]:
    record = pack(parse_sfen(sfen).position)
    points = decision_points(record, TreeBuilder(engine).turn(record, n))
    for point in points:
        assert refute(engine, record, point, 0) is None
    return record, points


def test_without_nodes_all_stays_open() -> None:
    engine = DfPnEngine(table_bits=14)
    record, points = open_points(engine, ENDLESS, 3)
    before = [list(point.open_checks) for point in points]
    assert list(refute_with_growing_nodes(engine, record, points, Limits(nodes=0))) == []
    assert [point.open_checks for point in points] == before
    assert any(before)


@pytest.mark.parametrize("limits", [Limits(nodes=1_000_000), Limits(seconds=300), Limits()])
def test_checks_without_an_end_are_refuted(limits: Limits) -> None:
    engine = DfPnEngine(table_bits=16)
    record, points = open_points(engine, ENDLESS, 3)
    assert list(refute_with_growing_nodes(engine, record, points, limits)) == []
    assert not any(point.open_checks for point in points)


def test_few_nodes_are_not_exceeded_by_much() -> None:
    engine = DfPnEngine(table_bits=16)
    record, points = open_points(engine, ENDLESS, 3)
    before = engine.nodes
    assert list(refute_with_growing_nodes(engine, record, points, Limits(nodes=5_000))) == []
    assert any(point.open_checks for point in points)
    assert engine.nodes - before < 10_000


def test_a_late_mate_is_found() -> None:
    engine = DfPnEngine(table_bits=16)
    record, points = open_points(engine, COOKED_LATE, 7)
    found = list(refute_with_growing_nodes(engine, record, points, Limits(nodes=1_000_000)))
    assert "6a6b" in {unpack_move(cook.check).usi for cook in found}


def test_time_settles_what_the_nodes_left_open() -> None:
    position = parse_sfen(ENDLESS).position
    nodes = Judge(DfPnEngine(table_bits=16), Rigour(unbounded_nodes=0, nodes=0))
    assert nodes.judge(position, limits=Limits(seconds=300)).searched == 11
    thorough = Judge(DfPnEngine(table_bits=16), Rigour(unbounded_nodes=0, nodes=0, thorough=True))
    assert thorough.judge(position, limits=Limits(seconds=300)).searched is None
