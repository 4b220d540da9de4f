# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from solver.engines.dfpn import engine as dfpn
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.table import FOREVER
from solver.engines.dfpn.unbounded_search import Node
from solver.limits import LimitMeter, LimitReached
from solver.results import Interposition, Limits, Reason
from solver.solving.deepening import defence_length
from tests import naive
from tests.sampling import attacks, checked
from tests.solver.questions import LENGTHS, READINGS, answered, expected, with_neighbours
from tsume_rules.packed import Record, legal_checks, legal_evasions, pack, played, record_after, unpack
from tsume_rules.position import HAND_KINDS, Hand, Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11, which needs some hundred nodes at least."""
SHORT = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


def in_bytes(record: Record) -> bytes:
    return np.asarray(record).tobytes()


@pytest.mark.parametrize("reading", READINGS)
def test_mates_are_those_of_the_slow_twin(reading: Interposition) -> None:
    """With a table kept for all positions, one emptied before each, and one far too small."""
    shared, emptied, tiny = (DfPnEngine(table_bits=bits, interposition=reading) for bits in (16, 16, 6))
    for position in attacks(16, seed=f"mates {reading.name}"):
        twin, record = expected(position, READINGS[reading]), pack(position)
        before = in_bytes(record)
        emptied.forget()
        for engine in (shared, emptied, tiny):
            assert answered(engine, record) == twin, format_sfen(position)
            for n in LENGTHS:
                assert engine.mates(record, n) == bool(twin[n]), format_sfen(position)
        assert in_bytes(record) == before
    assert tiny._search.evicted > 0


@pytest.mark.parametrize("reading", READINGS)
def test_entries_of_other_hands_do_not_mislead(reading: Interposition) -> None:
    shared = DfPnEngine(table_bits=16, interposition=reading)
    rng = random.Random(1)
    for position in attacks(10, seed=f"hands {reading.name}"):
        neighbours = list(with_neighbours(position))
        rng.shuffle(neighbours)
        for other in neighbours:
            found = answered(shared, pack(other), (3,))
            assert found == expected(other, READINGS[reading], (3,)), format_sfen(other)


def test_a_piece_the_defender_lacks_cannot_be_dropped() -> None:
    """A proof or disproof found when he holds one or two kinds is not used when he holds others."""
    rng, shared = random.Random(1), DfPnEngine(table_bits=16)
    for position in checked(24, seed="lacks"):
        for _ in range(6):
            left = _left_to_the_defender(position, rng.sample(HAND_KINDS, 2), rng)
            mated = naive.mated_within(naive.board_of(format_sfen(left)), 2)
            assert shared.is_mated(pack(left), 2) == mated, format_sfen(left)


def _left_to_the_defender(position: Position, kinds: list[Kind], rng: random.Random) -> Position:
    """The same board, the defender holding at most one of some kinds and nothing else."""
    held = {kind: position.attacker_hand[kind] + position.defender_hand[kind] for kind in HAND_KINDS}
    kept = {kind: rng.choice((0, 1)) for kind in kinds if held[kind]}
    return position.with_attacker_hand(Hand.of({k: held[k] - kept.get(k, 0) for k in HAND_KINDS}))


def test_a_refutation_for_good_holds_at_any_length() -> None:
    engine, refuted = DfPnEngine(table_bits=14), 0
    for position in attacks(60, seed="for good"):
        record = pack(position)
        if not engine.mates(record, 3) and engine.refuted_for_good:
            refuted += 1
            assert engine.length >= FOREVER
            fresh = DfPnEngine(table_bits=14)
            assert not any(fresh.mates(record, n) for n in (5, 7, 9)), format_sfen(position)
            assert not any(expected(position, "narrow")[5]), format_sfen(position)
    assert refuted


def test_the_answer_comes_with_its_length() -> None:
    engine, record = DfPnEngine(table_bits=12), record_of(SHORT)
    assert engine.mates(record, 7)
    assert engine.length in (3, 5, 7)
    assert not engine.mates(record, 1)
    assert engine.length == 1
    assert not engine.refuted_for_good


def test_the_length_of_a_defence() -> None:
    engine, after_the_key = DfPnEngine(table_bits=12), record_of("4k4/2R1R4/9/9/9/9/9/9/9 b 2b4g4s4n4l18p 1")
    assert defence_length(engine, after_the_key, 6) == 2
    assert defence_length(engine, after_the_key, 2) == 2
    assert defence_length(engine, record_of("4k4/4G4/4G4/9/9/9/9/9/9 b 2r2b2g4s4n4l18p 1"), 6) == 0


def test_known_after_searches_nothing() -> None:
    engine, record = DfPnEngine(table_bits=12), record_of(SHORT)
    check = next(c for c in legal_checks(record) if DfPnEngine(table_bits=12).mates_after(record, c, 3))
    nodes = engine.nodes
    assert not engine.known_after(record, check, 3)
    assert engine.nodes == nodes
    assert engine.mates_after(record, check, 3)
    assert engine.known_after(record, check, 3)


# --- limits ---------------------------------------------------------------------------------------


def test_a_search_stopped_by_its_nodes_restores_the_position_and_resumes_later() -> None:
    record, engine = record_of(LONG), DfPnEngine(table_bits=16)
    before = in_bytes(record)
    for _ in range(3):
        with pytest.raises(LimitReached) as limit, engine.within(Limits(nodes=7)):
            engine.mates(record, 11)
        assert limit.value.reason is Reason.NODES
        assert in_bytes(record) == before
    assert engine.mates(record, 11)
    assert in_bytes(record) == before


def test_a_stop_anywhere_leaves_the_position_as_it_was() -> None:
    for position in attacks(40, seed="stops"):
        record = pack(position)
        before = in_bytes(record)
        whole = DfPnEngine(table_bits=14).mates(record, 7)
        for nodes in (0, 1, 2, 3, 5, 8, 13, 40):
            engine = DfPnEngine(table_bits=10)
            try:
                with engine.within(Limits(nodes=nodes)):
                    engine.mates(record, 7)
            except LimitReached:
                pass
            assert in_bytes(record) == before
            assert engine.mates(record, 7) == whole, format_sfen(position)


def test_seconds_are_a_limit_too() -> None:
    engine = DfPnEngine(table_bits=16)
    with engine.within(Limits(seconds=-1.0)), pytest.raises(LimitReached) as limit:
        engine.check_limits()
    assert limit.value.reason is Reason.SECONDS


def test_the_tighter_limit_holds_inside_and_ends_with_its_block() -> None:
    engine = DfPnEngine(table_bits=12)
    with engine.within(Limits(nodes=10)):
        with engine.within(Limits(nodes=1000)):
            assert engine._meter.next_slice(5000) == 10
        with engine.within(Limits(nodes=1)):
            assert engine._meter.next_slice(5000) == 1
        assert engine._meter.next_slice(5000) == 10
    assert engine._meter.next_slice(5000) == 5000
    engine.check_limits()


def _interrupted(*_: object) -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "ask", [lambda s, r: s.mates(r, 9), lambda s, r: s.mates_after(r, legal_checks(r)[0], 9)]
)
def test_an_interrupt_leaves_the_position_as_it_was(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[DfPnEngine, Record], bool]
) -> None:
    record, engine = record_of(LONG), DfPnEngine(table_bits=14)
    before = in_bytes(record)
    monkeypatch.setattr(dfpn, "SLICE", 5)
    with monkeypatch.context() as patch:
        patch.setattr(LimitMeter, "check", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            ask(engine, record)
    assert in_bytes(record) == before
    assert engine.mates(record, 3) == DfPnEngine(table_bits=14).mates(record, 3)


# --- the table's generations ----------------------------------------------------------------------


def nodes_for(engine: DfPnEngine, record: Record, n: int) -> int:
    before = engine.nodes
    engine.mates(record, n)
    return engine.nodes - before


def test_forgetting_is_as_good_as_a_new_engine() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(LONG)
    first = nodes_for(engine, record, 5)
    assert nodes_for(engine, record, 5) < first
    engine.forget()
    assert engine.peak_proof_number == 0
    assert nodes_for(engine, record, 5) == first


def test_the_generations_start_again_with_a_clean_table() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(LONG)
    first = nodes_for(engine, record, 5)  # leaves entries of generation 1
    engine._search.stamp = 65535
    assert nodes_for(engine, record, 5) == first
    engine.forget()
    assert engine._search.stamp == 1
    assert not engine._table.stamp.any()
    assert nodes_for(engine, record, 5) == first


# --- readings and barred positions ----------------------------------------------------------------


def test_another_reading_holds_inside_its_block() -> None:
    engine, record = DfPnEngine(table_bits=12), record_of("9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1")
    assert not engine.mates(record, 1)
    with engine.reading(Interposition.WIDE):
        assert engine.mates(record, 1)
        assert engine.mode == Interposition.WIDE.value
    assert not engine.mates(record, 1)


def test_a_return_to_a_barred_position_does_not_mate() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(SHORT)
    key = next(check for check in legal_checks(record) if engine.mates_after(record, check, 3))
    with played(record, key, Side.ATTACKER):
        answers = legal_evasions(record)
    with engine.barring([record_after(record, (key, answer)) for answer in answers]):
        assert not engine.mates_after(record, key, 3)
    assert engine.mates_after(record, key, 3)


def test_more_positions_can_be_barred_than_a_short_line_has() -> None:
    engine, record = DfPnEngine(table_bits=10), record_of(SHORT)
    far = [pack(position) for position in attacks(150, seed="barred")]
    with engine.barring([*far, record]):
        assert len(engine._barred) >= engine._search.barred
        assert not engine.mates(record, 3)
    assert engine.mates(record, 3)


def test_repeated_positions_are_returned_complete() -> None:
    """A field missing from a candidate's record would be missing from its search."""
    engine = DfPnEngine(table_bits=14)
    record = record_of("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1")
    search = engine._unbounded(engine.arena(record))
    assert not search.prove(Node(record, attacker=True))
    handed = 0
    while (node := search.next_candidate()) is not None:
        assert in_bytes(node.record) == in_bytes(pack(unpack(node.record)))
        handed += 1
    assert handed > 100


def test_taking_the_memory_empties_the_table() -> None:
    engine, fresh = DfPnEngine(table_bits=12), DfPnEngine(table_bits=12)
    record = record_of(LONG)
    assert engine.mates(record, 11)
    engine.take_memory()
    before = engine.nodes
    assert engine.mates(record, 11)
    assert fresh.mates(record, 11)
    assert engine.nodes - before == fresh.nodes
