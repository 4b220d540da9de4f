# SPDX-License-Identifier: GPL-3.0-or-later
"""The greedy choice of a set that is good, diverse, and on average like published problems.

A set is worth the merits of its problems and, for each feature, its points times the square root of the
share that the problems have of it: the more problems show a feature, the less another one adds. Such a
function is submodular and monotone (Lin, Bilmes 2011, concave functions over modular ones), and taking the
best problem again and again makes a set worth at least 1 - 1/e of the best one, or half of it where levels
have a number of problems each (Nemhauser, Wolsey, Fisher 1978; Fisher, Nemhauser, Wolsey 1978).

From this the squared distance of the mean features from those of published problems
(`generator.collection.published`) is taken, times the number of problems: of all differences from what
people compose, a set keeps those that pay. The distance is that between two distributions, estimated without
bias (as the maximum mean discrepancy of Gretton et al. 2012, with products of features): pairs of problems
count, not how unusual one is by itself. This part is not submodular; to choose so that a mean comes near a
given one is herding (Welling 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from generator.collection.candidates import CollectionCandidate
from generator.collection.features import FEATURE_POINTS, Feature

DISTANCE_POINTS = 24.0
"""Points of merit that the squared distance costs, for each problem."""
FEW = 20
"""Added to the number of problems that the distance is divided by: the mean of a few says little."""
_DIGITS = 6
"""What problems add is compared to so many digits, whatever the order in which a machine sums."""


class DiverseChoice:
    """A choice from candidates; the result does not depend on their order.

    ``levels`` has the level of each candidate, ``accepts`` says of one that would be chosen next whether it
    may be, and ``choose`` is called with each that is.
    """

    def __init__(
        self,
        candidates: Sequence[CollectionCandidate],
        levels: Sequence[int],
        accepts: Callable[[CollectionCandidate], bool],
        choose: Callable[[CollectionCandidate], None],
    ) -> None:
        self._candidates = candidates
        self._order = sorted(range(len(candidates)), key=lambda index: candidates[index].sfen)
        ordered = [candidates[index] for index in self._order]
        self._levels = np.array([levels[index] for index in self._order], dtype=np.int64)
        self._accepts, self._choose = accepts, choose
        self._worth = SetWorth(ordered)
        self._is_free = np.ones(len(candidates), dtype=np.bool_)
        self.chosen: list[int] = []
        """The indices of the chosen candidates, in the order of their choice."""

    def take(self, quotas: Mapping[int, int]) -> None:
        """Choose so many candidates of each level; those that are missing are chosen from any level."""
        left = dict(quotas)
        wanted = len(self.chosen) + sum(left.values())
        while (level := self._take_of([level for level, number in left.items() if number > 0])) is not None:
            left[level] -= 1
        while len(self.chosen) < wanted and self._take_of(sorted(set(self._levels.tolist()))) is not None:
            pass

    def _take_of(self, levels: Sequence[int]) -> int | None:
        """Choose the best candidate of these levels that is accepted; its level, or None if there is none."""
        may_be = np.flatnonzero(self._is_free & np.isin(self._levels, levels))
        gains = self._worth.gains()[may_be]
        for place in may_be[np.argsort(-gains, kind="stable")].tolist():
            index = self._order[place]
            self._is_free[place] = False
            if self._accepts(self._candidates[index]):
                self.chosen.append(index)
                self._worth.add(place)
                self._choose(self._candidates[index])
                return int(self._levels[place])
        return None


class SetWorth:
    """The worth of a set of candidates that grows, and what each of them would add to it."""

    def __init__(self, candidates: Sequence[CollectionCandidate]) -> None:
        numbers: dict[Feature, int] = {}
        for one in candidates:
            for feature, _ in one.shares:
                numbers.setdefault(feature, len(numbers))
        self._points = np.array([*(FEATURE_POINTS[kind] for kind, _ in numbers), 0.0])
        width = max((len(one.shares) for one in candidates), default=0)
        self._features = np.full((len(candidates), width), len(numbers))  # the last one is none
        self._shares = np.zeros((len(candidates), width))
        for row, one in enumerate(candidates):
            for column, (feature, share) in enumerate(one.shares):
                self._features[row, column], self._shares[row, column] = numbers[feature], share
        self._merits = np.array([one.merit for one in candidates])
        self._deviations = np.array([one.deviations for one in candidates], ndmin=2)
        self._taken = np.zeros(len(numbers) + 1)
        self._sum = np.zeros(self._deviations.shape[1])
        self._number = 0

    def gains(self) -> np.ndarray:
        """What each candidate adds to the set, up to a number that is the same for all; float64 [n]."""
        taken, points = self._taken[self._features], self._points[self._features]
        diversity = (points * (np.sqrt(taken + self._shares) - np.sqrt(taken))).sum(axis=1)
        distance = 2 * (self._deviations @ self._sum) / (self._number + 1 + FEW)
        gains: np.ndarray = np.round(self._merits + diversity - DISTANCE_POINTS * distance, _DIGITS)
        return gains

    def add(self, place: int) -> None:
        """Add a candidate to the set."""
        np.add.at(self._taken, self._features[place], self._shares[place])
        self._sum += self._deviations[place]
        self._number += 1


def level_quotas(number: int, shares: Sequence[float]) -> list[int]:
    """How many of ``number`` problems each level gets by its share; the largest remainders are rounded up."""
    exact = [number * share / sum(shares) for share in shares]
    quotas = [int(one) for one in exact]
    remainders = sorted(range(len(shares)), key=lambda level: (quotas[level] - exact[level], level))
    for level in remainders[: number - sum(quotas)]:
        quotas[level] += 1
    return quotas


def quantile_levels(scores: Sequence[tuple[float, str]], number: int) -> list[int]:
    """The level of each problem by its score and SFEN, from 0 on: as many in each, lower scores first."""
    order = sorted(range(len(scores)), key=lambda index: scores[index])
    levels = [0] * len(scores)
    for place, index in enumerate(order):
        levels[index] = place * number // len(order)
    return levels
