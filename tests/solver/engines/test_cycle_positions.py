# SPDX-License-Identifier: GPL-3.0-or-later
"""What Shibahara2006 proves in section 5 (theorems 1 to 6), its figures 2 and 8 to 11, on graphs.

The drawings of the figures are not in the text that was at hand. `FIGURE_8` is a graph of
which everything holds that sections 5.1.2 and 5.4 say of figures 8 and 11.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from solver.engines.dfpn.unbounded_search import CheckSearch
from tests.solver.engines.cycles import (
    PaperSearch,
    StoredAtOnce,
    affected_nodes,
    cycle_nodes,
    influences,
    is_verified,
    losing_nodes,
    rests_on,
)
from tests.solver.engines.graphs import Graph, GraphSearch, winning_nodes
from tests.solver.engines.test_checksearch import random_graph, tangled_graph
from tests.solver.engines.test_repetition_traps import TRAPS, Trap, orders

NUMBER = 400

# Figure 2: B, below A, is A again, and so is C, which another way leads to. B is stored as
# lost, so A is lost at once and never searched to the end; C is answered by the table.
#
#   [R]->(A)->[P]->(A)    (A)->[W] won
FIGURE_2 = Trap("A", "R:A A:PW P:A", won="ARPW")

# Figures 8 and 11. Candidates B, C, D, E; lower case: what they affect, g lost, d won by c.
#
#   (B)->[h]->(e)->[f]->(i)->[g] lost, [w]->(B), [v]->(D)       (D)->[h]
#   (C)<->[p]  (C)->[q] won        (E)<->[r]  (E)->[s] won
#   (d)->[c]->(b)->[a]->(C)        (z)->[y]->(x)->[w]->(B)
#   (A)->[c], [y]      [R]->(A), (D), (t)      (t)<->[u]  (d)->[u]   [g]->(l) lost
FIGURE_8 = Trap(
    "BCDEeibdxzAtl",
    "B:h h:e e:f f:i i:gwv w:B v:D D:h C:pq p:C E:rs r:E d:cu c:b b:a a:C z:y y:x x:w A:cy R:ADt t:u u:t g:l",
    won="CEpqrsabcdA",
)
CANDIDATES = "BCDE"


def nodes(trap: Trap, names: str) -> set[int]:
    return {trap.node(name) for name in names}


def graphs(seed: int, number: int = NUMBER) -> Iterator[tuple[random.Random, Graph]]:
    rng = random.Random(seed)
    for i in range(number):
        yield rng, (random_graph, tangled_graph)[i % 2](rng)


def some_of(rng: random.Random, of: set[int]) -> set[int]:
    return {node for node in sorted(of) if rng.random() < 0.4}


# --- the theorems ----------------------------------------------------------------------------------


def test_every_position_is_won_lost_or_a_cycle_position() -> None:
    """Theorem 1."""
    for _, graph in graphs(1):
        won, lost, drawn = winning_nodes(graph), losing_nodes(graph), cycle_nodes(graph)
        assert won | lost | drawn == set(range(len(graph.attacker)))
        assert len(won) + len(lost) + len(drawn) == len(graph.attacker)


def test_a_cycle_position_has_a_cycle_position_below_it_and_no_better_one() -> None:
    """Theorem 2, both ways round."""
    for _, graph in graphs(2):
        drawn = cycle_nodes(graph)
        assert drawn == {node for node in range(len(graph.attacker)) if rests_on(graph, node, drawn)}


def test_what_only_cycle_positions_affect_is_one() -> None:
    """Theorem 4."""
    seen = 0
    for rng, graph in graphs(3):
        candidates = some_of(rng, set(range(len(graph.attacker))))
        for node in affected_nodes(graph, candidates & cycle_nodes(graph)):
            assert node in cycle_nodes(graph)
            seen += 1
    assert seen


def test_candidates_that_rest_on_one_another_are_cycle_positions() -> None:
    """Theorem 5, from left to right: what the check search needs."""
    verified = 0
    for rng, graph in graphs(4, 4 * NUMBER):
        candidates = some_of(rng, set(range(len(graph.attacker))))
        if candidates and is_verified(graph, candidates):
            verified += 1
            assert candidates | affected_nodes(graph, candidates) <= cycle_nodes(graph)
    assert verified


def test_a_cycle_position_may_rest_on_what_no_candidate_affects() -> None:
    """Theorem 5 from right to left does not hold for any set of candidates.

    X and Y go round, and so may Z; Y is not affected by X alone, for the defender has Z too.
    """
    graph = Trap("XZ", "X:Y Y:XZ Z:Y", won="").graph()
    x = 0
    assert cycle_nodes(graph) == {0, 1, 2}
    assert affected_nodes(graph, {x}) == set()
    assert not is_verified(graph, {x})


def test_each_new_start_knows_one_more_win() -> None:
    """Theorem 6: there are at most as many new starts as won positions, here and in the paper's way."""
    most = 0
    for _, graph in graphs(5):
        for root in range(len(graph.attacker)):
            for search in (CheckSearch(GraphSearch(graph)), PaperSearch(graph)):
                assert search.wins(root) == (root in winning_nodes(graph))
                assert search.researches <= len(winning_nodes(graph))
                most = max(most, search.researches)
    assert most > 1


# --- the algorithm, word for word ------------------------------------------------------------------


@pytest.mark.parametrize("trap", [*TRAPS.values(), FIGURE_2], ids=[*TRAPS, "figure 2"])
def test_the_paper_s_own_check_search_is_right_in_every_order_of_moves(trap: Trap) -> None:
    for graph in orders(trap):
        assert {
            node for node in range(len(graph.attacker)) if PaperSearch(graph).wins(node)
        } == trap.expected()


def test_the_paper_s_own_check_search_is_right_on_one_table() -> None:
    for rng, graph in graphs(6):
        roots = list(range(len(graph.attacker)))
        rng.shuffle(roots)
        search = PaperSearch(graph)
        assert {root for root in roots if search.wins(root)} == winning_nodes(graph), graph


def test_a_position_stored_as_lost_at_once_hides_its_win() -> None:
    """Figure 2: no way round B finds what lies below A."""
    for graph in orders(FIGURE_2):
        repeats_first = graph.successors[FIGURE_2.node("A")][0] == FIGURE_2.node("P")
        assert StoredAtOnce(graph).prove(FIGURE_2.node("R")) == (not repeats_first)


def test_a_candidate_stored_at_once_has_to_be_searched_whatever_the_table_says() -> None:
    """What `CheckSearch` leaves out, the check of candidates with a disproof, the paper's way needs."""
    wrong = [
        root
        for graph in orders(FIGURE_2)
        for root in FIGURE_2.expected()
        if not PaperSearch(graph, skips=True).wins(root)
    ]
    assert wrong


# --- figures 8 and 11 ------------------------------------------------------------------------------


def test_figure_8_is_as_the_text_says() -> None:
    """Section 5.1.2, and how the candidates come out in 5.4."""
    graph = FIGURE_8.graph()
    candidates = nodes(FIGURE_8, CANDIDATES)
    affected = affected_nodes(graph, candidates)
    assert winning_nodes(graph) == FIGURE_8.expected()
    assert losing_nodes(graph) == nodes(FIGURE_8, "gl")
    assert candidates & cycle_nodes(graph) == nodes(FIGURE_8, "BD")
    assert nodes(FIGURE_8, "abcwxyzefhiA") <= affected
    assert affected.isdisjoint(nodes(FIGURE_8, "Rd"))  # R's third child and d's second are not known


@pytest.mark.parametrize(
    ("names", "by"), [("A", "BC"), ("abc", "C"), ("wxyz", "B")], ids=["A", "a b c", "w x y z"]
)
def test_candidates_influence_in_figure_8_what_the_text_says(names: str, by: str) -> None:
    """Definition 4; theorem 4: where they are cycle positions, so is what they influence."""
    graph = FIGURE_8.graph()
    for node in nodes(FIGURE_8, names):
        assert influences(graph, nodes(FIGURE_8, CANDIDATES), node) == nodes(FIGURE_8, by)
        assert (node in cycle_nodes(graph)) == (by == "B")


def test_without_the_candidates_that_are_won_figure_8_is_verified() -> None:
    """Section 5.4: C is won, so is E; what is left, B and D, holds (theorem 5)."""
    graph = FIGURE_8.graph()
    assert not is_verified(graph, nodes(FIGURE_8, CANDIDATES))
    assert not is_verified(graph, nodes(FIGURE_8, "BDE"))
    assert is_verified(graph, nodes(FIGURE_8, "BD"))


def test_every_position_of_figure_8_in_many_orders_of_moves() -> None:
    rng, plain = random.Random(8), FIGURE_8.graph()
    most = 0
    for _ in range(200):
        graph = Graph(plain.attacker, tuple(tuple(rng.sample(to, len(to))) for to in plain.successors))
        for root in range(len(graph.attacker)):
            for search in (CheckSearch(GraphSearch(graph)), PaperSearch(graph)):
                assert search.wins(root) == (root in FIGURE_8.expected())
                most = max(most, search.researches)
    assert most > 0
