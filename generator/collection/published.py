# SPDX-License-Identifier: GPL-3.0-or-later
"""What published problems have on average, which a collection shall have too.

The features are those of the first view of `generator.likeness.features`; `scripts/fit collection` counts
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from generator.likeness.features import Features
from generator.likeness.files import write_arrays

_FILE = Path(__file__).with_name("published.npz")
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
        """Those of some problems, at least one."""
        names = tuple(sorted(problems[0]))
        table = np.array([[one[name] for name in names] for one in problems], dtype=np.float64)
        return cls(names, table.mean(axis=0), np.sqrt(table.var(axis=0) + _RARE_VARIANCE))

    def deviations(self, features: Features) -> np.ndarray:
        """How far a problem is from the means, in spreads."""
        row = np.array([features[name] for name in self.names], dtype=np.float64)
        found: np.ndarray = (row - self.means) / self.spreads
        return found


def deviations_from_published(features: Features, length: int) -> np.ndarray:
    """How far the features of a problem are from those of published ones of its length, in spreads.

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
    """The features of published problems by length in plies."""
    with _FILE.open("rb") as file, np.load(file) as data:
        names = tuple(data["names"].tolist())
        lengths = sorted(int(name.split()[0]) for name in data.files if name.endswith(" means"))
        return {n: PublishedFeatures(names, data[f"{n} means"], data[f"{n} spreads"]) for n in lengths}


def write_published_features(counted: Mapping[int, PublishedFeatures], path: Path | None = None) -> None:
    """Write the features of published problems to a file, by default to the one they are read from."""
    arrays = {"names": np.array(next(iter(counted.values())).names)}
    for n, one in sorted(counted.items()):
        arrays |= {f"{n} means": one.means.astype(np.float32), f"{n} spreads": one.spreads.astype(np.float32)}
    write_arrays(arrays, path or _FILE)
