# SPDX-License-Identifier: GPL-3.0-or-later
"""Histograms in text: classes of equal, round width, drawn as bars."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

_MOST_CLASSES = 8
_ROUND = (1, 2, 5, 10)
_BAR = 30


@dataclass(frozen=True)
class HistogramClass:
    """How many values (``number``) lie from ``low`` up to, but not including, ``high``."""

    low: float
    high: float
    number: int

    @property
    def label(self) -> str:
        """Its bounds."""
        return f"{self.low:g}-{self.high:g}"


def histogram_classes(values: Iterable[float], most: int = _MOST_CLASSES) -> list[HistogramClass]:
    """The classes of the finite values, about ``most`` at most; empty ones between others are included."""
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite:
        return []
    width = _round_class_width((finite[-1] - finite[0]) / most)
    if not math.isfinite(width) or not math.isfinite(finite[0] / width):
        return [HistogramClass(finite[0], finite[-1], len(finite))]
    first = math.floor(finite[0] / width)
    numbers = [0] * (math.floor(finite[-1] / width) - first + 1)
    for value in finite:
        numbers[math.floor(value / width) - first] += 1
    return [
        HistogramClass((first + i) * width, (first + i + 1) * width, number)
        for i, number in enumerate(numbers)
    ]


def _round_class_width(least: float) -> float:
    """The least of 1, 2 or 5 times a power of ten that is at least ``least``; 1 for 0."""
    if least <= 0 or not math.isfinite(least):
        return least or 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((step * power for step in _ROUND if step * power >= least), 10 * power)


def histogram_bars(found: list[HistogramClass]) -> list[str]:
    """A line of text for each class, the longest bar for the largest."""
    longest = max((one.number for one in found), default=0)
    width = max((len(one.label) for one in found), default=0)
    digits = len(str(longest))
    return [
        f"{one.label:>{width}} {one.number:>{digits}} {'█' * math.ceil(_BAR * one.number / longest)}".rstrip()
        for one in found
    ]
