"""Lines that a run has found already, so that later roots look for others.

What a root may know must not depend on how many processes compose: roots count in rounds,
and a root of one round knows the lines of all rounds but its own and the one before.
"""

from __future__ import annotations

from collections.abc import Iterable

ROUND = 8
"""Roots in a round; at least this many processes find work although results come in order."""


def first_needed(index: int) -> int:
    """The end of the roots that root ``index`` knows: all below it, done before ``index`` begins."""
    return max(0, (index // ROUND - 1) * ROUND)


class Lines:
    """The lines found by the roots of a run, in the order of the roots.

    ``found``: what earlier roots found, as (root's index, line's key).
    """

    def __init__(self, found: Iterable[tuple[int, str]] = ()) -> None:
        self._found = sorted(found)
        self._keys = {key for _, key in self._found}

    def add(self, index: int, keys: Iterable[str]) -> None:
        """Note what a root found; roots come in order."""
        for key in keys:
            self._found.append((index, key))
            self._keys.add(key)

    def any_known(self, keys: Iterable[str]) -> bool:
        """Whether one of these was found by any root so far."""
        return not self._keys.isdisjoint(keys)

    def known(self, index: int, start: int = 0) -> list[str]:
        """The lines that root ``index`` may know, without the first ``start`` of them."""
        end = first_needed(index)
        news = []
        for root, key in self._found[start:]:
            if root >= end:
                break
            news.append(key)
        return news
