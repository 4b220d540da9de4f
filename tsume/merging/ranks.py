"""The order of the copies of a problem: the lowest stays."""

from __future__ import annotations

from db.stored_problem import StoredProblem

_NEWEST = 10**18
"""More than any recipe."""
DIGEST = 32
"""The characters of a digest, with which a rank ends."""


class RootPlaces:
    """Counts the problems of each root as a store gives them, by id."""

    def __init__(self) -> None:
        self._last: dict[tuple[int | None, int], tuple[int, int]] = {}

    def of(self, problem: StoredProblem) -> int:
        """The place of a problem among those of its run and root; call it for each once, in order."""
        made = problem.provenance
        if made is None:
            return 0
        root, place = self._last.get((problem.run_id, made.seed), (None, -1))
        place = place + 1 if root == made.index else 0
        self._last[problem.run_id, made.seed] = (made.index, place)
        return place


def rank_of(problem: StoredProblem, place: int, digest: str) -> str:
    """A text by which copies are sorted: seed, root, place; then the newest recipe, and the content.

    The length, which copies share, stands after the seed, so that problems are numbered by it. What no run
    composed comes after everything else. ``digest`` is one over the content: copies of one rank are alike.
    """
    made = problem.provenance
    if made is None:
        return f"~ {problem.version} {problem.sfen} {digest}"
    numbers = (made.seed, problem.length, made.index, place, _NEWEST - (made.recipe or 0))
    return f"{' '.join(map(_sortable, numbers))} {made.version} {digest}"


def _sortable(number: int) -> str:
    """Texts of whole numbers that are sorted as the numbers are."""
    digits = str(number)
    return f"{len(digits):03}{digits}"
