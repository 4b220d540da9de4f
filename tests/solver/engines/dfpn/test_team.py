# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that share a table answer as one does."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any

import pytest

from solver.engines.dfpn import team
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import LINK_PENDING
from solver.engines.dfpn.kernel.repetition import mark_loop_head
from solver.engines.dfpn.kernel.table import lock, unlock
from solver.engines.dfpn.memory import HELPER_BYTES, engine_bytes, threads_within
from solver.judging.judge import Judge
from solver.results import Judgement, Limits, Mate, NoMate, Reason, Unresolved
from solver.solving import deepening
from solver.solving.deepening import search_length
from tests.positions import record_of
from tests.sampling import attacks
from tests.solver.engines.dfpn.test_engine import CIRCLES, REPEATING, in_pieces
from tsume_rules.packed import pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

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


def test_a_part_of_the_table_is_used_by_one_thread_at_a_time() -> None:
    shared, counters = team.shared_array(2), [0, 0]
    times = 1000

    def count_up(first: int) -> None:
        """Add to two counters by turns, within locks of parts that overlap."""
        for i in range(times):
            for number, place in enumerate((1020 + 1024 * ((first + i) & 1), 2044)):
                lock(shared, place, place + 15)
                before = counters[number]
                time.sleep(0)  # another thread may run
                counters[number] = before + 1
                unlock(shared, place, place + 15)

    threads = [threading.Thread(target=count_up, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counters == [3 * times, 3 * times]
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


@pytest.mark.fuzz
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
    packed = record_of(sfen)
    alone = search_length(engine_with(1), packed, Limits())
    assert isinstance(alone, Mate | NoMate)
    for _ in range(3):
        assert search_length(engine_with(THREADS), packed, Limits()) == alone


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
    packed = record_of(REPEATING)
    assert search_length(engine, packed, Limits()) == search_length(engine_with(1), packed, Limits())
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
            mark_loop_head(arena._replace(search=search), index)
            link = int(arena.frames[index].link)
            given.append((link, int(search.link_uses[link])))
            if index == 0:
                search.link_state[link] = 0  # its head has left the path

    give(own, 100)
    give(own, 3, index=1)  # on the path all the time
    monkeypatch.setattr(team._Helper, "_run", lambda *_: None)
    helpers = team.HelperThreads(THREADS)
    arena = arena._replace(shared=team.shared_array(THREADS))
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
    helper = team._Helper(1)
    arrays = (helper._searches, helper._frames, helper._children, helper._scratch)
    assert sum(array.nbytes for array in arrays) == HELPER_BYTES
