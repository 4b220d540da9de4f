"""Classifiers of scikit-learn that tell two sets of problems apart, tested on problems they have not seen.

Imported only when something is trained.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

_SMALL_TREES = {
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


def by_trees(table: np.ndarray, labels: np.ndarray, folds: int, seed: int) -> list[float]:
    """The AUC on each fold, of boosted trees trained on the others."""
    return _aucs(
        HistGradientBoostingClassifier(random_state=seed, **_SMALL_TREES), table, labels, folds, seed
    )


def linearly(table: np.ndarray, labels: np.ndarray, folds: int, seed: int) -> list[float]:
    """The AUC on each fold, of a logistic regression trained on the others."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=2000))
    return _aucs(model, table, labels, folds, seed)


def _aucs(model: Any, table: np.ndarray, labels: np.ndarray, folds: int, seed: int) -> list[float]:
    split = StratifiedKFold(folds, shuffle=True, random_state=seed)
    with threadpool_limits(1):
        return [float(auc) for auc in cross_val_score(model, table, labels, scoring="roc_auc", cv=split)]
