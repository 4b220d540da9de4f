# SPDX-License-Identifier: GPL-3.0-or-later
"""Stars: a score compared with those of published problems of the same length (docs/difficulty.md)."""

from __future__ import annotations

STEPS_OF_LENGTH: dict[int, tuple[float, float, float, float]] = {
    1: (20.1, 21.4, 23.1, 25.0),
    3: (28.0, 29.3, 30.4, 31.8),
    5: (40.8, 42.2, 43.6, 45.3),
    7: (49.8, 51.9, 53.4, 55.5),
    9: (59.4, 61.5, 62.7, 64.7),
    11: (67.0, 69.3, 71.0, 73.2),
    13: (74.0, 76.5, 78.9, 81.8),
    15: (79.5, 81.4, 83.7, 86.1),
}
"""Quintiles of the scores of published problems by length in plies.

Fitted by ``scripts/fit difficulty`` on 300 problems of each length (254 of 13 plies, 48 of 15) from
a daily column and from books. Each step adds a star.
"""
_FAR = 6
"""Beyond the table all steps rise as on average over this many of its last plies."""


def star_steps(length: int) -> tuple[float, ...]:
    """The four scores from which a problem of ``length`` plies has two stars, three, four, five.

    Between two lengths of the table the steps are interpolated; beyond the longest they are extrapolated.
    """
    lengths = sorted(STEPS_OF_LENGTH)
    longest = lengths[-1]
    if length > longest:
        before, last = star_steps(longest - _FAR), STEPS_OF_LENGTH[longest]
        rise = (sum(last) - sum(before)) / len(last) * (length - longest) / _FAR
        return tuple(round(step + rise, 2) for step in last)
    low = max((n for n in lengths if n <= length), default=lengths[0])
    high = min(n for n in lengths if n >= length)
    share = (length - low) / (high - low) if high > low else 0.0
    pairs = zip(STEPS_OF_LENGTH[low], STEPS_OF_LENGTH[high], strict=True)
    return tuple(round(a + (b - a) * share, 2) for a, b in pairs)


def stars_of(score: float, length: int) -> int:
    """The stars, 1 to 5, of a score among problems of ``length`` plies."""
    return 1 + sum(score >= step for step in star_steps(length))
