# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the positions that were composed are looked at further: those that people might have composed.

Boosted trees (Friedman 2001) over the two views of a problem (`generator.likeness.features`) tell how
much likelier it is among published problems than among composed ones. Taking each with that
chance, up to a factor, is rejection sampling (von Neumann 1951). `scripts/fit choice` grows the trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

import numpy as np

from generator.likeness.features import Features, placement_and_shape, shape_and_line
from generator.likeness.files import fitted_for_length, parameter_file, write_arrays
from tsume_rules.moves import Move
from tsume_rules.position import Position

_FILE = "trees.npz"
LEAF = -1


@dataclass(frozen=True)
class BoostedTrees:
    """Boosted trees for problems of one length.

    ``names`` are the features; a node goes on to ``below`` if its ``feature`` is at most its
    ``threshold``, else to ``above``. Its feature is `LEAF` where it ends with a ``value``. ``roots`` are
    the nodes that trees begin with. The logarithm of the ratio is ``base`` and the values together; all with
    at least ``level`` are taken.
    """

    names: list[str]
    feature: list[int]
    threshold: list[float]
    below: list[int]
    above: list[int]
    value: list[float]
    roots: list[int]
    base: float
    level: float

    def log_ratio(self, features: Features) -> float:
        """How much likelier a problem is among published ones than among composed ones, as a logarithm."""
        row = [features.get(name, 0.0) for name in self.names]
        total = self.base
        for root in self.roots:
            node = root
            while self.feature[node] != LEAF:
                low = row[self.feature[node]] <= self.threshold[node]
                node = self.below[node] if low else self.above[node]
            total += self.value[node]
        return total

    def probability_published(self, position: Position, line: tuple[Move, ...]) -> float:
        """The chance with which a problem is taken."""
        return exp(min(0.0, self.log_ratio(choice_features(position, line)) - self.level))


def choice_features(position: Position, line: tuple[Move, ...]) -> Features:
    """The features of both views."""
    return shape_and_line(position, line) | placement_and_shape(position)


@cache
def trees_for_length(length: int) -> BoostedTrees | None:
    """The trees for problems of a length: its own, or those of the nearest length; None if there are none."""
    trees = stored_trees()
    return fitted_for_length(trees, length) if trees else None


_ARRAYS = ("names", "feature", "threshold", "below", "above", "value", "roots")


def stored_trees(path: Path | None = None) -> dict[int, BoostedTrees]:
    """The trees in a file, by default those the generator uses, by length in plies."""
    source = path or parameter_file(_FILE)
    if not source.is_file():
        return {}
    with source.open("rb") as file, np.load(file) as data:
        lengths = {int(name.split()[0]) for name in data.files}
        return {
            n: BoostedTrees(
                **{name: data[f"{n} {name}"].tolist() for name in _ARRAYS},
                base=float(data[f"{n} base"]), level=float(data[f"{n} level"]),
            )
            for n in sorted(lengths)
        }  # fmt: skip


def write_trees(trees: Mapping[int, BoostedTrees], path: Path | None = None) -> None:
    """Write trees to a file, by default to the one they are read from.

    Thresholds stay in double precision: a feature may be exactly at its threshold.
    """
    arrays: dict[str, np.ndarray] = {}
    for n, one in sorted(trees.items()):
        for name in (*_ARRAYS, "base", "level"):
            found = np.array(getattr(one, name))
            small = {"f": np.float32, "i": np.int16}.get(found.dtype.kind)
            is_exact = small is None or name == "threshold"
            arrays[f"{n} {name}"] = found if is_exact else found.astype(small)
    write_arrays(arrays, path or parameter_file(_FILE))
