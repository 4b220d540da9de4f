"""`scripts/fit likeness`: the values of traits by which the walk composes what people compose.

Chains of positions walk by the values there are. A logistic regression tells the traits of what they come to
from those of published problems: its weights are how far the logarithm of the density is off
(both are of the exponential family), so a part of them is added to the values, and the chains
walk on (persistent contrastive divergence, Tieleman 2008). Now and then a chain begins anew, as
often as the generator begins one. What is fitted are the problems before the last tests.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from generator.kernel.traits import CHECKS, TRAITS, line_traits, position_traits
from generator.likeness.model import Model, stored, write_models
from generator.nursery import Sprout
from generator.sketch import SEEK, Sketcher
from scripts.measuring.problem_files import Lined, read_problems
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packing import Record, pack, pack_move
from tsume_rules.record_play import Moves

_ROOM = 4096
_STRENGTH = 0.01
"""Of the regression; the smaller, the closer all weights are to 0."""
_KEPT = 0.99
"""What is left after a step of the values of pieces and their places, which are many and rare."""
_ROUNDS = 5
"""The regression sees the last so many rounds."""
_YOUNG, _OLD = 4, 9
"""Rounds before a chain counts, as in the generator, and rounds after which it begins anew."""
_AVERAGED = 0.75
"""After this part of the time, rounds are averaged."""


class Counter:
    """Counts traits."""

    def __init__(self) -> None:
        self._list = np.zeros(_ROOM, dtype=np.int64)
        self._captured = np.zeros(256, dtype=np.int64)

    def traits(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a position and its line."""
        first = position_traits(record, self._list, 0)
        return self._list[: self._line(record, line, first)].copy()

    def of_line(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a line."""
        return self._list[: self._line(record, line, 0)].copy()

    def _line(self, record: Record, line: Moves, first: int) -> int:
        moves = np.array(line, dtype=np.int64)
        return int(line_traits(record, moves, len(line), self._captured, self._list, first))


class Chains:
    """Positions that walk on from round to round."""

    def __init__(self, length: int, number: int, seed: int) -> None:
        self._length = length
        self._number = number
        self._rng = np.random.default_rng([seed, length])
        self._engine = DfPnEngine(table_bits=20)
        self._state = np.zeros(1, dtype=np.uint64)
        self._sketcher = Sketcher(self._engine, self._state)
        self._chains: list[tuple[Sprout, int]] = []

    def round(self, model: Model, parts: int, steps: int) -> list[Sprout]:
        """What the chains come to in ``parts`` times ``steps`` steps, but for young ones."""
        first = not self._chains
        while len(self._chains) < self._number:
            self._begin()
            start = self._sketcher.start(self._length, SEEK, model)
            age = len(self._chains) % _OLD if first else 0
            self._chains += [] if start is None else [(start, age)]
        found: list[Sprout] = []
        chains, self._chains = self._chains, []
        for sprout, age in chains:
            self._begin()
            met = list(self._sketcher.walks(sprout, parts, steps, model))
            found += met if age >= _YOUNG else []
            self._chains += [(met[-1] if met else sprout, age + 1)] if age + 1 < _OLD else []
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
@click.option("--rate", default=0.3, show_default=True, help="The part of the weights that is added.")
@click.option(
    "--half", type=click.IntRange(0, 1), help="Fit every other problem only, to test with the rest."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the model's own file.")
def likeness(
    files: tuple[Path, ...], moves: int, minutes: float, chains: int, steps: int, rate: float,
    half: int | None, output: Path | None,
) -> None:  # fmt: skip
    """Fit the model of what people compose, for one length, to published problems."""
    counter = Counter()
    published = [one for one in read_problems(files) if one.length == moves]
    if half is not None:
        published = published[half::2]
    if not published:
        raise click.ClickException(f"no problems of {moves} moves")
    people = _table([counter.traits(*_packed(one)) for one in published])
    rates = np.asarray(people.mean(axis=0))[0]
    click.echo(f"{len(published)} published problems of {moves} moves")
    values = _nearest(moves, output)
    walking = Chains(moves, chains, 1)
    rounds: list[csr_matrix] = []
    total, number = np.zeros(TRAITS), 0
    started = time.monotonic()
    count = 0
    while (done := (time.monotonic() - started) / 60 / minutes) < 1:
        found = walking.round(Model(values, rates), 5, steps)
        if not found:
            continue  # a few chains may all be young
        rounds = [*rounds[1 - _ROUNDS :], _table([counter.traits(one.record, one.line) for one in found])]
        weights, auc = _weights(people, rounds)
        values[:CHECKS] *= _KEPT
        values += rate * min(1.0, max(0.2, 2 * (1 - done))) * weights
        if done > _AVERAGED:
            total, number = total + values, number + 1
        count += 1
        if count % 5 == 1:
            click.echo(f"{done:4.0%} round {count}: {len(found)} composed, AUC {auc:.3f}")
            _save(moves, Model(total / number if number else values, rates), output)
    _save(moves, Model(total / number if number else values, rates), output)


def _nearest(moves: int, output: Path | None) -> np.ndarray:
    """The values to begin with: those of the nearest length."""
    models = stored(output if output and output.exists() else None)
    return (
        models[min(models, key=lambda length: abs(length - moves))].values.copy()
        if models
        else np.zeros(TRAITS)
    )


def _save(moves: int, model: Model, output: Path | None) -> None:
    models = stored(output) if output is None or output.exists() else {}
    write_models({**models, moves: model}, output)


def _table(lists: Sequence[np.ndarray]) -> csr_matrix:
    """Counts of traits, one row for each list."""
    rows = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    table = csr_matrix((np.ones(len(rows)), (rows, np.concatenate(lists))), shape=(len(lists), TRAITS))
    table.sum_duplicates()
    return table


def _weights(people: csr_matrix, rounds: Sequence[csr_matrix]) -> tuple[np.ndarray, float]:
    """The weights of the regression, and how well those of earlier rounds tell the last round's problems."""
    composed = vstack(rounds)
    weights = _regression(people, composed)
    if len(rounds) == 1:
        return weights, 1.0
    earlier = _regression(people[::2], vstack(rounds[:-1]))
    scores = np.concatenate([people[1::2] @ earlier, rounds[-1] @ earlier])
    labels = np.repeat([1, 0], [people[1::2].shape[0], rounds[-1].shape[0]])
    return weights, float(roc_auc_score(labels, scores))


def _regression(people: csr_matrix, composed: csr_matrix) -> np.ndarray:
    sizes = people.shape[0], composed.shape[0]
    labels = np.repeat([1, 0], sizes)
    model = LogisticRegression(C=_STRENGTH, max_iter=200)
    model.fit(
        vstack([people, composed]), labels, sample_weight=np.repeat([1000 / size for size in sizes], sizes)
    )
    weights: np.ndarray = model.coef_[0]
    return weights


def _packed(problem: Lined) -> tuple[Record, Moves]:
    return pack(problem.position), tuple(map(pack_move, problem.line))
