# SPDX-License-Identifier: GPL-3.0-or-later
"""Traps of repetition, as small graphs, against exhaustion.

The cases follow the phenomena in the literature on the graph-history-interaction
problem (Palay1983, Campbell1985, Breuker2001, Kishimoto2004, Shibahara2006).
Figures are cited only where the moves could be taken from the text: they are those of
Kishimoto and Müller, "A solution to the GHI problem for depth-first proof-number
search", Information Sciences 175 (2005), which also reviews the older work. A name
without a figure names the source of the phenomenon, not of the graph.

In the drawings the attacker moves at (X), the defender at [X]; the side that cannot move
has lost. A question starts at A unless stated otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, permutations, product

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
from tests.solver.engines.test_checksearch import NUMBER, tangled_graph


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
def test_exhaustion_finds_what_is_expected(trap: Trap) -> None:
    assert winning_nodes(trap.graph()) == trap.expected()


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_every_position_in_every_order_of_moves(trap: Trap) -> None:
    for graph in orders(trap):
        for node in range(len(graph.attacker)):
            assert CheckSearch(GraphSearch(graph)).wins(node) == (node in trap.expected())
            assert CheckSearch(DeepeningSearch(graph)).wins(node) == (node in trap.expected())


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_every_order_of_questions_to_one_table(trap: Trap) -> None:
    expected = trap.expected()
    asked = list(questions(trap))
    for graph in orders(trap):
        assert all(answers(CheckSearch(GraphSearch(graph)), roots) == expected for roots in asked)


@pytest.mark.parametrize("trap", FALSE_LOSSES.values(), ids=FALSE_LOSSES)
def test_repetition_stored_as_a_loss_falls_into_the_trap(trap: Trap) -> None:
    assert falls(repetition_stored_as_loss, trap, "A")


@pytest.mark.parametrize("trap", FALSE_WINS.values(), ids=FALSE_WINS)
def test_repetition_ignored_falls_into_the_trap(trap: Trap) -> None:
    assert falls(repetition_ignored, trap, "A")


@pytest.mark.parametrize("trap", FALSE_LOSSES.values(), ids=FALSE_LOSSES)
def test_a_candidate_that_is_proved_starts_the_search_anew(trap: Trap) -> None:
    searches = [CheckSearch(GraphSearch(graph)) for graph in orders(trap)]
    assert all(search.wins(trap.node("A")) for search in searches)
    assert max(search.researches for search in searches) > 0


@pytest.mark.parametrize("trap", FALSE_WINS.values(), ids=FALSE_WINS)
def test_a_circle_that_holds_is_accepted_at_once(trap: Trap) -> None:
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


def test_a_clean_hit_on_a_tainted_entry_falls_into_the_trap() -> None:
    assert falls(with_clean_hits, TAINTED_BY_THE_TABLE, "A")


def test_a_candidate_of_a_check_left_alone_falls_into_the_trap() -> None:
    assert falls(with_first_candidates_only, LATE_CANDIDATE, "A")


def test_a_search_that_leaves_positions_undecided_agrees_with_exhaustion() -> None:
    rng = random.Random(8)
    for _ in range(NUMBER // 5):
        graph = tangled_graph(rng)
        roots = tuple(range(len(graph.attacker)))
        assert answers(CheckSearch(DeepeningSearch(graph)), roots) == winning_nodes(graph), graph
