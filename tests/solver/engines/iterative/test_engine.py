"""The second engine against the slow twin and against the first engine."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engines.dfpn.engine import Solver
from solver.engines.iterative.engine import IterativeSolver
from solver.engines.iterative.kernel.arena import FOREVER
from solver.limits import LimitReached
from solver.results import Interposition, Limits, Reason
from solver.solving.tree import legal_checks, legal_evasions
from tests.sampling import attacks, checked
from tests.solver.questions import LENGTHS, READINGS, expected, mating
from tsume_rules.packing import pack
from tsume_rules.record_play import after
from tsume_rules.sfen import format_sfen, parse_sfen

LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"


@pytest.mark.parametrize("reading", READINGS)
def test_mates_are_those_of_the_slow_twin(reading: Interposition) -> None:
    """With one table for all positions, one emptied before each, and one far too small."""
    shared, emptied, tiny = (IterativeSolver(table_bits=bits, interposition=reading) for bits in (16, 16, 4))
    for position in attacks(40, seed=f"second engine {reading.name}"):
        twin, record = expected(position, READINGS[reading]), pack(position)
        before = np.asarray(record).tobytes()
        emptied.forget()
        for solver in (shared, emptied, tiny):
            for n in LENGTHS:
                assert solver.mates(record, n) == bool(twin[n]), format_sfen(position)
                assert mating(solver, record, n) == twin[n], format_sfen(position)
        assert np.asarray(record).tobytes() == before


@pytest.mark.parametrize("reading", READINGS)
def test_both_engines_agree_on_defences(reading: Interposition) -> None:
    first, second = Solver(interposition=reading), IterativeSolver(interposition=reading)
    for position in checked(150, seed=f"second engine {reading.name}"):
        record = pack(position)
        for n in (0, 2, 4):
            assert second.is_mated(record, n) == first.is_mated(record, n), format_sfen(position)


def test_a_defence_in_parts_is_the_whole_defence() -> None:
    solver = IterativeSolver()
    for position in checked(100, seed="parts"):
        record = pack(position)
        for n in (0, 2, 4):
            parts = solver.answer_groups(record, n)
            together = all(solver.is_mated_by(record, n, part) for part in parts)
            assert together == solver.is_mated(record, n), format_sfen(position)


def test_what_is_refuted_for_good_has_no_mate_at_any_length() -> None:
    first, second = Solver(), IterativeSolver()
    refuted = 0
    for position in attacks(60, seed="for good"):
        record = pack(position)
        if not second.mates(record, 3) and second.refuted_for_good:
            refuted += 1
            assert second.length == FOREVER
            assert not first.mates(record, 9), format_sfen(position)
    assert refuted


def test_a_mate_at_any_length_is_found_and_its_lack_shown() -> None:
    first, second = Solver(), IterativeSolver()
    for position in attacks(40, seed="ever"):
        record = pack(position)
        try:
            with second.within(Limits(nodes=20_000)), first.within(Limits(nodes=20_000)):
                assert second.mates_ever(record) == first.mates_ever(record), format_sfen(position)
        except LimitReached:
            continue


def test_ways_back_to_barred_positions_do_not_count() -> None:
    position = parse_sfen("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1").position
    first, second, record = Solver(), IterativeSolver(), pack(position)
    for check in legal_checks(record):
        turns = [after(record, (check, answer)) for answer in legal_evasions(after(record, (check,)))]
        with first.barring(turns), second.barring(turns):
            for n in (1, 3, 5):
                assert second.mates_after(record, check, n) == first.mates_after(record, check, n)


def test_limits_stop_the_search_and_leave_the_position_as_it_was() -> None:
    record = pack(parse_sfen(LONG).position)
    before = np.asarray(record).tobytes()
    solver = IterativeSolver()
    for limits, reason in ((Limits(nodes=50), Reason.NODES), (Limits(seconds=0.0), Reason.SECONDS)):
        with pytest.raises(LimitReached) as caught, solver.within(limits):
            solver.mates(record, 15)
        assert caught.value.reason is reason
        assert np.asarray(record).tobytes() == before
    assert solver.nodes < 10_000_000


def test_a_forgotten_table_knows_nothing() -> None:
    solver = IterativeSolver()
    record = pack(parse_sfen("8k/9/7G1/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1").position)
    mating_checks = [check for check in legal_checks(record) if solver.mates_after(record, check, 1)]
    assert mating_checks
    assert all(solver.known_after(record, check, 1) for check in mating_checks)
    solver.forget()
    assert not any(solver.known_after(record, check, 1) for check in mating_checks)
