# SPDX-License-Identifier: GPL-3.0-or-later
"""Shibahara2006, section 5, word for word on small graphs: its definitions and its own check search.

S, where the first player moves, are the OR nodes of a `Graph` and G the AND nodes; W, L and
D are the nodes won, lost and drawn for him. Dc are the candidates of a search, De the
nodes that a candidate affects.
"""

from __future__ import annotations

from itertools import combinations

from tests.solver.engines.graphs import Graph, GraphSearch, _Entry, winning_nodes


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
        more = {
            n for n in range(len(graph.attacker)) if n not in affected and rests_on(graph, n, all_of_them)
        }
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
