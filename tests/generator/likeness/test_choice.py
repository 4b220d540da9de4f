# SPDX-License-Identifier: GPL-3.0-or-later
"""The trees that choose among composed positions, made by hand and written to files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import exp, log
from pathlib import Path

import pytest

from generator.likeness import model as module
from generator.likeness.features import placement_and_shape, shape_and_line
from generator.likeness.model import (
    LEAF,
    BoostedTrees,
    choice_features,
    stored_trees,
    trees_for_length,
    write_trees,
)
from tests.generator.themes.examples import EXAMPLES

TREES = BoostedTrees(
    names=["pieces", "hand"],
    #        a tree of three leaves                    one of a single leaf
    feature=[0, LEAF, 1, LEAF, LEAF, LEAF],
    threshold=[5.5, 0.0, 0.5, 0.0, 0.0, 0.0],
    below=[1, 0, 3, 0, 0, 0],
    above=[2, 0, 4, 0, 0, 0],
    value=[0.0, 1.0, 0.0, 0.25, -2.0, 0.125],
    roots=[0, 5],
    base=0.5,
    level=1.0,
)
"""Whether there are more than five pieces, and if so, whether any is in hand."""


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Trees that the test stores are forgotten after it."""
    trees_for_length.cache_clear()
    yield
    trees_for_length.cache_clear()


@pytest.mark.parametrize(
    ("pieces", "hand", "value"),
    [(3, 0, 1.0), (5.5, 9, 1.0), (6, 0, 0.25), (6, 0.5, 0.25), (6, 1, -2.0), (40, 18, -2.0)],
)
def test_the_values_of_all_trees_and_the_base_add_up(pieces: float, hand: float, value: float) -> None:
    assert TREES.log_ratio({"pieces": pieces, "hand": hand, "other": 1.0}) == 0.5 + value + 0.125


def test_a_missing_feature_counts_as_0() -> None:
    assert TREES.log_ratio({}) == 0.5 + 1.0 + 0.125
    assert TREES.log_ratio({"pieces": 7}) == 0.5 + 0.25 + 0.125


def test_without_trees_there_is_the_base() -> None:
    assert BoostedTrees([], [], [], [], [], [], [], -3.0, 0.0).log_ratio({"pieces": 1}) == -3.0


def test_the_chance_is_the_ratio_up_to_the_level() -> None:
    for example in EXAMPLES:
        ratio = TREES.log_ratio(choice_features(example.position, example.line))
        chance = TREES.probability_published(example.position, example.line)
        assert 0 < chance <= 1
        assert log(chance) == pytest.approx(min(0, ratio - 1.0))
        assert replace(TREES, level=ratio).probability_published(example.position, example.line) == 1
        assert replace(TREES, level=ratio + 2).probability_published(
            example.position, example.line
        ) == pytest.approx(exp(-2))
        for level in (-1000.0, 1000.0):
            assert 0 <= replace(TREES, level=level).probability_published(example.position, example.line) <= 1
    assert len({TREES.probability_published(example.position, example.line) for example in EXAMPLES}) > 1


def test_the_features_are_those_of_both_views() -> None:
    example = EXAMPLES[0]
    one, other = shape_and_line(example.position, example.line), placement_and_shape(example.position)
    found = choice_features(example.position, example.line)
    assert set(found) == {*one, *other}
    assert all(found[name] == value for name, value in {**one, **other}.items())


def test_trees_are_read_as_they_were_written(tmp_path: Path) -> None:
    """The values here are eighths, which single precision keeps; thresholds are kept as they are."""
    longer = replace(TREES, names=["king on 21", "hand"], threshold=[0.1] * 6, level=-0.75)
    file = tmp_path / "trees.npz"
    write_trees({11: longer, 3: TREES}, file)
    assert stored_trees(file) == {3: TREES, 11: longer}


def test_a_missing_file_has_no_trees(tmp_path: Path) -> None:
    assert stored_trees(tmp_path / "none.npz") == {}


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize(("length", "nearest"), [(1, 3), (5, 3), (7, 7), (9, 7), (31, 7)])
def test_the_nearest_length_is_used_and_of_two_the_shorter(
    length: int, nearest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = {7: replace(TREES, level=7.0), 3: replace(TREES, level=3.0)}
    monkeypatch.setattr(module, "stored_trees", lambda: trees)
    assert trees_for_length(length) is trees[nearest]


@pytest.mark.usefixtures("forgetful")
def test_without_a_file_nothing_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "stored_trees", dict)
    assert trees_for_length(3) is None


def test_the_generators_own_trees_can_be_used() -> None:
    """There may be none yet."""
    for trees in stored_trees().values():
        for example in EXAMPLES:
            assert 0 <= trees.probability_published(example.position, example.line) <= 1
