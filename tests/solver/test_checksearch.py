"""Disproofs on graphs with cycles, against exhaustion; and the traps of the literature."""

from __future__ import annotations

import os
import random

from solver.andor import Graph, GraphSearch, repetition_stored_as_loss, winning_nodes
from solver.checksearch import CheckSearch

NUMBER = int(os.environ.get("TSUME_TEST_GRAPHS", "5000"))


def random_graph(rng: random.Random) -> Graph:
    size = rng.randint(3, 14)
    attacker = tuple(rng.random() < 0.5 for _ in range(size))
    successors = tuple(
        tuple(rng.sample(range(size), min(size, rng.choice((0, 1, 1, 2, 2, 3, 4))))) for _ in range(size)
    )
    return Graph(attacker, successors)


def test_the_check_search_agrees_with_exhaustion_on_random_graphs() -> None:
    rng = random.Random(7)
    for _ in range(NUMBER):
        graph = random_graph(rng)
        won = winning_nodes(graph)
        search = CheckSearch(GraphSearch(graph))
        assert [search.wins(root) for root in (0, 1, 2)] == [root in won for root in (0, 1, 2)], graph


def test_repetition_kept_as_a_loss_is_wrong_on_some_graph() -> None:
    rng = random.Random(7)
    graphs = [random_graph(rng) for _ in range(5000)]
    assert any(repetition_stored_as_loss(graph, 0) != (0 in winning_nodes(graph)) for graph in graphs)


def test_a_loss_by_the_first_path_is_a_win_by_the_second() -> None:
    """The attacker enters a circle at 1; from 2 the circle has a way out that 1 does not need."""
    attacker = (True, False, True, False, False)
    successors = ((1, 3), (2,), (1, 4), (2,), ())
    graph = Graph(attacker, successors)
    assert winning_nodes(graph) == {0, 1, 2, 3, 4}
    assert CheckSearch(GraphSearch(graph)).wins(0)


def test_a_circle_without_a_way_out_is_no_win() -> None:
    graph = Graph((True, False), ((1,), (0,)))
    assert not CheckSearch(GraphSearch(graph)).wins(0)
    assert not CheckSearch(GraphSearch(graph)).wins(1)
