# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine's search as an engine: its lengths are exact, its other answers those of the second engine."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.sekine import SekineEngine
from solver.results import Interposition, Limits, Mate, Reason, Unresolved
from solver.solving.deepening import search_length
from solver.solving.solve import solve
from tests.sampling import attacks
from tsume_rules.packed import pack
from tsume_rules.sfen import format_sfen, parse_sfen

FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
LIMITS = Limits(max_length=5)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_length_is_that_of_the_first_engine(threads: int) -> None:
    first, sekine = DfPnEngine(table_bits=14), SekineEngine(threads=threads, table_bits=12)
    found = 0
    for position in attacks(30, seed="sekine"):
        result, other = solve(position, LIMITS, first), solve(position, LIMITS, sekine)
        if isinstance(result, Mate):
            assert isinstance(other, Mate), format_sfen(position)
            assert (other.length, len(other.line)) == (result.length, len(result.line))
            found += 1
        assert isinstance(other, Mate) == isinstance(result, Mate)
    assert found > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_all_threads_count_their_nodes_and_take_the_reading(threads: int) -> None:
    engine, record = SekineEngine(threads=threads, table_bits=12), pack(parse_sfen(FUTILE).position)
    assert search_length(engine, record, LIMITS) == Mate(1)
    before = engine.nodes
    assert before >= engine.own_nodes
    with engine.reading(Interposition.COUNT_ALL):
        assert search_length(engine, record, LIMITS) == Mate(3)
    assert engine.nodes > before
    engine.forget()
    assert search_length(engine, record, LIMITS) == Mate(1)


def test_a_limit_is_one_for_all_threads() -> None:
    engine, record = SekineEngine(threads=2, table_bits=12), pack(parse_sfen(FUTILE).position)
    assert search_length(engine, record, Limits(nodes=1)) == Unresolved(Reason.NODES, 0)
