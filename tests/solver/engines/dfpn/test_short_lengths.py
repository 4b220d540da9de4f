# SPDX-License-Identifier: GPL-3.0-or-later
"""Many short problems in one call, and the bound raised in one call: as if asked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.iterative.engine import IterativeEngine
from solver.limits import LimitReached
from solver.results import Interposition, Limits, Mate, NoMate, Unresolved
from solver.solving.deepening import search_length
from tests.sampling import attacks, crowded, promotable, starts
from tests.solver.questions import READINGS
from tsume_rules.packed import pack, pack_all
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

LAST, NODES = 7, 200_000
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11."""


def sample(seed: str, number: int = 60) -> list[Position]:
    return [
        *attacks(number, seed),
        *starts(number // 2, seed),
        *promotable(number // 3, seed),
        *crowded(8, seed),
    ]


def one_by_one(position: Position, reading: Interposition) -> int:
    """The length as `DfPnEngine.short_lengths` writes it, by a new engine."""
    engine = DfPnEngine(table_bits=14, interposition=reading)
    found = search_length(engine, pack(position), Limits(max_length=LAST))
    if isinstance(found, Mate):
        return found.length
    if isinstance(found, NoMate):
        return 0
    assert isinstance(found, Unresolved)
    assert found.no_mate_within == LAST
    return -LAST - 2


@pytest.mark.parametrize("reading", READINGS)
def test_many_in_one_call_are_as_each_by_itself(reading: Interposition) -> None:
    positions = sample(f"short {reading.name}")
    records = pack_all(positions)
    before = records.tobytes()
    engine = DfPnEngine(table_bits=14, interposition=reading)
    found = engine.short_lengths(records, LAST, NODES).tolist()
    assert records.tobytes() == before
    for position, length in zip(positions, found, strict=True):
        assert length == one_by_one(position, reading), format_sfen(position)
    assert {1, 3} <= set(found)
    assert 0 in found


def test_the_table_need_not_be_empty() -> None:
    """Neither earlier questions nor a table far too small change the lengths."""
    records = pack_all(sample("again"))
    engine, tiny = DfPnEngine(table_bits=14), DfPnEngine(table_bits=5)
    first = engine.short_lengths(records, LAST, NODES).tolist()
    assert engine.short_lengths(records[::-1].copy(), LAST, NODES).tolist() == first[::-1]
    assert [abs(n) for n in tiny.short_lengths(records, LAST, NODES).tolist()] == [abs(n) for n in first]
    assert engine.short_lengths(records[:0], LAST, NODES).tolist() == []


def test_with_too_few_nodes_the_lengths_are_still_true() -> None:
    positions = sample("few nodes")
    records = pack_all(positions)
    truth = DfPnEngine(table_bits=14).short_lengths(records, LAST + 2, NODES).tolist()
    open_ones = 0
    for nodes in (1, 2, 5, 20, 100):
        found = DfPnEngine(table_bits=14).short_lengths(records, LAST, nodes).tolist()
        for position, length, true in zip(positions, found, truth, strict=True):
            if length >= 0:
                assert length == true, format_sfen(position)
                continue
            assert length % 2 == 1
            assert -length <= LAST + 2
            assert true <= 0 or true >= -length, format_sfen(position)
            open_ones += nodes == 1
    assert open_ones


def test_open_entries_have_no_shorter_mate() -> None:
    """By the question for one position."""
    positions = sample("bounds", 40)
    found = DfPnEngine(table_bits=14).short_lengths(pack_all(positions), LAST, 1).tolist()
    assert any(length < 0 for length in found)
    for position, length in zip(positions, found, strict=True):
        if length < -1:
            assert not DfPnEngine(table_bits=14).mates(pack(position), -length - 2), format_sfen(position)


@pytest.mark.parametrize("left", [0, 1, 2, 7])
def test_the_stamps_run_out_in_the_middle(left: int) -> None:
    records = pack_all(sample("stamps", 20))
    expected = DfPnEngine(table_bits=12).short_lengths(records, 5, NODES).tolist()
    engine = DfPnEngine(table_bits=12)
    assert engine.short_lengths(records, 5, NODES).tolist() == expected  # leaves entries with low stamps
    engine._search.stamp = LAST_STAMP - left
    assert engine.short_lengths(records, 5, NODES).tolist() == expected
    assert 1 <= engine._search.stamp <= len(records) + 1
    assert engine.mates(records[0], 5) == (expected[0] > 0)


def test_the_engine_is_as_good_as_before_afterwards() -> None:
    engine = DfPnEngine(table_bits=14)
    records = pack_all(sample("afterwards", 20))
    engine.short_lengths(records, 5, 3)  # most of them stop before the end
    record = pack(parse_sfen(LONG).position)
    assert not engine.mates(record, 9)
    assert engine.mates(record, 11)


# --- the bound raised in one call -------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
def test_both_engines_raise_the_bound_to_the_same_end(reading: Interposition) -> None:
    """One engine may know a little earlier than the other that a no holds at any length."""
    first = DfPnEngine(table_bits=16, interposition=reading)
    second = IterativeEngine(table_bits=16, interposition=reading)
    compared = 0
    for position in sample(f"raised {reading.name}"):
        record = pack(position)
        before = np.asarray(record).tobytes()
        first.forget()
        n, answer = first.raise_bound(record, LAST)
        for_good = first.refuted_for_good
        m, other = second.raise_bound(record, LAST)
        assert np.asarray(record).tobytes() == before
        if answer is None or other is None:
            continue
        compared += 1
        assert answer == other, format_sfen(position)
        if answer:
            assert n == m, format_sfen(position)
            continue
        assert n == LAST or for_good, format_sfen(position)
        assert m == LAST or second.refuted_for_good, format_sfen(position)
        if for_good:
            assert not second.mates(record, LAST + 2), format_sfen(position)
    assert compared


@pytest.mark.parametrize("kind", [DfPnEngine, IterativeEngine])
def test_a_bound_that_is_not_raised_far_enough(kind: type[DfPnEngine] | type[IterativeEngine]) -> None:
    record = pack(parse_sfen(LONG).position)
    engine = kind(table_bits=16)
    assert engine.raise_bound(record, 3) == (3, False)
    assert engine.length == 3
    assert engine.raise_bound(record, 1) == (1, False)


def test_out_of_nodes_the_last_bound_is_returned() -> None:
    record = pack(parse_sfen(LONG).position)
    engine = DfPnEngine(table_bits=16)
    with engine.within(Limits(nodes=30)):
        n, answer = engine.raise_bound(record, 11)
        assert answer is None
        assert 1 <= n < 11
        with pytest.raises(LimitReached):
            engine.raise_bound(record, 11)
    assert engine.raise_bound(record, 1) == (1, False)
    assert not DfPnEngine(table_bits=16).mates(record, n - 2)


def test_a_refutation_for_good_ends_it() -> None:
    record = pack(parse_sfen("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1").position)
    engine = DfPnEngine(table_bits=8)
    assert engine.raise_bound(record, LAST) == (1, False)
    assert engine.length >= FOREVER
    assert engine.short_lengths(
        pack_all([parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position]), 9, 1
    ).tolist() == [0]
