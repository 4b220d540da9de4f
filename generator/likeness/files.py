# SPDX-License-Identifier: GPL-3.0-or-later
"""The data files of this package: arrays for each length that was fitted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import numpy as np

Fitted = TypeVar("Fitted")


def parameter_file(name: str) -> Path:
    """A file of this package."""
    return Path(__file__).with_name(name)


def write_arrays(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays by name to a file, packed."""
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # one of its own options is a bool


def fitted_for_length(fitted: Mapping[int, Fitted], length: int) -> Fitted:
    """The fit for a length, or for the nearest length; of two equally near, the shorter."""
    return fitted[min(fitted, key=lambda other: (abs(other - length), other))]
