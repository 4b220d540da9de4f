# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit choice`: the trees that choose among composed positions (`generator.likeness.choice`)."""

from __future__ import annotations

import time
from pathlib import Path

import click
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from generator.constraints.options import ComposingOptions, Style
from generator.likeness.choice import LEAF, BoostedTrees, choice_features, stored_trees, write_trees
from generator.likeness.files import fitted_for_length
from generator.likeness.model import stored_models
from generator.likeness.shape import Features
from generator.run.composer import Composer
from scripts.fitting.sampling import chances, half_option, is_held_back, level_for, published_of
from scripts.measuring.resemblance import tabulate

TREES = {
    "learning_rate": 0.06,
    "max_iter": 150,
    "max_leaf_nodes": 6,
    "min_samples_leaf": 12,
    "l2_regularization": 5.0,
    "max_features": 0.3,
}
"""For some thousand problems."""
_STEP = 4
"""Of what a walk comes to, each so manieth is looked at."""
_RARE = 0.02
"""A feature that fewer problems have is left out."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", type=click.IntRange(3), required=True, help="The length to fit.")
@click.option("--minutes", default=5.0, show_default=True, help="How long to compose.")
@click.option("--share", default=0.3, show_default=True, help="How many of all composed ones are taken.")
@click.option("--seed", default=7_000, show_default=True)
@half_option
@click.option("--model", "values", type=click.Path(path_type=Path), help="The values to compose with.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the trees' own file.")
def choice(
    files: tuple[Path, ...], moves: int, minutes: float, share: float, seed: int, half: int | None,
    values: Path | None, output: Path | None,
) -> None:  # fmt: skip
    """Grow the trees that tell published problems of a length from what is composed without a choice."""
    published = [one for one in published_of(files, moves, half) if not is_held_back(one.position)]
    model = fitted_for_length(stored_models(values), moves)
    options = ComposingOptions.of(moves, style=Style.NATURAL)
    composer, step = Composer(seed, options, "fit", model=model), _STEP if options.uses_local_search else 1
    composed: list[Features] = []
    roots: list[int] = []
    started = time.monotonic()
    root = 0
    while time.monotonic() - started < 60 * minutes:
        for candidate in composer.candidates_with_one_solution(root, step):
            composed.append(choice_features(*candidate.readable))
            roots.append(root)
        root += 1
    if not composed:
        raise click.ClickException("nothing was composed: more --minutes are needed")
    people = [choice_features(one.position, one.line) for one in published]
    click.echo(f"{len(people)} published, {len(composed)} composed from {len(set(roots))} of {root} roots")
    trees = grown(people, composed, roots, share)
    write_trees({**stored_trees(output), moves: trees}, output)


def grown(people: list[Features], composed: list[Features], roots: list[int], share: float) -> BoostedTrees:
    """The trees, fitted; prints how well they tell problems they have not seen."""
    names, table = tabulate(people, composed, _RARE * (len(people) + len(composed)))
    labels = np.repeat([1, 0], [len(people), len(composed)])
    weights = np.where(labels == 1, 1000 / len(people), 1000 / len(composed))
    groups = np.concatenate([-1 - np.arange(len(people)), roots])
    model = HistGradientBoostingClassifier(random_state=1, **TREES)
    unseen = cross_val_predict(
        model, table, labels, groups=groups, cv=GroupKFold(5), method="decision_function",
        params={"sample_weight": weights},
    )  # fmt: skip
    ratios = unseen[len(people) :]
    level = level_for(ratios, share)
    for part in (1.0, share, share / 2):
        taken = chances(ratios, level_for(ratios, part) if part < 1 else -np.inf)
        auc = roc_auc_score(labels, unseen, sample_weight=np.concatenate([np.ones(len(people)), taken]))
        click.echo(f"if {part:.0%} are taken: AUC {auc:.3f}")
    model.fit(table, labels, sample_weight=weights)
    return as_trees(model, names, level)


def as_trees(model: HistGradientBoostingClassifier, names: list[str], level: float) -> BoostedTrees:
    """The trees of a fitted classifier with two classes, whose table has a column for each name."""
    trees = BoostedTrees(names, [], [], [], [], [], [], float(np.ravel(model._baseline_prediction)[0]), level)
    for (predictor,) in model._predictors:
        first = len(trees.feature)
        trees.roots.append(first)
        for node in predictor.nodes:
            leaf = bool(node["is_leaf"])
            trees.feature.append(LEAF if leaf else int(node["feature_idx"]))
            trees.threshold.append(0.0 if leaf else float(node["num_threshold"]))
            trees.below.append(first + int(node["left"]))
            trees.above.append(first + int(node["right"]))
            trees.value.append(float(node["value"]) if leaf else 0.0)
    return trees
