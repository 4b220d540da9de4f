# SPDX-License-Identifier: GPL-3.0-or-later
"""The rating expected of a problem: what counts for it, and its fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from generator.collection.rating import (
    NAMES,
    RatingModel,
    published_features,
    rating_features,
    stored_rating_model,
)
from generator.likeness.features import shape_and_line
from scripts.fit import fit
from scripts.fitting.quality import RATINGS
from tests.grown import grown
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

PLAIN = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b S 1", "4b3a+ 2b3a S*2b 3a2b 4d4b"
TWO_LAST_MOVES = "8k/9/7G1/9/9/9/9/9/9 b G 1", "G*1b"


def features(problem: tuple[str, str], **difficulty: float) -> dict[str, float]:
    sfen, line = problem
    position, moves = parse_sfen(sfen).position, tuple(map(parse_move, line.split()))
    shape = shape_and_line(position, moves)
    return rating_features(position, moves, ("decoy", "block", "decoy"), difficulty, shape)


def test_what_counts() -> None:
    found = features(PLAIN, captures=1.0, surprise=2.5, resistance=9.0)
    assert set(found) == set(NAMES)
    assert (found["themes"], found["captures"], found["surprise"], found["tries"]) == (2, 1, 2.5, 0)
    assert found["two_last_moves"] == 0
    assert features(TWO_LAST_MOVES)["two_last_moves"] == 1


def test_the_rating_is_a_weighted_sum() -> None:
    weights = np.arange(len(NAMES), dtype=np.float64)
    model = RatingModel(weights, np.array([1.0, 10.0]))
    found = dict.fromkeys(NAMES, 0.0) | {NAMES[1]: 3.0, NAMES[2]: 0.5}
    assert model.relative_rating(found, np.array([0.1, 0.2])) == pytest.approx(3 + 1 + 0.1 + 2)


def test_the_model_has_a_weight_for_each_feature() -> None:
    model = stored_rating_model()
    assert model.weights.shape == (len(NAMES),)
    assert all(model.deviation_weights.shape == one.means.shape for one in published_features().values())


def test_a_mirror_image_has_the_same_rating() -> None:
    for found in grown(5, 10, seed=2):
        position, line = found.readable
        mirrored = position.mirrored, tuple(move.mirrored for move in line)
        first, other = (
            rating_features(*one, (), {}, shape_and_line(*one)) for one in ((position, line), mirrored)
        )
        assert first == other


def test_the_command_prints_the_weights(tmp_path: Path) -> None:
    lines = [line for line in RATINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    some, output = tmp_path / "ratings.tsv", tmp_path / "rating.npz"
    some.write_text("\n".join(lines[:40]) + "\n", encoding="utf-8")
    done = CliRunner().invoke(fit, ["rating", str(some), "-o", str(output)], catch_exceptions=False)
    assert done.exit_code == 0
    first, *others = done.stdout.splitlines()
    assert first.startswith("40 ratings; problems not fitted to: ")
    assert [line.split()[0] for line in others[-len(NAMES) :]] == list(NAMES)
    with np.load(output) as data:
        assert data["weights"].shape == (len(NAMES),)
