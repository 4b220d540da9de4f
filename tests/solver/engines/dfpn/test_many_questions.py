# SPDX-License-Identifier: GPL-3.0-or-later
"""Many questions answered in one call, against the same questions one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from functools import partial

import numpy as np

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.readings import Comparer
from solver.results import Limits, Mate
from solver.scoring.prooftree import MeasuredSubtrees, measure_proof_tree
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder
from tests.places import COMPOSED
from tests.sampling import attacks, crowded
from tsume_rules.packed import Record, legal_checks, pack
from tsume_rules.sfen import parse_sfen


def problems(number: int, seed: str) -> Iterator[tuple[Record, int]]:
    """Positions that mate within 9 plies, with their lengths."""
    engine = DfPnEngine(table_bits=16)
    composed = (parse_sfen(line).position for line in COMPOSED.read_text().splitlines()[1::7])
    for position in [*composed, *attacks(number, seed), *crowded(number // 3, seed)]:
        record = pack(position)
        found = search_length(engine, record, Limits(nodes=20_000, max_length=9))
        if isinstance(found, Mate):
            yield record, found.length


def test_checks_that_never_mate_are_those_the_check_search_refutes() -> None:
    settled = 0
    for position in [*attacks(60, seed="ever"), *crowded(30, seed="ever")]:
        record, few, one = pack(position), DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
        before, checks = np.asarray(record).tobytes(), legal_checks(record)
        for nodes in (200, 5_000):
            mating, refuted, open_still = few.refute_each_ever(record, checks, nodes)
            twin, twin_refuted, twin_open = MateEngine.refute_each_ever(one, record, checks, nodes)
            assert np.asarray(record).tobytes() == before
            asked = checks if mating is None else checks[: checks.index(mating)]
            assert sorted([*refuted, *open_still]) == asked
            assert not set(refuted) & {twin}
            assert not set(twin_refuted) & {mating}
            if not open_still and not twin_open:
                assert (mating, refuted) == (twin, twin_refuted)
                settled += 1
    assert settled > 60


def test_the_length_after_a_mate_is_that_of_the_mate() -> None:
    mates = 0
    for record, length in problems(40, "length"):
        engine = DfPnEngine(table_bits=16)
        check, _, _ = engine.refute_each_ever(record, legal_checks(record), 50_000)
        if check is not None:
            mates += 1
            assert engine.length + 1 >= length
            assert engine.mates_after(record, check, engine.length + 1)
    assert mates > 20


def test_an_empty_list_asks_nothing() -> None:
    engine = DfPnEngine(table_bits=10)
    record = pack(next(attacks(1)))
    assert engine.refute_each_ever(record, [], 100) == (None, [], [])
    assert engine.refute_each_ever(record, legal_checks(record), 0) == (None, [], legal_checks(record))
    assert engine.refutation_work(record, [], 5, 100) == ([], [])
    assert engine.nodes == 0


def test_proof_trees_are_those_counted_step_by_step() -> None:
    larger = 0
    for record, length in problems(120, "proof trees"):
        step_by_step = measure_proof_tree(DfPnEngine(table_bits=16), record, length, MeasuredSubtrees())
        assert DfPnEngine(table_bits=16).proof_tree(record, length) == astuple(step_by_step)
        larger += step_by_step.nodes > 10
    assert larger > 10


def test_a_proof_tree_without_room_is_given_up() -> None:
    record, length = next(one for one in problems(0, "") if one[1] == 9)
    engine = DfPnEngine(table_bits=16)
    before = np.asarray(record).tobytes()
    sums = engine.proof_tree(record, length)
    assert sums is not None
    assert engine.proof_tree(record, length, room=1) is None
    assert np.asarray(record).tobytes() == before
    assert engine.proof_tree(record, length) == sums


def test_the_work_of_refutations_is_that_of_single_questions() -> None:
    for nodes in (150, 200_000):
        for record, length in problems(30, "refutations"):
            engine, twin = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
            checks = legal_checks(record)
            assert engine.refutation_work(record, checks, length, nodes) == _by_single_questions(
                twin, record, checks, length, nodes
            )


def _by_single_questions(
    engine: DfPnEngine, record: Record, checks: list[int], length: int, nodes: int
) -> tuple[list[int], list[int]]:
    depths, works = [], []
    for check in checks:
        engine.forget()
        before = engine.nodes
        depth = engine.answered_within(nodes, partial(_depth, engine, record, check, length))
        depths.append(length if depth is None else depth)
        works.append(engine.nodes - before)
    return depths, works


def _depth(engine: DfPnEngine, record: Record, check: int, length: int) -> int:
    for n in range(1, length + 1, 2):
        if not engine.mates_after(record, check, n) and engine.refuted_for_good:
            return n
    return length


def test_where_the_readings_plainly_agree_they_do() -> None:
    agreed = 0
    for record, length in problems(120, "readings"):
        engine = DfPnEngine(table_bits=16)
        root = TreeBuilder(engine, order=int).turn(record, length)
        if len(root.line()) != length:
            continue
        turns = engine.readings_agree(record, root.line())
        agreed += turns
        before = np.asarray(record).tobytes()
        engine.readings_agree = lambda *_: 0  # type: ignore[method-assign]
        split = Comparer(engine, record, root).split()
        assert split is None or len(split.path) // 2 >= turns
        assert np.asarray(record).tobytes() == before
    assert agreed > 50
