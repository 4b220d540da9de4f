# SPDX-License-Identifier: GPL-3.0-or-later
"""Glicko-2: ratings with a deviation and a volatility.

After Mark Glickman, "Example of the Glicko-2 system" (2013), whose steps are numbered here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, pi, sqrt

from db.training.records import Rating

CENTRE, SCALE = 1500.0, 173.7178
"""From the scale of Glicko to that of Glicko-2 and back."""
SYSTEM = 0.5
"""τ: how much the volatility may change; 0.3 to 1.2 are usual."""
LEAST_DEVIATION, MOST_DEVIATION = 30.0, 350.0
_ACCURACY = 1e-6

Game = tuple[Rating, float]
"""The opponent, and 1 for a win or 0 for a loss."""


def expected_score(player: Rating, opponent: Rating) -> float:
    """Return the chance that a player wins, as far as both ratings are known."""
    deviation = sqrt(player.deviation**2 + opponent.deviation**2) / SCALE
    return _chance((player.rating - opponent.rating) / SCALE, _weight(deviation))


def rated(player: Rating, games: Sequence[Game], periods: float = 1.0, system: float = SYSTEM) -> Rating:
    """Return the rating after some games in a rating period, which began ``periods`` after the last one.

    Without games only the deviation grows. The deviation stays between `LEAST_DEVIATION` and
    `MOST_DEVIATION`.
    """
    mean, deviation = (player.rating - CENTRE) / SCALE, player.deviation / SCALE  # step 2
    if not games:
        grown = _grown(deviation, player.volatility, periods)
        return Rating(player.rating, _bounded(SCALE * grown), player.volatility)
    opponents = [((one.rating - CENTRE) / SCALE, _weight(one.deviation / SCALE), won) for one, won in games]
    chances = [_chance(mean - other, weight) for other, weight, _ in opponents]
    information = sum(
        weight**2 * chance * (1 - chance) for (_, weight, _), chance in zip(opponents, chances, strict=True)
    )
    variance = 1 / information  # step 3
    surplus = sum(
        weight * (won - chance) for (_, weight, won), chance in zip(opponents, chances, strict=True)
    )
    volatility = _volatility(player.volatility, deviation, variance, variance * surplus, system)
    grown = _grown(deviation, volatility, periods)  # step 6
    after = 1 / sqrt(1 / grown**2 + 1 / variance)  # step 7
    return Rating(CENTRE + SCALE * (mean + after**2 * surplus), _bounded(SCALE * after), volatility)


def _weight(deviation: float) -> float:
    """g(φ): how much a game against an opponent of this deviation counts."""
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _chance(difference: float, weight: float) -> float:
    """E: the chance to win; bounded, because a certain result says nothing."""
    chance = 1 / (1 + exp(min(500.0, -weight * difference)))
    return min(max(chance, 1e-9), 1 - 1e-9)


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return sqrt(deviation**2 + periods * volatility**2)


def _bounded(deviation: float) -> float:
    return min(max(deviation, LEAST_DEVIATION), MOST_DEVIATION)


def _volatility(before: float, deviation: float, variance: float, improvement: float, system: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = log(before**2)

    def slope(x: float) -> float:
        power = exp(x)
        spread = deviation**2 + variance + power
        return power * (improvement**2 - spread) / (2 * spread**2) - (x - start) / system**2

    low, high = start, _other_side(slope, start, deviation, variance, improvement, system)
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _ACCURACY:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def _other_side(
    slope: Callable[[float], float],
    start: float,
    deviation: float,
    variance: float,
    improvement: float,
    system: float,
) -> float:
    """Return a point on the other side of the root than ``start``."""
    surprise = improvement**2 - deviation**2 - variance
    if surprise > 0:
        return log(surprise)
    steps = 1
    while slope(start - steps * system) < 0:
        steps += 1
    return start - steps * system
