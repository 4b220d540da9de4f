# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof trees counted within a given number of remembered subtrees."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate
from solver.scoring import difficulty
from solver.scoring.difficulty import Scorer
from solver.scoring.prooftree import MeasuredSubtrees, TreeSize, measure_proof_tree
from solver.solving.deepening import search_length
from tests.places import COMPOSED
from tests.sampling import attacks
from tsume_rules.packed import Record, pack
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

CAPS = (1, 2, 7)


def problems() -> list[tuple[Position, int]]:
    """60 problems of 5 to 11 moves, with their lengths."""
    engine, found = DfPnEngine(), []
    for line in COMPOSED.read_text().splitlines()[1::3]:
        position = parse_sfen(line).position
        result = search_length(engine, pack(position), Limits())
        assert isinstance(result, Mate)
        found.append((position, result.length))
    assert len(found) >= 50
    return found


@pytest.fixture(scope="module")
def given() -> list[tuple[Position, int]]:
    return problems()


@pytest.mark.parametrize("cells", CAPS)
def test_the_counts_do_not_depend_on_how_much_is_remembered(
    given: list[tuple[Position, int]], cells: int
) -> None:
    engine, forgot, counted_twice = DfPnEngine(), 0, 0
    for position, length in given:
        record, everything, few = pack(position), MeasuredSubtrees(), MeasuredSubtrees(cells)
        size = measure_proof_tree(engine, record, length, everything)
        assert measure_proof_tree(engine, record, length, few) == size
        assert few.peak == min(cells, everything.peak)
        forgot += few.peak < everything.peak
        counted_twice += size.turns > everything.peak
    assert forgot > 20
    assert counted_twice > 5


@pytest.mark.parametrize("cells", CAPS)
def test_scores_do_not_depend_on_how_much_is_remembered(
    given: list[tuple[Position, int]], cells: int
) -> None:
    ample, scarce = Scorer(), Scorer(cells=cells)
    for position, length in given:
        assert scarce.score(position, length) == ample.score(position, length)


def test_scores_stay_the_same_where_the_table_loses_what_was_asked(
    given: list[tuple[Position, int]],
) -> None:
    lost = 0
    for position, length in given[::4]:
        scorers = Scorer(), Scorer(cells=1)
        for scorer in scorers:
            scorer._engine = DfPnEngine(table_bits=1)
        ample, scarce = (scorer.score(position, length) for scorer in scorers)
        assert scarce == ample
        lost += scorers[1]._engine._search.evicted > 0
    assert lost > 5


def test_what_the_table_knows_has_no_say_in_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, cooked = DfPnEngine(), []
    for position in attacks(400, seed="several checks mate"):
        result = search_length(engine, pack(position), Limits(nodes=10_000, max_length=7))
        if isinstance(result, Mate) and result.length > 1:
            cooked.append((position, result.length))
    assert len(cooked) > 20
    ample = [Scorer().score(position, length) for position, length in cooked]

    def measured(engine: DfPnEngine, record: Record, length: int, subtrees: MeasuredSubtrees) -> TreeSize:
        size = measure_proof_tree(engine, record, length, subtrees)
        engine.forget()
        engine.mates(record, length)  # by any check
        return size

    monkeypatch.setattr(difficulty, "measure_proof_tree", measured)
    assert [Scorer().score(position, length) for position, length in cooked] == ample


def test_the_longest_subtrees_stay() -> None:
    subtrees = MeasuredSubtrees(2)
    for key, n in ((1, 1), (2, 3), (3, 1), (4, 5), (5, 3)):
        subtrees.put((key, 0, n), TreeSize(turns=key))
    kept = [key for key in range(1, 6) for n in (1, 3, 5) if subtrees.get((key, 0, n)) is not None]
    assert kept == [2, 4]
    assert subtrees.peak == 2
