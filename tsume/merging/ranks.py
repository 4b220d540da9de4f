# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the copies of a problem: the lowest stays."""

from __future__ import annotations

from db.stored_problem import StoredProblem

_NEWEST = 10**18
"""Larger than any recipe."""
DIGEST = 32
"""The length of the digest at the end of a rank."""


class RootRanks:
    """Numbers the problems of each root, in the order of ids."""

    def __init__(self) -> None:
        self._last: dict[tuple[int | None, int], tuple[int, int]] = {}

    def of(self, problem: StoredProblem) -> int:
        """The index of a problem within its run and root; call it once for each, in order."""
        made = problem.provenance
        if made is None:
            return 0
        root, place = self._last.get((problem.run_id, made.seed), (None, -1))
        place = place + 1 if root == made.index else 0
        self._last[problem.run_id, made.seed] = (made.index, place)
        return place


def copy_rank(problem: StoredProblem, place: int, digest: str) -> str:
    """The sort key of a copy: seed, length, root, place; then the newest recipe, and the content.

    Problems that no run composed are last. ``digest`` is a hash of the content: copies of one rank are
    interchangeable.
    """
    made = problem.provenance
    if made is None:
        return f"~ {problem.version} {problem.sfen} {digest}"
    numbers = (made.seed, problem.length, made.index, place, _NEWEST - (made.recipe or 0))
    return f"{' '.join(map(_sortable_rank_text, numbers))} {made.version} {digest}"


def _sortable_rank_text(number: int) -> str:
    """A text of a number; texts sort as the numbers do."""
    digits = str(number)
    return f"{len(digits):03}{digits}"
