# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of human problems: a value for each trait of a position and its line.

The likelihood of a position with its line is taken as the exponential of the sum of its traits'
values (`generator.likeness.kernel.traits`): a Gibbs distribution over correct problems, fitted so that the
walk (`generator.local_search.kernel.walk`) has each trait as often as published problems have
(`scripts/fit likeness`; docs/composing.md says from what).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from generator.likeness.files import fitted_for_length, parameter_file, write_arrays

_FILE = "values.npz"
PERCENTS = range(0, 101, 5)
"""The percentages of published problems at which `LikenessModel.ranks` are given."""


class ModelError(ValueError):
    """A file of models is invalid."""


@dataclass(frozen=True)
class LikenessModel:
    """The ``values`` of all traits (`generator.likeness.kernel.traits`) for problems of one length.

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
        """A model whose walks start with any line; its ranks are unknown."""
        return cls(values, rates, np.zeros(len(values)), 0.0, np.zeros(len(PERCENTS)))

    def with_any_opening(self) -> LikenessModel:
        """The same, but walks start with any line."""
        return replace(self, opening=np.zeros(len(self.values)), level=0.0)

    def with_ranks(self, sums: np.ndarray) -> LikenessModel:
        """The same with the ranks by the ``sums`` of values that published problems have."""
        return replace(self, ranks=np.percentile(sums, PERCENTS))


@cache
def model_for_length(length: int) -> LikenessModel:
    """The model for problems of a length: its own, or that of the nearest length that has one."""
    return fitted_for_length(stored_models(), length)


def stored_models(path: Path | None = None) -> dict[int, LikenessModel]:
    """The models in a file, by default those the generator uses, by length in plies.

    Raises `ModelError` if one is incomplete.
    """
    with (path or parameter_file(_FILE)).open("rb") as file, np.load(file) as data:
        lengths = [name for name in data.files if name.isdigit()]
        missing = [
            name for length in lengths for name in _model_array_names(length) if name not in data.files
        ]
        if missing:
            raise ModelError(f"{path or _FILE} has no {', '.join(missing)}: fit it again")
        return {
            int(length): LikenessModel(*(_array_value(data[name]) for name in _model_array_names(length)))
            for length in lengths
        }


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
    write_arrays(arrays, path or parameter_file(_FILE))


def _model_array_names(length: str) -> tuple[str, ...]:
    """The names of a model's arrays in a file, in the order of its fields."""
    return length, *(f"{field.name} {length}" for field in fields(LikenessModel)[1:])


def _array_value(array: np.ndarray) -> Any:
    return array.astype(np.float64) if array.ndim else float(array)
