# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH as Katoh1988 writes it, sections 2 to 4: bounds by their definitions, steps R1 to R5.

Everything is computed anew from the whole search tree, so only small trees can be searched.
Unlike `solver.engines.rsearch` it puts all children of a MIN node into the list (step R5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tests.solver.engines.rsearch.trees import Node

INFINITE = 1 << 30


@dataclass(eq=False)
class Place:
    """A node P of the search tree T; ``position`` has the number of each child on the way to it."""

    node: Node
    is_max: bool
    parent: Place | None = None
    position: tuple[int, ...] = ()
    children: list[Place] = field(default_factory=list)
    evaluated: bool = False

    @property
    def lower(self) -> int:
        """Lb, (2.3)."""
        return self._bound(-INFINITE, lambda child: child.lower)

    @property
    def upper(self) -> int:
        """Ub, (2.2)."""
        return self._bound(INFINITE, lambda child: child.upper)

    def _bound(self, unknown: int, of: Callable[[Place], int]) -> int:
        if self.evaluated:
            return self.node.value
        if not self.children:
            return unknown
        return (max if self.is_max else min)(map(of, self.children))

    def above(self) -> Iterator[Place]:
        """Its ancestors, without itself."""
        place = self.parent
        while place is not None:
            yield place
            place = place.parent

    @property
    def least_above(self) -> int:
        """Ut, (2.5)."""
        return min((place.upper for place in self.above() if not place.is_max), default=INFINITE)

    @property
    def greatest_above(self) -> int:
        """Lt, (2.6)."""
        return max((place.lower for place in self.above() if place.is_max), default=-INFINITE)

    @property
    def is_cut(self) -> bool:
        """The cut condition (2.7)."""
        return max(self.greatest_above, self.lower) >= min(self.least_above, self.upper)

    def left_of(self, *, is_max: bool) -> list[Place]:
        """AMAX-LS(P) or AMIN-LS(P): children of such ancestors to the left of the way to P."""
        return [
            child
            for place in self.above()
            if place.is_max is is_max
            for child in place.children[: self.position[len(place.position)]]
        ]

    @property
    def beta(self) -> int:
        """The merit by which SSS* chooses (section 2.3)."""
        return _least(place.upper for place in self.left_of(is_max=False))

    @property
    def beta_bar(self) -> int:
        """Section 3."""
        return _least(place.lower for place in self.left_of(is_max=False))

    @property
    def alpha_bar(self) -> int:
        """Section 3."""
        return max((place.upper for place in self.left_of(is_max=True)), default=-INFINITE)

    @property
    def is_eligible(self) -> bool:
        """(3.1)."""
        return self.beta_bar > self.alpha_bar

    @property
    def is_certified(self) -> bool:
        """Left MAX certified (section 3)."""
        return all(place.is_cut for place in self.left_of(is_max=False))


def _least(bounds: Iterable[int]) -> int:
    return min(bounds, default=INFINITE)


@dataclass
class PaperRSearch:
    """Recursive SSS*, every cond_i being (4.2) with the same c.

    ``chosen`` is called with each OPEN node that is chosen and not cut (R3); ``leaves`` has
    the evaluated ones in order; ``lists`` is the most nodes that the trees T1 to Tk had (4.1).
    """

    depth: int
    chosen: Callable[[Place], None] = lambda _: None
    leaves: list[int] = field(default_factory=list)
    lists: int = 0
    _sizes: list[int] = field(default_factory=list)

    def search(self, root: Node, *, is_max: bool) -> int:
        """The value of the game."""
        place = Place(root, is_max)
        self._solve(place)
        assert place.lower == place.upper
        return place.lower

    def _solve(self, root: Place) -> None:
        opened = [root]  # R1
        self._sizes.append(1)
        while not root.is_cut:  # R2
            place = min(opened, key=lambda place: (-place.beta, place.position))
            opened.remove(place)
            if place.greatest_above >= place.least_above:  # R3
                continue
            self.chosen(place)
            if not place.node.children:  # R4.1
                self.leaves.append(place.node.number)
                place.evaluated = True
            elif place is not root and len(place.position) - len(root.position) >= self.depth:
                self._solve(place)  # R4.2
            else:  # R5
                place.children = [
                    Place(child, not place.is_max, place, (*place.position, number))
                    for number, child in enumerate(place.node.children)
                ]
                opened += place.children
                self._sizes[-1] += len(place.children)
                self.lists = max(self.lists, sum(self._sizes))
        self._sizes.pop()
