# SPDX-License-Identifier: GPL-3.0-or-later
"""All methods give the same answers: they change only the work."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from solver.engines.dfpn import methods
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.iterative.engine import IterativeEngine
from solver.results import Interposition, LimitReached, Limits, Mate, NoMate, Unresolved
from solver.solving.deepening import search_length
from tests import naive
from tests.places import COMPOSED
from tests.sampling import attacks, crowded, promotable, starts
from tests.solver.questions import READINGS, answered, expected
from tsume_rules.packed import pack, pack_all
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

METHODS = [
    *(methods.Method(*choice) for choice in product(methods.Frontier, methods.Estimate, methods.Extension)),
    methods.DEFAULT_METHOD,
    methods.FOR_LONG_WORKS,
    methods.FOR_REFUTATIONS,
    methods.FOR_RESISTANCE,
]
NAMES = [
    "-".join(m.name for m in (one.frontier, one.estimate, one.extension, one.leaves, one.loops)) for one in METHODS
]
TWIN_LENGTHS, LENGTHS = (1, 3), (1, 3, 5, 7)
NODES = 20_000


def sample(reading: Interposition) -> list[Position]:
    name = f"methods {reading.name}"
    return [*attacks(6, name), *starts(3, name), *crowded(1, name), *promotable(3, name)]


def known_lengths(position: Position, reading: naive.Reading) -> dict[int, bool]:
    board, search = naive.board_of(format_sfen(position)), naive.Search(reading)
    return {n: search.mate_within(board, n) for n in (1, 3, 5)}


@pytest.mark.parametrize("reading", READINGS)
def test_every_method_answers_as_the_slow_twin(reading: Interposition) -> None:
    """Answers within 1 to 5 plies, all mating first moves within 3; some with a table far too small."""
    engines = [
        DfPnEngine(table_bits=6 if i % 4 == 3 else 12, interposition=reading, method=method)
        for i, method in enumerate(METHODS)
    ]
    mates = 0
    for position in sample(reading):
        packed = pack(position)
        moves = expected(position, READINGS[reading], TWIN_LENGTHS)
        within = known_lengths(position, READINGS[reading])
        mates += any(within.values())
        for engine in engines:
            assert answered(engine, packed, TWIN_LENGTHS) == moves, format_sfen(position)
            assert {n: engine.mates(packed, n) for n in within} == within, format_sfen(position)
    assert mates


@pytest.mark.parametrize("reading", READINGS)
def test_methods_agree_within_seven_plies(reading: Interposition) -> None:
    engines = [DfPnEngine(table_bits=14, interposition=reading, method=method) for method in METHODS]
    plain = DfPnEngine(table_bits=14, interposition=reading)
    longer = 0
    for position in [*attacks(15, f"seven {reading.name}"), *promotable(6, f"seven {reading.name}")]:
        packed = pack(position)
        within = {n: plain.mates(packed, n) for n in LENGTHS}
        longer += within[7] and not within[1]
        for engine in engines:
            for n in (7, 5, 3, 1):
                assert engine.mates(packed, n) == within[n], format_sfen(position)
    assert longer


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_methods_agree_on_mates_at_any_length(method: methods.Method) -> None:
    """For positions that both decide within the limit of nodes."""
    engine, plain = DfPnEngine(table_bits=14, method=method), DfPnEngine(table_bits=14)
    answers = set()
    for position in attacks(16, "methods ever"):
        packed = pack(position)
        try:
            with engine.within(Limits(nodes=NODES)), plain.within(Limits(nodes=NODES)):
                answer = engine.mates_ever(packed)
                assert answer == plain.mates_ever(packed), format_sfen(position)
        except LimitReached:
            continue
        answers.add(answer)
        assert answer or not plain.mates(packed, 7), format_sfen(position)
    assert answers == {False, True}


def test_the_default_is_one_of_them() -> None:
    """It differs from the one on which seeds rest in the order of the last checks only."""
    assert methods.DEFAULT_METHOD in METHODS
    assert replace(methods.REPEATABLE, leaves=methods.Leaves.LIKELIEST) == methods.DEFAULT_METHOD
    assert len(set(METHODS)) == len(METHODS) == 124


def test_a_mate_in_three_at_new_nodes_leaves_less_to_expand() -> None:
    expanded = {}
    for frontier in (methods.Frontier.NOTHING, methods.Frontier.A3):
        engine = DfPnEngine(
            table_bits=14, method=methods.Method(frontier, methods.Estimate.ONES, methods.Extension.ONE)
        )
        for line in COMPOSED.read_text().splitlines()[1:181:9]:
            engine.forget()
            assert engine.mates_ever(pack(parse_sfen(line).position))
        assert 0 < engine.expanded <= engine.nodes
        expanded[frontier] = engine.expanded
    assert expanded[methods.Frontier.A3] < expanded[methods.Frontier.NOTHING]


# --- Many short problems in one call, and the bound raised in one call: as if asked one by one -----

LAST, SHORT_NODES = 7, 200_000
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11."""


def short_sample(seed: str, number: int = 60) -> list[Position]:
    return [*attacks(number, seed), *starts(number // 2, seed), *promotable(number // 3, seed), *crowded(8, seed)]


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
    positions = short_sample(f"short {reading.name}")
    packed_positions = pack_all(positions)
    before = packed_positions.tobytes()
    engine = DfPnEngine(table_bits=14, interposition=reading)
    found = engine.short_lengths(packed_positions, LAST, SHORT_NODES).tolist()
    assert packed_positions.tobytes() == before
    for position, length in zip(positions, found, strict=True):
        assert length == one_by_one(position, reading), format_sfen(position)
    assert {1, 3} <= set(found)
    assert 0 in found


def test_the_table_need_not_be_empty() -> None:
    """Neither earlier questions nor a table far too small change the lengths."""
    packed_positions = pack_all(short_sample("again"))
    engine, tiny = DfPnEngine(table_bits=14), DfPnEngine(table_bits=5)
    first = engine.short_lengths(packed_positions, LAST, SHORT_NODES).tolist()
    assert engine.short_lengths(packed_positions[::-1].copy(), LAST, SHORT_NODES).tolist() == first[::-1]
    small = tiny.short_lengths(packed_positions, LAST, SHORT_NODES).tolist()
    assert [abs(n) for n in small] == [abs(n) for n in first]
    assert engine.short_lengths(packed_positions[:0], LAST, SHORT_NODES).tolist() == []
    engine = DfPnEngine(table_bits=14)
    packed_positions = pack_all(short_sample("afterwards", 20))
    engine.short_lengths(packed_positions, 5, 3)  # most of them stop before the end
    packed = pack(parse_sfen(LONG).position)
    assert not engine.mates(packed, 9)
    assert engine.mates(packed, 11)


def test_open_entries_are_true_bounds() -> None:
    positions = short_sample("few nodes")
    packed_positions = pack_all(positions)
    truth = DfPnEngine(table_bits=14).short_lengths(packed_positions, LAST + 2, SHORT_NODES).tolist()
    open_ones = 0
    for nodes in (1, 2, 5, 20, 100):
        found = DfPnEngine(table_bits=14).short_lengths(packed_positions, LAST, nodes).tolist()
        for position, length, true in zip(positions, found, truth, strict=True):
            if length >= 0:
                assert length == true, format_sfen(position)
                continue
            assert length % 2 == 1
            assert -length <= LAST + 2
            assert true <= 0 or true >= -length, format_sfen(position)
            open_ones += nodes == 1
    assert open_ones
    # By the question for one position.
    positions = short_sample("bounds", 40)
    found = DfPnEngine(table_bits=14).short_lengths(pack_all(positions), LAST, 1).tolist()
    assert any(length < 0 for length in found)
    for position, length in zip(positions, found, strict=True):
        if length < -1:
            assert not DfPnEngine(table_bits=14).mates(pack(position), -length - 2), format_sfen(position)


def test_the_stamps_run_out_in_the_middle() -> None:
    packed_positions = pack_all(short_sample("stamps", 20))
    lengths = DfPnEngine(table_bits=12).short_lengths(packed_positions, 5, SHORT_NODES).tolist()
    for left in (0, 1, 2, 7):
        engine = DfPnEngine(table_bits=12)
        # leaves entries with low stamps
        assert engine.short_lengths(packed_positions, 5, SHORT_NODES).tolist() == lengths
        engine._search.stamp = LAST_STAMP - left
        assert engine.short_lengths(packed_positions, 5, SHORT_NODES).tolist() == lengths
        assert 1 <= engine._search.stamp <= len(packed_positions) + 1
        assert engine.mates(packed_positions[0], 5) == (lengths[0] > 0)


# --- the bound raised in one call -------------------------------------------------------------------
@pytest.mark.parametrize("reading", READINGS)
def test_both_engines_raise_the_bound_to_the_same_end(reading: Interposition) -> None:
    """One engine may know a little earlier than the other that a no holds at any length."""
    first = DfPnEngine(table_bits=16, interposition=reading)
    second = IterativeEngine(table_bits=16, interposition=reading)
    compared = 0
    for position in short_sample(f"raised {reading.name}"):
        packed = pack(position)
        before = np.asarray(packed).tobytes()
        first.forget()
        n, answer = first.raise_bound(packed, LAST)
        for_good = first.refuted_for_good
        m, other = second.raise_bound(packed, LAST)
        assert np.asarray(packed).tobytes() == before
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
            assert not second.mates(packed, LAST + 2), format_sfen(position)
    assert compared


def test_a_bound_that_is_not_raised_far_enough() -> None:
    packed = pack(parse_sfen(LONG).position)
    for engine in (DfPnEngine(table_bits=16), IterativeEngine(table_bits=16)):
        assert engine.raise_bound(packed, 3) == (3, False)
        assert engine.length == 3
        assert engine.raise_bound(packed, 1) == (1, False)
    # a refutation for good ends it
    bare = pack(parse_sfen("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1").position)
    small = DfPnEngine(table_bits=8)
    assert small.raise_bound(bare, LAST) == (1, False)
    assert small.length >= FOREVER
    missing = parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position
    assert small.short_lengths(pack_all([missing]), 9, 1).tolist() == [0]


def test_out_of_nodes_the_last_bound_is_returned() -> None:
    packed = pack(parse_sfen(LONG).position)
    engine = DfPnEngine(table_bits=16)
    with engine.within(Limits(nodes=30)):
        n, answer = engine.raise_bound(packed, 11)
        assert answer is None
        assert 1 <= n < 11
        with pytest.raises(LimitReached):
            engine.raise_bound(packed, 11)
    assert engine.raise_bound(packed, 1) == (1, False)
    assert not DfPnEngine(table_bits=16).mates(packed, n - 2)
