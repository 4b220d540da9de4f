# SPDX-License-Identifier: GPL-3.0-or-later
"""Sugyan2018, section "df-pn アルゴリズムによる探索": df-pn as it is usually written, and nothing else.

It answers whether there is a mate. It knows no length, no futile interposition and no
repetition; what the text then has to add is what its examples are about. The recursion
is that of Nagai2002: at a node the best child by the mover's number (phi) is searched
until it passes the thresholds. Any game of two will do, so that tests can give it graphs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, Protocol, TypeVar

INFINITE = 1 << 40
_DEEPEST = 300

Move = TypeVar("Move")
Move_co = TypeVar("Move_co", covariant=True)
Node = TypeVar("Node", bound=Hashable)


class AndOrGame(Protocol[Node, Move_co]):
    """An AND/OR graph, unfolded as it is searched."""

    def is_attacker(self, node: Node) -> bool:
        """Whether the attacker is to move: an OR node."""

    def children(self, node: Node) -> Sequence[tuple[Move_co, Node]]:
        """The moves and where they lead; a side without a move has lost."""


class OutOfNodes(Exception):
    """The search was ended before it had an answer."""


class PaperDfPn(Generic[Node, Move]):
    """One search. ``repeated`` counts how often it came back to a node of its own path."""

    def __init__(self, game: AndOrGame[Node, Move], most: int) -> None:
        self._game = game
        self._most = most
        self._numbers: dict[Node, tuple[int, int]] = {}
        self._children: dict[Node, Sequence[tuple[Move, Node]]] = {}
        self._path: list[Node] = []
        self.expanded = 0
        self.repeated = 0

    def proves(self, root: Node) -> bool:
        """Whether the attacker wins. Raises `OutOfNodes` when it does not come to an end."""
        self._search(root, INFINITE, INFINITE)
        if 0 not in self._of(root):  # counted twice and twice again, a number has passed all bounds
            raise OutOfNodes
        return self._of(root)[0] == 0

    def answer(self, root: Node) -> list[Move]:
        """The line of the proof: the check that was proved first, the answer that lasts longest in it."""
        return self._answer(root, frozenset())

    # --- the search: (pn, dn) of each node, 1 and 1 where it is new ---------------------

    def _of(self, node: Node) -> tuple[int, int]:
        return self._numbers.get(node, (1, 1))

    def _search(self, node: Node, most_pn: int, most_dn: int) -> None:
        if self.expanded >= self._most or len(self._path) >= _DEEPEST:
            raise OutOfNodes
        self.expanded += 1
        self.repeated += node in self._path
        self._path.append(node)
        while True:
            pn, dn = self._numbers[node] = self._summed_up(node)
            if pn >= most_pn or dn >= most_dn or 0 in (pn, dn):
                break
            self._descend(node, most_pn, most_dn)
        self._path.pop()

    def _moves(self, node: Node) -> Sequence[tuple[Move, Node]]:
        if node not in self._children:
            self._children[node] = self._game.children(node)
        return self._children[node]

    def _summed_up(self, node: Node) -> tuple[int, int]:
        """OR: the least pn, the sum of dn. AND: the other way round."""
        mine, other = (0, 1) if self._game.is_attacker(node) else (1, 0)
        numbers = [self._of(child) for _, child in self._moves(node)]
        least = min((pair[mine] for pair in numbers), default=INFINITE)
        total = min(sum(pair[other] for pair in numbers), INFINITE)
        return (least, total) if mine == 0 else (total, least)

    def _descend(self, node: Node, most_pn: int, most_dn: int) -> None:
        """Search the child with the least number until it passes the runner-up or a threshold."""
        mine, other = (0, 1) if self._game.is_attacker(node) else (1, 0)
        most = (most_pn, most_dn)
        ranked = sorted((self._of(child)[mine], i) for i, (_, child) in enumerate(self._moves(node)))
        best = self._moves(node)[ranked[0][1]][1]
        runner_up = ranked[1][0] if len(ranked) > 1 else INFINITE
        limits = [0, 0]
        limits[mine] = min(most[mine], runner_up + 1)
        limits[other] = min(INFINITE, most[other] - self._numbers[node][other] + self._of(best)[other])
        self._search(best, limits[0], limits[1])

    # --- the answer -----------------------------------------------------------------------

    def _answer(self, node: Node, above: frozenset[Node]) -> list[Move]:
        proved = [
            (move, child) for move, child in self._moves(node)
            if self._of(child)[0] == 0 and child not in above
        ]  # fmt: skip
        if self._game.is_attacker(node):
            proved = proved[:1]
        lines = ([move, *self._answer(child, above | {node})] for move, child in proved)
        return max(lines, key=len, default=[])
