# SPDX-License-Identifier: GPL-3.0-or-later
"""All methods give the same answers: they change only the work."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from solver.engines.dfpn import team
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import LINK_PENDING
from solver.engines.dfpn.kernel.repetition import mark_head
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.dfpn.memory import HELPER_BYTES, engine_bytes, threads_within
from solver.engines.dfpn.methods import (
    DEFAULT_METHOD,
    FOR_LONG_WORKS,
    FOR_REFUTATIONS,
    FOR_RESISTANCE,
    REPEATABLE,
    Estimate,
    Extension,
    Frontier,
    Leaves,
    Method,
)
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.judge import Judge
from solver.limits import LimitReached
from solver.results import Interposition, Judgement, Limits, Mate, NoMate, Reason, Unresolved
from solver.solving import deepening
from solver.solving.deepening import search_length
from tests import naive
from tests.sampling import attacks, crowded, promotable, starts
from tests.solver.engines.dfpn.kernel.locking import count_up
from tests.solver.engines.dfpn.test_engine import CIRCLES, REPEATING, in_pieces
from tests.solver.questions import READINGS, answered, expected
from tsume_rules.packed import Record, pack, pack_all
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

METHODS = [
    *(Method(*choice) for choice in product(Frontier, Estimate, Extension)),
    DEFAULT_METHOD,
    FOR_LONG_WORKS,
    FOR_REFUTATIONS,
    FOR_RESISTANCE,
]
NAMES = [
    "-".join(m.name for m in (one.frontier, one.estimate, one.extension, one.leaves, one.loops))
    for one in METHODS
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
        record = pack(position)
        moves = expected(position, READINGS[reading], TWIN_LENGTHS)
        within = known_lengths(position, READINGS[reading])
        mates += any(within.values())
        for engine in engines:
            assert answered(engine, record, TWIN_LENGTHS) == moves, format_sfen(position)
            assert {n: engine.mates(record, n) for n in within} == within, format_sfen(position)
    assert mates


@pytest.mark.parametrize("reading", READINGS)
def test_methods_agree_within_seven_plies(reading: Interposition) -> None:
    engines = [DfPnEngine(table_bits=14, interposition=reading, method=method) for method in METHODS]
    plain = DfPnEngine(table_bits=14, interposition=reading)
    longer = 0
    for position in [*attacks(15, f"seven {reading.name}"), *promotable(6, f"seven {reading.name}")]:
        record = pack(position)
        within = {n: plain.mates(record, n) for n in LENGTHS}
        longer += within[7] and not within[1]
        for engine in engines:
            for n in (7, 5, 3, 1):
                assert engine.mates(record, n) == within[n], format_sfen(position)
    assert longer


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_methods_agree_on_mates_at_any_length(method: Method) -> None:
    """For positions that both decide within the limit of nodes."""
    engine, plain = DfPnEngine(table_bits=14, method=method), DfPnEngine(table_bits=14)
    answers = set()
    for position in attacks(16, "methods ever"):
        record = pack(position)
        try:
            with engine.within(Limits(nodes=NODES)), plain.within(Limits(nodes=NODES)):
                answer = engine.mates_ever(record)
                assert answer == plain.mates_ever(record), format_sfen(position)
        except LimitReached:
            continue
        answers.add(answer)
        assert answer or not plain.mates(record, 7), format_sfen(position)
    assert answers == {False, True}


def test_the_default_is_one_of_them() -> None:
    """It differs from the one on which seeds rest in the order of the last checks only."""
    assert DEFAULT_METHOD in METHODS
    assert replace(REPEATABLE, leaves=Leaves.LIKELIEST) == DEFAULT_METHOD
    assert len(set(METHODS)) == len(METHODS) == 84


def test_a_mate_in_three_at_new_nodes_leaves_less_to_expand() -> None:
    expanded = {}
    for frontier in (Frontier.NOTHING, Frontier.A3):
        engine = DfPnEngine(table_bits=14, method=Method(frontier, Estimate.ONES, Extension.ONE))
        for position in attacks(40, "expanded"):
            engine.forget()
            engine.mates(pack(position), 7)
        assert 0 < engine.expanded < engine.nodes
        expanded[frontier] = engine.expanded
    assert expanded[Frontier.A3] < expanded[Frontier.NOTHING]


# --- Many short problems in one call, and the bound raised in one call: as if asked one by one -----

LAST, SHORT_NODES = 7, 200_000
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11."""


def short_sample(seed: str, number: int = 60) -> list[Position]:
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
    positions = short_sample(f"short {reading.name}")
    records = pack_all(positions)
    before = records.tobytes()
    engine = DfPnEngine(table_bits=14, interposition=reading)
    found = engine.short_lengths(records, LAST, SHORT_NODES).tolist()
    assert records.tobytes() == before
    for position, length in zip(positions, found, strict=True):
        assert length == one_by_one(position, reading), format_sfen(position)
    assert {1, 3} <= set(found)
    assert 0 in found


def test_the_table_need_not_be_empty() -> None:
    """Neither earlier questions nor a table far too small change the lengths."""
    records = pack_all(short_sample("again"))
    engine, tiny = DfPnEngine(table_bits=14), DfPnEngine(table_bits=5)
    first = engine.short_lengths(records, LAST, SHORT_NODES).tolist()
    assert engine.short_lengths(records[::-1].copy(), LAST, SHORT_NODES).tolist() == first[::-1]
    assert [abs(n) for n in tiny.short_lengths(records, LAST, SHORT_NODES).tolist()] == [
        abs(n) for n in first
    ]
    assert engine.short_lengths(records[:0], LAST, SHORT_NODES).tolist() == []


def test_with_too_few_nodes_the_lengths_are_still_true() -> None:
    positions = short_sample("few nodes")
    records = pack_all(positions)
    truth = DfPnEngine(table_bits=14).short_lengths(records, LAST + 2, SHORT_NODES).tolist()
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
    positions = short_sample("bounds", 40)
    found = DfPnEngine(table_bits=14).short_lengths(pack_all(positions), LAST, 1).tolist()
    assert any(length < 0 for length in found)
    for position, length in zip(positions, found, strict=True):
        if length < -1:
            assert not DfPnEngine(table_bits=14).mates(pack(position), -length - 2), format_sfen(position)


@pytest.mark.parametrize("left", [0, 1, 2, 7])
def test_the_stamps_run_out_in_the_middle(left: int) -> None:
    records = pack_all(short_sample("stamps", 20))
    expected = DfPnEngine(table_bits=12).short_lengths(records, 5, SHORT_NODES).tolist()
    engine = DfPnEngine(table_bits=12)
    assert (
        engine.short_lengths(records, 5, SHORT_NODES).tolist() == expected
    )  # leaves entries with low stamps
    engine._search.stamp = LAST_STAMP - left
    assert engine.short_lengths(records, 5, SHORT_NODES).tolist() == expected
    assert 1 <= engine._search.stamp <= len(records) + 1
    assert engine.mates(records[0], 5) == (expected[0] > 0)


def test_the_engine_is_as_good_as_before_afterwards() -> None:
    engine = DfPnEngine(table_bits=14)
    records = pack_all(short_sample("afterwards", 20))
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
    for position in short_sample(f"raised {reading.name}"):
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


# --- Threads that share a table answer as one does -------------------------------------------------

BITS = 12
THREADS = 3


@pytest.fixture(autouse=True)
def from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every length is found from above, by short slices."""
    monkeypatch.setattr(deepening, "QUICKLY", 1)
    monkeypatch.setattr(deepening, "LAST_RAISED", 1)
    monkeypatch.setattr("solver.engines.dfpn.engine.SLICE", 150)
    monkeypatch.setattr(team, "SLICE", 150)


def engine_with(threads: int) -> DfPnEngine:
    """An engine whose threads begin at once."""
    return DfPnEngine(table_bits=BITS, threads=threads, alone=0)


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


def test_a_part_of_the_table_is_used_by_one_thread_at_a_time() -> None:
    shared, counters = team.shared_by(2), np.zeros(2, dtype=np.int64)
    times = 100_000
    threads = [threading.Thread(target=count_up, args=(shared, counters, times, i)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counters.tolist() == [3 * times, 3 * times]
    assert not shared.any()


def test_threads_find_the_same_lengths() -> None:
    found = Counter[str]()
    engines = [engine_with(1), engine_with(2), engine_with(THREADS)]
    for position in attacks(60, "threads"):
        results = []
        for engine in engines:
            engine.forget()
            results.append(search_length(engine, pack(position), Limits(nodes=20_000)))
        known = {result for result in results if not isinstance(result, Unresolved)}
        assert len(known) <= 1, format_sfen(position)
        found.update(type(result).__name__ for result in results)
    assert found["Mate"] > 20
    assert found["NoMate"] > 20


def test_threads_judge_alike() -> None:
    """The line too, and what is found at each of its turns, also with positions barred."""
    grades = Counter[str]()
    engines = [DfPnEngine(table_bits=16, threads=threads, alone=0) for threads in (1, THREADS)]
    for position in attacks(40, "judged by threads"):
        one, several = (judged(engine, position) for engine in engines)
        if not (one.unresolved or several.unresolved):
            assert verdict(one) == verdict(several), format_sfen(position)
            grades[one.grade.value if one.grade else "none"] += 1
    assert grades["unsound"] > 5
    assert grades.total() > 30


def verdict(judgement: Judgement) -> object:
    """What no limit of nodes changes."""
    kinds = [(type(finding), finding.of) for finding in judgement.findings]
    return judgement.defects, judgement.grade, judgement.length, judgement.line, kinds


def judged(engine: DfPnEngine, position: Position) -> Judgement:
    engine.forget()
    return Judge(engine).judge(position, limits=Limits(nodes=200_000))


@pytest.mark.parametrize("sfen", [CIRCLES, REPEATING])
def test_threads_agree_where_positions_repeat(sfen: str) -> None:
    record = record_of(sfen)
    alone = search_length(engine_with(1), record, Limits())
    assert isinstance(alone, Mate | NoMate)
    for _ in range(3):
        assert search_length(engine_with(THREADS), record, Limits()) == alone


def test_a_search_by_threads_in_pieces_gives_the_same_lengths() -> None:
    """What they have learned is written between two slices of all of them, and read by others."""
    found = Counter[str]()
    for position in attacks(12, "pieces"):
        whole = search_length(engine_with(1), pack(position), Limits(nodes=4000))
        parts = in_pieces(pack(position), 400, 12, lambda: engine_with(2))
        for one, other in ((whole, parts), (parts, whole)):
            if isinstance(one, Mate | NoMate) and not isinstance(other, Unresolved):
                assert one == other, format_sfen(position)
        found[type(parts).__name__] += 1
    assert found["Mate"]
    assert found["NoMate"]


def test_the_threads_end_with_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_with(THREADS)
    result = search_length(engine, record_of(CIRCLES), Limits(nodes=3000))
    assert isinstance(result, Unresolved)
    assert result.reason is Reason.NODES
    assert not any(thread.name == team.THREAD for thread in threading.enumerate())
    spent = engine.nodes
    assert spent >= 3000
    assert isinstance(search_length(engine, record_of(CIRCLES), Limits()), Mate)
    assert engine.nodes > spent
    monkeypatch.setattr(engine._meter, "look", interrupt)
    with pytest.raises(KeyboardInterrupt):
        search_length(engine, record_of(REPEATING), Limits())
    assert not any(thread.name == team.THREAD for thread in threading.enumerate())


def interrupt() -> None:
    raise KeyboardInterrupt


def test_a_stop_that_is_interrupted_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the helpers of another question answered late is no answer."""
    engine = engine_with(THREADS)
    with monkeypatch.context() as patch:
        patch.setattr(team._Helper, "stop", lambda *_: interrupt())
        with pytest.raises(KeyboardInterrupt):
            search_length(engine, record_of(CIRCLES), Limits())
    assert engine._team is not None
    assert engine._team.is_at_work
    record = record_of(REPEATING)
    assert search_length(engine, record, Limits()) == search_length(engine_with(1), record, Limits())
    assert not engine._team.is_at_work
    assert engine._search.members == 0


def test_what_goes_wrong_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(team, "begin", fail)
    engine = engine_with(2)
    with pytest.raises(MemoryError, match="no more"), engine.for_long_works():
        engine.mates(record_of(CIRCLES), 1001)
    assert engine._search.depth == 0


def test_no_two_searches_know_the_same_use_of_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was given out before, meanwhile and afterwards, in several searches by a team."""
    given: list[tuple[int, int]] = []
    engine = DfPnEngine(table_bits=4)
    arena = engine.arena(record_of(CIRCLES))
    own = arena.search

    def give(search: Any, times: int, index: int = 0) -> None:
        for _ in range(times):
            arena.frames[index].link = 0
            mark_head(arena._replace(search=search), index)
            link = int(arena.frames[index].link)
            given.append((link, int(search.link_uses[link])))
            if index == 0:
                search.link_state[link] = 0  # its head has left the path

    give(own, 100)
    give(own, 3, index=1)  # on the path all the time
    monkeypatch.setattr(team._Helper, "_run", lambda *_: None)
    helpers = team.HelperThreads(THREADS)
    arena = arena._replace(shared=team.shared_by(THREADS))
    for _ in range(3):
        helpers.start(arena, arena.pos)
        pending = own.link_state == LINK_PENDING
        for helper in helpers._helpers:
            assert not ((helper.search.link_uses == own.link_uses) & (own.link_uses > 0)).any()
            helper.search.last_link = 0
            give(helper.search, 60)
            give(own, 70)
        helpers.stop()
        assert (own.link_state[pending] == LINK_PENDING).all()
        own.last_link = 0  # round again
        give(own, 400)
    assert len(set(given)) == len(given)
    assert min(uses for _, uses in given) > 0


def test_threads_take_no_memory_from_the_table() -> None:
    size = engine_bytes(20)
    assert threads_within(size - 1, 20) == threads_within(size, 20) == 1
    assert threads_within(size + 2 * HELPER_BYTES, 20) == 3


def test_helpers_hold_what_is_counted() -> None:
    helper = team._Helper(1)
    arrays = (helper._searches, helper._frames, helper._children, helper._scratch)
    assert sum(array.nbytes for array in arrays) == HELPER_BYTES
