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

from generator.likeness.features import Features, placement_and_shape
from generator.likeness.model import trees_for_length, write_arrays
from generator.quality import has_two_last_moves
from tsume_rules.moves import Move
from tsume_rules.packed import pack, pack_move
from tsume_rules.position import Position

NAMES = (
    "themes", "published", "two_last_moves", "captures", "distant_drops", "non_promotions", "pieces",
    "surprise", "tries",
)  # fmt: skip
"""What counts apart from the features that published problems have on average.

``themes`` is their number and ``published`` the logarithm of how much likelier the problem is among published
ones than among composed ones (`generator.likeness.model`); ``two_last_moves`` is 1 if another last move
mates too (`generator.quality`); the others are features of `solver.scoring.difficulty`.
"""
_RATING_FILE = Path(__file__).with_name("rating.npz")


@dataclass(frozen=True)
class RatingModel:
    """What one more of each feature adds to a rating from 1 to 5; arrays [feature].

    ``weights`` are those of `NAMES`, ``deviation_weights`` those of the features of
    `generator.collection.rating`, for one spread.
    """

    weights: np.ndarray
    deviation_weights: np.ndarray

    def relative_rating(self, features: Mapping[str, float], deviations: np.ndarray) -> float:
        """Return the rating of a problem, up to a number that is the same for all problems of its length."""
        row = np.array([features[name] for name in NAMES])
        return math.fsum([*(self.weights * row).tolist(), *(self.deviation_weights * deviations).tolist()])


@cache
def stored_rating_model() -> RatingModel:
    """Return the model that collections are chosen by."""
    with _RATING_FILE.open("rb") as file, np.load(file) as data:
        return RatingModel(data["weights"].astype(np.float64), data["deviations"].astype(np.float64))


def write_rating_model(model: RatingModel, path: Path | None = None) -> None:
    """Write a model to a file, by default to the one it is read from."""
    weights, deviations = model.weights.astype(np.float32), model.deviation_weights.astype(np.float32)
    write_arrays({"weights": weights, "deviations": deviations}, path or _RATING_FILE)


def rating_features(
    position: Position, line: tuple[Move, ...], themes: Sequence[str], difficulty: Mapping[str, float], shape: Features
) -> dict[str, float]:
    """Return what counts for the rating of a problem.

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


# --- what published problems have on average, which a collection shall have too --------------------
#
# The features are those of the first view of `generator.likeness.features`; `scripts/fit collection` counts
# them.

_PUBLISHED_FILE = Path(__file__).with_name("published.npz")
_RARE_VARIANCE = 0.03
"""Added to every variance, so that a feature which hardly any published problem has does not count too
much."""


@dataclass(frozen=True)
class PublishedFeatures:
    """The means and spreads of the features of published problems of one length; arrays [``names``]."""

    names: tuple[str, ...]
    means: np.ndarray
    spreads: np.ndarray

    @classmethod
    def of(cls, problems: Sequence[Features]) -> PublishedFeatures:
        """Return those of some problems, at least one."""
        names = tuple(sorted(problems[0]))
        table = np.array([[one[name] for name in names] for one in problems], dtype=np.float64)
        return cls(names, table.mean(axis=0), np.sqrt(table.var(axis=0) + _RARE_VARIANCE))

    def deviations(self, features: Features) -> np.ndarray:
        """Return how far a problem is from the means, in spreads."""
        row = np.array([features[name] for name in self.names], dtype=np.float64)
        found: np.ndarray = (row - self.means) / self.spreads
        return found


def deviations_from_published(features: Features, length: int) -> np.ndarray:
    """Return how far the features of a problem are from those of published ones of its length, in spreads.

    ``features`` are those of `generator.likeness.features.shape_and_line`. At a length that nobody counted
    none deviates.
    """
    counted = published_features()
    found = counted.get(length)
    if found is None:
        return np.zeros(len(next(iter(counted.values())).names))
    return found.deviations(features)


@cache
def published_features() -> dict[int, PublishedFeatures]:
    """Return the features of published problems by length in plies."""
    with _PUBLISHED_FILE.open("rb") as file, np.load(file) as data:
        names = tuple(data["names"].tolist())
        lengths = sorted(int(name.split()[0]) for name in data.files if name.endswith(" means"))
        return {n: PublishedFeatures(names, data[f"{n} means"], data[f"{n} spreads"]) for n in lengths}


def write_published_features(counted: Mapping[int, PublishedFeatures], path: Path | None = None) -> None:
    """Write the features of published problems to a file, by default to the one they are read from."""
    arrays = {"names": np.array(next(iter(counted.values())).names)}
    for n, one in sorted(counted.items()):
        arrays |= {f"{n} means": one.means.astype(np.float32), f"{n} spreads": one.spreads.astype(np.float32)}
    write_arrays(arrays, path or _PUBLISHED_FILE)
