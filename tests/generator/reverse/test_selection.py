# SPDX-License-Identifier: GPL-3.0-or-later
"""A varied choice: it prefers merit, avoids what is alike, and is the same for the same random numbers."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from generator.reverse.selection import select_varied

ALONE = [(i,) for i in range(10)]
"""Labels that no two items share."""


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("most", [0, 1, 4, 10, 30])
def test_as_many_as_asked_for_are_chosen_each_once(most: int) -> None:
    chosen = select_varied(range(10), ALONE, [0.0] * 10, most, rng())
    assert len(chosen) == len(set(chosen)) == min(most, 10)


def test_of_nothing_nothing_is_chosen() -> None:
    assert select_varied([], [], [], 3, rng()) == []


def test_without_chance_the_merits_decide() -> None:
    merits = [float((7 * i) % 10) for i in range(10)]
    chosen = select_varied(range(10), ALONE, merits, 10, rng(), temperature=0.0)
    assert [merits[i] for i in chosen] == sorted(merits, reverse=True)


def test_items_that_share_a_label_crowd_each_other() -> None:
    """An equal label costs a unit of merit: a little better is then not enough, much better is."""
    labels = [("a", 1), ("a", 1), ("b", 2)]
    assert select_varied(range(3), labels, [3.0, 2.0, 0.5], 2, rng(), 0.0) == [0, 2]
    assert select_varied(range(3), labels, [3.0, 2.9, 0.5], 2, rng(), 0.0) == [0, 1]


def test_a_label_counts_in_its_place_only() -> None:
    labels = [("a", "b"), ("b", "a"), ("c", "c")]
    assert select_varied(range(3), labels, [3.0, 2.0, 1.5], 2, rng(), 0.0) == [0, 1]


def test_the_same_numbers_give_the_same_choice() -> None:
    def chosen(seed: int) -> list[int]:
        return select_varied(range(10), ALONE, [0.0] * 10, 5, rng(seed))

    assert chosen(3) == chosen(3)
    assert len({tuple(chosen(seed)) for seed in range(10)}) > 5


def test_without_crowding_it_is_a_sample_with_exponential_weights() -> None:
    """So a merit of one temperature more makes an item e times as likely to be first."""
    first = Counter(select_varied([0, 1], [(0,), (1,)], [1.0, 0.0], 1, rng(i))[0] for i in range(3000))
    assert first[0] / first[1] == pytest.approx(math.e, rel=0.15)
