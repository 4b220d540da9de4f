# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit quality`: the points of the quality's themes and traits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from generator.heuristics.table import heuristics_of
from generator.quality import BASE, HEURISTIC_POINTS, TRAIT_POINTS, base_quality_points
from generator.replay.line import replay_line
from generator.traits import quality_traits
from scripts.fitting.ridge import logit
from scripts.measuring.shared import Lined, read_published
from scripts.metrics import auc

NAMES = (*HEURISTIC_POINTS, *TRAIT_POINTS)
FAULTS = frozenset(("capturing_key", "captures", "chasing", "same_steps", "promoted_small", "far_pieces"))
"""What costs points; all else adds some: the files may not turn a merit into a fault."""
LEAST = 2.0
"""A merit adds, a fault costs, at least this many points."""
PENALTY = 2000.0
"""Of the squared distance of a standardised weight from its prior, halved."""
PRIOR = dict.fromkeys(HEURISTIC_POINTS, 6.0) | {"open_squares": 3.0}
"""The points from which the files move a theme or a trait; the others begin with none.

Openness of the king at the mate goes with people's liking most (Koyama and Kouno, 1994).
"""
LEAST_SPREAD = 0.3
"""What is rarer than this spread says is standardised as if it had it, and so stays near its prior."""
SPREAD, MEAN = 12.0, 50.0
"""Published problems of one length have this standard deviation and mean, in points."""
ENOUGH = 20
"""A length of which fewer problems are published has no base of its own: the nearest one serves."""
WORTH = 500.0
"""Each side of a comparison counts as this many problems."""
FOLDS = 5


@dataclass(frozen=True)
class Sample:
    """Problems of one kind: a row of themes and traits for each (`NAMES`), and their lengths."""

    rows: np.ndarray
    lengths: np.ndarray

    def some(self, chosen: np.ndarray) -> Sample:
        """The chosen ones."""
        return Sample(self.rows[chosen], self.lengths[chosen])


@dataclass(frozen=True)
class Material:
    """What is parted: published from bare at each length, awarded from routine at all lengths."""

    published: Sample
    bare: Sample
    awarded: Sample
    routine: Sample

    @property
    def lengths(self) -> list[int]:
        """The lengths at which there are both published and bare problems."""
        return sorted(set(self.published.lengths.tolist()) & set(self.bare.lengths.tolist()))


@dataclass(frozen=True)
class Points:
    """Points of each of `NAMES`, and the base by length."""

    points: np.ndarray
    base: dict[int, float]

    def of(self, sample: Sample) -> np.ndarray:
        """The sums of points."""
        lengths = sorted(self.base)
        bases = np.interp(sample.lengths, lengths, [self.base[n] for n in lengths])
        return np.asarray(bases + sample.rows @ self.points)


def sample(problems: Sequence[Lined]) -> Sample:
    """Themes and traits of problems."""
    rows = []
    for problem in problems:
        replayed = replay_line(problem.position, problem.line)
        found = dict.fromkeys(heuristics_of(replayed), 1.0) | quality_traits(replayed)
        rows.append([found.get(name, 0.0) for name in NAMES])
    return Sample(np.array(rows), np.array([problem.length for problem in problems]))


def fitted(material: Material) -> Points:
    """The points, from several fits: each says how many points a logit is, as the next one's prior needs."""
    prior, weights = np.zeros(len(NAMES)), np.zeros(len(NAMES))
    least = 0.0
    for _ in range(4):
        weights = _weights(material, prior, least)
        unit = _unit(material, weights)
        prior = np.array([PRIOR.get(name, 0.0) for name in NAMES]) / unit
        least = LEAST / unit
    points = np.round(weights * unit, 1)
    return Points(points, _base(material.published, points))


def _unit(material: Material, weights: np.ndarray) -> float:
    """The points of a logit, with which published problems of a length spread as they should."""
    sums = material.published.rows @ weights
    spreads = [sums[material.published.lengths == n].var() for n in material.lengths]
    return float(SPREAD / np.sqrt(np.mean(spreads)))


def _base(published: Sample, points: np.ndarray) -> dict[int, float]:
    sums = published.rows @ points
    return {n: round(MEAN - float(sums[published.lengths == n].mean()), 1) for n in _common(published)}


def _common(published: Sample) -> list[int]:
    """The lengths of which enough problems are published."""
    lengths, counts = np.unique(published.lengths, return_counts=True)
    return [int(n) for n in lengths[counts >= ENOUGH]]


def _weights(material: Material, prior: np.ndarray, least: float) -> np.ndarray:
    """The logits of each of `NAMES`; a merit adds at least ``least``.

    Every comparison has a constant of its own, and rows count from the mean of published problems
    of their length, so that no length is better than another.
    """
    published = material.published
    groups = [
        (published.some(published.lengths == n), material.bare.some(material.bare.lengths == n))
        for n in material.lengths
    ] + [(material.awarded, material.routine)]
    rows, good, importance = [], [], []
    for number, pair in enumerate(groups):
        for side, label in zip(pair, (1.0, 0.0), strict=True):
            count = len(side.lengths)
            own = np.eye(len(groups))[np.full(count, number)]
            rows.append(np.hstack([side.rows - _middles(published, side.lengths), own]))
            good.append(np.full(count, label))
            importance.append(np.full(count, WORTH / count))
    none, free = np.zeros(len(groups)), np.full(len(groups), np.inf)
    faults = np.array([name in FAULTS for name in NAMES])
    bounds = (
        np.concatenate([np.where(faults, -np.inf, least), -free]),
        np.concatenate([np.where(faults, -least, np.inf), free]),
    )
    weights = logit(
        np.vstack(rows), np.concatenate(good), np.concatenate(importance),
        np.concatenate([PENALTY * _spread(material) ** 2, none]), np.concatenate([prior, none]), bounds,
    )  # fmt: skip
    return weights[: len(NAMES)]


def _middles(published: Sample, lengths: np.ndarray) -> np.ndarray:
    """For each of the lengths the mean row of published problems of it, or of the nearest common one."""
    common = np.array(_common(published))
    means = np.array([published.rows[published.lengths == n].mean(axis=0) for n in common])
    return np.asarray(means[np.abs(lengths[:, None] - common).argmin(axis=1)])


def _spread(material: Material) -> np.ndarray:
    """The standard deviation of each column among published problems of a length."""
    published = material.published
    within = [published.rows[published.lengths == n].var(axis=0) for n in material.lengths]
    return np.asarray(np.maximum(LEAST_SPREAD, np.sqrt(np.mean(within, axis=0))))


def parting(material: Material, sums: Sequence[np.ndarray]) -> str:
    """How well sums of points (of published, bare, awarded, routine) part what they should."""
    published, bare, awarded, routine = sums
    by_length = (
        f"{n} plies {auc(published[material.published.lengths == n], bare[material.bare.lengths == n]):.3f}"
        for n in material.lengths
    )
    return f"{', '.join(by_length)}; awarded {auc(awarded, routine):.3f}"


def cross_validated(material: Material, seed: int = 0) -> str:
    """How well points fitted on the other folds part each fold."""
    samples = (material.published, material.bare, material.awarded, material.routine)
    random = np.random.default_rng(seed)
    folds = [random.permutation(len(one.lengths)) % FOLDS for one in samples]
    sums = [np.empty(len(one.lengths)) for one in samples]
    for number in range(FOLDS):
        rest = (one.some(fold != number) for one, fold in zip(samples, folds, strict=True))
        found = fitted(Material(*rest))
        for one, fold, into in zip(samples, folds, sums, strict=True):
            into[fold == number] = found.of(one.some(fold == number))
    return parting(material, sums)


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
    material = Material(
        *(sample(list(read_published(files))) for files in (published, bare, awarded, routine))
    )
    samples = (material.published, material.bare, material.awarded, material.routine)
    now = Points(np.array([*HEURISTIC_POINTS.values(), *TRAIT_POINTS.values()]), BASE)
    new = fitted(material)
    click.echo("AUC of published beside bare problems, and of awarded beside routine ones:")
    click.echo(f"  points in force       {parting(material, [now.of(one) for one in samples])}")
    click.echo(f"  fitted                {parting(material, [new.of(one) for one in samples])}")
    click.echo(f"  fitted, on other data {cross_validated(material)}")
    click.echo("points in force, fitted:")
    for name, old, fresh in zip(NAMES, now.points, new.points, strict=True):
        click.echo(f"  {name:24} {old:6.1f} {fresh:6.1f}")
    click.echo("base in force, fitted; mean and deviation of published, mean of bare problems:")
    _report_lengths(material, new)


def _report_lengths(material: Material, new: Points) -> None:
    published, bare = new.of(material.published), new.of(material.bare)
    for n, base in new.base.items():
        here, there = published[material.published.lengths == n], bare[material.bare.lengths == n]
        beside = f" {there.mean():6.1f}" if len(there) else ""
        text = f"{base_quality_points(n):6.1f} {base:6.1f}; {here.mean():6.1f} {here.std():6.1f}{beside}"
        click.echo(f"  {n:2} plies {text}")
