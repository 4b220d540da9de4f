# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine against the slow twin and against the first engine."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.engines.iterative.kernel.search import FOREVER
from solver.results import Interposition
from tests.sampling import attacks, checked
from tests.solver.engines.agreement import (
    agrees_at_any_length,
    agrees_on_barred_positions,
    agrees_where_it_refutes_for_good,
    stops_at_limits,
)
from tests.solver.questions import LENGTHS, READINGS, expected, mating
from tsume_rules.packed import legal_checks, pack
from tsume_rules.sfen import format_sfen, parse_sfen


@pytest.mark.parametrize("reading", READINGS)
def test_mates_are_those_of_the_slow_twin(reading: Interposition) -> None:
    """With a table kept for all positions, one emptied before each, and one far too small."""
    shared, emptied, tiny = (IterativeEngine(table_bits=bits, interposition=reading) for bits in (16, 16, 4))
    for position in attacks(16, seed=f"second engine {reading.name}"):
        twin, record = expected(position, READINGS[reading]), pack(position)
        before = np.asarray(record).tobytes()
        emptied.forget()
        for engine in (shared, emptied, tiny):
            for n in LENGTHS:
                assert engine.mates(record, n) == bool(twin[n]), format_sfen(position)
                assert mating(engine, record, n) == twin[n], format_sfen(position)
        assert np.asarray(record).tobytes() == before


@pytest.mark.parametrize("reading", READINGS)
def test_both_engines_agree_on_defences(reading: Interposition) -> None:
    first, second = DfPnEngine(interposition=reading), IterativeEngine(interposition=reading)
    for position in checked(60, seed=f"second engine {reading.name}"):
        record = pack(position)
        for n in (0, 2, 4):
            assert second.is_mated(record, n) == first.is_mated(record, n), format_sfen(position)


def test_a_defence_in_parts_is_the_whole_defence() -> None:
    engine = IterativeEngine()
    for position in checked(100, seed="parts"):
        record = pack(position)
        for n in (0, 2, 4):
            parts = engine.answer_groups(record, n)
            together = all(engine.is_mated_by(record, n, part) for part in parts)
            assert together == engine.is_mated(record, n), format_sfen(position)


def test_a_refutation_for_good_holds_at_any_length() -> None:
    agrees_where_it_refutes_for_good(IterativeEngine(), FOREVER)


def test_mate_at_any_length_is_proved_and_disproved() -> None:
    agrees_at_any_length(IterativeEngine())


def test_returns_to_barred_positions_do_not_mate() -> None:
    agrees_on_barred_positions(IterativeEngine())


def test_limits_stop_the_search_and_leave_the_position_as_it_was() -> None:
    engine = IterativeEngine()
    stops_at_limits(engine)
    assert engine.nodes < 10_000_000


def test_a_forgotten_table_knows_nothing() -> None:
    engine = IterativeEngine()
    record = pack(parse_sfen("8k/9/7G1/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1").position)
    mating_checks = [check for check in legal_checks(record) if engine.mates_after(record, check, 1)]
    assert mating_checks
    assert all(engine.known_after(record, check, 1) for check in mating_checks)
    engine.forget()
    assert not any(engine.known_after(record, check, 1) for check in mating_checks)
