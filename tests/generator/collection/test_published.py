# SPDX-License-Identifier: GPL-3.0-or-later
"""What published problems have: counted, written, read, and how far problems are from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from generator.collection.rating import (
    PublishedFeatures,
    deviations_from_published,
    published_features,
    write_published_features,
)
from generator.likeness.features import shape_and_line
from scripts.fit import fit
from tests.grown import grown
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


def test_deviations_are_counted_from_the_mean() -> None:
    counted = PublishedFeatures.of([{"a": 0.0, "b": 2.0}, {"b": 2.0, "a": 4.0}])
    assert counted.deviations({"a": 2.0, "b": 2.0}).tolist() == [0, 0]
    far, rare = counted.deviations({"a": 6.0, "b": 3.0})
    assert far == pytest.approx(2, abs=0.02)
    assert 5 < rare < 6  # no published problem has another number of b


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "published.npz"
    write_published_features(published_features(), file)
    with np.load(file) as data:
        for length, one in published_features().items():
            assert data["names"].tolist() == list(one.names)
            assert (data[f"{length} means"] == one.means).all()
            assert (data[f"{length} spreads"] == one.spreads).all()


def test_the_features_are_those_of_the_program() -> None:
    for found in grown(3, 5, seed=1):
        names = set(shape_and_line(*found.readable))
        assert all(set(one.names) == names for one in published_features().values())


def test_a_mirror_image_deviates_as_much() -> None:
    for found in grown(5, 10, seed=2):
        position, line = found.readable
        mirrored = position.mirrored, tuple(move.mirrored for move in line)
        first, other = (
            deviations_from_published(shape_and_line(*one), 5) for one in ((position, line), mirrored)
        )
        assert (first == other).all()
        assert first.any()


def test_lengths_that_nobody_counted_deviate_by_nothing() -> None:
    mate = parse_sfen("8k/9/8P/9/9/9/9/9/9 b G 1").position, (parse_move("G*1b"),)
    assert not deviations_from_published(shape_and_line(*mate), 1).any()


def test_the_command_counts_published_problems(tmp_path: Path) -> None:
    file, output = tmp_path / "published.txt", tmp_path / "counted.npz"
    file.write_text("9/8k/6+N2/9/6N2/9/9/9/9 b 2r2b4g4s2n4l18p 1 moves 3e2c+ 1b1a 2c2b\n", encoding="utf-8")
    done = CliRunner().invoke(fit, ["collection", str(file), "-m", "3", "-o", str(output)])
    assert (done.exit_code, done.stdout) == (0, "3 moves: 1 problems\n")
    with np.load(output) as data:
        assert data["3 means"].shape == data["names"].shape
