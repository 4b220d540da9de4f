"""Lines that a run has found already, so that later roots look for others.

What a root may know must not depend on how many processes compose: roots count in rounds,
and a root of one round knows the lines of all rounds but its own and the one before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

ROUND = 8
"""Roots in a round. A process may be so many roots ahead of the results."""


class Novelty:
    """The lines found by roots, given out as each root may know them.

    ``found``: what earlier roots of the run found, as (root's index, line's key).
    """

    def __init__(self, found: Iterable[tuple[int, str]] = ()) -> None:
        self._waiting = deque(sorted(found))

    def add(self, index: int, keys: Iterable[str]) -> None:
        """Note what a root found; roots come in order."""
        self._waiting.extend((index, key) for key in keys)

    def news(self, index: int) -> list[str]:
        """What the root of an index may know and those asked for before could not."""
        end = (index // ROUND - 1) * ROUND
        news = []
        while self._waiting and self._waiting[0][0] < end:
            news.append(self._waiting.popleft()[1])
        return news


def first_needed(index: int) -> int:
    """All roots before this one must have been added before `Novelty.news` is asked for an index."""
    return max(0, (index // ROUND - 1) * ROUND)
