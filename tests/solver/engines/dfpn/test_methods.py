# SPDX-License-Identifier: GPL-3.0-or-later
"""All methods give the same answers: they change only the work."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from solver.engines.dfpn.engine import DfPnEngine
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
from solver.limits import LimitReached
from solver.results import Interposition, Limits
from tests import naive
from tests.sampling import attacks, crowded, promotable, starts
from tests.solver.questions import READINGS, answered, expected
from tsume_rules.packed import pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

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
