# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths and levels of the collection.

The problems of a length are in five levels, equally many in each: by their scores, the easiest first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

COUNTS = {3: 180, 5: 180, 7: 140, 9: 70, 11: 30}
"""How many problems the complete collection has of each length."""
LEVELS = 5
TAG = "collection"
"""The tag in a store of the problems of the collection."""


def level_tag(level: int) -> str:
    """The tag in a store of the problems of a level."""
    return f"level-{level}"


def in_levels(scores: Iterable[tuple[int, float, str]]) -> dict[str, int]:
    """The level of each problem by its SFEN, in the order of the collection.

    The order is by length, then by score. Problems are given as length, score and SFEN.
    """
    from generator.collection.choice import quantile_levels  # loads numba

    by_length: dict[int, list[tuple[float, str]]] = defaultdict(list)
    for length, score, sfen in scores:
        by_length[length].append((score, sfen))
    ordered = [sorted(found) for _, found in sorted(by_length.items())]
    return {
        sfen: 1 + level
        for found in ordered
        for (_, sfen), level in zip(found, quantile_levels(found, LEVELS), strict=True)
    }
