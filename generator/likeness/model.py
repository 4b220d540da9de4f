# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of human problems: a value for each trait of a position and its line.

The likelihood of a position with its line is taken as the exponential of the sum of its traits'
values (`generator.kernel.traits`): a Gibbs distribution over correct problems, fitted so that the
walk (`generator.local_search.kernel.walk`) has each trait as often as published problems have
(`scripts/fit likeness`; docs/composing.md says from what).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from math import exp
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from generator.kernel.traits import COUNTS, line_traits, position_traits
from generator.likeness.features import Features, placement_features, shape_and_line
from tsume_rules.moves import Move
from tsume_rules.packed import Moves, PackedPosition, pack, pack_move
from tsume_rules.position import Position

# --- the data files of this package: arrays for each length that was fitted ------------------------

Fitted = TypeVar("Fitted")


def write_arrays(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays by name to a file, packed."""
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # one of its own options is a bool


def fitted_for_length(fitted: Mapping[int, Fitted], length: int) -> Fitted:
    """Return the fit for a length, or for the nearest length; of two equally near, the shorter."""
    return fitted[min(fitted, key=lambda other: (abs(other - length), other))]


# --- the model of human problems -------------------------------------------------------------------

_VALUES_FILE = Path(__file__).with_name("values.npz")
PERCENTS = range(0, 101, 5)
"""The percentages of published problems at which `LikenessModel.ranks` are given."""


class ModelError(ValueError):
    """A file of models is invalid."""


@dataclass(frozen=True)
class LikenessModel:
    """The ``values`` of all traits (`generator.kernel.traits`) for problems of one length.

    ``rates`` are the average numbers of each in a published problem. Walks seldom change the kind of a
    line, so they start from human-like ones: ``opening`` are values of the traits of a line; lines of
    ``level`` and more are always accepted as starts. ``ranks`` are sums of values in ascending order: the
    percentages of published problems below them are `PERCENTS`.
    """

    values: np.ndarray
    rates: np.ndarray
    opening: np.ndarray
    level: float
    ranks: np.ndarray

    @classmethod
    def of_any_opening(cls, values: np.ndarray, rates: np.ndarray) -> LikenessModel:
        """Return a model whose walks start with any line; its ranks are unknown."""
        return cls(values, rates, np.zeros(len(values)), 0.0, np.zeros(len(PERCENTS)))

    def with_any_opening(self) -> LikenessModel:
        """Return the same, but walks start with any line."""
        return replace(self, opening=np.zeros(len(self.values)), level=0.0)

    def with_ranks(self, sums: np.ndarray) -> LikenessModel:
        """Return the same with the ranks by the ``sums`` of values that published problems have."""
        return replace(self, ranks=np.percentile(sums, PERCENTS))


@cache
def model_for_length(length: int) -> LikenessModel:
    """Return the model for problems of a length: its own, or that of the nearest length that has one."""
    return fitted_for_length(stored_models(), length)


def stored_models(path: Path | None = None) -> dict[int, LikenessModel]:
    """Return the models in a file, by default those the generator uses, by length in plies. Raises `ModelError` if one
    is incomplete."""
    with (path or _VALUES_FILE).open("rb") as file, np.load(file) as data:
        lengths = [name for name in data.files if name.isdigit()]
        missing = [name for length in lengths for name in _model_array_names(length) if name not in data.files]
        if missing:
            raise ModelError(f"{path or _VALUES_FILE.name} has no {', '.join(missing)}: fit it again")
        models: dict[int, LikenessModel] = {}
        for length in lengths:
            arrays = [data[name] for name in _model_array_names(length)]
            values: list[Any] = [one.astype(np.float64) if one.ndim else float(one) for one in arrays]
            models[int(length)] = LikenessModel(*values)
        return models


def write_models(models: Mapping[int, LikenessModel], path: Path | None = None) -> None:
    """Write models to a file, by default to the one they are read from."""
    arrays: dict[str, np.ndarray] = {}
    for length, model in sorted(models.items()):
        small = (
            model.values.round(2).astype(np.float16), model.rates.round(5).astype(np.float16),
            model.opening.round(2).astype(np.float16), np.array(round(model.level, 3)),
            model.ranks.astype(np.float32),
        )  # fmt: skip
        arrays |= dict(zip(_model_array_names(str(length)), small, strict=True))
    write_arrays(arrays, path or _VALUES_FILE)


def _model_array_names(length: str) -> tuple[str, ...]:
    return length, *(f"{field.name} {length}" for field in fields(LikenessModel)[1:])


# --- the likeness of a problem to human ones: its rank among published problems --------------------

_ROOM = 4096
"""An upper bound of the space for the traits of a position and all its checks."""
_OF_PLY = 3
"""At most this many traits come from one ply of a line."""


def traits_of_position(packed: PackedPosition) -> np.ndarray:
    """Return the traits (`generator.kernel.traits`) of a position."""
    found = np.zeros(_ROOM, dtype=np.int64)
    return found[: position_traits(packed, found, 0)]


def traits_of_line(packed: PackedPosition, line: Moves, *, with_position: bool = False) -> np.ndarray:
    """Return the traits of a line, after those of its position if they are wanted too."""
    number = len(line)
    found = np.zeros(_ROOM + _OF_PLY * number + COUNTS, dtype=np.int64)  # kernels do not see the end of an array
    first = position_traits(packed, found, 0) if with_position else 0
    captured = np.zeros(number, dtype=np.int64)
    return found[: line_traits(packed, np.array(line, dtype=np.int64), number, captured, found, first)]


def traits_of_problem(packed: PackedPosition, line: Moves) -> np.ndarray:
    """Return the traits of a position and its line."""
    return traits_of_line(packed, line, with_position=True)


def likeness_of(position: Position, line: tuple[Move, ...]) -> int:
    """Return the share (%) of published problems that the model calls less likely than this one: 0 to 100.

    They are those of the line's length, or of the nearest length that has a model. The line must
    be one of checks and legal answers that ends in mate, the attacker being Black.
    """
    model = model_for_length(len(line))
    traits = traits_of_problem(pack(position), tuple(map(pack_move, line)))
    return round(float(np.interp(model.values[traits].sum(), model.ranks, PERCENTS)))


# ---------------------------------------------------------------------------------------------------
#
# Which of the positions that were composed are looked at further: those that people might have composed.
#
# Boosted trees (Friedman 2001) over the two views of a problem (`generator.likeness.features`) tell how
# much likelier it is among published problems than among composed ones. Taking each with that
# chance, up to a factor, is rejection sampling (von Neumann 1951). `scripts/fit choice` grows the trees.

_TREES_FILE = Path(__file__).with_name("trees.npz")
LEAF = -1


@dataclass(frozen=True)
class BoostedTrees:
    """Boosted trees for problems of one length.

    ``names`` are the features; a node goes on to ``below`` if its ``feature`` is at most its ``threshold``, else to
    ``above``. Its feature is `LEAF` where it ends with a ``value``. ``roots`` are the nodes that trees begin with. The
    logarithm of the ratio is ``base`` and the values together; all with at least ``level`` are taken.
    """

    names: list[str]
    feature: list[int]
    threshold: list[float]
    below: list[int]
    above: list[int]
    value: list[float]
    roots: list[int]
    base: float
    level: float

    def log_ratio(self, features: Features) -> float:
        """How much likelier a problem is among published ones than among composed ones, as a logarithm."""
        row = [features.get(name, 0.0) for name in self.names]
        total = self.base
        for root in self.roots:
            node = root
            while self.feature[node] != LEAF:
                low = row[self.feature[node]] <= self.threshold[node]
                node = self.below[node] if low else self.above[node]
            total += self.value[node]
        return total

    def probability_published(self, position: Position, line: tuple[Move, ...]) -> float:
        """Return the chance with which a problem is taken."""
        return exp(min(0.0, self.log_ratio(choice_features(position, line)) - self.level))


def choice_features(position: Position, line: tuple[Move, ...]) -> Features:
    """Return the features of both views."""
    return shape_and_line(position, line) | placement_features(position)


@cache
def trees_for_length(length: int) -> BoostedTrees | None:
    """The trees for problems of a length: its own, or those of the nearest length; None if there are none."""
    trees = stored_trees()
    return fitted_for_length(trees, length) if trees else None


_ARRAYS = ("names", "feature", "threshold", "below", "above", "value", "roots")


def stored_trees(path: Path | None = None) -> dict[int, BoostedTrees]:
    """Return the trees in a file, by default those the generator uses, by length in plies."""
    source = path or _TREES_FILE
    if not source.is_file():
        return {}
    with source.open("rb") as file, np.load(file) as data:
        lengths = {int(name.split()[0]) for name in data.files}
        return {
            n: BoostedTrees(
                **{name: data[f"{n} {name}"].tolist() for name in _ARRAYS},
                base=float(data[f"{n} base"]), level=float(data[f"{n} level"]),
            )
            for n in sorted(lengths)
        }  # fmt: skip


def write_trees(trees: Mapping[int, BoostedTrees], path: Path | None = None) -> None:
    """Write trees to a file, by default to the one they are read from. Thresholds stay in double precision: a feature
    may be exactly at its threshold."""
    arrays: dict[str, np.ndarray] = {}
    for n, one in sorted(trees.items()):
        for name in (*_ARRAYS, "base", "level"):
            found = np.array(getattr(one, name))
            small = {"f": np.float32, "i": np.int16}.get(found.dtype.kind)
            is_exact = small is None or name == "threshold"
            arrays[f"{n} {name}"] = found if is_exact else found.astype(small)
    write_arrays(arrays, path or _TREES_FILE)
