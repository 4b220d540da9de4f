# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit learned`: the network that draws positions, by the likelihood of published ones.

Gradient descent (Adam, Kingma and Ba 2015) on the decisions that write them. Features are few of many, so the
first layer is a sparse product. Fitting stops where the likelihood of held-back problems no longer grows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import numpy as np
from scipy.sparse import csr_matrix

from generator.learned.kernel.network import (
    CONDITIONS,
    FEATURES,
    HAND_PIECE,
    KING_SQUARE,
    MOST_CONDITIONS,
    OPTIONS,
    PIECE,
    PLACE,
    Network,
)
from generator.learned.network import (
    FIRST,
    MIDDLE_FILE,
    SECOND,
    SMALL,
    DecisionReader,
    NotWritable,
    Step,
    network_shapes,
    stored_network,
    write_network,
)
from generator.learned.search import conditions_of
from scripts.fitting.shared import is_held_back
from scripts.measuring.shared import Lined, read_problems
from tsume_rules.packed import pack
from tsume_rules.position import Position, Side, file_of
from tsume_rules.sfen import canonical_sfen

Weights = dict[str, np.ndarray]
_HEADS = {KING_SQUARE: "king", HAND_PIECE: "hand", PLACE: "place"}
_DROPPED_CONDITIONS = 0.15
"""The share of conditions that a network is not told when it is fitted."""


@dataclass
class Steps:
    """The steps of many positions as arrays: features by row, and the decisions of each kind.

    ``rows``, ``options``, ``allowed`` (packed) and ``cells`` (place, state, rank) are by kind of decision;
    ``weights`` are those of the rows' problems.
    """

    features: csr_matrix
    weights: np.ndarray
    problems: int
    rows: dict[int, np.ndarray] = field(default_factory=dict)
    options: dict[int, np.ndarray] = field(default_factory=dict)
    allowed: dict[int, np.ndarray] = field(default_factory=dict)
    cells: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int32))

    @classmethod
    def of(cls, problems: Sequence[_Numbered]) -> Steps:
        """The steps of problems, mirror images sharing their weight."""
        steps = [
            (step, problem.weight / len(problem.images))
            for problem in problems for image in problem.images for step in image
        ]  # fmt: skip
        starts = np.cumsum([0, *(len(step.features) for step, _ in steps)])
        indices = np.concatenate([step.features for step, _ in steps])
        table = csr_matrix(
            (np.ones(len(indices), dtype=np.float32), indices, starts), shape=(len(steps), FEATURES)
        )
        found = cls(table, np.array([weight for _, weight in steps], dtype=np.float32), len(problems))
        for kind in range(4):
            of_kind = [
                (row, one)
                for row, (step, _) in enumerate(steps)
                for one in step.decisions
                if one.kind == kind
            ]
            found.rows[kind] = np.array([row for row, _ in of_kind], dtype=np.int64)
            found.options[kind] = np.array([one.option for _, one in of_kind], dtype=np.int64)
            found.allowed[kind] = np.packbits([one.allowed for _, one in of_kind], axis=1)
            if kind == PIECE:
                found.cells = np.array([(one.place, one.state, one.rank) for _, one in of_kind])
        return found

    def batch(self, rows: np.ndarray) -> Steps:
        """Some rows, in ascending order."""
        found = Steps(self.features[rows], self.weights[rows], self.problems)
        place = np.full(self.features.shape[0], -1)
        place[rows] = np.arange(len(rows))
        for kind in range(4):
            kept = np.flatnonzero(place[self.rows[kind]] >= 0)
            found.rows[kind] = place[self.rows[kind][kept]]
            found.options[kind] = self.options[kind][kept]
            found.allowed[kind] = self.allowed[kind][kept]
            if kind == PIECE:
                found.cells = self.cells[kept]
        return found

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[Steps]:
        """All rows, in batches at random."""
        order = rng.permutation(self.features.shape[0])
        for start in range(0, len(order), size):
            yield self.batch(np.sort(order[start : start + size]))


class Fitting:
    """The weights of a network, fitted by Adam."""

    def __init__(self, weights: Weights, rate: float, dropout: float, decay: float, seed: int) -> None:
        self.weights = weights
        self._rate, self._dropout, self._decay = rate, dropout, decay
        self._rng = np.random.default_rng(seed)
        self._means = {name: np.zeros_like(array) for name, array in weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in weights.items()}
        self._number = 0

    def step(self, batch: Steps, share: float) -> None:
        """One step of descent; ``share`` of the full rate."""
        gradients = self._gradients(batch)[1]
        self._number += 1
        rate = self._rate * share * np.sqrt(1 - 0.999**self._number) / (1 - 0.9**self._number)
        for name, gradient in gradients.items():
            mean, square, array = self._means[name], self._squares[name], self.weights[name]
            mean *= 0.9
            mean += 0.1 * gradient
            square *= 0.999
            square += 0.001 * gradient * gradient
            if array.ndim > 1:
                array *= 1 - self._decay * self._rate * share
            array -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def loss(self, steps: Steps) -> np.ndarray:
        """Minus the logarithm of the likelihood of a problem, by kind of decision."""
        total = np.zeros(4)
        for start in range(0, steps.features.shape[0], 4096):
            rows = np.arange(start, min(start + 4096, steps.features.shape[0]))
            total += self._gradients(steps.batch(rows), fitting=False)[0]
        return total / steps.problems

    def _gradients(self, batch: Steps, *, fitting: bool = True) -> tuple[np.ndarray, Weights]:
        w = self.weights
        total = batch.weights.sum()
        if fitting:
            self._drop_conditions(batch.features)
        one = np.maximum(batch.features @ w["first"] + w["first_bias"], 0)
        mask_one = self._mask(one.shape) if fitting else None
        one = one * mask_one if mask_one is not None else one
        two = np.maximum(one @ w["second"] + w["second_bias"], 0)
        mask_two = self._mask(two.shape) if fitting else None
        two = two * mask_two if mask_two is not None else two
        found: Weights = {}
        losses = np.zeros(4)
        d_two = np.zeros_like(two)
        for kind, head in _HEADS.items():
            rows = batch.rows[kind]
            units = two[rows]
            losses[kind], d_out = _cross_entropy(
                units @ w[head] + w[f"{head}_bias"], batch, kind, batch.weights[rows]
            )
            if fitting:
                d_out /= total
                found[head], found[f"{head}_bias"] = units.T @ d_out, d_out.sum(axis=0)
                d_two[rows] += d_out @ w[head].T
        rows = batch.rows[PIECE]
        places, states, ranks = batch.cells.T
        units = two[rows]
        small = np.maximum(
            units @ w["piece_hidden"] + w["piece_bias"] + w["piece_place"][places] + w["piece_state"][states]
            + w["piece_rank"][ranks], 0,
        )  # fmt: skip
        losses[PIECE], d_out = _cross_entropy(
            small @ w["piece"] + w["piece_out_bias"], batch, PIECE, batch.weights[rows]
        )
        if not fitting:
            return losses, found
        d_out /= total
        found["piece"], found["piece_out_bias"] = small.T @ d_out, d_out.sum(axis=0)
        d_small = (d_out @ w["piece"].T) * (small > 0)
        found["piece_hidden"], found["piece_bias"] = units.T @ d_small, d_small.sum(axis=0)
        for name, index in (("piece_place", places), ("piece_state", states), ("piece_rank", ranks)):
            found[name] = _sums_by_index(index, d_small, len(w[name]))
        d_two[rows] += d_small @ w["piece_hidden"].T
        d_two *= two > 0
        d_two = d_two * mask_two if mask_two is not None else d_two
        found["second"], found["second_bias"] = one.T @ d_two, d_two.sum(axis=0)
        d_one = (d_two @ w["second"].T) * (one > 0)
        d_one = d_one * mask_one if mask_one is not None else d_one
        found["first"], found["first_bias"] = batch.features.T @ d_one, d_one.sum(axis=0)
        return losses, found

    def _drop_conditions(self, features: csr_matrix) -> None:
        """Leave out some conditions, so that positions can also be drawn without them."""
        asked = (features.indices >= CONDITIONS) & (features.indices < CONDITIONS + MOST_CONDITIONS)
        features.data[asked] = self._rng.random(int(asked.sum())) >= _DROPPED_CONDITIONS

    def _mask(self, shape: tuple[int, ...]) -> np.ndarray | None:
        if not self._dropout:
            return None
        kept = self._rng.random(shape, dtype=np.float32) >= self._dropout
        return kept.astype(np.float32) / np.float32(1 - self._dropout)


def _cross_entropy(
    outputs: np.ndarray, batch: Steps, kind: int, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """The loss of one kind of decision, and its gradient in the outputs."""
    allowed = np.unpackbits(batch.allowed[kind], axis=1, count=int(OPTIONS[kind])).astype(bool)
    options = batch.options[kind]
    outputs = np.where(allowed, outputs, np.float32(-1e9))
    outputs = outputs - outputs.max(axis=1, keepdims=True, initial=-1e9)
    chances = np.exp(outputs)
    chances /= chances.sum(axis=1, keepdims=True)
    taken = np.arange(len(options))
    loss = -float((np.log(chances[taken, options] + 1e-30) * weights).sum())
    chances[taken, options] -= 1
    return loss, chances * weights[:, None]


def _sums_by_index(index: np.ndarray, rows: np.ndarray, number: int) -> np.ndarray:
    chosen = csr_matrix(
        (np.ones(len(index), dtype=np.float32), (index, np.arange(len(index)))), (number, len(index))
    )
    return np.asarray(chosen @ rows)


def new_weights(seed: int, first: int = FIRST, second: int = SECOND, small: int = SMALL) -> Weights:
    """Weights to begin with: small random numbers."""
    rng = np.random.default_rng(seed)
    shapes = network_shapes(first, second, small)
    fan_in = {"first": 60, "piece_place": 4, "piece_state": 4, "piece_rank": 4}
    return {
        name: np.zeros(shape, dtype=np.float32) if len(shape) == 1
        else rng.normal(0, np.sqrt(1.0 / fan_in.get(name, shape[0])), shape).astype(np.float32)
        for name, shape in shapes.items()
    }  # fmt: skip


def steps_of(
    position: Position, plies: int, conditions: Sequence[int], reader: DecisionReader
) -> list[list[Step]]:
    """The steps of a position, of both mirror images where the king stands on the middle file.

    Raises `NotWritable`.
    """
    king = position.king(Side.DEFENDER)
    if king is None:
        raise NotWritable("no king")
    file = file_of(king) - 1
    images = [position] * (file <= MIDDLE_FILE) + [position.mirrored] * (file >= MIDDLE_FILE)
    return [reader.steps(pack(one), plies, conditions) for one in images]


@dataclass(frozen=True)
class Material:
    """What a network is fitted to: steps, those held back, and published problems' conditions by length."""

    steps: Steps
    held: Steps
    conditions: dict[int, list[tuple[int, ...]]]


def read_material(
    published: Sequence[Path], composed: Sequence[Path], share: float, longest: int,
    mates: Sequence[Path] = (), share_of_mates: float = 1.0,
) -> Material:  # fmt: skip
    """The steps of all problems of files: those to fit to, and those of published problems held back.

    Composed problems have a weight in the column after their line, 1 if there is none; all together weigh
    ``share`` times what published ones do. ``mates`` are composed problems with second solutions, which weigh
    ``share_of_mates``. One in ten of all is held back.
    """
    reader = DecisionReader()
    read = [_numbered(reader, one, 1.0, longest) for one in read_problems(published)]
    known = {canonical_sfen(one.problem.position) for one in read if one is not None}
    fitted = [one for one in read if one and not is_held_back(one.problem.position)]
    held = [one for one in read if one and is_held_back(one.problem.position)]
    further = [
        one
        for paths, part, sound in ((composed, share, True), (mates, share_of_mates, False))
        for one in _weighed(reader, paths, part * len(fitted), longest, known, sound)
    ]
    click.echo(
        f"{len(fitted)} published and {len(further)} composed problems, {len(held)} held back", err=True
    )
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for one in fitted:
        by_length.setdefault(one.problem.length, []).append(one.conditions)
    conditions = {length: sorted(rows) for length, rows in sorted(by_length.items())}
    held += [one for one in further if is_held_back(one.problem.position)]
    further = [one for one in further if not is_held_back(one.problem.position)]
    return Material(Steps.of([*fitted, *further]), Steps.of(held), conditions)


def _weighed(
    reader: DecisionReader, paths: Sequence[Path], total: float, longest: int, known: set[str], sound: bool
) -> list[_Numbered]:
    """The composed problems of files, but for the known ones; their weights sum up to ``total``."""
    found = [
        numbered
        for one in (read_problems(paths) if paths else [])
        if canonical_sfen(one.position) not in known
        and (numbered := _numbered(reader, one, float((*one.columns, "1")[0]), longest, sound))
    ]
    factor = total / sum(one.weight for one in found) if found else 0.0
    return [replace(one, weight=one.weight * factor) for one in found]


@dataclass(frozen=True)
class _Numbered:
    """A problem with the steps of its images and its weight."""

    problem: Lined
    images: list[list[Step]]
    weight: float
    conditions: tuple[int, ...]


def _numbered(
    reader: DecisionReader, problem: Lined, weight: float, longest: int, sound: bool = True
) -> _Numbered | None:
    if problem.length > longest:
        return None
    try:
        conditions = conditions_of(problem.position, problem.line, sound=sound)
        images = steps_of(problem.position, problem.length, conditions, reader)
        return _Numbered(problem, images, weight, conditions)
    except NotWritable:
        return None


@dataclass(frozen=True)
class Pace:
    """How a network is fitted: the learning rate, dropout, weight decay, batches of ``size`` rows, the passes
    without a gain until it ends, the minutes it takes at most."""

    rate: float = 0.0015
    dropout: float = 0.3
    decay: float = 0.02
    size: int = 1024
    patience: int = 3
    minutes: float = 10.0


def fit_network(material: Material, weights: Weights, pace: Pace, seed: int, output: Path) -> float:
    """Fit a network from ``weights`` on and write it each time the held-back problems became likelier.

    What is written is a running mean of the weights. Returns minus the logarithm of a held-back problem's
    likelihood.
    """
    fitting = Fitting(weights, pace.rate, pace.dropout, pace.decay, seed)
    mean = {name: array.copy() for name, array in weights.items()}
    rng = np.random.default_rng(seed)
    least, waited, started = np.inf, 0, time.monotonic()
    number = 0
    while waited < pace.patience and (done := (time.monotonic() - started) / 60 / pace.minutes) < 1:
        for batch in material.steps.batches(pace.size, rng):
            fitting.step(batch, max(0.1, 1 - done))
            for name, array in fitting.weights.items():
                mean[name] += np.float32(0.01) * (array - mean[name])
        loss = Fitting(mean, 0, 0, 0, 0).loss(material.held)
        number += 1
        waited += 1
        if loss.sum() < least:
            least, waited = float(loss.sum()), 0
            write_network(Network(**mean), material.conditions, output)
        parts = " ".join(f"{part:.2f}" for part in loss)
        click.echo(
            f"{time.monotonic() - started:5.0f} s, pass {number}: {loss.sum():.3f} ({parts})", err=True
        )
    return least


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--composed", multiple=True, type=click.Path(exists=True, path_type=Path), help="Further problems."
)
@click.option(
    "--share", default=1.0, show_default=True, help="Their weight together; 1: as much as the others."
)
@click.option(
    "--mates",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Problems with second solutions; they weigh as much as the published ones.",
)
@click.option("--longest", default=31, show_default=True, help="The most plies.")
@click.option("--minutes", default=10.0, show_default=True, help="How long to fit, at most.")
@click.option("--rate", default=0.0015, show_default=True)
@click.option("--dropout", default=0.3, show_default=True)
@click.option("--decay", default=0.02, show_default=True)
@click.option("--patience", default=3, show_default=True, help="Passes without a gain until the end.")
@click.option("--seed", default=1, show_default=True)
@click.option("--from", "source", type=click.Path(exists=True, path_type=Path), help="Weights to begin with.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Where to write.")
def learned(
    files: tuple[Path, ...], composed: tuple[Path, ...], share: float, mates: tuple[Path, ...],
    longest: int, minutes: float, rate: float, dropout: float, decay: float, patience: int, seed: int,
    source: Path | None, output: Path,
) -> None:  # fmt: skip
    """Fit the network that draws positions to problems; some are held back to tell when to stop."""
    material = read_material(files, composed, share, longest, mates)
    weights = new_weights(seed) if source is None else dict(stored_network(source)._asdict())
    pace = Pace(rate, dropout, decay, patience=patience, minutes=minutes)
    fit_network(material, weights, pace, seed, output)
