# SPDX-License-Identifier: GPL-3.0-or-later
"""Two trees of moves as one: all of both, nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tsume.formats.trees import random_tree
from tsume.formats.game_record import Branch, merged_branches
from tsume_rules.moves import parse_move

Path = tuple[str, ...]


def branch(first: int, line: str, *branches: Branch, comments: tuple[tuple[int, str], ...] = ()) -> Branch:
    return Branch(first, tuple(map(parse_move, line.split())), comments, branches)


def paths(one: Branch, before: Path = ()) -> Iterator[Path]:
    """The moves up to each move of a tree, each as often as it is there."""
    texts = [move.usi for move in one.line]
    yield from ((*before, *texts[: n + 1]) for n in range(len(texts)))
    for other in one.branches:
        yield from paths(other, (*before, *texts[: other.first - one.first]))


def test_where_the_lines_part_the_other_is_a_variation() -> None:
    base = branch(1, "1a1b 2a2b 3a3b", comments=((1, "base"),))
    other = branch(1, "1a1b 2a2c 3a3c", branch(3, "4a4b"), comments=((1, "other"), (2, "apart")))
    found = merged_branches(base, other)
    assert found.line == base.line
    assert found.move_comments == ((1, "base"), (1, "other"))
    assert found.branches == (branch(2, "2a2c 3a3c", branch(3, "4a4b"), comments=((2, "apart"),)),)


def test_a_variation_that_is_the_line_is_not_doubled() -> None:
    base = branch(1, "1a1b 2a2b 3a3b")
    other = branch(1, "1a1c", branch(1, "1a1b 2a2b 3a3c", comments=((2, "here"),)))
    found = merged_branches(base, other)
    assert found.move_comments == ((2, "here"),)
    assert found.branches == (branch(1, "1a1c"), branch(3, "3a3c"))


def test_nothing_is_added_beyond_the_end() -> None:
    base = branch(1, "1a1b")
    assert merged_branches(base, branch(1, "1a1b 2a2b")) == base


@given(seed=st.integers(0, 10**9))
@settings(max_examples=50)
def test_a_tree_merged_with_itself_is_itself(seed: int) -> None:
    tree = random_tree(seed).main
    assert merged_branches(tree, tree) == tree


@given(seed=st.integers(0, 10**9), other=st.integers(0, 10**9))
@settings(max_examples=50)
def test_no_move_is_there_twice_and_none_of_the_base_is_lost(seed: int, other: int) -> None:
    base, added = random_tree(seed).main, random_tree(other).main
    found = merged_branches(base, added)
    all_paths = list(paths(found))
    assert found.line == base.line
    assert set(paths(base)) <= set(all_paths) <= {*paths(base), *paths(added)}
    assert len(all_paths) == len(set(all_paths))
