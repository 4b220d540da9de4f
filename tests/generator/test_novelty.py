"""What a root may know is the same however many roots are composed at a time."""

from __future__ import annotations

import pytest

from generator.novelty import ROUND, Lines, first_needed

FOUND = [(0, "a"), (0, "b"), (3, "c"), (ROUND - 1, "d"), (ROUND, "e"), (2 * ROUND + 1, "f")]


@pytest.mark.parametrize("index", range(4 * ROUND))
def test_a_root_waits_for_all_rounds_but_its_own_and_the_one_before(index: int) -> None:
    needed = first_needed(index)
    assert needed % ROUND == 0
    assert needed == 0 or ROUND <= index - needed < 2 * ROUND
    assert needed <= first_needed(index + 1)


def test_the_first_two_rounds_know_nothing() -> None:
    lines = Lines(FOUND)
    assert all(lines.known(index) == [] for index in range(2 * ROUND))


def test_a_root_knows_the_lines_of_the_roots_it_waited_for() -> None:
    lines = Lines(FOUND)
    for index in range(5 * ROUND):
        assert lines.known(index) == [key for root, key in FOUND if root < first_needed(index)]


def test_what_comes_later_changes_nothing_for_those_before() -> None:
    lines = Lines()
    for root in range(3 * ROUND):
        lines.add(root, [key for index, key in FOUND if index == root])
    complete = Lines(FOUND)
    for index in range(3 * ROUND):
        assert lines.known(index) == complete.known(index)


def test_earlier_lines_may_be_given_in_any_order() -> None:
    assert Lines(reversed(FOUND)).known(9 * ROUND) == Lines(FOUND).known(9 * ROUND)


def test_known_lines_come_piece_by_piece() -> None:
    lines, known = Lines(FOUND), list[str]()
    for index in (0, 2 * ROUND, 2 * ROUND + 5, 3 * ROUND, 9 * ROUND):
        known += lines.known(index, len(known))
        assert known == lines.known(index)


def test_keys_of_all_roots_are_known_to_the_run() -> None:
    lines = Lines(FOUND[:2])
    assert lines.any_known(["x", "b"])
    assert not lines.any_known(["c"])
    lines.add(3, ["c"])
    assert lines.any_known(["c"])
    assert not lines.any_known([])
