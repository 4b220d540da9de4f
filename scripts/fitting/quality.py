# SPDX-License-Identifier: GPL-3.0-or-later
"""The worth of problems: points of the quality (`scripts/fit quality`), rating (`scripts/fit rating`)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from scipy.stats import spearmanr
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_val_predict

from generator import collection
from generator.likeness import shape_and_line
from generator.quality import BASE, HEURISTIC_POINTS, TRAIT_POINTS, base_quality_points, quality_traits
from generator.replay import replay_line
from generator.themes.table import heuristics_of, shown_themes
from scripts.fitting import fit_logit_weights
from scripts.measuring import LinedProblem, auc, read_published

NAMES = (*HEURISTIC_POINTS, *TRAIT_POINTS)
FAULTS = frozenset(("capturing_key", "captures", "chasing", "same_steps", "promoted_small", "far_pieces"))
"""What costs points; all else adds some: the files may not turn a merit into a fault."""
MIN_UNIT = 2.0
"""A merit adds, a fault costs, at least this many points."""
PENALTY = 2000.0
"""Of the squared distance of a standardised weight from its prior, halved."""
PRIOR = dict.fromkeys(HEURISTIC_POINTS, 6.0) | {"open_squares": 3.0}
"""The points from which the files move a theme or a trait; the others begin with none.

Openness of the king at the mate goes with people's liking most (Koyama and Kouno, 1994).
"""
MIN_SPREAD = 0.3
"""What is rarer than this spread says is standardised as if it had it, and so stays near its prior."""
SPREAD, MEAN = 12.0, 50.0
"""Published problems of one length have this standard deviation and mean, in points."""
ENOUGH = 20
"""A length of which fewer problems are published has no base of its own: the nearest one serves."""
WORTH = 500.0
"""Each side of a comparison counts as this many problems."""
FOLDS = 5


@dataclass(frozen=True)
class ProblemSample:
    """Problems of one kind: a row of themes and traits for each (`NAMES`), and their lengths."""

    rows: np.ndarray
    lengths: np.ndarray

    def some(self, chosen: np.ndarray) -> ProblemSample:
        return ProblemSample(self.rows[chosen], self.lengths[chosen])


class FitData(NamedTuple):
    """What is parted: published from bare at each length, awarded from routine at all lengths."""

    published: ProblemSample
    bare: ProblemSample
    awarded: ProblemSample
    routine: ProblemSample

    @property
    def lengths(self) -> list[int]:
        """Return the lengths at which there are both published and bare problems."""
        return sorted(set(self.published.lengths.tolist()) & set(self.bare.lengths.tolist()))


@dataclass(frozen=True)
class Points:
    """Points of each of `NAMES`, and the base by length."""

    points: np.ndarray
    base: dict[int, float]

    def of(self, sample: ProblemSample) -> np.ndarray:
        lengths = sorted(self.base)
        bases = np.interp(sample.lengths, lengths, [self.base[n] for n in lengths])
        return np.asarray(bases + sample.rows @ self.points)


def problem_sample(problems: Sequence[LinedProblem]) -> ProblemSample:
    rows = []
    for problem in problems:
        replayed = replay_line(problem.position, problem.line)
        found = dict.fromkeys(heuristics_of(replayed), 1.0) | quality_traits(replayed)
        rows.append([found.get(name, 0.0) for name in NAMES])
    return ProblemSample(np.array(rows), np.array([problem.length for problem in problems]))


def fit_points(material: FitData) -> Points:
    """Return points of several fits: each says how many points a logit is, as the next one's prior needs."""
    published = material.published
    prior, weights = np.zeros(len(NAMES)), np.zeros(len(NAMES))
    least = 0.0
    for _ in range(4):
        weights = _weights(material, prior, least)
        # The points of a logit, with which published problems of a length spread as they should.
        sums = published.rows @ weights
        spreads = [sums[published.lengths == n].var() for n in material.lengths]
        unit = float(SPREAD / np.sqrt(np.mean(spreads)))
        prior = np.array([PRIOR.get(name, 0.0) for name in NAMES]) / unit
        least = MIN_UNIT / unit
    points = np.round(weights * unit, 1)
    sums = published.rows @ points
    base = {n: round(MEAN - float(sums[published.lengths == n].mean()), 1) for n in _common(published)}
    return Points(points, base)


def _common(published: ProblemSample) -> list[int]:
    """Return the lengths of which enough problems are published."""
    lengths, counts = np.unique(published.lengths, return_counts=True)
    return [int(n) for n in lengths[counts >= ENOUGH]]


def _weights(material: FitData, prior: np.ndarray, least: float) -> np.ndarray:
    """Return the logits of each of `NAMES`; a merit adds at least ``least``.

    Every comparison has a constant of its own, and rows count from the mean of published problems
    of their length, so that no length is better than another.
    """
    published = material.published
    groups = [
        (published.some(published.lengths == n), material.bare.some(material.bare.lengths == n))
        for n in material.lengths
    ] + [(material.awarded, material.routine)]
    common = np.array(_common(published))
    means = np.array([published.rows[published.lengths == n].mean(axis=0) for n in common])
    within = [published.rows[published.lengths == n].var(axis=0) for n in material.lengths]
    spread = np.maximum(MIN_SPREAD, np.sqrt(np.mean(within, axis=0)))
    rows, good, importance = [], [], []
    for number, pair in enumerate(groups):
        for side, label in zip(pair, (1.0, 0.0), strict=True):
            count = len(side.lengths)
            own = np.eye(len(groups))[np.full(count, number)]
            # Lengths of which few are published count from the mean of the nearest common one.
            middles = means[np.abs(side.lengths[:, None] - common).argmin(axis=1)]
            rows.append(np.hstack([side.rows - middles, own]))
            good.append(np.full(count, label))
            importance.append(np.full(count, WORTH / count))
    none, free = np.zeros(len(groups)), np.full(len(groups), np.inf)
    faults = np.array([name in FAULTS for name in NAMES])
    bounds = (
        np.concatenate([np.where(faults, -np.inf, least), -free]),
        np.concatenate([np.where(faults, -least, np.inf), free]),
    )
    weights = fit_logit_weights(
        np.vstack(rows), np.concatenate(good), np.concatenate(importance),
        np.concatenate([PENALTY * spread**2, none]), np.concatenate([prior, none]), bounds,
    )  # fmt: skip
    return weights[: len(NAMES)]


def separation_text(material: FitData, sums: Sequence[np.ndarray]) -> str:
    """Return how well sums of points (of published, bare, awarded, routine) part what they should."""
    published, bare, awarded, routine = sums
    by_length = (
        f"{n} plies {auc(published[material.published.lengths == n], bare[material.bare.lengths == n]):.3f}"
        for n in material.lengths
    )
    return f"{', '.join(by_length)}; awarded {auc(awarded, routine):.3f}"


def cross_validated(material: FitData, seed: int = 0) -> str:
    """Return how well points fitted on the other folds part each fold."""
    random = np.random.default_rng(seed)
    folds = [random.permutation(len(one.lengths)) % FOLDS for one in material]
    sums = [np.empty(len(one.lengths)) for one in material]
    for number in range(FOLDS):
        found = fit_points(FitData(*(one.some(fold != number) for one, fold in zip(material, folds, strict=True))))
        for one, fold, into in zip(material, folds, sums, strict=True):
            into[fold == number] = found.of(one.some(fold == number))
    return separation_text(material, sums)


_files: dict[str, Any] = {"multiple": True, "required": True, "type": click.Path(exists=True)}


@click.command("quality")
@click.option("--published", **_files, help="Problems that people published.")
@click.option("--bare", **_files, help="Problems that a program composed at random.")
@click.option("--awarded", **_files, help="Problems that won awards.")
@click.option("--routine", **_files, help="Published problems beside which the awarded ones are better.")
def quality(
    published: tuple[str, ...], bare: tuple[str, ...], awarded: tuple[str, ...], routine: tuple[str, ...]
) -> None:
    """Fit the points of `generator.quality` on problems with lines.

    Each file holds lines of ``SFEN moves USI...``, or an SFEN, a tab and the line. Themes and
    traits part published problems from bare ones at each length, and awarded from routine ones.
    """
    material = FitData(*(problem_sample(list(read_published(files))) for files in (published, bare, awarded, routine)))
    now = Points(np.array([*HEURISTIC_POINTS.values(), *TRAIT_POINTS.values()]), BASE)
    new = fit_points(material)
    click.echo("AUC of published beside bare problems, and of awarded beside routine ones:")
    click.echo(f"  points in force       {separation_text(material, [now.of(one) for one in material])}")
    click.echo(f"  fitted                {separation_text(material, [new.of(one) for one in material])}")
    click.echo(f"  fitted, on other data {cross_validated(material)}")
    click.echo("points in force, fitted:")
    for name, old, fresh in zip(NAMES, now.points, new.points, strict=True):
        click.echo(f"  {name:24} {old:6.1f} {fresh:6.1f}")
    click.echo("base in force, fitted; mean and deviation of published, mean of bare problems:")
    sums = new.of(material.published), new.of(material.bare)
    for n, base in new.base.items():
        here, there = sums[0][material.published.lengths == n], sums[1][material.bare.lengths == n]
        beside = f" {there.mean():6.1f}" if len(there) else ""
        text = f"{base_quality_points(n):6.1f} {base:6.1f}; {here.mean():6.1f} {here.std():6.1f}{beside}"
        click.echo(f"  {n:2} plies {text}")


# --- `scripts/fit rating`: how an editor would rate a problem (`generator.collection`) ------

RATINGS = Path(__file__).with_name("ratings.tsv")
"""On each line an SFEN, its line, features of difficulty as JSON, the number of the reading, the rating."""
_RATING_PENALTY = 100.0
"""Of the squared weights of standardised features."""
_DEVIATION_SCALE = 0.5
"""Of the standardised deviations: their weights are penalised four times as much."""
_RATING_FOLDS = 10


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path), default=RATINGS)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the model's own file.")
def rating(file: Path, output: Path | None) -> None:
    """Fit what counts for an editor to ratings of problems.

    Prints how well problems are ordered that were not fitted to (Spearman's rank correlation), and
    weights. Compared are problems of one length that were read together: longer ones are rated
    higher, but are not chosen instead, and one reading is stricter than another.
    """
    groups: list[tuple[int, int]] = []
    """Of each problem the number of the reading and the length."""
    counted, ratings = [], []
    for one in read_published([file]):
        difficulty, reading, value = one.columns
        themes = shown_themes(replay_line(one.position, one.line))
        shape = shape_and_line(one.position, one.line)
        features = collection.rating_features(one.position, one.line, themes, json.loads(difficulty), shape)
        deviations = collection.deviations_from_published(shape, one.length).tolist()
        groups.append((int(reading), one.length))
        counted.append([*(features[name] for name in collection.NAMES), *deviations])
        ratings.append(float(value))
    rows, values = (_apart_from_groups(groups, np.array(numbers)) for numbers in (counted, ratings))
    spreads = rows.std(axis=0)
    units = np.where(spreads > 0, spreads, 1.0)
    units[len(collection.NAMES) :] /= _DEVIATION_SCALE
    model = Ridge(alpha=_RATING_PENALTY, fit_intercept=False)
    unseen = cross_val_predict(model, rows / units, values, cv=KFold(_RATING_FOLDS, shuffle=True, random_state=1))
    click.echo(f"{len(groups)} ratings; problems not fitted to: {_agreement(groups, unseen, values)}")
    used = collection.stored_rating_model()
    found = rows @ np.concatenate([used.weights, used.deviation_weights])
    click.echo(f"model in force: {_agreement(groups, found, values)}")
    weights = model.fit(rows / units, values).coef_ / units
    click.echo("weight in force, fitted, correlation:")
    for name, before, weight, row in zip(collection.NAMES, used.weights, weights, rows.T, strict=False):
        click.echo(f"  {name:16} {before:7.3f} {weight:7.3f} {spearmanr(row, values).statistic:6.2f}")
    collection.write_rating_model(
        collection.RatingModel(weights[: len(collection.NAMES)], weights[len(collection.NAMES) :]), output
    )


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
