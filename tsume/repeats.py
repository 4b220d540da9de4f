"""Problems that repeat earlier ones."""

from __future__ import annotations

from generator.problem import Problem
from tsume_rules.symmetry import canonical_sfen


class Repeats:
    """Remembers problems; mirror images are one problem, and if ``distinct`` so are those of one key."""

    def __init__(self, *, distinct: bool) -> None:
        self._distinct = distinct
        self._positions: set[str] = set()
        self._keys: set[int] = set()

    def is_new(self, problem: Problem) -> bool:
        """Whether a problem repeats none before it; it is known from now on."""
        canonical = canonical_sfen(problem.position)
        is_known = canonical in self._positions
        is_known |= self._distinct and not self._keys.isdisjoint(problem.keys)
        self._positions.add(canonical)
        self._keys.update(problem.keys)
        return not is_known
