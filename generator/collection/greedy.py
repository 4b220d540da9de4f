# SPDX-License-Identifier: GPL-3.0-or-later
"""The greedy choice of a diverse set.

A set is worth the merits of its problems and, for each feature, its points times the square root of the
share that the problems have of it: the more problems show a feature, the less another one adds. Such a
function is submodular and monotone (Lin, Bilmes 2011, concave functions over modular ones); taking the
best problem again and again makes a set worth at least 1 - 1/e of the best one, or half of it where levels
have a number of problems each (Nemhauser, Wolsey, Fisher 1978; Fisher, Nemhauser, Wolsey 1978). What a
problem adds never grows, so that what it added earlier bounds what it adds now, and only the first ones by
these bounds are evaluated again (Minoux 1978).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import sqrt

from generator.collection.candidates import CollectionCandidate
from generator.collection.features import FEATURE_POINTS, Feature, Shares

_Entry = tuple[float, str, int]
"""What a candidate added when it was last evaluated, negative; its SFEN; its index."""


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
        self._levels = levels
        self._accepts, self._choose = accepts, choose
        self._taken: dict[Feature, float] = {}
        self._heap = [(-self._gain(one), one.sfen, index) for index, one in enumerate(candidates)]
        heapify(self._heap)
        self.chosen: list[int] = []
        """The indices of the chosen candidates, in the order of their choice."""

    def take(self, quotas: Mapping[int, int]) -> None:
        """Choose so many candidates of each level; those that are missing are chosen from any level."""
        wanted = len(self.chosen) + sum(quotas.values())
        left, passed = Counter(quotas), list[_Entry]()
        while self._heap and left.total():
            entry = heappop(self._heap)
            level = self._levels[entry[-1]]
            if not left[level]:
                passed.append(entry)
            elif self._take_if_best(entry):
                left[level] -= 1
        for entry in passed:
            heappush(self._heap, entry)
        while self._heap and len(self.chosen) < wanted:
            self._take_if_best(heappop(self._heap))

    def _take_if_best(self, entry: _Entry) -> bool:
        """Choose a candidate that was the first of the heap, or put it back with what it adds now."""
        _, sfen, index = entry
        candidate = self._candidates[index]
        now = -self._gain(candidate), sfen, index
        if self._heap and now > self._heap[0]:
            heappush(self._heap, now)
            return False
        if not self._accepts(candidate):
            return False
        self.chosen.append(index)
        for feature, share in candidate.shares:
            self._taken[feature] = self._taken.get(feature, 0.0) + share
        self._choose(candidate)
        return True

    def _gain(self, candidate: CollectionCandidate) -> float:
        """What a candidate adds to the set."""
        return candidate.merit + diversity_gain(self._taken, candidate.shares)


def diversity_gain(taken: Mapping[Feature, float], shares: Shares) -> float:
    """What features add to a set that has shares of them already."""
    return sum(
        FEATURE_POINTS[feature[0]] * (sqrt(taken.get(feature, 0.0) + share) - sqrt(taken.get(feature, 0.0)))
        for feature, share in shares
    )


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
