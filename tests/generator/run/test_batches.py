"""What a root may know is said by its index alone; rounds grow with what has gone before."""

from __future__ import annotations

import pytest

from generator.run.batches import (
    BATCH,
    BATCH_SHARE,
    LARGEST_BATCH,
    batch_end,
    batch_of,
    batch_start,
    first_needed,
    size_of,
)


def test_the_first_rounds_are_small_and_all_are_full_ones() -> None:
    assert [batch_start(number) for number in range(4)] == [0, BATCH, 2 * BATCH, 3 * BATCH]
    for number in range(120):
        start, end = batch_start(number), batch_start(number + 1)
        assert (end - start) % BATCH == 0
        assert end - start == size_of(start)
        assert BATCH <= end - start <= max(BATCH, min(LARGEST_BATCH, start // BATCH_SHARE))


def test_late_rounds_are_a_quarter_of_what_was_before_up_to_a_bound() -> None:
    assert size_of(100_000) == 25_000
    assert size_of(10**9) == LARGEST_BATCH


@pytest.mark.parametrize("index", [*range(100), 1000, 12_345, 10**6])
def test_a_root_waits_for_all_rounds_but_its_own_and_the_one_before(index: int) -> None:
    number = batch_of(index)
    assert batch_start(number) <= index < batch_start(number + 1) == batch_end(index)
    assert first_needed(index) == batch_start(max(0, number - 1))
    assert first_needed(index) <= first_needed(index + 1)


def test_much_can_be_done_at_the_same_time_late_in_a_run() -> None:
    """A root waits for none of the last third before it."""
    for index in (10**4, 10**5):
        assert index - first_needed(index) > index // 6
