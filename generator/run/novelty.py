# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a run has seen a problem before, so that later roots look for something else.

Problems are known by hashes of keys (`generator.problem_keys`), 64 bits each. A root may know what the
roots below `generator.run.novelty.first_root_of_needed_batch` have found: its knowledge is a view of
all there is, so a root that is composed again by a process that has heard of more gives the same.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np

from generator.problem import Problem
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

# --- batches of roots: what a root may know of earlier ones depends on its index alone -------------
#
# A root of one batch knows the finds of all batches except its own and the one before, so
# the roots of two batches can be composed at the same time, by any number of processes, with the same result.
# Batches grow during a run: later ones have work for thousands of processes.

BATCH = 8
"""Roots in each of the first batches; the size of every batch is a multiple of it."""
BATCH_SHARE = 4
"""The size of a batch is the number of roots before it, divided by this: docs/scale.md has the choice."""
LARGEST_BATCH = 65_536
"""Roots in a batch, at most."""

_starts = [0]
"""The first root of each batch computed so far."""


def roots_in_batch(start: int) -> int:
    """Return the size of the batch that begins with root ``start``."""
    return min(LARGEST_BATCH, max(BATCH, start // BATCH_SHARE // BATCH * BATCH))


def batch_of_root(index: int) -> int:
    """Return the number of a root's batch, from 0 on."""
    while _starts[-1] <= index:
        _starts.append(_starts[-1] + roots_in_batch(_starts[-1]))
    return bisect_right(_starts, index) - 1


def first_root_of_batch(number: int) -> int:
    """Return the first root of a batch."""
    while len(_starts) <= number:
        _starts.append(_starts[-1] + roots_in_batch(_starts[-1]))
    return _starts[number]


def first_root_of_needed_batch(index: int) -> int:
    """Return the end of the roots that root ``index`` knows: all below it, done before ``index`` begins."""
    return first_root_of_batch(max(0, batch_of_root(index) - 1))


def end_of_batch_of_root(index: int) -> int:
    """Return the first root of the batch after that of root ``index``."""
    return first_root_of_batch(batch_of_root(index) + 1)


# --- whether a run has seen a problem before -------------------------------------------------------

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
        """Return whether a root below ``end`` found a key."""
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
        """Return whether one of these keys is known."""
        return self.end > 0 and any(self.known.has(key, self.end) for key in keys)


NOTHING = KnownKeysView(KeyIndex(), 0)
"""Nothing is known."""


def known_keys_view(index: int, known: KeyIndex) -> KnownKeysView:
    """Return what root ``index`` knows of all that is known."""
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

    def __init__(self, roots: np.ndarray = _NONE, keys: np.ndarray = _NONE, excluded: Set[int] = frozenset()) -> None:
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
        """Return whether one of these was found by any root so far."""
        return any(self.known.has(key) for key in keys)

    def keys_of_roots(self, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what roots from ``first`` on and below ``end`` found: roots and keys, int64 [key] each."""
        begin, stop = bisect_left(self._roots, first), bisect_left(self._roots, end)
        return np.array(self._roots[begin:stop], np.int64), np.array(self._keys[begin:stop], np.int64)
