# SPDX-License-Identifier: GPL-3.0-or-later
"""How well two sets of problems are told apart by their features, and by which."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generator.likeness.features import Features
from scripts.metrics import auc

FOLDS = 5
FEWEST = 4 * FOLDS
"""With fewer problems of a set nothing is trained."""
LEAST = 4
"""A feature that is not 0 in fewer problems than this, both sets together, is left out."""
_TREES = {
    "learning_rate": 0.05,
    "max_iter": 200,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 5,
    "l2_regularization": 1.0,
    "max_features": 0.3,
}
"""For some hundred problems: each split sees a part of the features."""
_STRENGTH = 0.01
"""Of the logistic regression; the smaller, the closer all weights are to 0."""


@dataclass
class Separation:
    """AUC on problems that were not trained on, for each seed and fold: by trees and by a linear model.

    AUC is the chance that of a published and a composed problem the right one is taken for composed:
    0.5 if the sets cannot be told apart, 1 if they always can.
    """

    trees: list[float] = field(default_factory=list)
    linear: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Sign:
    """One feature: its mean in both sets, and the AUC by it alone, above 0.5 if composed ones have more."""

    name: str
    auc: float
    published: float
    composed: float


def separate(
    published: Sequence[Features], composed: Sequence[Features], most: int, seeds: Iterable[int]
) -> Separation:
    """Train on the same number of problems of both sets, at most ``most``, and test by cross-validation.

    Each seed draws other problems of the larger set, other folds and other trees.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415  (loading takes a second)
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    size = min(len(published), len(composed), most)
    labels = np.repeat([0, 1], size)
    found = Separation()
    for seed in seeds:
        draw = random.Random(seed)
        _, table = tabulate(draw.sample(published, size), draw.sample(composed, size))
        found.trees += _aucs(HistGradientBoostingClassifier(random_state=seed, **_TREES), table, labels, seed)
        linear = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=2000))
        found.linear += _aucs(linear, table, labels, seed)
    return found


def _aucs(model: Any, table: np.ndarray, labels: np.ndarray, seed: int) -> list[float]:
    """The AUC on each fold, of a model trained on the others."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    split = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with threadpool_limits(1):
        return [float(auc) for auc in cross_val_score(model, table, labels, scoring="roc_auc", cv=split)]


def signs(published: Sequence[Features], composed: Sequence[Features], number: int) -> list[Sign]:
    """The features that alone tell the sets apart best, the best first."""
    names, table = tabulate(published, composed)
    found = [
        Sign(name, auc(other, one), float(one.mean()), float(other.mean()))
        for name, one, other in zip(names, table[: len(published)].T, table[len(published) :].T, strict=True)
    ]
    return sorted(found, key=lambda sign: (-abs(sign.auc - 0.5), sign.name))[:number]


def tabulate(
    published: Sequence[Features], composed: Sequence[Features], least: float = LEAST
) -> tuple[list[str], np.ndarray]:
    """Names of features and a table [problem, feature], the published first; a missing name counts as 0."""
    problems = [*published, *composed]
    number = Counter(name for problem in problems for name, value in problem.items() if value)
    names = sorted(name for name, count in number.items() if count >= least)
    table = [[problem.get(name, 0.0) for name in names] for problem in problems]
    return names, np.array(table, dtype=np.float64)
