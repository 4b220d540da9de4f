# SPDX-License-Identifier: GPL-3.0-or-later
"""AND/OR graphs: the smallest game on which the check search can be tested.

The attacker moves at OR nodes, the defender at AND nodes; a node without successors
is lost for its mover. The attacker wins where he can force a lost AND node in
finitely many moves; a play that never ends is a failure.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Graph:
    """``successors[v]`` of each node v; ``attacker[v]``: v is an OR node."""

    attacker: tuple[bool, ...]
    successors: tuple[tuple[int, ...], ...]


def winning_nodes(graph: Graph) -> set[int]:
    """All nodes from which the attacker wins, by exhaustion (the brute force to compare with)."""
    won: set[int] = set()
    while True:
        more = {
            node
            for node, successors in enumerate(graph.successors)
            if node not in won and (any if graph.attacker[node] else all)(successor in won for successor in successors)
        }
        if not more:
            return won
        won |= more


@dataclass
class _Entry:
    won: bool
    tainted: bool


@dataclass
class GraphSearch:
    """Depth-first search with a table: a `solver.engines.dfpn.unbounded_search.RepetitionSearch`."""

    graph: Graph
    _table: dict[int, _Entry] = field(default_factory=dict)
    _path: set[int] = field(default_factory=set)
    _waiting: list[int] = field(default_factory=list)
    _logged: set[int] = field(default_factory=set)
    _last_tainted: bool = False

    def prove(self, position: int) -> bool:
        """See `RepetitionSearch.prove`."""
        entry = self._search(position)
        self._last_tainted = entry.tainted
        return entry.won

    def disproof_is_tainted(self) -> bool:
        """See `RepetitionSearch`."""
        return self._last_tainted

    def next_candidate(self) -> int | None:
        """See `RepetitionSearch`."""
        return self._waiting.pop() if self._waiting else None

    def accept_tainted(self) -> None:
        """See `RepetitionSearch`."""
        for entry in self._table.values():
            entry.tainted = False
        self._forget_candidates()

    def drop_tainted(self) -> None:
        """See `RepetitionSearch`."""
        self._table = {node: entry for node, entry in self._table.items() if not entry.tainted}
        self._forget_candidates()

    def _forget_candidates(self) -> None:
        self._waiting.clear()
        self._logged.clear()

    def _search(self, node: int) -> _Entry:
        if node in self._path:
            return self._repeated(node)
        if node in self._table:
            return self._table[node]
        self._path.add(node)
        try:
            entry = self._expand(node)
        finally:
            self._path.remove(node)
        self._table[node] = entry
        return entry

    def _repeated(self, node: int) -> _Entry:
        if node not in self._logged:
            self._logged.add(node)
            self._waiting.append(node)
        return _Entry(won=False, tainted=True)

    def _expand(self, node: int) -> _Entry:
        tainted = False
        for successor in self.graph.successors[node]:
            entry = self._search(successor)
            if entry.won == self.graph.attacker[node]:  # it decides this node
                return _Entry(entry.won, entry.tainted)
            tainted |= entry.tainted
        won = not self.graph.attacker[node]
        return _Entry(won, tainted and not won)


Decider = Callable[[Graph, int], bool]
"""A function that says whether the attacker wins a graph from a node."""


def repetition_stored_as_loss(graph: Graph, root: int) -> bool:
    """A known-wrong way: what a repetition refutes is kept for every path."""
    return GraphSearch(graph).prove(root)


def repetition_ignored(graph: Graph, root: int) -> bool:
    """A known-wrong way: the moves back to a position on the path are left out.

    That is right for the attacker, who gains nothing by repeating. But it also denies the
    defender his escape: if all his other moves lose, or he has no other, he counts as lost
    although he could repeat for ever. A win may be false.
    """
    return _wins_without_going_back(graph, root, frozenset())


def _wins_without_going_back(graph: Graph, node: int, above: frozenset[int]) -> bool:
    path = above | {node}
    onward = (successor for successor in graph.successors[node] if successor not in path)
    decides = any if graph.attacker[node] else all
    return decides(_wins_without_going_back(graph, successor, path) for successor in onward)
