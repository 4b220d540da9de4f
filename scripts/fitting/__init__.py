# SPDX-License-Identifier: GPL-3.0-or-later
"""What fits share: published problems, acceptance of a sample, regressions, conditional logit."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from scipy.optimize import brentq, minimize
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold, cross_val_predict

from generator.likeness import Features
from scripts.measuring import LinedProblem, read_problems
from scripts.measuring.resemblance import feature_table
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

half_option: Callable[[Any], Any] = click.option(
    "--half", type=click.IntRange(0, 1), help="Fit every other problem only, to test with the rest."
)

_HELD_BACK = 10
"""One problem in this many is held back."""


def is_held_back(position: Position) -> bool:
    """Return whether a problem is among those held back: one in ten, the same in every run."""
    return zlib.crc32(canonical_sfen(position).encode()) % _HELD_BACK == 0


def published_of(files: Sequence[Path], moves: int, half: int | None) -> list[LinedProblem]:
    """Return the problems of a length, or half of them. Raises `click.ClickException` if there are none."""
    found = [one for one in read_problems(files) if one.length == moves]
    if half is not None:
        found = found[half::2]
    if not found:
        raise click.ClickException(f"no problems of {moves} moves")
    return found


def acceptances(log_ratios: np.ndarray, level: float) -> np.ndarray:
    """Return the chance with which each of a sample is taken: all with at least ``level`` are."""
    return np.exp(np.minimum(0, log_ratios - level))


def acceptance_level(log_ratios: np.ndarray, share: float) -> float:
    """Return the level at which this share of a sample is taken."""
    return float(brentq(lambda level: acceptances(log_ratios, level).mean() - share, -20, 20))


# --- regressions with bounds: linear with equal weights, and of the chance of one of two classes ---

_NEWTON_STEPS = 60
_ENOUGH = 1e-9


def fit_equal_weights(rows: np.ndarray, lengths: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the weight of the length and those of each column, none negative, by which values are predicted.

    No length counts twice: each column is first freed of its own straight trend in the length. All columns have
    the same weight for a standard deviation of what remains; that number and the length are fitted by least squares.
    """
    trend = np.stack([np.ones(len(lengths)), lengths], axis=1)
    slopes = np.linalg.pinv(trend) @ rows
    rest = rows - trend @ slopes
    spread = rest.std(axis=0)
    units = np.divide(1, spread, out=np.zeros_like(spread), where=spread > _ENOUGH)
    _, of_length, shared = np.linalg.pinv(np.column_stack([trend, rest @ units])) @ values
    weights = max(0.0, shared) * units
    return np.maximum(0, [of_length - weights @ slopes[1], *weights])


def fit_logit_weights(
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
    for _ in range(_NEWTON_STEPS):
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


# --- conditional logit: a weighted sum of features chooses one of several alternatives -------------

CHOICE_PENALTY = 0.5
"""Of the squared weights, halved: it keeps rare features small."""
FOLDS = 5


@dataclass(frozen=True)
class Choice:
    """The alternatives' features, one row for each, and the index of the one chosen."""

    rows: np.ndarray
    chosen: int


def fit_choice_weights(choices: Sequence[Choice], penalty: float = CHOICE_PENALTY) -> np.ndarray:
    """Return the weights of the greatest penalised likelihood."""
    rows = np.concatenate([one.rows for one in choices])
    starts = np.cumsum([0, *(len(one.rows) for one in choices[:-1])])
    counts = np.array([len(one.rows) for one in choices])
    chosen = starts + [one.chosen for one in choices]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        sums = rows @ weights
        sums -= np.repeat(np.maximum.reduceat(sums, starts), counts)
        odds = np.exp(sums)
        shares = odds / np.repeat(np.add.reduceat(odds, starts), counts)
        value = -np.log(shares[chosen]).sum() + penalty / 2 * weights @ weights
        return float(value), shares @ rows - rows[chosen].sum(axis=0) + penalty * weights

    return np.asarray(minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x)


def choice_chances(choice: Choice, weights: np.ndarray) -> np.ndarray:
    sums = choice.rows @ weights
    odds = np.exp(sums - sums.max())
    return np.asarray(odds / odds.sum())


def accuracy(choices: Sequence[Choice], weights: np.ndarray) -> float:
    """Return the share of choices whose largest sum is the one chosen; the first of equal sums counts."""
    return float(np.mean([int(np.argmax(one.rows @ weights)) == one.chosen for one in choices]))


def cross_validated(choices: Sequence[Choice], seed: int = 0) -> float:
    """Return the mean accuracy on the fifth of the choices that the weights were not fitted on."""
    order = np.random.default_rng(seed).permutation(len(choices))
    right = 0.0
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS].tolist())
        weights = fit_choice_weights([one for i, one in enumerate(choices) if i not in held])
        test = [one for i, one in enumerate(choices) if i in held]
        right += accuracy(test, weights) * len(test) if test else 0.0
    return right / len(choices)


# --- trees that tell published problems from composed ones -----------------------------------------

TREES = {
    "learning_rate": 0.06,
    "max_iter": 150,
    "max_leaf_nodes": 6,
    "min_samples_leaf": 12,
    "l2_regularization": 5.0,
    "max_features": 0.3,
}
"""For some thousand problems."""
_RARE_FEATURE = 0.02
"""A feature that fewer problems have is left out."""


@dataclass(frozen=True)
class FittedTrees:
    """Trees fitted to published and composed problems, and log odds of problems that they had not seen."""

    model: HistGradientBoostingClassifier
    names: list[str]
    labels: np.ndarray
    unseen: np.ndarray


def fit_classifier(people: list[Features], composed: list[Features], roots: Sequence[int], *, fit: bool) -> FittedTrees:
    """Tell published problems from composed ones; those of one of ``roots`` are seen together or not at all.

    With ``fit`` the model is fitted to all.
    """
    names, table = feature_table(people, composed, _RARE_FEATURE * (len(people) + len(composed)))
    labels = np.repeat([1, 0], [len(people), len(composed)])
    weights = np.where(labels == 1, 1000 / len(people), 1000 / len(composed))
    groups = np.concatenate([-1 - np.arange(len(people)), roots])
    model = HistGradientBoostingClassifier(random_state=1, **TREES)
    unseen = cross_val_predict(
        model, table, labels, groups=groups, cv=GroupKFold(5), method="decision_function",
        params={"sample_weight": weights},
    )  # fmt: skip
    if fit:
        model.fit(table, labels, sample_weight=weights)
    return FittedTrees(model, names, labels, unseen)
