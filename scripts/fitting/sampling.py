# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fits of likeness share: the published problems, and how many of a sample are taken."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from scipy.optimize import brentq

from scripts.measuring.shared import Lined, read_problems
from tsume_rules.position import Position
from tsume_rules.symmetry import canonical_sfen

half_option: Callable[[Any], Any] = click.option(
    "--half", type=click.IntRange(0, 1), help="Fit every other problem only, to test with the rest."
)


_HELD_BACK = 10
"""One problem in this many is held back."""


def is_held_back(position: Position) -> bool:
    """Whether a problem is among those held back: one in ten, the same in every run."""
    return zlib.crc32(canonical_sfen(position).encode()) % _HELD_BACK == 0


def published_of(files: Sequence[Path], moves: int, half: int | None) -> list[Lined]:
    """The problems of a length, or one half of them. Raises `click.ClickException` if there are none."""
    found = [one for one in read_problems(files) if one.length == moves]
    if half is not None:
        found = found[half::2]
    if not found:
        raise click.ClickException(f"no problems of {moves} moves")
    return found


def chances(log_ratios: np.ndarray, level: float) -> np.ndarray:
    """The chance with which each of a sample is taken: all with at least ``level`` are."""
    return np.exp(np.minimum(0, log_ratios - level))


def level_for(log_ratios: np.ndarray, share: float) -> float:
    """The level at which this share of a sample is taken."""
    return float(brentq(lambda level: chances(log_ratios, level).mean() - share, -20, 20))
