# SPDX-License-Identifier: GPL-3.0-or-later
"""Shibahara2006, section 5, word for word on small graphs: its definitions and its own check search.

S, where the first player moves, are the OR nodes of a `Graph` and G the AND nodes; W, L and
D are the nodes won, lost and drawn for him. Dc are the candidates of a search, De the
nodes that a candidate affects.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count, permutations, product

import pytest

from solver.engines.dfpn.unbounded_search import CheckSearch
from tests.solver.engines.graphs import (
    Decider,
    Graph,
    GraphSearch,
    _Entry,
    repetition_ignored,
    repetition_stored_as_loss,
    winning_nodes,
)
from tests.solver.engines.test_checksearch import NUMBER, random_graph, tangled_graph


@dataclass(frozen=True)
class Trap:
    """``moves`` as in "A:BC B:A"; ``attacker``: nodes where he moves; ``won``: nodes he wins."""

    attacker: str
    moves: str
    won: str

    def names(self) -> str:
        return "".join(sorted(set(self.moves) - set(": ")))

    def node(self, name: str) -> int:
        return self.names().index(name)

    def graph(self) -> Graph:
        moves = dict(line.split(":") for line in self.moves.split())
        return Graph(
            tuple(name in self.attacker for name in self.names()),
            tuple(tuple(self.node(to) for to in moves.get(name, "")) for name in self.names()),
        )

    def expected(self) -> set[int]:
        return {self.node(name) for name in self.won}


# Kishimoto and Müller 2005, figure 1: H is refuted below E, whose way out it does not
# need itself; by C and F it is reached before E, and there it is won.
#
#   (A)->[B]->(D) lost        (A)->[C]->(F)->[H]
#         [B]->(E)<->[H]             (E)->[G] won
FIRST_PLAYER_LOSS = Trap("ADEF", "A:BC B:DE C:F E:HG F:H H:E", won="ACEFGH")


# Palay: the whole stretch from the repeated position (X) to the one with two parents (Z)
# is wrong on the second path, not only the position that meets the repetition.
#
#   (A)->[P]->(X)->[Y]->(Z)->[V]->(X)    (X)->[W] won
#         [P]->(L) lost                  (A)->[Q]->(Z)
TWO_PARENTS = Trap("AXZL", "A:PQ P:XL X:YW Y:Z Z:V V:X Q:Z", won="AQVWXYZ")


# Campbell, draw first (circle and entrances as in Kishimoto and Müller's figure 3; the
# ways out are ours): Y is refuted below X, and that is used where Y comes first.
#
#   (A)->[P]->(X)<->[Y]    (X)->[W] won    [P]->(L) lost    (A)->[Y]
DRAW_FIRST = Trap("AXL", "A:PY P:XL X:YW Y:X", won="AWXY")


# Campbell, draw last: Y is searched first, with X below it; then X, with Y below. There
# Y's move back closes the cycle; without it Y has only the move to V, which loses.
#
#   (A)->[Y]<->(X)    [Y]->[V] won    (A)->[P]->(X)
DRAW_LAST = Trap("AX", "A:YP P:X X:Y Y:XV", won="V")


# Breuker (Kishimoto and Müller's figure 7): D is marked below C as a possible draw; the
# mark must not be used where D comes from F and C is no repetition.
#
#   (A)->[B]->(C)<->[D]    (C)->[E] won    [B]->(F)->[D]
BASE_AND_TWIN = Trap("ACF", "A:B B:CF C:DE D:C F:D", won="ABCDEF")


# Kishimoto and Müller 2005, figure 4: one circle, entered at two places. Where going back
# is forbidden, the defender has no move at C if D came first; here he goes round for ever.
#
#   (A)->[B]->(D)<->[C]    (A)->[C]
TWO_ENTRANCES = Trap("AD", "A:BC B:D C:D D:C", won="")


# Nagai: a disproof that rests on nothing but a repetition. A search that never keeps one
# does not end, and one that leaves the repetition out finds a win.
NOTHING_BUT_A_CIRCLE = Trap("A", "A:B B:A", won="")


# Shibahara, theorem 5: two circles through one position. Each candidate's disproof rests
# on the other candidate; none is ever proved, and together they hold.
#
#   (A)->[B]->(C)->[D]->(A)    (C)<->[F]
CLOSED_CIRCLES = Trap("AC", "A:B B:C C:DF D:A F:C", won="")


# Shibahara, figure 9: the question comes out right, but Y was refuted on its path. What was
# not verified must not answer the next question.
#
#   (A)->[B]->(X)<->[Y]    (X)->[W] won
OUTLIVES_THE_QUESTION = Trap("AX", "A:B B:X X:YW Y:X", won="ABWXY")


# Shibahara, definition 3: U repeats nothing itself. Its disproof is a table's, of Y, which
# is tainted; so U is tainted, and so is all that rests on U.
#
#   (A)->[P]->(X)<->[Y]    (X)->[W] won    [P]->(L) lost    (A)->[T]->(U)->[Y]
TAINTED_BY_THE_TABLE = Trap("AXLU", "A:PT P:XL X:YW Y:X T:U U:Y", won="ATUWXY")


# Shibahara, 5.2.2: C is logged below A, and F only when C is checked; a search that leaves
# positions undecided calls C refuted then, by G, and F alone can show that it is not.
#
#   [A]->(C)<->[D]         [A]->[D]
#        (C)->[E]->(F)<->[G]    [E]->[G]    (F)->[V]->[W] won
LATE_CANDIDATE = Trap("CF", "A:CD C:DE D:C E:FG F:GV G:F V:W", won="ACDEFGVW")
FALSE_LOSSES = {
    "first-player loss": FIRST_PLAYER_LOSS,
    "two parents": TWO_PARENTS,
    "draw first": DRAW_FIRST,
    "base and twin": BASE_AND_TWIN,
    "tainted by the table": TAINTED_BY_THE_TABLE,
    "late candidate": LATE_CANDIDATE,
}
FALSE_WINS = {
    "draw last": DRAW_LAST,
    "two entrances": TWO_ENTRANCES,
    "nothing but a circle": NOTHING_BUT_A_CIRCLE,
    "closed circles": CLOSED_CIRCLES,
}
TRAPS = FALSE_LOSSES | FALSE_WINS | {"outlives the question": OUTLIVES_THE_QUESTION}


class DeepeningSearch(GraphSearch):
    """Searches one move deeper each time, so that positions stay undecided, as in df-pn.

    `GraphSearch` decides each position before it leaves it. Then a candidate that is not won
    has already been refuted, and its check finds nothing new.
    """

    def prove(self, position: int) -> bool:
        found = (self._look(position, left) for left in count())
        entry = next(entry for entry in found if entry)
        self._last_tainted = entry.tainted
        return entry.won

    def _look(self, node: int, left: int) -> _Entry | None:
        if node in self._path:
            return self._repeated(node)
        if node in self._table or not left:
            return self._table.get(node)
        self._path.add(node)
        entry = self._decide(node, left - 1)
        self._path.remove(node)
        if entry:
            self._table[node] = entry
        return entry

    def _decide(self, node: int, left: int) -> _Entry | None:
        won = not self.graph.attacker[node]
        entries: list[_Entry | None] = []
        for successor in self.graph.successors[node]:
            entry = self._look(successor, left)
            if entry and entry.won != won:  # it decides this node
                return entry
            entries.append(entry)
        if not all(entries):
            return None
        return _Entry(won, not won and any(entry.tainted for entry in entries if entry))


class CleanHits(GraphSearch):
    """A known-wrong search: a tainted disproof from the table does not taint."""

    def _search(self, node: int) -> _Entry:
        if node in self._table and node not in self._path:
            return _Entry(self._table[node].won, tainted=False)
        return super()._search(node)


class FirstCandidatesOnly(CheckSearch[int]):
    """A known-wrong check search: candidates logged during the checks are not searched."""

    def _verify(self) -> bool:
        candidates = list(iter(self._search.next_candidate, None))
        return not any(self._search.prove(candidate) for candidate in candidates)


def orders(trap: Trap) -> Iterator[Graph]:
    """The graph with its moves in every order."""
    graph = trap.graph()
    for successors in product(*(permutations(moves) for moves in graph.successors)):
        yield Graph(graph.attacker, successors)


def questions(trap: Trap) -> Iterator[tuple[int, ...]]:
    """All positions in every order; those without a move, which need no search, last."""
    successors = trap.graph().successors
    ends = tuple(node for node, moves in enumerate(successors) if not moves)
    for inner in permutations(node for node, moves in enumerate(successors) if moves):
        yield inner + ends


def answers(search: CheckSearch[int], roots: tuple[int, ...]) -> set[int]:
    return {root for root in roots if search.wins(root)}


def falls(decider: Decider, trap: Trap, name: str) -> bool:
    """Whether a method is wrong about a position for some order of the moves."""
    node = trap.node(name)
    return any(decider(graph, node) != (name in trap.won) for graph in orders(trap))


def with_clean_hits(graph: Graph, root: int) -> bool:
    return CheckSearch(CleanHits(graph)).wins(root)


def with_first_candidates_only(graph: Graph, root: int) -> bool:
    return FirstCandidatesOnly(DeepeningSearch(graph)).wins(root)


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_every_order_of_moves_and_of_questions_to_one_table(trap: Trap) -> None:
    expected = trap.expected()
    assert winning_nodes(trap.graph()) == expected
    asked = list(questions(trap))
    for graph in orders(trap):
        assert all(answers(CheckSearch(GraphSearch(graph)), roots) == expected for roots in asked)
        for node in range(len(graph.attacker)):
            assert CheckSearch(DeepeningSearch(graph)).wins(node) == (node in expected)


@pytest.mark.parametrize("trap", FALSE_LOSSES.values(), ids=FALSE_LOSSES)
def test_repetition_stored_as_a_loss_falls_and_a_candidate_that_is_proved_starts_anew(trap: Trap) -> None:
    assert falls(repetition_stored_as_loss, trap, "A")
    searches = [CheckSearch(GraphSearch(graph)) for graph in orders(trap)]
    assert all(search.wins(trap.node("A")) for search in searches)
    assert max(search.researches for search in searches) > 0


@pytest.mark.parametrize("trap", FALSE_WINS.values(), ids=FALSE_WINS)
def test_repetition_ignored_falls_and_a_circle_that_holds_is_accepted_at_once(trap: Trap) -> None:
    assert falls(repetition_ignored, trap, "A")
    candidates = 2 if trap is CLOSED_CIRCLES else 1
    for graph in orders(trap):
        search = CheckSearch(GraphSearch(graph))
        assert not search.wins(trap.node("A"))
        assert (search.verified, search.researches) == (candidates, 0)


def test_what_was_not_verified_does_not_outlive_the_question() -> None:
    trap = OUTLIVES_THE_QUESTION
    first, second = trap.node("A"), trap.node("Y")
    tables = [GraphSearch(graph) for graph in orders(trap)]
    assert all(table.prove(first) for table in tables)
    assert not all(table.prove(second) for table in tables)  # wrong: Y is won
    searches = [CheckSearch(GraphSearch(graph)) for graph in orders(trap)]
    assert all(search.wins(first) and search.wins(second) for search in searches)


def test_a_clean_hit_on_a_tainted_entry_and_a_candidate_left_alone_fall() -> None:
    assert falls(with_clean_hits, TAINTED_BY_THE_TABLE, "A")
    assert falls(with_first_candidates_only, LATE_CANDIDATE, "A")


def test_a_search_that_leaves_positions_undecided_agrees_with_exhaustion() -> None:
    rng = random.Random(8)
    for _ in range(NUMBER // 5):
        graph = tangled_graph(rng)
        roots = tuple(range(len(graph.attacker)))
        assert answers(CheckSearch(DeepeningSearch(graph)), roots) == winning_nodes(graph), graph


# --- the algorithm, word for word, with its table --------------------------------------------------


def losing_nodes(graph: Graph) -> set[int]:
    """L of definition 1: W with the players exchanged."""
    return winning_nodes(Graph(tuple(not turn for turn in graph.attacker), graph.successors))


def cycle_nodes(graph: Graph) -> set[int]:
    """D of definition 2: neither won nor lost."""
    return set(range(len(graph.attacker))) - winning_nodes(graph) - losing_nodes(graph)


def rests_on(graph: Graph, node: int, some: set[int]) -> bool:
    """The condition of theorem 2, definition 3 and theorem 5 on a node.

    A child is among ``some``; the others are too, or are no better for who moves.
    """
    children = set(graph.successors[node])
    worse = losing_nodes(graph) if graph.attacker[node] else winning_nodes(graph)
    return bool(children & some) and children <= some | worse


def affected_nodes(graph: Graph, candidates: set[int]) -> set[int]:
    """De of definition 3."""
    affected: set[int] = set()
    while True:
        all_of_them = affected | candidates
        more = {n for n in range(len(graph.attacker)) if n not in affected and rests_on(graph, n, all_of_them)}
        if not more:
            return affected
        affected |= more


def influences(graph: Graph, candidates: set[int], node: int) -> set[int]:
    """The influence set of an affected node (definition 4): the fewest candidates that affect it."""
    for number in range(1, len(candidates) + 1):
        for some in combinations(sorted(candidates), number):
            if node in affected_nodes(graph, set(some)):
                return set(some)
    raise LookupError(f"{node} is affected by no candidate")


def is_verified(graph: Graph, candidates: set[int]) -> bool:
    """The left side of theorem 5."""
    everything = candidates | affected_nodes(graph, candidates)
    return all(rests_on(graph, candidate, everything) for candidate in candidates)


class StoredAtOnce(GraphSearch):
    """A search that keeps a repeated position as lost at once, as section 5.3 does.

    So it is lost above too, where its search was under way (4.3, figure 2). The root of a
    check takes no notice of its own entry (5.3).
    """

    _root: int | None = None

    def check(self, candidate: int) -> bool:
        """Whether a candidate is won; its own entry says that it is not."""
        self._root = candidate
        try:
            self._path.add(candidate)
            entry = self._table[candidate] = self._expand(candidate)
        finally:
            self._path.remove(candidate)
            self._root = None
        return entry.won

    def has_entry(self, node: int) -> bool:
        """Whether the table knows the node."""
        return node in self._table

    def _repeated(self, node: int) -> _Entry:
        self._table[node] = super()._repeated(node)
        return self._table[node]

    def _expand(self, node: int) -> _Entry:
        tainted = False
        for successor in self.graph.successors[node]:
            entry = self._search(successor)
            if node in self._table and node != self._root:
                return self._table[node]
            if entry.won == self.graph.attacker[node]:
                return _Entry(entry.won, entry.tainted)
            tainted |= entry.tainted
        won = not self.graph.attacker[node]
        return _Entry(won, tainted and not won)


class PaperSearch:
    """``hikiwake_pds_search`` of figure 10, for the first player.

    ``skips``: leave out the check of candidates that have an entry, which is wrong here: each has.
    """

    def __init__(self, graph: Graph, *, skips: bool = False) -> None:
        self._search = StoredAtOnce(graph)
        self._skips = skips
        self.researches = 0

    def wins(self, root: int) -> bool:
        """Whether the first player wins from the root."""
        while not self._search.prove(root):
            if not self._search.disproof_is_tainted() or self._all_hold():
                self._search.drop_tainted()
                return False
            self._search.drop_tainted()
            self.researches += 1
        self._search.drop_tainted()
        return True

    def _all_hold(self) -> bool:
        while (candidate := self._search.next_candidate()) is not None:
            skipped = self._skips and self._search.has_entry(candidate)
            if not skipped and self._search.check(candidate):
                return False
        return True


# --- what Shibahara2006 proves in section 5 (theorems 1 to 6), its figures 2 and 8 to 11 -----------

GRAPHS = 400


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


def graphs(seed: int, number: int = GRAPHS) -> Iterator[tuple[random.Random, Graph]]:
    rng = random.Random(seed)
    for i in range(number):
        yield rng, (random_graph, tangled_graph)[i % 2](rng)


def some_of(rng: random.Random, of: set[int]) -> set[int]:
    return {node for node in sorted(of) if rng.random() < 0.4}


# --- the theorems ----------------------------------------------------------------------------------
def test_cycle_positions_are_neither_won_nor_lost_and_rest_on_cycle_positions() -> None:
    """Theorem 1; theorem 2, both ways round."""
    for _, graph in graphs(1, 2 * GRAPHS):
        won, lost, drawn = winning_nodes(graph), losing_nodes(graph), cycle_nodes(graph)
        assert won | lost | drawn == set(range(len(graph.attacker)))
        assert len(won) + len(lost) + len(drawn) == len(graph.attacker)
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
    for rng, graph in graphs(4, 4 * GRAPHS):
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
        assert {node for node in range(len(graph.attacker)) if PaperSearch(graph).wins(node)} == trap.expected()


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
    candidates, drawn = nodes(FIGURE_8, CANDIDATES), cycle_nodes(graph)
    affected = affected_nodes(graph, candidates)
    assert winning_nodes(graph) == FIGURE_8.expected()
    assert losing_nodes(graph) == nodes(FIGURE_8, "gl")
    assert candidates & drawn == nodes(FIGURE_8, "BD")
    assert nodes(FIGURE_8, "abcwxyzefhiA") <= affected
    assert affected.isdisjoint(nodes(FIGURE_8, "Rd"))  # R's third child and d's second are not known
    # Definition 4; theorem 4: where they are cycle positions, so is what they influence.
    for names, by in (("A", "BC"), ("abc", "C"), ("wxyz", "B")):
        for node in nodes(FIGURE_8, names):
            assert (influences(graph, candidates, node), node in drawn) == (nodes(FIGURE_8, by), by == "B")
    # Section 5.4: C is won, so is E; what is left, B and D, holds (theorem 5).
    verified = [names for names in (CANDIDATES, "BDE", "BD") if is_verified(graph, nodes(FIGURE_8, names))]
    assert verified == ["BD"]


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
