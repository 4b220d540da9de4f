# SPDX-License-Identifier: GPL-3.0-or-later
"""Which positions go on: a random choice that keeps a population varied.

Each has a merit, to which a random number of the Gumbel distribution is added. That alone
would draw a sample with weights exp(merit / temperature). Moreover, each position chosen
makes those that share something with it less welcome: the final position, the shape of the
line, the kind of the key, the number of pieces.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


def select_varied(
    items: Sequence[Item],
    labels: Sequence[Sequence[Hashable]],
    merits: Sequence[float],
    most: int,
    rng: np.random.Generator,
    temperature: float = 1.0,
) -> list[Item]:
    """Up to ``most`` of the items, the most welcome first.

    ``labels`` has the same number of labels for each item. An item that is chosen takes one
    unit of merit from each other item for each place in which their labels are equal.
    """
    welcome = np.array(merits, dtype=np.float64) + rng.gumbel(size=len(items)) * temperature
    columns = [_label_codes(column) for column in zip(*labels, strict=True)]
    chosen: list[Item] = []
    while len(chosen) < min(most, len(items)):
        best = int(welcome.argmax())
        chosen.append(items[best])
        for column in columns:
            welcome[column == column[best]] -= 1.0
        welcome[best] = -np.inf
    return chosen


def _label_codes(column: Sequence[Hashable]) -> np.ndarray:
    """Each value's number in the order in which the values appear first."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in column])
