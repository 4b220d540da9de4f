# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH on random trees and graphs, against slow twins (the lemmas of Katoh1988 are below)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from papers import katoh1988
from papers.katoh1988 import RSearch, RSearchCondition, RSearchOutcome, cells_bound_by_depth, cells_bound_by_limit
from solver.engines.rsearch.kernel.framework import INFINITE, make_rsearch
from tests.papers.trees import (
    BOUNDED_TREES,
    TREES,
    Node,
    SlowRSearch,
    alpha_beta,
    minimax,
    nodes_of,
    random_graph,
    random_tree,
    sss,
    state_of,
    tree,
)

HEIGHT = 7
KERNELS = make_rsearch(TREES)
BOUNDED = make_rsearch(BOUNDED_TREES)
CONDS = [RSearchCondition(c, cells) for c in (1, 2, 3, HEIGHT) for cells in (0, 5, 12, INFINITE)]


def searching(limit: int | None = None, kernels: Any = KERNELS) -> RSearch:
    return RSearch(kernels, levels=HEIGHT, branching=4, limit=limit)


SEARCH = searching()


def searched(
    root: Node, maximising: bool, cond: RSearchCondition, search: RSearch = SEARCH, /, **options: Any
) -> tuple[RSearchOutcome, list[int]]:
    """The outcome, and the leaves in the order in which they were evaluated."""
    state = state_of(root, maximising)
    outcome = search.search(state, cond, **options)
    assert state.marks[0] == 0  # all moves are retracted
    leaves = state.order[: state.marks[2]].tolist()
    assert outcome.leaves == len(leaves)
    return outcome, leaves


def trees(seed: int, number: int = 40, **options: Any) -> list[tuple[Node, bool]]:
    rng = random.Random(seed)
    return [(random_tree(rng, rng.randint(1, HEIGHT), **options), rng.random() < 0.5) for _ in range(number)]


@pytest.mark.parametrize("cond", CONDS, ids=str)
@pytest.mark.parametrize("dual", [False, True])
def test_the_value_is_minimax_for_every_condition_and_method(cond: RSearchCondition, dual: bool) -> None:
    for root, maximising in trees(1):
        outcome, leaves = searched(root, maximising, cond, dual=dual)
        assert outcome.value == minimax(root, maximising)
        assert len(set(leaves)) == len(leaves)  # no leaf is evaluated twice


def test_the_value_is_minimax_on_graphs() -> None:
    rng = random.Random(2)
    for _ in range(50):
        root, maximising = random_graph(rng, rng.randint(1, HEIGHT)), rng.random() < 0.5
        for cond in CONDS:
            for dual in (False, True):
                assert searched(root, maximising, cond, dual=dual)[0].value == minimax(root, maximising)


@pytest.mark.parametrize("cond", [RSearchCondition(1), RSearchCondition(cells=0), RSearchCondition(1, 0)], ids=str)
@pytest.mark.parametrize("dual", [False, True])
def test_with_c_of_1_the_leaves_are_those_of_alpha_beta_in_its_order(cond: RSearchCondition, dual: bool) -> None:
    for root, maximising in trees(3, 100):
        expected: list[int] = []
        alpha_beta(root, maximising, -INFINITE, INFINITE, expected)
        assert searched(root, maximising, cond, dual=dual)[1] == expected


def test_with_c_of_1_a_window_does_what_it_does_to_alpha_beta() -> None:
    rng = random.Random(4)
    for root, maximising in trees(4, 100):
        alpha = rng.randint(-6, 5)
        beta = rng.randint(alpha + 1, 6)
        expected: list[int] = []
        value = alpha_beta(root, maximising, alpha, beta, expected)
        outcome, leaves = searched(root, maximising, RSearchCondition(1), alpha=alpha, beta=beta)
        assert leaves == expected
        assert outcome.value == min(value, beta)


def test_with_c_of_the_height_the_leaves_are_those_of_sss_in_its_order() -> None:
    for root, maximising in trees(5, 100, distinct=True):
        expected: list[int] = []
        assert sss(root, maximising, expected) == minimax(root, maximising)
        outcome, leaves = searched(root, maximising, RSearchCondition(HEIGHT))
        assert leaves == expected
        assert outcome.calls == 0


def test_among_equal_values_it_is_the_sss_that_passes_solved_nodes_on_at_once() -> None:
    fewer = 0
    for root, maximising in trees(6, 100):
        expected: list[int] = []
        plain: list[int] = []
        sss(root, maximising, expected, at_once=True)
        sss(root, maximising, plain)
        leaves = searched(root, maximising, RSearchCondition(HEIGHT))[1]
        assert leaves == expected
        assert set(leaves) <= set(plain)
        fewer += len(leaves) < len(plain)
    assert fewer


def test_from_below_it_is_sss_of_the_tree_with_the_players_exchanged() -> None:
    for root, maximising in trees(7, 60, distinct=True):
        outcome, leaves = searched(root, maximising, RSearchCondition(HEIGHT), dual=True)
        for node in nodes_of(root):
            node.value = -node.value
        expected: list[int] = []
        assert sss(root, not maximising, expected) == -outcome.value
        assert leaves == expected


def test_sss_evaluates_no_leaf_that_alpha_beta_does_not() -> None:
    for root, maximising in trees(8, 100):
        from_above = set(searched(root, maximising, RSearchCondition(HEIGHT))[1])
        from_below = set(searched(root, maximising, RSearchCondition(HEIGHT), dual=True)[1])
        assert from_above | from_below <= set(searched(root, maximising, RSearchCondition(1))[1])


@pytest.mark.parametrize("cond", CONDS, ids=str)
def test_leaves_calls_and_cells_are_those_of_the_slow_twin(cond: RSearchCondition) -> None:
    rng = random.Random(9)
    for root, maximising in trees(9):
        window = {"alpha": rng.randint(-6, -1), "beta": rng.randint(0, 6)} if rng.random() < 0.5 else {}
        twin = SlowRSearch(maximising, lambda depth, cells: depth < cond.depth and cells < cond.cells)
        value = twin.search(root, **window)
        outcome, leaves = searched(root, maximising, cond, **window)
        assert leaves == twin.leaves
        numbers = (outcome.value, outcome.calls, outcome.cells)
        assert numbers == (value, max(twin.calls, 0), twin.most_cells)


@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("cond", CONDS[::3], ids=str)
def test_what_is_cut_could_be_worth_anything(cond: RSearchCondition, dual: bool) -> None:
    """The cut condition (2.7) is sound: leaves that were cut do not affect the value."""
    rng = random.Random(10)
    for root, maximising in trees(10):
        before = searched(root, maximising, cond, dual=dual)
        for node in nodes_of(root):
            if node.number not in before[1]:
                node.value = rng.randint(-99, 99)
        assert searched(root, maximising, cond, dual=dual) == before
        assert minimax(root, maximising) == before[0].value


@pytest.mark.parametrize("cond", [RSearchCondition(1), RSearchCondition(2), RSearchCondition(HEIGHT)], ids=str)
@pytest.mark.parametrize(("shape", "maximising", "cut"), [
    ([5, [3, 9]], True, [9]),  # (2.7): Lt = 5 >= Ub = 3
    ([5, [5, 9]], True, [9]),  # with equality
    ([5, [7, 1]], False, [1]),  # (2.7): Lb = 7 >= Ut = 5
    ([5, [5, 1]], False, [1]),  # with equality
    ([5, [[[4, 9], 8]]], True, [9]),  # by Lt from three plies above: a deep cut
    ([5, [[[6, 1], 2]]], False, [1]),  # by Ut likewise
])  # fmt: skip
def test_a_node_is_cut_by_its_bounds(shape: Any, maximising: bool, cut: list[int], cond: RSearchCondition) -> None:
    root = tree(shape)
    unseen = {node.number for node in nodes_of(root) if not node.children and node.value in cut}
    assert unseen.isdisjoint(searched(root, maximising, cond)[1])


def test_a_window_makes_the_value_a_bound() -> None:
    rng = random.Random(11)
    for root, maximising in trees(11):
        true = minimax(root, maximising)
        alpha = rng.randint(-6, 5)
        beta = rng.randint(alpha + 1, 6)
        for cond in CONDS:
            for dual in (False, True):
                options = {"alpha": alpha, "beta": beta, "dual": dual}
                value = searched(root, maximising, cond, **options)[0].value
                assert value == true or true <= value <= alpha or true >= value >= beta


@pytest.mark.parametrize(
    "cond", [RSearchCondition(1), RSearchCondition(2), RSearchCondition(HEIGHT), RSearchCondition(3, 8)], ids=str
)
@pytest.mark.parametrize("dual", [False, True])
def test_bounds_known_beforehand_change_no_value_and_save_leaves(cond: RSearchCondition, dual: bool) -> None:
    rng = random.Random(12)
    saved = 0
    search = searching(kernels=BOUNDED)
    for root, maximising in trees(12):
        _give_bounds(root, maximising, rng)
        outcome, _ = searched(root, maximising, cond, search, dual=dual)
        assert outcome.value == minimax(root, maximising)
        saved += outcome.leaves < searched(root, maximising, cond, dual=dual)[0].leaves
    assert saved


def _give_bounds(node: Node, maximising: bool, rng: random.Random) -> None:
    value = minimax(node, maximising)
    node.lower, node.upper = value - rng.choice((0, 1, 50)), value + rng.choice((0, 1, 50))
    for child in node.children:
        _give_bounds(child, not maximising, rng)


def largest_lists(root: Node, maximising: bool, depth: int) -> int:
    """Section 4.3 on the tree itself: the largest list at each root of a call, and the largest below it."""

    def size(node: Node, is_max: bool, left: int) -> int:
        if left == 0 or not node.children:
            return 1
        below = [size(child, not is_max, left - 1) for child in node.children]
        return 1 + (sum(below) if is_max else max(below))

    def frontier(node: Node, is_max: bool, left: int) -> list[tuple[Node, bool]]:
        if left == 0:
            return [(node, is_max)]
        return [found for child in node.children for found in frontier(child, not is_max, left - 1)]

    roots = [call for call in frontier(root, maximising, depth) if call[0].children]
    deeper = max((largest_lists(node, is_max, depth) - 1 for node, is_max in roots), default=0)
    return size(root, maximising, depth) + deeper


@pytest.mark.parametrize("depth", [1, 2, 3, 4, HEIGHT])
def test_cells_never_exceed_the_largest_nested_lists(depth: int) -> None:
    for root, maximising in trees(13, 75):
        outcome = searched(root, maximising, RSearchCondition(depth))[0]
        assert outcome.cells <= largest_lists(root, maximising, depth) <= INFINITE
        assert outcome.cells <= outcome.promised


def test_cells_never_exceed_the_limit_and_the_roots_of_calls() -> None:
    for root, maximising in trees(14, 75):
        most = max(len(node.children) for node in nodes_of(root))
        for cells in range(0, 40, 3):
            for depth in (2, HEIGHT):
                outcome = searched(root, maximising, RSearchCondition(depth, cells))[0]
                assert outcome.cells <= outcome.promised
                assert outcome.cells <= max(cells, 1) + (HEIGHT + 1) * max(most, 1)


def test_the_bound_by_depth_counts_lists_upon_lists() -> None:
    assert cells_bound_by_depth([3, 1, 3, 1], 4) == 1 + 3 + 3 + 9 + 9
    assert cells_bound_by_depth([3, 1, 3, 1], 2) == 1 + (3 + 3) + (3 + 3)
    assert cells_bound_by_depth([3, 1, 3, 1], 1) == 1 + 3 + 1 + 3 + 1
    assert cells_bound_by_limit([3, 1, 3, 1], 100) == 99 + 3 + 8


def test_the_bound_by_depth_is_reached() -> None:
    """Two plies: the first child of every MIN node is searched before any second child."""
    root = tree([[1, 2], [3, 4], [5, 6]])
    outcome = searched(root, True, RSearchCondition(HEIGHT))[0]
    assert outcome.cells == outcome.promised == cells_bound_by_depth([3, 1], HEIGHT) == 7


@pytest.mark.parametrize("limit", [HEIGHT + 2, HEIGHT + 3, HEIGHT + 6, 2 * HEIGHT, 4 * HEIGHT])
def test_a_limit_is_never_exceeded(limit: int) -> None:
    search = searching(limit)
    for root, maximising in trees(15, 75):
        for cond in (RSearchCondition(), RSearchCondition(2), RSearchCondition(cells=4)):
            for dual in (False, True):
                outcome, _ = searched(root, maximising, cond, search, dual=dual)
                assert outcome.value == minimax(root, maximising)
                assert outcome.cells <= limit == outcome.promised


def test_under_the_least_limit_it_is_alpha_beta_with_one_cell_a_ply() -> None:
    for root, maximising in trees(16, 75):
        expected: list[int] = []
        alpha_beta(root, maximising, -INFINITE, INFINITE, expected)
        outcome, leaves = searched(root, maximising, RSearchCondition(), searching(HEIGHT + 2))
        assert leaves == expected
        assert outcome.cells <= HEIGHT + 1


def test_a_limit_too_small_for_a_path_is_refused() -> None:
    with pytest.raises(ValueError, match="needs 9 cells, not 8"):
        searching(HEIGHT + 1)


@pytest.mark.parametrize("options", [{"alpha": 3, "beta": 3}, {"alpha": 3, "beta": 2}])
def test_an_empty_window_is_refused(options: Any) -> None:
    with pytest.raises(ValueError, match="nothing to search"):
        searched(tree([1, 2]), True, RSearchCondition(), **options)


def test_a_list_of_no_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="c = 0"):
        searched(tree([1, 2]), True, RSearchCondition(0))


def test_a_path_longer_than_announced_is_refused_and_undone() -> None:
    shape: Any = 1
    for _ in range(HEIGHT + 1):
        shape = [shape]
    root = tree(shape)
    state = state_of(root, True)
    with pytest.raises(ValueError, match="more than 7 plies"):
        SEARCH.search(state, RSearchCondition())
    assert state.marks[0] == 0


class Stop(Exception):
    """Raised by ``look``."""


def test_a_search_in_slices_is_the_search_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = trees(17, 30)
    whole = [searched(root, maximising, cond) for root, maximising in cases for cond in CONDS]
    monkeypatch.setattr(katoh1988, "SLICE", 1)
    sliced = [searched(root, maximising, cond) for root, maximising in cases for cond in CONDS]
    assert sliced == whole

    def look(visited: int) -> None:
        if visited == 9:
            raise Stop

    stopped = 0
    for root, maximising in cases:
        state = state_of(root, maximising)
        try:
            SEARCH.search(state, RSearchCondition(2), look=look)
        except Stop:
            stopped += 1
        assert state.marks[0] == 0
    assert stopped > 10


@pytest.mark.parametrize("cond", CONDS[::3], ids=str)
def test_more_cells_are_found_when_they_are_needed(cond: RSearchCondition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(katoh1988, "_FIRST_CELLS", 1)
    for root, maximising in trees(18, 50):
        expected = searched(root, maximising, cond)
        assert searched(root, maximising, cond, searching()) == expected


def test_more_cells_than_promised_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(katoh1988, "cells_bound_by_depth", lambda *_: 1)
    with pytest.raises(AssertionError, match="cells were in use, 1 promised"):
        searched(tree([1, 2]), True, RSearchCondition(2))


# --- RSEARCH as Katoh1988 writes it, sections 2 to 4: bounds by their definitions, steps R1 to R5 ---

INFINITY = 1 << 30


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
        return self._bound(-INFINITY, lambda child: child.lower)

    @property
    def upper(self) -> int:
        """Ub, (2.2)."""
        return self._bound(INFINITY, lambda child: child.upper)

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
        return min((place.upper for place in self.above() if not place.is_max), default=INFINITY)

    @property
    def greatest_above(self) -> int:
        """Lt, (2.6)."""
        return max((place.lower for place in self.above() if place.is_max), default=-INFINITY)

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
        return max((place.upper for place in self.left_of(is_max=True)), default=-INFINITY)

    @property
    def is_eligible(self) -> bool:
        """(3.1)."""
        return self.beta_bar > self.alpha_bar

    @property
    def is_certified(self) -> bool:
        """Left MAX certified (section 3)."""
        return all(place.is_cut for place in self.left_of(is_max=False))


def _least(bounds: Iterable[int]) -> int:
    return min(bounds, default=INFINITY)


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


# --- The lemmas of Katoh1988 on random trees, with RSEARCH as the paper writes it ------------------

SMALL = 5


def small_trees(seed: int, number: int = 50) -> list[tuple[Node, bool]]:
    rng = random.Random(seed)
    return [(random_tree(rng, rng.randint(1, SMALL)), rng.random() < 0.5) for _ in range(number)]


@pytest.mark.parametrize("depth", [1, 2, 3, SMALL])
@pytest.mark.fuzz
def test_the_search_is_the_paper_s_leaf_by_leaf(depth: int) -> None:
    """Steps R1 to R5 with cond (4.2); the compiled search has only one child of a MIN node in a list."""
    fewer = 0
    for root, maximising in small_trees(1):
        paper = PaperRSearch(depth)
        assert paper.search(root, is_max=maximising) == minimax(root, maximising)
        outcome, leaves = searched(root, maximising, RSearchCondition(depth))
        assert leaves == paper.leaves
        assert outcome.cells <= max(paper.lists, 1)
        fewer += outcome.cells < paper.lists
    assert fewer


@pytest.mark.parametrize("depth", [1, 2, SMALL])
def test_bounds_hold_whenever_a_node_is_chosen(depth: int) -> None:
    """(2.4): Lb <= f <= Ub."""

    def look(place: Place) -> None:
        for one in (place, *place.above()):
            assert one.lower <= minimax(one.node, one.is_max) <= one.upper

    for root, maximising in small_trees(2, 30):
        PaperRSearch(depth, look).search(root, is_max=maximising)


@pytest.mark.parametrize("depth", [1, 2, 3, SMALL])
def test_what_is_chosen_is_certified_and_its_beta_is_exact(depth: int) -> None:
    """Lemma 4.1, and lemma 3.2 for c = the height."""

    def look(place: Place) -> None:
        assert place.is_certified
        assert place.beta == place.beta_bar

    for root, maximising in small_trees(3):
        PaperRSearch(depth, look).search(root, is_max=maximising)


def test_what_sss_chooses_is_eligible() -> None:
    """Lemma 3.2."""

    def look(place: Place) -> None:
        assert place.is_eligible

    for root, maximising in small_trees(4):
        PaperRSearch(SMALL, look).search(root, is_max=maximising)


@pytest.mark.parametrize("depth", [2, 3])
def test_what_a_call_chooses_need_not_be_eligible(depth: int) -> None:
    """Lemma 4.1, its last sentence."""
    eligible: list[bool] = []
    for root, maximising in small_trees(5):
        PaperRSearch(depth, lambda place: eligible.append(place.is_eligible)).search(root, is_max=maximising)
    assert True in eligible
    assert False in eligible


def test_only_a_search_that_is_eligible_evaluates_no_leaf_that_alpha_beta_leaves_out() -> None:
    """Lemma 3.1: SSS* surpasses alpha-beta; a recursive search with 1 < c < the height does not."""
    more = {2: 0, 3: 0, HEIGHT: 0}
    for root, maximising in trees(6, 100):
        by_alpha_beta: list[int] = []
        alpha_beta(root, maximising, -INFINITY, INFINITY, by_alpha_beta)
        for depth in more:
            more[depth] += not set(searched(root, maximising, RSearchCondition(depth))[1]) <= set(by_alpha_beta)
    assert more[2] > 0
    assert more[3] > 0
    assert more[HEIGHT] == 0


@pytest.mark.parametrize("depth", [1, 2, 3, SMALL])
def test_the_lists_keep_to_the_bound_of_section_4_3(depth: int) -> None:
    """M <= ceil(n / c) * space(T^c), space(T^c) being a tree of height c with d children everywhere."""
    for root, maximising in small_trees(7):
        paper = PaperRSearch(depth)
        paper.search(root, is_max=maximising)
        d = max(len(node.children) for node in nodes_of(root))
        space = sum(d**level for level in range(depth + 1))
        assert paper.lists <= -(-SMALL // depth) * space
