# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing the problems of a collection, those of one length after those of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from generator.collection.candidates import AlikeProblems, CollectionCandidate
from generator.collection.features import LEVELS
from generator.collection.greedy import DiverseChoice, level_quotas, quantile_levels


@dataclass(frozen=True)
class LevelledProblem:
    """A chosen problem with its level of difficulty, from 0 on."""

    problem: CollectionCandidate
    level: int


@dataclass(frozen=True)
class ChosenGroup:
    """What was chosen of ``candidates`` problems, by difficulty.

    ``alike`` counts the problems that are like chosen ones, by `generator.collection.candidates.LIKENESSES`;
    ``known`` those that would have been chosen but are known.
    """

    candidates: int
    chosen: tuple[LevelledProblem, ...]
    alike: Counter[str]
    known: int


class CollectionChooser:
    """Chooses from several groups of problems, such as those of a length, no two of them alike.

    ``is_known`` says of a problem whether it is left out as a known one.
    """

    def __init__(
        self, groups: Sequence[Sequence[CollectionCandidate]], is_known: Callable[[CollectionCandidate], bool]
    ) -> None:
        self._is_known = is_known
        self._alike = AlikeProblems()
        self._known: set[int] = set()
        for group in groups:
            for candidate in group:
                self._alike.add(candidate)

    def choose(
        self, group: Sequence[CollectionCandidate], number: int, shares: Sequence[float] = (1.0,)
    ) -> ChosenGroup:
        """Choose ``number`` problems of a group; each level of difficulty has its share of them.

        The levels are quantiles of the score. Fewer are chosen if the others are alike or known.
        """
        levels = _levels(group, len(shares))
        choice = DiverseChoice(_with_levels(group), levels, self._accepts, self._alike.exclude_like)
        choice.take(dict(enumerate(level_quotas(number, shares))))
        chosen = [LevelledProblem(group[index], levels[index]) for index in choice.chosen]
        chosen.sort(key=lambda one: (one.problem.score, one.problem.sfen))
        ids = {candidate.id for candidate in group}
        reasons = Counter(reason for number, reason in self._alike.excluded.items() if number in ids)
        taken = {one.problem.id for one in chosen}
        return ChosenGroup(len(group), tuple(chosen), reasons, len(ids & self._known - taken))

    def _accepts(self, candidate: CollectionCandidate) -> bool:
        if candidate.id in self._alike.excluded:
            return False
        if self._is_known(candidate):
            self._known.add(candidate.id)
            return False
        return True


def _with_levels(group: Sequence[CollectionCandidate]) -> list[CollectionCandidate]:
    """The candidates with their level among their features, so that every choice is spread over levels."""
    levels = _levels(group, LEVELS)
    return [
        replace(one, shares=(*one.shares, (("level", str(level)), 1.0)))
        for one, level in zip(group, levels, strict=True)
    ]


def _levels(group: Sequence[CollectionCandidate], number: int) -> list[int]:
    return quantile_levels([(one.score, one.sfen) for one in group], number)
