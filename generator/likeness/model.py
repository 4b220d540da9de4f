"""The model of what people compose: what each trait of a position and its line is worth.

The likelihood of a position with its line is taken as the exponential of the sum of its traits'
values (`generator.kernel.traits`): a Gibbs distribution over correct problems, fitted so that the
walk (`generator.kernel.sketch`) has each trait as often as published problems have
(`scripts/fit likeness`; generator/likeness/README.md says from what).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

_FILE = "values.npz"


@dataclass(frozen=True)
class Model:
    """The ``values`` of all traits (`generator.kernel.traits`) for problems of one length.

    ``rates`` says how often each comes in a published problem, on average. Walks seldom change the kind of a
    line, so they begin with people's: ``opening`` are values of a line's traits, of which
    those worth ``level`` and more are always gone on from.
    """

    values: np.ndarray
    rates: np.ndarray
    opening: np.ndarray
    level: float


@cache
def model_of(length: int) -> Model:
    """The model for problems of a length: its own, or that of the nearest length that has one."""
    models = stored()
    return models[min(models, key=lambda fitted: (abs(fitted - length), fitted))]


def stored(path: Path | None = None) -> dict[int, Model]:
    """The models in a file, by default those the generator uses, by length in plies."""
    with (_file() if path is None else path).open("rb") as file, np.load(file) as data:
        lengths = [int(name) for name in data.files if name.isdigit()]
        return {
            n: Model(
                *(data[name].astype(np.float64) for name in (f"{n}", f"rates {n}", f"opening {n}")),
                level=float(data[f"level {n}"]),
            )
            for n in lengths
        }


def write_models(models: Mapping[int, Model], path: Path | None = None) -> None:
    """Write models to a file, by default to the one they are read from."""
    arrays: dict[str, np.ndarray] = {}
    for length, model in sorted(models.items()):
        arrays[str(length)] = model.values.round(2).astype(np.float16)
        arrays[f"rates {length}"] = model.rates.round(5).astype(np.float16)
        arrays[f"opening {length}"] = model.opening.round(2).astype(np.float16)
        arrays[f"level {length}"] = np.array(round(model.level, 3))
    with (Path(str(_file())) if path is None else path).open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def _file() -> Traversable:
    return resources.files("generator.likeness").joinpath(_FILE)
