# SPDX-License-Identifier: GPL-3.0-or-later
"""The network that draws positions, and the moves that are taken back: `scripts/fit learned`, `iterate` and `turns`.

`learned` fits it by the likelihood of published problems: gradient descent (Adam, Kingma and Ba 2015) on the
decisions that write them. Features are few of many, so the first layer is a sparse product. Fitting stops
where the likelihood of held-back problems no longer grows.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.metrics import roc_auc_score

from generator.acceptance import RootStatistics
from generator.acceptance.pipeline import CandidateValidator
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Style
from generator.learned import search
from generator.learned.backward import BackwardSearch
from generator.learned.kernel import network as kernel
from generator.likeness import choice_features, model_for_length
from generator.local_search.search import REPAIR_EDITS, PositionSampler, favouring_counts
from generator.reverse.kernel.unmoves import SORTS_OF_ANSWERS, SORTS_OF_CHECKS, write_sorts
from scripts.fitting import fit_classifier, half_option, is_held_back, published_of
from scripts.measuring import LinedProblem, read_problems
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from tsume_rules.moves import parse_move
from tsume_rules.packed import line_played, pack, unpack
from tsume_rules.position import Side, file_of
from tsume_rules.sfen import canonical, canonical_sfen, format_sfen, parse_sfen

Weights = dict[str, np.ndarray]
_HEADS = {kernel.KING_SQUARE: "king", kernel.HAND_PIECE: "hand", kernel.PLACE: "place"}
_DROPPED_CONDITIONS = 0.15
"""The share of conditions that a network is not told when it is fitted."""


@dataclass
class DrawingSteps:
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
    def of(cls, problems: Sequence[_Numbered]) -> DrawingSteps:
        steps = [
            (step, problem.weight / len(problem.images))
            for problem in problems for image in problem.images for step in image
        ]  # fmt: skip
        starts = np.cumsum([0, *(len(step.features) for step, _ in steps)])
        indices = np.concatenate([step.features for step, _ in steps])
        table = csr_matrix((np.ones(len(indices), np.float32), indices, starts), shape=(len(steps), kernel.FEATURES))
        found = cls(table, np.array([weight for _, weight in steps], dtype=np.float32), len(problems))
        for kind in range(4):
            of_kind = [(row, one) for row, (step, _) in enumerate(steps) for one in step.decisions if one.kind == kind]
            found.rows[kind] = np.array([row for row, _ in of_kind], dtype=np.int64)
            found.options[kind] = np.array([one.option for _, one in of_kind], dtype=np.int64)
            found.allowed[kind] = np.packbits([one.allowed for _, one in of_kind], axis=1)
            if kind == kernel.PIECE:
                found.cells = np.array([(one.place, one.state, one.rank) for _, one in of_kind])
        return found

    def batch(self, rows: np.ndarray) -> DrawingSteps:
        """Return some rows, in ascending order."""
        found = DrawingSteps(self.features[rows], self.weights[rows], self.problems)
        place = np.full(self.features.shape[0], -1)
        place[rows] = np.arange(len(rows))
        for kind in range(4):
            kept = np.flatnonzero(place[self.rows[kind]] >= 0)
            found.rows[kind] = place[self.rows[kind][kept]]
            found.options[kind] = self.options[kind][kept]
            found.allowed[kind] = self.allowed[kind][kept]
            if kind == kernel.PIECE:
                found.cells = self.cells[kept]
        return found

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[DrawingSteps]:
        order = rng.permutation(self.features.shape[0])
        for start in range(0, len(order), size):
            yield self.batch(np.sort(order[start : start + size]))


class NetworkOptimiser:
    def __init__(self, weights: Weights, rate: float, dropout: float, decay: float, seed: int) -> None:
        self.weights = weights
        self._rate, self._dropout, self._decay = rate, dropout, decay
        self._rng = np.random.default_rng(seed)
        self._means = {name: np.zeros_like(array) for name, array in weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in weights.items()}
        self._number = 0

    def step(self, batch: DrawingSteps, share: float) -> None:
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

    def loss(self, steps: DrawingSteps) -> np.ndarray:
        """Minus the logarithm of the likelihood of a problem, by kind of decision."""
        total = np.zeros(4)
        for start in range(0, steps.features.shape[0], 4096):
            rows = np.arange(start, min(start + 4096, steps.features.shape[0]))
            total += self._gradients(steps.batch(rows), fitting=False)[0]
        return total / steps.problems

    def _gradients(self, batch: DrawingSteps, *, fitting: bool = True) -> tuple[np.ndarray, Weights]:
        w = self.weights
        total = batch.weights.sum()
        if fitting:
            # Leave out some conditions, so that positions can also be drawn without them.
            indices = batch.features.indices
            asked = (indices >= kernel.CONDITIONS) & (indices < kernel.CONDITIONS + kernel.MAX_CONDITIONS)
            batch.features.data[asked] = self._rng.random(int(asked.sum())) >= _DROPPED_CONDITIONS
        one = np.maximum(batch.features @ w["first"] + w["first_bias"], 0)
        mask_one = self._mask(one.shape) if fitting else np.float32(1)
        one *= mask_one
        two = np.maximum(one @ w["second"] + w["second_bias"], 0)
        mask_two = self._mask(two.shape) if fitting else np.float32(1)
        two *= mask_two
        found: Weights = {}
        losses = np.zeros(4)
        d_two = np.zeros_like(two)
        for kind, head in _HEADS.items():
            rows = batch.rows[kind]
            units = two[rows]
            losses[kind], d_out = _cross_entropy(units @ w[head] + w[f"{head}_bias"], batch, kind, batch.weights[rows])
            if fitting:
                d_out /= total
                found[head], found[f"{head}_bias"] = units.T @ d_out, d_out.sum(axis=0)
                d_two[rows] += d_out @ w[head].T
        rows = batch.rows[kernel.PIECE]
        places, states, ranks = batch.cells.T
        units = two[rows]
        small = np.maximum(
            units @ w["piece_hidden"] + w["piece_bias"] + w["piece_place"][places] + w["piece_state"][states]
            + w["piece_rank"][ranks], 0,
        )  # fmt: skip
        losses[kernel.PIECE], d_out = _cross_entropy(
            small @ w["piece"] + w["piece_out_bias"], batch, kernel.PIECE, batch.weights[rows]
        )
        if not fitting:
            return losses, found
        d_out /= total
        found["piece"], found["piece_out_bias"] = small.T @ d_out, d_out.sum(axis=0)
        d_small = (d_out @ w["piece"].T) * (small > 0)
        found["piece_hidden"], found["piece_bias"] = units.T @ d_small, d_small.sum(axis=0)
        for name, index in (("piece_place", places), ("piece_state", states), ("piece_rank", ranks)):
            ones = np.ones(len(index), dtype=np.float32)
            chosen = csr_matrix((ones, (index, np.arange(len(index)))), (len(w[name]), len(index)))
            found[name] = np.asarray(chosen @ d_small)
        d_two[rows] += d_small @ w["piece_hidden"].T
        d_two *= (two > 0) * mask_two
        found["second"], found["second_bias"] = one.T @ d_two, d_two.sum(axis=0)
        d_one = (d_two @ w["second"].T) * ((one > 0) * mask_one)
        found["first"], found["first_bias"] = batch.features.T @ d_one, d_one.sum(axis=0)
        return losses, found

    def _mask(self, shape: tuple[int, ...]) -> np.ndarray:
        kept = self._rng.random(shape, dtype=np.float32) >= self._dropout
        return kept.astype(np.float32) / np.float32(1 - self._dropout)


def _cross_entropy(
    outputs: np.ndarray, batch: DrawingSteps, kind: int, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """The loss of one kind of decision, and its gradient in the outputs."""
    allowed = np.unpackbits(batch.allowed[kind], axis=1, count=int(kernel.OPTIONS[kind])).astype(bool)
    options = batch.options[kind]
    outputs = np.where(allowed, outputs, np.float32(-1e9))
    outputs = outputs - outputs.max(axis=1, keepdims=True, initial=-1e9)
    chances = np.exp(outputs)
    chances /= chances.sum(axis=1, keepdims=True)
    taken = np.arange(len(options))
    loss = -float((np.log(chances[taken, options] + 1e-30) * weights).sum())
    chances[taken, options] -= 1
    return loss, chances * weights[:, None]


def new_weights(seed: int) -> Weights:
    """Weights to begin with: small random numbers."""
    rng = np.random.default_rng(seed)
    shapes = search.network_shapes(search.FIRST, search.SECOND, search.SMALL)
    fan_in = {"first": 60, "piece_place": 4, "piece_state": 4, "piece_rank": 4}
    return {
        name: np.zeros(shape, dtype=np.float32) if len(shape) == 1
        else rng.normal(0, np.sqrt(1.0 / fan_in.get(name, shape[0])), shape).astype(np.float32)
        for name, shape in shapes.items()
    }  # fmt: skip


@dataclass(frozen=True)
class FitData:
    """What a network is fitted to: steps, those held back, and published problems' conditions by length."""

    steps: DrawingSteps
    held: DrawingSteps
    conditions: dict[int, list[tuple[int, ...]]]


def read_material(published: Sequence[Path], composed: Sequence[Path], share: float, mates: Sequence[Path]) -> FitData:
    """Read the steps of all problems of files: those to fit to, and those held back, one in ten.

    Composed problems have a weight in the column after their line, 1 if there is none; all together weigh
    ``share`` times what published ones do. ``mates`` are composed problems with second solutions, which weigh
    as much as the published ones.
    """
    reader = search.DecisionReader()
    read = [_numbered(reader, one, 1.0) for one in read_problems(published)]
    known = {canonical_sfen(one.problem.position) for one in read if one is not None}
    fitted = [one for one in read if one and not is_held_back(one.problem.position)]
    held = [one for one in read if one and is_held_back(one.problem.position)]
    further: list[_Numbered] = []
    for paths, part, sound in ((composed, share, True), (mates, 1.0, False)):
        # The composed problems but for known ones; their weights sum up to their part.
        found = [
            numbered
            for one in (read_problems(paths) if paths else [])
            if canonical_sfen(one.position) not in known
            and (numbered := _numbered(reader, one, float((*one.columns, "1")[0]), sound))
        ]
        factor = part * len(fitted) / sum(one.weight for one in found) if found else 0.0
        further += [replace(one, weight=one.weight * factor) for one in found]
    click.echo(f"{len(fitted)} published and {len(further)} composed problems, {len(held)} held back", err=True)
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for one in fitted:
        by_length.setdefault(one.problem.length, []).append(one.conditions)
    conditions = {length: sorted(rows) for length, rows in sorted(by_length.items())}
    held += [one for one in further if is_held_back(one.problem.position)]
    further = [one for one in further if not is_held_back(one.problem.position)]
    return FitData(DrawingSteps.of([*fitted, *further]), DrawingSteps.of(held), conditions)


@dataclass(frozen=True)
class _Numbered:
    problem: LinedProblem
    images: list[list[search.Step]]
    weight: float
    conditions: tuple[int, ...]


def _numbered(
    reader: search.DecisionReader, problem: LinedProblem, weight: float, sound: bool = True
) -> _Numbered | None:
    """Return the steps of a problem, of both mirror images where the king stands on the middle file."""
    king = problem.position.king(Side.DEFENDER)
    if problem.length > _LONGEST or king is None:
        return None
    file, position = file_of(king) - 1, problem.position
    sides = [position] * (file <= search.MIDDLE_FILE) + [position.mirrored] * (file >= search.MIDDLE_FILE)
    try:
        conditions = search.conditions_of(position, problem.line, sound=sound)
        images = [reader.steps(pack(one), problem.length, conditions) for one in sides]
        return _Numbered(problem, images, weight, conditions)
    except search.NotWritable:
        return None


_SEED = 1
_LONGEST = 31
"""The most plies of a problem."""
_LEARNING_RATE, _DROPOUT, _DECAY, _BATCH = 0.0015, 0.3, 0.02, 1024
_PATIENCE = 3
"""Passes without a gain until the end."""


def fit_network(material: FitData, weights: Weights, minutes: float, seed: int, output: Path) -> float:
    """Fit a network from ``weights`` on and write it each time the held-back problems became likelier.

    What is written is a running mean of the weights. Returns minus the logarithm of a held-back problem's likelihood.
    """
    fitting = NetworkOptimiser(weights, _LEARNING_RATE, _DROPOUT, _DECAY, seed)
    mean = {name: array.copy() for name, array in weights.items()}
    rng = np.random.default_rng(seed)
    least, waited, started = np.inf, 0, time.monotonic()
    number = 0
    while waited < _PATIENCE and (done := (time.monotonic() - started) / 60 / minutes) < 1:
        for batch in material.steps.batches(_BATCH, rng):
            fitting.step(batch, max(0.1, 1 - done))
            for name, array in fitting.weights.items():
                mean[name] += np.float32(0.01) * (array - mean[name])
        loss = NetworkOptimiser(mean, 0, 0, 0, 0).loss(material.held)
        number += 1
        waited += 1
        if loss.sum() < least:
            least, waited = float(loss.sum()), 0
            search.write_network(kernel.Network(**mean), material.conditions, output)
        parts = " ".join(f"{part:.2f}" for part in loss)
        click.echo(f"{time.monotonic() - started:5.0f} s, pass {number}: {loss.sum():.3f} ({parts})", err=True)
    return least


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--composed", multiple=True, type=click.Path(exists=True, path_type=Path), help="Further problems.")
@click.option("--share", default=1.0, show_default=True, help="Their weight together; 1: as much as the others.")
@click.option(
    "--mates",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Problems with second solutions; they weigh as much as the published ones.",
)
@click.option("--minutes", default=10.0, show_default=True, help="How long to fit, at most.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Where to write.")
def learned(
    files: tuple[Path, ...], composed: tuple[Path, ...], share: float, mates: tuple[Path, ...],
    minutes: float, output: Path,
) -> None:  # fmt: skip
    """Fit the network that draws positions to problems; some are held back to tell when to stop."""
    material = read_material(files, composed, share, mates)
    fit_network(material, new_weights(_SEED), minutes, _SEED, output)


# --- expert iteration: sample, prove, weigh by what people publish, fit again ----------------------

_DRAWS = 2_500
"""Positions drawn under the same conditions, at most."""
_PARTS, _STEPS = 12, 80
"""Of the walk from a sound position: walking is cheaper than drawing, and keeps most lines."""
_LONGEST_NODES = 5_000
"""Nodes for the length of one position of more than 9 plies."""
_EXCLUDING = 60_000
"""Nodes for excluding second solutions at any length."""
_LARGEST_WEIGHT, _MIN_WEIGHT = 3.0, 0.003
_FEWEST = 50
"""Of fewer problems no odds are told."""
_HISTORY = 3
"""Problems of this many rounds are fitted to."""

_COUNTED = ("drawn", "exact", "with_line", "sound")


@dataclass(frozen=True)
class SampledProblem:
    """A sound problem; ``walk`` numbers the walk on which it was met, of ``variants`` problems."""

    sfen: str
    line: str
    walk: int
    variants: int


@dataclass(frozen=True)
class SamplingResult:
    """What one process has sampled: sound problems, others with their lines, and counts of `_COUNTED`."""

    found: list[SampledProblem]
    mates: list[tuple[str, str]]
    counts: Counter[str]
    seconds: float


def sample_problems(network: Path, length: int, seed: int, seconds: float) -> SamplingResult:
    """Sample for so many CPU seconds; only problems without a second solution at any length are kept."""
    engine = DfPnEngine(table_bits=20, method=REPEATABLE)
    state = np.array([seed * 1_000_003 + length], dtype=np.uint64)
    learned = search.LearnedSampler(engine, state, search.stored_network(network))
    published, rng = search.stored_conditions(length, network), np.random.default_rng([seed, length])
    sampler, validator = PositionSampler(engine, state), CandidateValidator(engine)
    model = model_for_length(length).with_any_opening()
    counts = Counter[str]()
    found: dict[str, SampledProblem] = {}
    mates: dict[str, str] = {}
    nodes, tests = search.DRAW_NODES.get(length, _LONGEST_NODES), search.nodes_for_tests(length)
    began = started = time.process_time()
    while time.process_time() - started < seconds:
        asked, left = published[rng.integers(len(published))], _DRAWS
        counted = favouring_counts(model, *search.asked_counts(asked))
        while left > 0:
            packed, number = learned.draw(length, left, nodes, asked)
            counts["drawn"] += number
            left -= number
            mate = None if packed is None else sampler.with_line(packed, length, tests)
            if mate is None:
                continue
            counts["exact"] += 1
            if counts["exact"] == 1:
                started = time.process_time()  # everything is compiled
            if not search.has_line_conditions(asked, *mate.readable):
                continue
            counts["with_line"] += 1
            start = sampler.repair(mate.packed, length, REPAIR_EDITS, tests, counted)
            if start is None or not search.has_line_conditions(asked, *start.readable):
                text = _text(mate)
                mates[text[0]] = text[1]
                continue
            counts["sound"] += 1
            why = validator.second_solution(start.packed, start.line, _EXCLUDING)
            if why is not None:
                continue
            some = [start] + [
                one
                for one in sampler.walks(start, _PARTS, _STEPS, counted)
                if search.has_line_conditions(asked, *one.readable)
            ]
            for one in some:
                text = _text(one)
                found[text[0]] = SampledProblem(*text, 1_000_000 * seed + counts["sound"], len(some))
            break
    return SamplingResult(list(found.values()), list(mates.items()), counts, time.process_time() - began)


def _text(candidate: Candidate) -> tuple[str, str]:
    position, line = candidate.readable
    return format_sfen(canonical(position)), (
        " ".join(move.usi for move in line) if canonical(position) == position
        else " ".join(move.mirrored.usi for move in line)
    )  # fmt: skip


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", multiple=True, type=click.IntRange(3), required=True)
@click.option("--from", "source", type=click.Path(exists=True, path_type=Path), help="The network to begin with.")
@click.option("--minutes", default=5.0, show_default=True, help="CPU minutes to sample each length in a round.")
@click.option("--fit-minutes", default=8.0, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--first", default=1, show_default=True, help="The number of the first round.")
@click.option("--share", default=2.0, show_default=True, help="The weight of composed problems together.")
@click.option("--processes", default=2, show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True)
def iterate(
    files: tuple[Path, ...], moves: tuple[int, ...], source: Path, minutes: float, fit_minutes: float,
    rounds: int, first: int, share: float, processes: int, output: Path,
) -> None:  # fmt: skip
    """Sample, prove, weigh, fit, so many rounds; each round's network, problems and figures are kept."""
    output.mkdir(parents=True, exist_ok=True)
    published = [one for one in read_problems(files) if not is_held_back(one.position)]
    network = source
    for number in range(first, first + rounds):
        lines: list[str] = []
        mates: list[str] = []
        for length in moves:
            with ProcessPoolExecutor(processes) as pool:
                seeds = [1000 * number + process for process in range(processes)]
                parts = list(
                    pool.map(
                        sample_problems, [network] * processes, [length] * processes, seeds,
                        [60 * minutes * min(1.0, (length - 1) / 8) / processes] * processes,
                    )
                )  # fmt: skip
            found = {one.sfen: one for part in parts for one in part.found}
            people = [one for one in published if one.length == length]
            weights, auc = np.array([one.variants**-0.5 for one in found.values()]), None
            if len(found) >= 2 * _FEWEST and len(people) >= _FEWEST:
                composed = [
                    LinedProblem(parse_sfen(one.sfen).position, tuple(map(parse_move, one.line.split())))
                    for one in found.values()
                ]
                known, ours = ([choice_features(one.position, one.line) for one in side] for side in (people, composed))
                told = fit_classifier(known, ours, [one.walk for one in found.values()], fit=False)
                auc = round(float(roc_auc_score(told.labels, told.unseen)), 4)
                weights *= np.minimum(np.exp(told.unseen[len(people) :]), _LARGEST_WEIGHT)
            lines += [
                f"{one.sfen}\t{one.line}\t{weight:.3f}"
                for one, weight in zip(found.values(), weights, strict=True)
                if weight >= _MIN_WEIGHT
            ]
            mates += ["\t".join(pair) for part in parts for pair in part.mates]
            figures = {
                "round": number, "length": length,
                **{name: sum(part.counts[name] for part in parts) for name in _COUNTED},
                "kept": len(found), "seconds": round(sum(part.seconds for part in parts), 1),
                "auc": auc,
                "mean_weight": round(float(weights.mean()), 4) if found else None,
            }  # fmt: skip
            with (output / "figures.jsonl").open("a") as file:
                file.write(json.dumps(figures) + "\n")
            click.echo(json.dumps(figures), err=True)
        (output / f"problems-{number}.tsv").write_text("\n".join(lines) + "\n")
        (output / f"mates-{number}.tsv").write_text("\n".join(mates) + "\n")
        kept, kept_mates = (
            [
                path
                for one in range(max(1, number - _HISTORY + 1), number + 1)
                if (path := output / f"{name}-{one}.tsv").exists()
            ]
            for name in ("problems", "mates")
        )
        material = read_material(files, kept, share, kept_mates)
        arrays = dict(search.stored_network(network)._asdict())
        network = output / f"network-{number}.npz"
        loss = fit_network(material, arrays, fit_minutes, number, network)
        click.echo(f"round {number}: {loss:.3f}", err=True)


# --- `scripts/fit turns`: the pairs of plies that are taken back -----------------------------------

_SMOOTHING = 3.0
"""Added to each count of a sort."""
_LARGEST_WEIGHT = 64.0


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", type=click.IntRange(3), required=True, help="The length to fit.")
@click.option("--minutes", default=0.5, show_default=True, help="How long a round composes.")
@click.option("--rounds", default=6, show_default=True, help="0: the weights stay what they are at first.")
@click.option("--like", type=int, help="The length whose weights are the first ones; else all are 1.")
@half_option
@click.option("-o", "--output", type=click.Path(exists=True, path_type=Path), required=True, help="The network's file.")
def turns(
    files: tuple[Path, ...], moves: int, minutes: float, rounds: int, like: int | None, half: int | None, output: Path
) -> None:
    """Count the sorts of check and answer that published problems of a length have at each turn, and fit the weights
    with which they are taken back, so that what is composed has them as often (raking, Deming and Stephan 1940)."""
    published = [one for one in published_of(files, moves, half) if not is_held_back(one.position)]
    sorts = np.array([_sorts_of_turns(one) for one in published])
    ends = tuple(np.array(_conditions_of_end(one)) for one in published)
    number = sorts.shape[1]
    checks, answers = np.ones((number, SORTS_OF_CHECKS)), np.ones((number, SORTS_OF_ANSWERS))
    if like is not None:
        nearest = search.stored_turns(like, output)
        same = [nearest.turn(plies, moves) for plies in range(moves, 1, -2)]
        checks, answers = nearest.checks[same], nearest.answers[same]
    engine, state = DfPnEngine(table_bits=20, method=REPEATABLE), np.zeros(1, dtype=np.uint64)
    shares = [_shares(sorts[:, :, place], width) for place, width in ((0, SORTS_OF_CHECKS), (1, SORTS_OF_ANSWERS))]
    root = 0
    for turn in range(rounds):
        now = search.Turns(sorts, checks, answers, ends)
        composing = BackwardSearch(engine, ComposingOptions.of(moves, style=Style.NATURAL), state, now)
        found: list[tuple[tuple[int, int], ...]] = []
        started = time.process_time()
        while time.process_time() - started < 60 * minutes:
            engine.forget()
            composing.begin(root, RootStatistics())
            rng = np.random.default_rng([_SEED, root])
            state[0] = rng.integers(0, 2**63, dtype=np.uint64)
            found += [link.sorts for link in composing.links(rng)]
            root += 1
        if not found:
            raise click.ClickException("nothing was composed: more --minutes are needed")
        differences = [
            _rake(weights, shares[place], _shares(np.array(found)[:, :, place], weights.shape[1]), len(found))
            for place, weights in enumerate((checks, answers))
        ]
        click.echo(
            "round {}: {} composed; checks differ by {}, answers by {}".format(turn + 1, len(found), *differences)
        )
    search.write_turns({moves: search.Turns(sorts, checks, answers, ends)}, output)


def _shares(sorts: np.ndarray, width: int) -> np.ndarray:
    """Return the share of each sort [turn, sort] among problems [problem, turn]."""
    return np.array([np.bincount(turn, minlength=width) / len(sorts) for turn in sorts.T])


def _rake(weights: np.ndarray, wanted: np.ndarray, had: np.ndarray, number: int) -> np.ndarray:
    """Change weights [turn, sort] by how far the shares among a ``number`` of problems are off; return their total
    variation distance at each turn."""
    rest = _SMOOTHING / number
    weights *= np.sqrt((wanted + rest) / (had + rest))
    np.clip(weights, 1 / _LARGEST_WEIGHT, _LARGEST_WEIGHT, out=weights)
    differences: np.ndarray = np.abs(had - wanted).sum(axis=1) / 2
    return differences.round(2)


def _sorts_of_turns(problem: LinedProblem) -> np.ndarray:
    """Return the sorts [turn, 2] of check and answer of all turns but the last."""
    sorts, captured = np.zeros(problem.length, dtype=np.int64), np.zeros(problem.length, dtype=np.int64)
    write_sorts(pack(problem.position), np.array(problem.moves), problem.length, captured, sorts)
    return sorts[:-1].reshape(-1, 2)


def _conditions_of_end(problem: LinedProblem) -> tuple[int, ...]:
    """Return the conditions that the last three plies meet."""
    packed = pack(problem.position)
    with line_played(packed, problem.moves[:-3]):
        return search.conditions_of(unpack(packed, Side.ATTACKER), problem.line[-3:])
