"""Growing leaves the records it grows from as they were, whatever happens."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from generator.compose import Composer, Options
from generator.growth import Effort, Grower, Sprout
from generator.reasons import Rejection
from rules.packing import Record, pack
from rules.sfen import parse_sfen
from solver.engine import Solver
from solver.results import Limits
from tests.sampling import attacks

FINAL = "k8/G8/P8/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1"


def contents(record: Record) -> bytes:
    """All bytes but the padding, which a copy need not copy."""
    return b"".join(np.asarray(record[name]).tobytes() for name in record.dtype.names)


def grower(effort: Effort, seed: int = 1) -> Grower:
    return Grower(Solver(table_bits=16), np.random.default_rng(seed), effort, Counter())


@pytest.fixture(scope="module")
def parents() -> list[Sprout]:
    """Problems in one, correct ones and others."""
    composer = Composer(1, Options(1), "test")
    made = [problem.position for index in range(25) for problem in composer.root(index).problems]
    solver = Solver(table_bits=16)
    mates = [record for record in map(pack, attacks(60)) if solver.mates(record, 1)]
    return [Sprout(record, 1) for record in (*map(pack, made), *mates)]


@pytest.mark.parametrize("effort", [Effort(), Effort(nodes=1), Effort(nodes=40)])
def test_parents_are_left_unchanged(effort: Effort, parents: list[Sprout]) -> None:
    growing = grower(effort)
    for parent in parents:
        before = contents(parent.record)
        growing.children(parent)
        assert contents(parent.record) == before
    assert growing.counts["candidates" if effort.nodes > 1 else "defences"] > 0
    if effort.nodes == 1:
        assert growing.counts[Rejection.UNRESOLVED] > 0


def test_a_final_position_is_left_unchanged() -> None:
    final = pack(parse_sfen(FINAL).position)
    before = contents(final)
    assert list(grower(Effort()).first_moves(final))
    assert contents(final) == before


def test_children_mate_two_plies_later(parents: list[Sprout]) -> None:
    growing, solver = grower(Effort()), Solver(table_bits=16)
    children = [child for parent in parents for child in growing.children(parent)]
    assert children
    for child in children:
        assert child.length == 3
        assert solver.mates(child.record, 3)
        assert not solver.mates(child.record, 1)


def test_limits_of_one_candidate_do_not_outlive_it(parents: list[Sprout]) -> None:
    growing = grower(Effort(nodes=1))
    for parent in parents:
        growing.children(parent)
    with growing.solver.within(Limits(nodes=1000)):
        growing.solver.check_limits()


def test_the_same_random_numbers_grow_the_same_children(parents: list[Sprout]) -> None:
    def grown() -> list[bytes]:
        growing = grower(Effort(), seed=5)
        return [contents(child.record) for parent in parents for child in growing.children(parent)]

    assert grown() == grown()
