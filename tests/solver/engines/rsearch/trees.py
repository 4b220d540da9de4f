# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random game trees, and the game over them that RSEARCH is compiled for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engines.rsearch.kernel.specialise import Game
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
