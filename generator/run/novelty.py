# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a run has seen a problem before, so that later roots look for something else.

Problems are known by hashes of keys (`generator.problem_keys`), 64 bits each. A root may know what the
roots below `generator.run.batches.first_root_of_needed_batch` have found: its knowledge is a view of
all there is, so a root that is composed again by a process that has heard of more gives the same.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np

from generator.problem import Problem
from generator.run.batches import first_root_of_needed_batch
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

_FEW = 1024
"""Keys that are held one by one, at least, before they are sorted in."""
_LAST = 2**63 - 1
_NONE = np.empty(0, np.int64)


class KeyIndex:
    """Keys, and for each the first root that found it."""

    def __init__(self) -> None:
        self._keys = self._roots = _NONE
        """Keys, sorted, and the first root of each."""
        self._recent: dict[int, int] = {}

    def __len__(self) -> int:
        """How many keys, not counting twice one that is both old and recent."""
        return len(self._keys) + len(self._recent)

    def add(self, roots: np.ndarray, keys: np.ndarray) -> None:
        """Note keys found by roots, int64 [key] each."""
        if len(keys) > _FEW:
            self._insert_sorted(roots, keys)
            return
        for root, key in zip(roots.tolist(), keys.tolist(), strict=True):
            self.add_one(root, key)

    def add_one(self, root: int, key: int) -> None:
        """Note a key found by a root."""
        self._recent[key] = min(root, self._recent.get(key, root))
        if len(self._recent) > max(_FEW, len(self._keys) // 8):
            self._insert_sorted(_NONE, _NONE)

    def _insert_sorted(self, roots: np.ndarray, keys: np.ndarray) -> None:
        recent = np.fromiter(self._recent.items(), [("key", np.int64), ("root", np.int64)])
        every = np.concatenate([self._keys, recent["key"], keys])
        found_by = np.concatenate([self._roots, recent["root"], roots])
        order = np.lexsort((found_by, every))
        every, found_by = every[order], found_by[order]
        first = np.ones(len(every), bool)
        first[1:] = every[1:] != every[:-1]
        self._keys, self._roots, self._recent = every[first], found_by[first], {}

    def has(self, key: int, end: int = _LAST) -> bool:
        """Whether a root below ``end`` found a key."""
        if self._recent.get(key, _LAST) < end:
            return True
        place = int(np.searchsorted(self._keys, key))
        return place < len(self._keys) and self._keys[place] == key and bool(self._roots[place] < end)


@dataclass(frozen=True)
class KnownKeysView:
    """What roots below ``end`` have found."""

    known: KeyIndex
    end: int

    def has_any(self, keys: Iterable[int]) -> bool:
        """Whether one of these keys is known."""
        return self.end > 0 and any(self.known.has(key, self.end) for key in keys)


NOTHING = KnownKeysView(KeyIndex(), 0)
"""Nothing is known."""


def known_keys_view(index: int, known: KeyIndex) -> KnownKeysView:
    """What root ``index`` knows of all that is known."""
    return KnownKeysView(known, first_root_of_needed_batch(index))


class SeenPositions:
    """The positions of problems already found, for runs without a store; mirror images are one."""

    def __init__(self) -> None:
        self._sfens: set[str] = set()

    def add(self, position: Position) -> bool:
        """Note a position; returns whether it is new."""
        sfen = canonical_sfen(position)
        is_new = sfen not in self._sfens
        self._sfens.add(sfen)
        return is_new


class FoundKeys:
    """The keys found by the roots of a run, in the order of the roots.

    ``roots`` and ``keys``, int64 [key] each: what earlier roots found, in their order. ``excluded`` are keys
    of problems that exist: what shares one does not count.
    """

    def __init__(
        self, roots: np.ndarray = _NONE, keys: np.ndarray = _NONE, excluded: Set[int] = frozenset()
    ) -> None:
        self._roots, self._keys = array("q", roots.tobytes()), array("q", keys.tobytes())
        self._excluded = excluded
        self.known = KeyIndex()
        """All of them."""
        self.known.add(roots, keys)

    def add(self, index: int, keys: Iterable[int]) -> None:
        """Note what a root found; roots come in order."""
        for key in keys:
            self._roots.append(index)
            self._keys.append(key)
            self.known.add_one(index, key)

    def without_repeats(
        self, index: int, problems: list[Problem], *, unique: bool
    ) -> tuple[list[Problem], frozenset[int]]:
        """Note a root's problems; returns those that count, and the places among them of known ones.

        A problem is known if an earlier one of the run shares a key; with ``unique`` it does not count.
        A root could not know the problems of its own batch and of the one before.
        """
        kept: list[Problem] = []
        repeated = set[int]()
        for problem in problems:
            if not self._excluded.isdisjoint(problem.keys):
                continue
            if self.any_known(problem.keys):
                if unique:
                    continue
                repeated.add(len(kept))
            self.add(index, problem.keys)
            kept.append(problem)
        return kept, frozenset(repeated)

    def any_known(self, keys: Iterable[int]) -> bool:
        """Whether one of these was found by any root so far."""
        return any(self.known.has(key) for key in keys)

    def keys_of_roots(self, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """What roots from ``first`` on and below ``end`` found: roots and keys, int64 [key] each."""
        begin, stop = bisect_left(self._roots, first), bisect_left(self._roots, end)
        return np.array(self._roots[begin:stop], np.int64), np.array(self._keys[begin:stop], np.int64)
