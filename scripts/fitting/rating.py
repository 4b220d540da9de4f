# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit rating`: how an editor would rate a problem (`generator.collection.rating`)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from scipy.stats import spearmanr
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_val_predict

from generator.collection.published import deviations_from_published
from generator.collection.rating import (
    NAMES,
    RatingModel,
    rating_features,
    stored_rating_model,
    write_rating_model,
)
from generator.likeness.features import shape_and_line
from generator.replay.line import replay_line
from generator.themes.table import shown_themes
from scripts.measuring.shared import read_published

RATINGS = Path(__file__).with_name("ratings.tsv")
"""On each line an SFEN, its line, features of difficulty as JSON, the number of the reading, the rating."""
_PENALTY = 100.0
"""Of the squared weights of standardised features."""
_DEVIATION_SCALE = 0.5
"""Of the standardised deviations: their weights are penalised four times as much."""
_FOLDS = 10


@dataclass(frozen=True)
class Rated:
    """A problem that was rated. ``group`` has the number of the reading and the length."""

    group: tuple[int, int]
    features: tuple[float, ...]
    rating: float


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path), default=RATINGS)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the model's own file.")
def rating(file: Path, output: Path | None) -> None:
    """Fit what counts for an editor to ratings of problems.

    Prints how well problems are ordered that were not fitted to (Spearman's rank correlation), and
    weights. Compared are problems of one length that were read together: longer ones are rated
    higher, but are not chosen instead, and one reading is stricter than another.
    """
    rated = list(_read(file))
    groups = [one.group for one in rated]
    rows = _apart_from_groups(groups, np.array([one.features for one in rated]))
    values = _apart_from_groups(groups, np.array([one.rating for one in rated]))
    spreads = rows.std(axis=0)
    units = np.where(spreads > 0, spreads, 1.0)
    units[len(NAMES) :] /= _DEVIATION_SCALE
    model = Ridge(alpha=_PENALTY, fit_intercept=False)
    unseen = cross_val_predict(model, rows / units, values, cv=KFold(_FOLDS, shuffle=True, random_state=1))
    click.echo(f"{len(rated)} ratings; problems not fitted to: {_agreement(groups, unseen, values)}")
    used = stored_rating_model()
    found = rows @ np.concatenate([used.weights, used.deviation_weights])
    click.echo(f"model in force: {_agreement(groups, found, values)}")
    weights = model.fit(rows / units, values).coef_ / units
    click.echo("weight in force, fitted, correlation:")
    for name, before, weight, row in zip(NAMES, used.weights, weights, rows.T, strict=False):
        click.echo(f"  {name:16} {before:7.3f} {weight:7.3f} {spearmanr(row, values).statistic:6.2f}")
    write_rating_model(RatingModel(weights[: len(NAMES)], weights[len(NAMES) :]), output)


def _read(file: Path) -> Iterator[Rated]:
    for one in read_published([file]):
        difficulty, reading, value = one.columns
        themes = shown_themes(replay_line(one.position, one.line))
        shape = shape_and_line(one.position, one.line)
        features = rating_features(one.position, one.line, themes, json.loads(difficulty), shape)
        deviations = deviations_from_published(shape, one.length).tolist()
        row = (*(features[name] for name in NAMES), *deviations)
        yield Rated((int(reading), one.length), row, float(value))


def _apart_from_groups(groups: Sequence[tuple[int, int]], rows: np.ndarray) -> np.ndarray:
    """Rows less the mean of their group."""
    members = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    apart = np.zeros(rows.shape)
    for indices in members.values():
        apart[indices] = rows[indices] - rows[indices].mean(axis=0)
    return apart


def _agreement(groups: Sequence[tuple[int, int]], found: np.ndarray, values: np.ndarray) -> str:
    lengths = np.array([length for _, length in groups])
    by_length = [
        f"{length} moves {spearmanr(found[lengths == length], values[lengths == length]).statistic:.2f}"
        for length in sorted(set(lengths.tolist()))
    ]
    return ", ".join([f"{spearmanr(found, values).statistic:.2f}", *by_length])
