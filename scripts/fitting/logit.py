# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditional logit: one of several alternatives is chosen, by a weighted sum of their features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

PENALTY = 0.5
"""Of the squared weights, halved: it keeps rare features small."""
FOLDS = 5
_STEPS, _RATE = 600, 0.02


@dataclass(frozen=True)
class Choice:
    """The alternatives' features, one row for each, and the index of the one chosen."""

    rows: np.ndarray
    chosen: int


def fitted(choices: Sequence[Choice], features: int) -> np.ndarray:
    """The weights of the greatest penalised likelihood, by gradient ascent."""
    weights = np.zeros(features)
    for _ in range(_STEPS):
        slope = -PENALTY * weights
        for one in choices:
            slope += one.rows[one.chosen] - chances(one, weights) @ one.rows
        weights += _RATE * slope
    return weights


def chances(choice: Choice, weights: np.ndarray) -> np.ndarray:
    """The chance of each alternative."""
    sums = choice.rows @ weights
    odds = np.exp(sums - sums.max())
    return np.asarray(odds / odds.sum())


def accuracy(choices: Sequence[Choice], weights: np.ndarray) -> float:
    """The share of choices whose largest sum is the one chosen; the first of equal sums counts."""
    return float(np.mean([int(np.argmax(one.rows @ weights)) == one.chosen for one in choices]))


def cross_validated(choices: Sequence[Choice], features: int, seed: int = 0) -> float:
    """The mean accuracy on the fifth of the choices that the weights were not fitted on."""
    order = np.random.default_rng(seed).permutation(len(choices))
    right = 0.0
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS].tolist())
        weights = fitted([one for i, one in enumerate(choices) if i not in held], features)
        test = [one for i, one in enumerate(choices) if i in held]
        right += accuracy(test, weights) * len(test) if test else 0.0
    return right / len(choices)
