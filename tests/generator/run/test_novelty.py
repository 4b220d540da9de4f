# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run has found: as sets of pairs, whatever way it is kept."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from generator.problem import Problem
from generator.run import novelty
from generator.run.novelty import (
    NOTHING,
    FoundKeys,
    KeyIndex,
    KnownKeysView,
    SeenPositions,
    first_root_of_needed_batch,
    known_keys_view,
)
from solver.results import Defect, Difficulty, Judgement
from tests.generator.finds import finds
from tsume_rules.sfen import parse_sfen

KEYS = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
FOUND = st.lists(st.tuples(st.integers(0, 200), KEYS), max_size=60)


@given(FOUND, st.lists(st.integers(1, 40)), st.integers(0, 4), st.lists(KEYS, max_size=5))
def test_a_key_is_known_if_a_root_below_the_end_found_it(
    found: list[tuple[int, int]], cuts: list[int], few: int, others: list[int]
) -> None:
    """Told in parts of any size and in any order, sorted in at once or later."""
    known = KeyIndex()
    before, novelty._FEW = novelty._FEW, few
    try:
        rest = found
        for cut in [*cuts, 1000]:
            part, rest = np.array(rest[:cut], np.int64).reshape(-1, 2), rest[cut:]
            known.add(part[:, 0], part[:, 1])
    finally:
        novelty._FEW = before
    for end in (0, 1, 50, 201):
        below = {key for root, key in found if root < end}
        for key in [*others, *(key for _, key in found)]:
            assert known.has(key, end) == (key in below)
            assert KnownKeysView(known, end).has_any([key]) == (key in below)
    assert all(known.has(key) for _, key in found)


@given(FOUND)
def test_finds_are_given_by_the_roots_that_found_them(found: list[tuple[int, int]]) -> None:
    found = sorted(found, key=lambda pair: pair[0])
    at_once, one_by_one = finds(found), FoundKeys()
    for root, key in found:
        one_by_one.add(root, [key])
    for some in (at_once, one_by_one):
        for first, end in ((0, 0), (0, 100), (17, 60), (100, 201)):
            roots, keys = some.keys_of_roots(first, end)
            pairs = list(zip(roots.tolist(), keys.tolist(), strict=True))
            assert pairs == [pair for pair in found if first <= pair[0] < end]
        assert some.any_known([key for _, key in found]) == bool(found)


def test_what_comes_later_changes_nothing_for_those_before() -> None:
    found = finds((root, root) for root in range(300))
    for index in (0, 15, 16, 40, 200, 299):
        view = known_keys_view(index, found.known)
        assert [root for root in range(300) if view.has_any([root])] == list(
            range(first_root_of_needed_batch(index))
        )


def test_nothing_is_known_at_first() -> None:
    assert not NOTHING.has_any([0, 1])
    assert not FoundKeys().any_known([0])


def problem(sfen: str, *keys: int) -> Problem:
    judgement = Judgement(Defect.NONE, length=1)
    return Problem(parse_sfen(sfen).position, judgement, Difficulty({}, 1.0, 1), keys=keys)


def test_problems_that_share_a_key_with_an_earlier_one_are_left_out_or_marked() -> None:
    sfen = "8k/9/8P/9/9/9/9/9/9 b G 1"
    one, other, third = problem(sfen, 1, 2), problem(sfen, 2, 3), problem(sfen, 4)
    for unique in (True, False):
        found = FoundKeys()
        assert found.without_repeats(0, [one], unique=unique) == ([one], frozenset())
        assert found.without_repeats(9, [other, third], unique=unique) == (
            ([third], frozenset()) if unique else ([other, third], frozenset({0}))
        )
        assert found.any_known([3]) is not unique


def test_a_mirror_image_is_the_same_position() -> None:
    positions = SeenPositions()
    assert positions.add(parse_sfen("8k/9/8P/9/9/9/9/9/9 b G 1").position)
    assert not positions.add(parse_sfen("k8/9/P8/9/9/9/9/9/9 b G 1").position)


def test_what_shares_a_key_with_an_excluded_problem_never_counts() -> None:
    sfen = "8k/9/8P/9/9/9/9/9/9 b G 1"
    one, other = problem(sfen, 1, 2), problem(sfen, 3)
    for unique in (True, False):
        found = FoundKeys(excluded={2, 9})
        assert found.without_repeats(0, [one, other], unique=unique) == ([other], frozenset())
        assert not found.any_known([1, 2])
