"""How well two sets of problems are told apart by their features, and by which."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import click
import numpy as np

from generator.likeness.features import Features

FOLDS = 5
FEWEST = 4 * FOLDS
"""With fewer problems of a set nothing is trained."""
LEAST = 4
"""A feature that is not 0 in fewer problems than this, both sets together, is left out."""


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

    Each seed draws other problems of the larger set, other folds and other trees. Raises
    `click.ClickException` if scikit-learn is not installed.
    """
    try:
        from scripts.measuring import discriminator as by  # noqa: PLC0415  (it may not be installed)
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}; `scripts/install dev` installs scikit-learn") from None
    size = min(len(published), len(composed), most)
    labels = np.repeat([0, 1], size)
    found = Separation()
    for seed in seeds:
        draw = random.Random(seed)
        _, table = tabulate(draw.sample(published, size), draw.sample(composed, size))
        found.trees += by.by_trees(table, labels, FOLDS, seed)
        found.linear += by.linearly(table, labels, FOLDS, seed)
    return found


def signs(published: Sequence[Features], composed: Sequence[Features], number: int) -> list[Sign]:
    """The features that alone tell the sets apart best, the best first."""
    names, table = tabulate(published, composed)
    found = [
        Sign(name, auc(one, other), float(one.mean()), float(other.mean()))
        for name, one, other in zip(names, table[: len(published)].T, table[len(published) :].T, strict=True)
    ]
    return sorted(found, key=lambda sign: (-abs(sign.auc - 0.5), sign.name))[:number]


def auc(published: np.ndarray, composed: np.ndarray) -> float:
    """The chance that a composed problem's value is the greater one; equal values count half."""
    published = np.sort(published)
    below = np.searchsorted(published, composed, "left")
    not_above = np.searchsorted(published, composed, "right")
    return float((below + not_above).mean() / (2 * len(published)))


def tabulate(published: Sequence[Features], composed: Sequence[Features]) -> tuple[list[str], np.ndarray]:
    """Names of features and a table [problem, feature], the published first; a missing name counts as 0."""
    problems = [*published, *composed]
    number = Counter(name for problem in problems for name, value in problem.items() if value)
    names = sorted(name for name, count in number.items() if count >= LEAST)
    table = [[problem.get(name, 0.0) for name in names] for problem in problems]
    return names, np.array(table, dtype=np.float64)
