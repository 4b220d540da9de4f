"""The model of what people compose: what each trait of a position and its line is worth.

The likelihood of a position with its line is taken as the exponential of the sum of its traits'
values (`generator.kernel.traits`): a Gibbs distribution over correct problems, fitted so that the
walk (`generator.kernel.sketch`) has each trait as often as published problems have
(`scripts/fit likeness`; generator/likeness/README.md says from what).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from generator.kernel.traits import TRAITS

_FILE = "values.npz"


@dataclass(frozen=True)
class Model:
    """``values`` [`TRAITS`] for problems of one length; ``crude`` stands for a line that is not settled."""

    values: np.ndarray
    crude: float


@cache
def lengths() -> tuple[int, ...]:
    """The lengths that models were fitted for, in plies."""
    return tuple(sorted(int(name) for name in _data() if name.isdigit()))


@cache
def model_of(length: int) -> Model:
    """The model for problems of a length: its own, or that of the nearest length that has one."""
    nearest = min(lengths(), key=lambda fitted: (abs(fitted - length), fitted))
    data = _data()
    values = data[str(nearest)].astype(np.float64)
    assert values.shape == (TRAITS,)
    return Model(values, float(data[f"crude {nearest}"]))


@cache
def _data() -> dict[str, np.ndarray]:
    with resources.files("generator.likeness").joinpath(_FILE).open("rb") as file, np.load(file) as data:
        return {name: data[name] for name in data.files}
