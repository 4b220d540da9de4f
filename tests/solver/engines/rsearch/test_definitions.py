# SPDX-License-Identifier: GPL-3.0-or-later
"""The lemmas of Katoh1988 on random trees, with RSEARCH as the paper writes it."""

from __future__ import annotations

import random

import pytest

from solver.engines.rsearch.framework import RSearchCondition
from tests.solver.engines.rsearch.definitions import PaperRSearch, Place
from tests.solver.engines.rsearch.test_framework import HEIGHT, searched, trees
from tests.solver.engines.rsearch.trees import Node, nodes_of, random_tree
from tests.solver.engines.rsearch.twins import alpha_beta, minimax

INFINITE = 1 << 30
SMALL = 5


def small_trees(seed: int, number: int = 50) -> list[tuple[Node, bool]]:
    rng = random.Random(seed)
    return [(random_tree(rng, rng.randint(1, SMALL)), rng.random() < 0.5) for _ in range(number)]


@pytest.mark.parametrize("depth", [1, 2, 3, SMALL])
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
        alpha_beta(root, maximising, -INFINITE, INFINITE, by_alpha_beta)
        for depth in more:
            more[depth] += not set(searched(root, maximising, RSearchCondition(depth))[1]) <= set(
                by_alpha_beta
            )
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
