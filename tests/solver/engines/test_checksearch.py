# SPDX-License-Identifier: GPL-3.0-or-later
"""The check search on random graphs with cycles, against exhaustion (see test_repetition_traps.py)."""

from __future__ import annotations

import os
import random

from solver.engines.dfpn.unbounded_search import CheckSearch
from tests.solver.engines.graphs import (
    Graph,
    GraphSearch,
    repetition_ignored,
    repetition_stored_as_loss,
    winning_nodes,
)

NUMBER = int(os.environ.get("TSUME_TEST_GRAPHS", "5000"))


def random_graph(rng: random.Random) -> Graph:
    size = rng.randint(3, 14)
    attacker = tuple(rng.random() < 0.5 for _ in range(size))
    successors = tuple(
        tuple(rng.sample(range(size), min(size, rng.choice((0, 1, 1, 2, 2, 3, 4))))) for _ in range(size)
    )
    return Graph(attacker, successors)


def tangled_graph(rng: random.Random) -> Graph:
    """A larger graph, dense or sparse, with few terminal nodes: almost every path can enter a cycle."""
    size = rng.randint(3, 30)
    share = rng.choice((0.35, 0.5, 0.65))
    degrees = rng.choice(
        ((0, 1, 1, 2, 2, 3), (1, 1, 2, 2, 2, 3, 3), (0,) + (1, 2, 3) * 6, (0, 1, 2, 3, 4, 6))
    )
    return Graph(
        tuple(rng.random() < share for _ in range(size)),
        tuple(tuple(rng.sample(range(size), min(size, rng.choice(degrees)))) for _ in range(size)),
    )


def test_the_check_search_agrees_with_exhaustion_on_random_graphs() -> None:
    rng = random.Random(7)
    for _ in range(NUMBER):
        graph = random_graph(rng)
        won = winning_nodes(graph)
        search = CheckSearch(GraphSearch(graph))
        assert [search.wins(root) for root in (0, 1, 2)] == [root in won for root in (0, 1, 2)], graph


def test_the_check_search_agrees_with_exhaustion_on_tangled_graphs() -> None:
    rng = random.Random(8)
    for _ in range(NUMBER):
        graph = tangled_graph(rng)
        roots = list(range(len(graph.attacker)))
        rng.shuffle(roots)
        search = CheckSearch(GraphSearch(graph))
        assert {root for root in roots if search.wins(root)} == winning_nodes(graph), graph


def test_repetition_kept_as_a_loss_yields_false_losses_and_no_false_win() -> None:
    rng = random.Random(7)
    graphs = [random_graph(rng) for _ in range(5000)]
    won = [0 in winning_nodes(graph) for graph in graphs]
    answers = [repetition_stored_as_loss(graph, 0) for graph in graphs]
    assert (True, False) in zip(won, answers, strict=True)
    assert (False, True) not in zip(won, answers, strict=True)


def test_repetition_ignored_yields_false_wins_and_no_false_loss() -> None:
    rng = random.Random(7)
    graphs = [random_graph(rng) for _ in range(5000)]
    won = [0 in winning_nodes(graph) for graph in graphs]
    answers = [repetition_ignored(graph, 0) for graph in graphs]
    assert (False, True) in zip(won, answers, strict=True)
    assert (True, False) not in zip(won, answers, strict=True)


def test_a_loss_by_the_first_path_is_a_win_by_the_second() -> None:
    """The attacker enters a cycle at 1; at 2 the cycle has a way out that 1 does not need."""
    attacker = (True, False, True, False, False)
    successors = ((1, 3), (2,), (1, 4), (2,), ())
    graph = Graph(attacker, successors)
    assert winning_nodes(graph) == {0, 1, 2, 3, 4}
    assert CheckSearch(GraphSearch(graph)).wins(0)


def test_a_cycle_without_a_way_out_is_not_a_win() -> None:
    graph = Graph((True, False), ((1,), (0,)))
    assert not CheckSearch(GraphSearch(graph)).wins(0)
    assert not CheckSearch(GraphSearch(graph)).wins(1)
