# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random game trees, and the game over them that RSEARCH is compiled for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engines.rsearch.kernel.framework import Game
from tsume_rules.kernel.compile import jit

Cells = NDArray[np.int64]


class State(NamedTuple):
    """A tree and a place in it.

    The children of node i are ``links[first[i] : first[i] + counts[i]]``. ``path``: the nodes from
    the root; ``marks``: its length, whether MAX moves at the root, the number of leaves in ``order``.
    """

    first: Cells
    counts: Cells
    links: Cells
    values: Cells
    lower: Cells
    upper: Cells
    path: Cells
    marks: Cells
    order: Cells


@jit
def moves(state: State, out: Cells) -> int:
    node = state.path[state.marks[0]]
    for i in range(state.counts[node]):
        out[i] = state.links[state.first[node] + i]
    return int(state.counts[node])


@jit
def value(state: State) -> int:
    node = state.path[state.marks[0]]
    state.order[state.marks[2]] = node
    state.marks[2] += 1
    return int(state.values[node])


@jit
def play(state: State, move: int) -> None:
    state.marks[0] += 1
    state.path[state.marks[0]] = move


@jit
def retract(state: State) -> None:
    state.marks[0] -= 1


@jit
def maximises(state: State) -> bool:
    return bool((state.marks[0] % 2 == 0) == (state.marks[1] != 0))


@jit
def bounds(state: State) -> tuple[int, int]:
    node = state.path[state.marks[0]]
    return state.lower[node], state.upper[node]


TREES = Game("tree", moves, value, play, retract, maximises)
BOUNDED_TREES = Game("bounded_tree", moves, value, play, retract, maximises, bounds)


@dataclass(eq=False)
class Node:
    """A node: a leaf's value, or children. ``lower`` and ``upper`` are bounds known beforehand."""

    value: int = 0
    children: list[Node] = field(default_factory=list)
    number: int = -1
    lower: int = -100
    upper: int = 100


def tree(shape: Any) -> Node:
    """A tree from nested lists of values; nodes are numbered from left to right, parents first."""
    root = _node(shape)
    _number(root, count())
    return root


def _node(shape: Any) -> Node:
    return Node(shape) if isinstance(shape, int) else Node(children=[_node(child) for child in shape])


def _number(node: Node, numbers: Iterator[int]) -> None:
    if node.number < 0:
        node.number = next(numbers)
        for child in node.children:
            _number(child, numbers)


def nodes_of(root: Node) -> list[Node]:
    """All nodes, each once, in the order of their numbers."""
    found: dict[int, Node] = {}

    def look(node: Node) -> None:
        if node.number not in found:
            found[node.number] = node
            for child in node.children:
                look(child)

    look(root)
    return [found[number] for number in sorted(found)]


def random_tree(rng: random.Random, height: int, *, distinct: bool = False) -> Node:
    """Up to 4 children a node, leaves at any level; values repeat unless ``distinct``."""

    def grow(left: int) -> Any:
        if left == 0 or (left < height and rng.random() < 0.1):
            return rng.randint(-5, 5)
        return [grow(left - 1) for _ in range(rng.choice((1, 2, 2, 3, 3, 4)))]

    root = tree(grow(height))
    if distinct:
        leaves = [node for node in nodes_of(root) if not node.children]
        for leaf, number in zip(leaves, rng.sample(range(-50_000, 50_000), len(leaves)), strict=True):
            leaf.value = number
    return root


def random_graph(rng: random.Random, height: int) -> Node:
    """A graph of layers; nodes of a layer share children in the next."""
    layer = [Node(rng.randint(-5, 5)) for _ in range(rng.randint(1, 4))]
    for level in range(height):
        size = 1 if level == height - 1 else rng.randint(1, 4)
        layer = [Node(children=rng.choices(layer, k=rng.randint(1, 3))) for _ in range(size)]
    _number(layer[0], count())
    return layer[0]


def state_of(root: Node, maximising: bool) -> State:
    """The game at the root of a tree or graph."""
    nodes = nodes_of(root)
    counts = [len(node.children) for node in nodes]
    firsts = np.cumsum([0, *counts])[:-1]
    links = [child.number for node in nodes for child in node.children]
    values, lower, upper = zip(*((node.value, node.lower, node.upper) for node in nodes), strict=True)
    columns = (firsts, counts, links, values, lower, upper, [0] * 64, [0, maximising, 0], [0] * (1 << 14))
    return State._make(np.array(column, dtype=np.int64) for column in columns)


# --- Slow, obvious twins: minimax, alpha-beta, SSS* as in Stockman (1979), RSEARCH by recursion ----

INFINITE = 1 << 30


def minimax(node: Node, maximising: bool) -> int:
    if not node.children:
        return node.value
    values = [minimax(child, not maximising) for child in node.children]
    return max(values) if maximising else min(values)


def alpha_beta(node: Node, maximising: bool, alpha: int, beta: int, leaves: list[int]) -> int:
    """The value, fail-soft; the leaves' numbers in the order in which they were evaluated."""
    if not node.children:
        leaves.append(node.number)
        return node.value
    best = -INFINITE if maximising else INFINITE
    for child in node.children:
        if alpha >= beta:
            break
        found = alpha_beta(child, not maximising, alpha, beta, leaves)
        if maximising:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
    return best


@dataclass(eq=False)
class Place:
    """An entry of OPEN: a node and the way to it, LIVE or SOLVED, and its merit."""

    node: Node
    above: tuple[tuple[Node, int], ...]  # of each node on the way to it: that node, which child is next
    merit: int
    solved: bool = False

    @property
    def position(self) -> tuple[int, ...]:
        return tuple(number for _, number in self.above)

    def is_below(self, position: tuple[int, ...]) -> bool:
        return self.position[: len(position)] == position

    def parent(self, merit: int) -> Place:
        """Its parent, SOLVED."""
        return Place(self.above[-1][0], self.above[:-1], merit, solved=True)

    def child(self, number: int, merit: int) -> Place:
        """Its child of this number, LIVE."""
        return Place(self.node.children[number], (*self.above, (self.node, number)), merit)


def sss(root: Node, maximising: bool, leaves: list[int], *, at_once: bool = False) -> int:
    """SSS*: the operators of Stockman (1979) on OPEN, ties to the left.

    ``at_once``: a solved node is passed on as soon as nothing below its MAX parent has a
    greater merit, even if something to its left has the same (condition 2.7, U <= alpha).
    """
    opened = [Place(root, (), INFINITE)]
    while True:
        due = [place for place in opened if at_once and place.solved and _is_due(place, opened, maximising)]
        best = due[0] if due else min(opened, key=lambda place: (-place.merit, place.position))
        opened.remove(best)
        if best.solved and not best.above:
            return best.merit
        if not best.solved:
            opened += _open(best, maximising, leaves)
        elif _is_max(len(best.above) - 1, maximising):
            opened = [place for place in opened if not place.is_below(best.position[:-1])]
            opened.append(best.parent(best.merit))
        else:
            parent, number = best.above[-1]
            above = best.parent(best.merit)
            last = number + 1 == len(parent.children)
            opened.append(above if last else above.child(number + 1, best.merit))


def _is_due(solved: Place, opened: list[Place], maximising: bool) -> bool:
    if not solved.above or not _is_max(len(solved.above) - 1, maximising):
        return True
    return all(place.merit <= solved.merit for place in opened if place.is_below(solved.position[:-1]))


def _is_max(level: int, maximising: bool) -> bool:
    return (level % 2 == 0) == maximising


def _open(place: Place, maximising: bool, leaves: list[int]) -> list[Place]:
    if not place.node.children:
        leaves.append(place.node.number)
        merit = min(place.merit, place.node.value)
        return [Place(place.node, place.above, merit, True)]
    number = len(place.node.children) if _is_max(len(place.above), maximising) else 1
    return [place.child(i, place.merit) for i in range(number)]


@dataclass(eq=False)
class Cell:
    """A node in a list of RSEARCH: U, L, its children in the list, the number of the last of them."""

    node: Node
    upper: int
    best: int = -INFINITE
    children: list[Cell] | None = None
    tried: int = 0

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children or ())


@dataclass
class SlowRSearch:
    """RSEARCH of section 4, from above: a step walks down from the root of the call.

    ``first`` is the cond of the first call, where it has one of its own; ``under_way``: how many
    calls are, the first counted.
    """

    maximising: bool
    cond: Callable[[int, int], bool]  # of the depth below the root of the call and the cells in use
    leaves: list[int] = field(default_factory=list)
    cells: int = 0
    most_cells: int = 0
    calls: int = -1
    first: Callable[[int, int], bool] | None = None
    under_way: int = 0

    def search(self, root: Node, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        cell = self._take(root, beta)
        return self._call(cell, alpha, 0)

    def _take(self, node: Node, upper: int) -> Cell:
        self.cells += 1
        self.most_cells = max(self.most_cells, self.cells)
        return Cell(node, upper)

    def _call(self, root: Cell, alpha: int, level: int) -> int:
        self.calls += bool(root.node.children)
        self.under_way += 1
        while True:
            worth = self._step(root, alpha, level, level)
            if worth is not None:
                self.under_way -= 1
                return worth

    def _step(self, cell: Cell, alpha: int, level: int, root: int) -> int | None:
        """Develop one node at or below a cell; returns the cell's value if that finishes it."""
        if cell.children is None:
            return self._develop(cell, alpha, level, root)
        alpha = max(alpha, cell.best)
        is_max = _is_max(level, self.maximising)
        if is_max:
            self._cut(cell, alpha)
        child = max(cell.children, key=lambda child: child.upper)  # the leftmost of equals
        worth = self._step(child, alpha, level + 1, root)
        if worth is None:
            cell.upper = max(child.upper for child in cell.children)
            return None
        return (self._back_to_max if is_max else self._back_to_min)(cell, child, worth, alpha)

    def _develop(self, cell: Cell, alpha: int, level: int, root: int) -> int | None:
        if not cell.node.children:
            self.leaves.append(cell.node.number)
            return min(cell.upper, cell.node.value)
        cond = self.first if self.first and self.under_way == 1 else self.cond
        if level > root and not cond(level - root, self.cells):
            return self._call(cell, alpha, level)
        number = len(cell.node.children) if _is_max(level, self.maximising) else 1
        cell.children = [self._take(child, cell.upper) for child in cell.node.children[:number]]
        return None

    def _cut(self, cell: Cell, alpha: int) -> None:
        """Condition 2.7."""
        for child in [child for child in cell.children or () if child.upper <= alpha]:
            cell.best = max(cell.best, child.upper)
            self._drop(cell, child)

    def _drop(self, cell: Cell, child: Cell) -> None:
        assert cell.children is not None
        cell.children.remove(child)
        self.cells -= child.size()

    def _back_to_max(self, cell: Cell, child: Cell, worth: int, alpha: int) -> int | None:
        self._drop(cell, child)
        cell.best = max(cell.best, worth)
        self._cut(cell, max(alpha, cell.best))
        if not cell.children:
            return cell.best
        cell.upper = max(child.upper for child in cell.children)
        return None

    def _back_to_min(self, cell: Cell, child: Cell, worth: int, alpha: int) -> int | None:
        self._drop(cell, child)
        cell.upper = min(cell.upper, worth)
        cell.tried += 1
        if cell.upper <= alpha or cell.tried == len(cell.node.children):
            return cell.upper
        assert cell.children is not None
        cell.children.append(self._take(cell.node.children[cell.tried], cell.upper))
        return None
