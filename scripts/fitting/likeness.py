# SPDX-License-Identifier: GPL-3.0-or-later
"""Likeness to published problems: `scripts/fit likeness`, `scripts/fit choice`, `scripts/fit collection`.

`likeness` fits the values of traits by which the walk composes what people compose. Chains of positions walk by the
values there are. A logistic regression tells the traits of what they come to from those of published problems: its
weights are how far the logarithm of the density is off (both are of the exponential family), so a part of them is added
to the values, and the chains walk on (persistent contrastive divergence, Tieleman 2008). Now and then a chain begins
anew, as often as the generator begins one. Positions in which a check takes too long to refute do not count, since the
generator rejects them: what is left has fewer checks and defenders, which the values must make up for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from scipy.sparse import csr_matrix, diags, vstack
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from generator import likeness as likeness_model
from generator.acceptance.pipeline import CandidateValidator
from generator.candidate import Candidate
from generator.collection import PublishedFeatures, write_published_features
from generator.constraints.options import ComposingOptions, Style
from generator.kernel.traits import CHECKS, TRAITS
from generator.likeness import Features, shape_and_line
from generator.local_search.search import REPAIR_EDITS, PositionSampler
from generator.run.composer import Composer
from scripts.fitting import acceptance_level, acceptances, fit_classifier, half_option, is_held_back, published_of
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import Moves, PackedPosition, pack

_STRENGTH = 0.01
"""Of the regression; the smaller, the closer all weights are to 0."""
_KEPT = 0.993
"""What is left of the values after a step."""
_LARGEST = 5.0
"""Of a value to begin with."""
_OPENING_STRENGTH = 0.05
_OPENED = 0.35
"""The share of mended positions that are gone on from."""
_ROUNDS = 5
"""The regression sees the last so many rounds."""
_YOUNG, _OLD = 4, 9
"""Rounds before a chain counts, nearly as in the generator, and rounds after which it begins anew."""
_STEP = 2
"""Of what a chain comes to in a round, each so manieth is looked at, the last one first."""
_SETTLING = 400_000
"""Nodes for that look."""
_STARTS = 400
"""Positions the openings are fitted to."""
_RATE = 0.3
"""The part of the weights that is added."""
_AVERAGED = 0.75
"""After this part of the time, rounds are averaged."""


class SamplingChains:
    """Positions that walk on from round to round."""

    def __init__(self, length: int, number: int, seed: int) -> None:
        self._length = length
        self._number = number
        self._rng = np.random.default_rng([seed, length])
        self._engine = DfPnEngine(table_bits=20)
        self._state = np.zeros(1, dtype=np.uint64)
        self._sampler = PositionSampler(self._engine, self._state)
        self._validator = CandidateValidator(self._engine)
        self._chains: list[tuple[Candidate, int]] = []

    def starts(self, model: likeness_model.LikenessModel, number: int) -> list[tuple[PackedPosition, Moves]]:
        """Mended positions with their lines, whatever these are."""
        model = replace(model, opening=np.zeros(TRAITS), level=0.0)
        found: list[tuple[PackedPosition, Moves]] = []
        while len(found) < number:
            self._begin()
            start = self._sampler.draw_start(self._length, REPAIR_EDITS, model)
            found += [] if start is None else [(start.packed, start.line)]
        return found

    def round(self, model: likeness_model.LikenessModel, parts: int, steps: int) -> list[Candidate]:
        """Return some of what the chains, but for young ones, come to in ``parts`` times ``steps`` steps."""
        first = not self._chains
        while len(self._chains) < self._number:
            self._begin()
            start = self._sampler.draw_start(self._length, REPAIR_EDITS, model)
            age = len(self._chains) % _OLD if first else 0
            self._chains += [] if start is None else [(start, age)]
        found: list[Candidate] = []
        chains, self._chains = self._chains, []
        for candidate, age in chains:
            self._begin()
            met = list(self._sampler.walks(candidate, parts, steps, model))
            for one in met[::-_STEP] if age >= _YOUNG else []:
                # Would the generator look at it further?
                why = self._validator.second_solution(one.packed, one.line, _SETTLING)
                if why is None:
                    found.append(one)
            self._chains += [(met[-1] if met else candidate, age + 1)] if age + 1 < _OLD else []
        return found

    def _begin(self) -> None:
        self._engine.forget()
        self._state[0] = self._rng.integers(0, 2**63, dtype=np.uint64)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", type=click.IntRange(3), required=True, help="The length to fit.")
@click.option("--minutes", default=10.0, show_default=True, help="How long to go on.")
@click.option("--chains", default=100, show_default=True, type=click.IntRange(4))
@click.option("--steps", default=300, show_default=True, help="Steps to each of five positions of a round.")
@half_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the model's own file.")
def likeness(
    files: tuple[Path, ...], moves: int, minutes: float, chains: int, steps: int, half: int | None,
    output: Path | None,
) -> None:  # fmt: skip
    """Fit the model of what people compose, for one length, to published problems."""
    published = published_of(files, moves, half)
    people = _table([likeness_model.traits_of_problem(pack(one.position), one.moves) for one in published])
    rates: np.ndarray = np.asarray(people.mean(axis=0))[0]  # of each trait in a problem
    click.echo(f"{len(published)} published problems of {moves} moves")
    # Begin with the model of the nearest length, and with openings that make first lines like people's.
    models = likeness_model.stored_models(output if output and output.exists() else None)
    model = likeness_model.LikenessModel.of_any_opening(np.zeros(TRAITS), rates)
    if models:
        nearest = likeness_model.fitted_for_length(models, moves)
        model = replace(nearest, values=np.clip(nearest.values, -_LARGEST, _LARGEST), rates=rates)
    walking = SamplingChains(moves, chains, 1)
    lines = _table([likeness_model.traits_of_line(*one) for one in walking.starts(model, _STARTS)])
    only_lines = diags((np.arange(TRAITS) >= CHECKS).astype(float))
    opening = _regression(people @ only_lines, lines, _OPENING_STRENGTH)
    model = replace(model, opening=opening, level=acceptance_level(lines @ opening, _OPENED))
    values, total, averaged = model.values, np.zeros(TRAITS), 0
    rounds: list[csr_matrix] = []
    started, count = time.monotonic(), 0
    while (done := (time.monotonic() - started) / 60 / minutes) < 1:
        found = walking.round(replace(model, values=values), 5, steps)
        if not found:
            continue  # a few chains may all be young
        rounds = [
            *rounds[1 - _ROUNDS :],
            _table([likeness_model.traits_of_problem(one.packed, one.line) for one in found]),
        ]
        weights, auc = _regression(people, vstack(rounds)), 1.0
        if len(rounds) > 1:  # how well weights of earlier rounds tell the last round's problems
            earlier = _regression(people[::2], vstack(rounds[:-1]))
            others = people[1::2]
            scores = np.concatenate([others @ earlier, rounds[-1] @ earlier])
            labels = np.repeat([1, 0], [others.shape[0], rounds[-1].shape[0]])
            auc = float(roc_auc_score(labels, scores))
        values *= _KEPT
        values += _RATE * min(1.0, max(0.2, 2 * (1 - done))) * weights
        if done > _AVERAGED:
            total, averaged = total + values, averaged + 1
        count += 1
        if count % 5 == 1:
            click.echo(f"{done:4.0%} round {count}: {len(found)} composed, AUC {auc:.3f}")
            _save(moves, replace(model, values=total / averaged if averaged else values), people, output)
    _save(moves, replace(model, values=total / averaged if averaged else values), people, output)


def _save(moves: int, model: likeness_model.LikenessModel, people: csr_matrix, output: Path | None) -> None:
    """Write a model; its ranks are those of the problems it is fitted to."""
    models = likeness_model.stored_models(output) if output is None or output.exists() else {}
    likeness_model.write_models({**models, moves: model.with_ranks(people @ model.values)}, output)


def _table(lists: Sequence[np.ndarray]) -> csr_matrix:
    """Counts of traits, one row for each list."""
    rows = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    table = csr_matrix((np.ones(len(rows)), (rows, np.concatenate(lists))), shape=(len(lists), TRAITS))
    table.sum_duplicates()
    return table


def _regression(people: csr_matrix, composed: csr_matrix, strength: float = _STRENGTH) -> np.ndarray:
    sizes = people.shape[0], composed.shape[0]
    labels = np.repeat([1, 0], sizes)
    model = LogisticRegression(C=strength, max_iter=200)
    model.fit(vstack([people, composed]), labels, sample_weight=np.repeat([1000 / size for size in sizes], sizes))
    weights: np.ndarray = model.coef_[0]
    return weights


# --- `scripts/fit choice`: trees that choose among positions (`generator.likeness`) ---------

_SEED = 7_000
_STEP_OF_WALK = 4
"""Of what a walk comes to, each so manieth is looked at."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", type=click.IntRange(3), required=True, help="The length to fit.")
@click.option("--minutes", default=5.0, show_default=True, help="How long to compose.")
@click.option("--share", default=0.2, show_default=True, help="How many of all composed problems are taken.")
@half_option
@click.option("--model", "values", type=click.Path(path_type=Path), help="The values to compose with.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the trees' own file.")
def choice(
    files: tuple[Path, ...], moves: int, minutes: float, share: float, half: int | None, values: Path | None,
    output: Path | None,
) -> None:  # fmt: skip
    """Grow the trees that tell published problems of a length from what is composed without a choice."""
    published = [one for one in published_of(files, moves, half) if not is_held_back(one.position)]
    model = likeness_model.fitted_for_length(likeness_model.stored_models(values), moves)
    options = ComposingOptions.of(moves, style=Style.NATURAL)
    composer = Composer(_SEED, options, "fit", model=model)
    composed: list[Features] = []
    roots: list[int] = []
    started = time.monotonic()
    root = 0
    while time.monotonic() - started < 60 * minutes:
        found = composer.accepted_candidates(root, 1 if options.composes_backwards else _STEP_OF_WALK)
        for candidate in found:
            composed.append(likeness_model.choice_features(*candidate.readable))
            roots.append(root)
        root += 1
    if not composed:
        raise click.ClickException("nothing was composed: more --minutes are needed")
    people = [likeness_model.choice_features(one.position, one.line) for one in published]
    click.echo(f"{len(people)} published, {len(composed)} composed from {len(set(roots))} of {root} roots")
    trees = fit_trees(people, composed, roots, share)
    likeness_model.write_trees({**likeness_model.stored_trees(output), moves: trees}, output)


def fit_trees(
    people: list[Features], composed: list[Features], roots: list[int], share: float
) -> likeness_model.BoostedTrees:
    """Return the trees, fitted; print how well they tell problems they have not seen."""
    told = fit_classifier(people, composed, roots, fit=True)
    ratios = told.unseen[len(people) :]
    for part in (1.0, share, share / 2):
        taken = acceptances(ratios, acceptance_level(ratios, part) if part < 1 else -np.inf)
        weights = np.concatenate([np.ones(len(people)), taken])
        auc = roc_auc_score(told.labels, told.unseen, sample_weight=weights)
        click.echo(f"if {part:.0%} are taken: AUC {auc:.3f}")
    return boosted_trees(told.model, told.names, acceptance_level(ratios, share))


def boosted_trees(model: HistGradientBoostingClassifier, names: list[str], level: float) -> likeness_model.BoostedTrees:
    """Return the trees of a fitted classifier with two classes, whose table has a column for each name."""
    trees = likeness_model.BoostedTrees(
        names, [], [], [], [], [], [], float(np.ravel(model._baseline_prediction)[0]), level
    )
    for (predictor,) in model._predictors:
        first = len(trees.feature)
        trees.roots.append(first)
        for node in predictor.nodes:
            leaf = bool(node["is_leaf"])
            trees.feature.append(likeness_model.LEAF if leaf else int(node["feature_idx"]))
            trees.threshold.append(0.0 if leaf else float(node["num_threshold"]))
            trees.below.append(first + int(node["left"]))
            trees.above.append(first + int(node["right"]))
            trees.value.append(float(node["value"]) if leaf else 0.0)
    return trees


# --- `scripts/fit collection`: averages of published problems (`generator.collection`) ---

LENGTHS = (3, 5, 7, 9, 11, 13)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-m", "--moves", type=click.IntRange(3), multiple=True, default=LENGTHS, show_default=True,
    help="A length to count; may be given several times.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the program's own file.")
def collection(files: tuple[Path, ...], moves: tuple[int, ...], output: Path | None) -> None:
    """Count the features of published problems, which collections are chosen to have."""
    counted: dict[int, PublishedFeatures] = {}
    for length in moves:
        published = [one for one in published_of(files, length, None) if not is_held_back(one.position)]
        counted[length] = PublishedFeatures.of([shape_and_line(one.position, one.line) for one in published])
        click.echo(f"{length} moves: {len(published)} problems")
    write_published_features(counted, output)
