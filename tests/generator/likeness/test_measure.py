# SPDX-License-Identifier: GPL-3.0-or-later
"""Likeness: the place of a problem among published ones, and the file that holds what it takes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generator.kernel.traits import TRAITS
from generator.likeness.model import (
    PERCENTS,
    LikenessModel,
    ModelError,
    TraitCounter,
    likeness_of,
    model_for_length,
    stored_models,
    write_models,
)
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import pack, pack_move
from tsume_rules.sfen import parse_sfen

POSITION = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
LINE: tuple[Move, ...] = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))


def sum_of_values(model: LikenessModel) -> float:
    """The sum for the example."""
    traits = TraitCounter().traits(pack(POSITION), tuple(map(pack_move, LINE)))
    return float(model.values[traits].sum())


@pytest.mark.parametrize(
    ("above", "likeness"), [(-9, 0), (0, 0), (5, 5), (7.5, 8), (50, 50), (99, 99), (100, 100), (120, 100)]
)
def test_likeness_is_interpolated_between_the_ranks(
    above: float, likeness: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_for_length(3)
    here = replace(model, ranks=sum_of_values(model) - above + np.array(PERCENTS))
    monkeypatch.setattr("generator.likeness.model.model_for_length", {3: here}.get)
    assert likeness_of(POSITION, LINE) == likeness


def test_mirror_images_are_alike() -> None:
    mirrored = tuple(move.mirrored for move in LINE)
    assert likeness_of(POSITION.mirrored, mirrored) == likeness_of(POSITION, LINE)


def test_the_ranks_of_a_model_are_those_of_its_problems() -> None:
    model = LikenessModel.of_any_opening(np.zeros(TRAITS), np.zeros(TRAITS)).with_ranks(
        np.arange(200.0, -1.0, -1.0)
    )
    assert np.allclose(model.ranks, [2 * percent for percent in PERCENTS])


def test_stored_models_have_ranks_in_ascending_order() -> None:
    for model in stored_models().values():
        assert model.ranks.shape == (len(PERCENTS),)
        assert (np.diff(model.ranks) >= 0).all()


def test_models_are_read_as_they_are_written(tmp_path: Path) -> None:
    written = stored_models()
    write_models(written, tmp_path / "some.npz")
    read = stored_models(tmp_path / "some.npz")
    assert read.keys() == written.keys()
    for length, model in read.items():
        for name in ("values", "rates", "ranks"):
            assert np.array_equal(getattr(model, name), getattr(written[length], name))


def test_a_model_without_ranks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    np.savez(path, allow_pickle=False, **{"5": np.zeros(TRAITS), "rates 5": np.zeros(TRAITS)})
    with pytest.raises(ModelError, match=r"old\.npz has no opening 5, level 5, ranks 5"):
        stored_models(path)


def test_a_line_may_be_longer_than_any_before() -> None:
    """The king goes to and fro between checks of a rook; nobody counts how often."""
    position = parse_sfen("k8/9/9/9/9/9/9/9/8R b - 1").position
    turn = ("9a9b", "1a1b", "9b9a", "1b1a")
    line = tuple(map(parse_move, ("1i1a", *turn * 300)))
    counter = TraitCounter()
    short = counter.line_traits(pack(position), tuple(map(pack_move, line[:3])))
    assert len(counter.line_traits(pack(position), tuple(map(pack_move, line)))) > len(line)
    assert counter.line_traits(pack(position), tuple(map(pack_move, line[:3]))).tolist() == short.tolist()


def test_the_traits_of_a_position_are_those_it_has_with_any_line() -> None:
    alone = TraitCounter().position_traits(pack(POSITION))
    together = TraitCounter().traits(pack(POSITION), tuple(map(pack_move, LINE)))
    assert list(together[: len(alone)]) == list(alone)
    assert 0 < len(alone) < len(together)
