# SPDX-License-Identifier: GPL-3.0-or-later
"""How an editor would rate a problem among others of its length: what counts, and how much.

`scripts/fit rating` fits the weights to ratings of composed problems (``scripts/fitting/ratings.tsv``). A
language model gave them, asked to read each problem with its variations and tries as a strict editor does
(docs/composing.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from generator.likeness.choice import trees_for_length
from generator.likeness.features import Features, placement_and_shape
from generator.likeness.files import write_arrays
from generator.likeness.finish import has_two_last_moves
from tsume_rules.moves import Move
from tsume_rules.packed import pack, pack_move
from tsume_rules.position import Position

NAMES = (
    "themes", "published", "two_last_moves", "captures", "distant_drops", "non_promotions", "pieces",
    "surprise", "tries",
)  # fmt: skip
"""What counts apart from the features that published problems have on average.

``themes`` is their number and ``published`` the logarithm of how much likelier the problem is among published
ones than among composed ones (`generator.likeness.choice`); ``two_last_moves`` is 1 if another last move
mates too (`generator.likeness.finish`); the others are features of `solver.scoring.difficulty`.
"""
_FILE = Path(__file__).with_name("rating.npz")


@dataclass(frozen=True)
class RatingModel:
    """What one more of each feature adds to a rating from 1 to 5; arrays [feature].

    ``weights`` are those of `NAMES`, ``deviation_weights`` those of the features of
    `generator.collection.published`, for one spread.
    """

    weights: np.ndarray
    deviation_weights: np.ndarray

    def relative_rating(self, features: Mapping[str, float], deviations: np.ndarray) -> float:
        """The rating of a problem, up to a number that is the same for all problems of its length."""
        row = np.array([features[name] for name in NAMES])
        return math.fsum([*(self.weights * row).tolist(), *(self.deviation_weights * deviations).tolist()])


@cache
def stored_rating_model() -> RatingModel:
    """The model that collections are chosen by."""
    with _FILE.open("rb") as file, np.load(file) as data:
        return RatingModel(data["weights"].astype(np.float64), data["deviations"].astype(np.float64))


def write_rating_model(model: RatingModel, path: Path | None = None) -> None:
    """Write a model to a file, by default to the one it is read from."""
    weights, deviations = model.weights.astype(np.float32), model.deviation_weights.astype(np.float32)
    write_arrays({"weights": weights, "deviations": deviations}, path or _FILE)


def rating_features(
    position: Position,
    line: tuple[Move, ...],
    themes: Sequence[str],
    difficulty: Mapping[str, float],
    shape: Features,
) -> dict[str, float]:
    """What counts for the rating of a problem.

    ``difficulty`` has features of its difficulty; those that are missing count as 0. ``shape`` are the
    features of `generator.likeness.features.shape_and_line`.
    """
    trees = trees_for_length(len(line))
    published = 0.0 if trees is None else trees.log_ratio(shape | placement_and_shape(position))
    found = {
        "themes": float(len(set(themes))),
        "published": published,
        "two_last_moves": float(has_two_last_moves(pack(position), tuple(map(pack_move, line)))),
    }
    return found | {name: difficulty.get(name, 0.0) for name in NAMES if name not in found}
