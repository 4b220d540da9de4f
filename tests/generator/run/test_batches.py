# SPDX-License-Identifier: GPL-3.0-or-later
"""What a root may know is said by its index alone; rounds grow with what has gone before."""

from __future__ import annotations

import pytest

from generator.run.novelty import (
    BATCH,
    BATCH_SHARE,
    LARGEST_BATCH,
    batch_of_root,
    end_of_batch_of_root,
    first_root_of_batch,
    first_root_of_needed_batch,
    roots_in_batch,
)


def test_the_first_rounds_are_small_and_all_are_full_ones() -> None:
    assert [first_root_of_batch(number) for number in range(4)] == [0, BATCH, 2 * BATCH, 3 * BATCH]
    for number in range(120):
        start, end = first_root_of_batch(number), first_root_of_batch(number + 1)
        assert (end - start) % BATCH == 0
        assert end - start == roots_in_batch(start)
        assert BATCH <= end - start <= max(BATCH, min(LARGEST_BATCH, start // BATCH_SHARE))


def test_late_rounds_are_a_quarter_of_what_was_before_up_to_a_bound() -> None:
    assert roots_in_batch(100_000) == 25_000
    assert roots_in_batch(10**9) == LARGEST_BATCH


@pytest.mark.parametrize("index", [*range(100), 1000, 12_345, 10**6])
def test_a_root_waits_for_all_rounds_but_its_own_and_the_one_before(index: int) -> None:
    number = batch_of_root(index)
    assert (
        first_root_of_batch(number) <= index < first_root_of_batch(number + 1) == end_of_batch_of_root(index)
    )
    assert first_root_of_needed_batch(index) == first_root_of_batch(max(0, number - 1))
    assert first_root_of_needed_batch(index) <= first_root_of_needed_batch(index + 1)


def test_much_can_be_done_at_the_same_time_late_in_a_run() -> None:
    """A root waits for none of the last third before it."""
    for index in (10**4, 10**5):
        assert index - first_root_of_needed_batch(index) > index // 6
