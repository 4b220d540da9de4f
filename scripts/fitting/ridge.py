# SPDX-License-Identifier: GPL-3.0-or-later
"""Penalised regressions with bounds: linear, and of the chance of one of two classes (logit)."""

from __future__ import annotations

import numpy as np

_STEPS = 60
_ENOUGH = 1e-9


def linear(rows: np.ndarray, values: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Weights, none negative, of the least squares plus penalty times squared standardised weight.

    ``penalty`` has one number for each column. Rows and values are centred first.
    """
    spread = rows.std(axis=0) + _ENOUGH
    scaled = (rows - rows.mean(axis=0)) / spread
    active = np.ones(rows.shape[1], dtype=bool)
    while True:
        weights = np.zeros(rows.shape[1])
        some = scaled[:, active]
        weights[active] = np.linalg.solve(
            some.T @ some + np.diag(penalty[active]), some.T @ (values - values.mean())
        )
        if (weights >= 0).all():
            return np.asarray(weights / spread)
        active &= weights > 0


def logit(
    rows: np.ndarray,
    good: np.ndarray,
    importance: np.ndarray,
    penalty: np.ndarray,
    prior: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Weights of the greatest penalised likelihood that each row is ``good`` (1) or not (0).

    ``importance`` has a number for each row; ``penalty`` and ``prior``, the weights from which a
    distance costs, have one for each column; ``bounds`` are the least and the greatest weights.
    Newton's method on the weights that are not at a bound.
    """
    low, high = bounds
    weights = np.clip(prior, low, high)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -500, 500)))
        slope = rows.T @ (importance * (good - chance)) - penalty * (weights - prior)
        free = ~((weights <= low) & (slope < 0) | (weights >= high) & (slope > 0))
        curvature = (rows[:, free].T * (importance * chance * (1 - chance))) @ rows[:, free]
        step = np.linalg.solve(curvature + np.diag(penalty[free] + _ENOUGH), slope[free])
        weights[free] += step
        weights = np.clip(weights, low, high)
        if np.abs(step).max() < _ENOUGH:
            break
    return np.asarray(weights)
