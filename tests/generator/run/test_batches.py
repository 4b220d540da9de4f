"""What a root may know is said by its index alone; rounds grow with what has gone before."""

from __future__ import annotations

import pytest

from generator.run.batches import LARGEST, ROUND, SHARE, first_needed, round_end, round_of, size_of, start_of


def test_the_first_rounds_are_small_and_all_are_full_ones() -> None:
    assert [start_of(number) for number in range(4)] == [0, ROUND, 2 * ROUND, 3 * ROUND]
    for number in range(120):
        start, end = start_of(number), start_of(number + 1)
        assert (end - start) % ROUND == 0
        assert end - start == size_of(start)
        assert ROUND <= end - start <= max(ROUND, min(LARGEST, start // SHARE))


def test_late_rounds_are_a_quarter_of_what_was_before_up_to_a_bound() -> None:
    assert size_of(100_000) == 25_000
    assert size_of(10**9) == LARGEST


@pytest.mark.parametrize("index", [*range(100), 1000, 12_345, 10**6])
def test_a_root_waits_for_all_rounds_but_its_own_and_the_one_before(index: int) -> None:
    number = round_of(index)
    assert start_of(number) <= index < start_of(number + 1) == round_end(index)
    assert first_needed(index) == start_of(max(0, number - 1))
    assert first_needed(index) <= first_needed(index + 1)


def test_much_can_be_done_at_the_same_time_late_in_a_run() -> None:
    """A root waits for none of the last third before it."""
    for index in (10**4, 10**5):
        assert index - first_needed(index) > index // 6
