# SPDX-License-Identifier: GPL-3.0-or-later
"""An index of problems: those that resemble a given one, without comparing it with all.

Each problem has a hash of its pieces (`generator.resemblance.placement`), and one for each piece that is
left out. Problems that differ by one piece share one of these; the pairs found so are compared.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from generator.resemblance.comparison import Resemblance, resemblance
from generator.resemblance.placement import Placement, item_hash, items_hash
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen


class Resembling(NamedTuple):
    """A problem of an index, by its number, and how much it is alike."""

    kind: Resemblance
    number: int


class _HashTable:
    """Numbers of problems by hashes of 64 bits: two sorted arrays, 12 bytes an entry."""

    def __init__(self) -> None:
        self._hashes, self._numbers = array("Q"), array("i")

    def add(self, hashes: Iterable[int], number: int) -> None:
        """Add a problem under several hashes."""
        before = len(self._hashes)
        self._hashes.extend(hashes)
        self._numbers.extend([number] * (len(self._hashes) - before))

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        hashes = np.frombuffer(self._hashes, dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], np.frombuffer(self._numbers, dtype=np.int32)[order]

    def find(self, hashes: list[int]) -> set[int]:
        """The problems under any of these hashes."""
        if not self._hashes:
            return set()
        known, numbers = self._sorted
        wanted = np.array(hashes, dtype=np.uint64)
        first, after = np.searchsorted(known, wanted), np.searchsorted(known, wanted, side="right")
        return {int(number) for i in np.flatnonzero(first < after) for number in numbers[first[i] : after[i]]}


class ResemblanceIndex:
    """Problems that others are compared with; all are added before the first is looked for.

    A problem takes about 400 bytes.
    """

    def __init__(self) -> None:
        self._problems: list[tuple[str, str]] = []
        self._by_pieces, self._by_squares = _HashTable(), _HashTable()

    def __len__(self) -> int:
        return len(self._problems)

    def add(self, problem: Placement) -> int:
        """Add a problem; returns its number, from 0 on."""
        number = len(self._problems)
        line = " ".join(move.usi for move in problem.line)
        self._problems.append((format_sfen(problem.position), line))
        self._by_pieces.add(_hashes_with_deletions(problem), number)
        if line:
            self._by_squares.add([items_hash(problem.occupied)], number)
        return number

    def find(self, problem: Placement) -> Iterator[Resembling]:
        """The problems that resemble this one, in any order; itself too if it was added."""
        for number in self._candidates(problem):
            kind = resemblance(problem, self._placement(number))
            if kind is not None:
                yield Resembling(kind, number)

    def nearest(self, problem: Placement) -> Resembling | None:
        """The problem that is most alike, of several the first; None without any."""
        return min(self.find(problem), default=None)

    def _candidates(self, problem: Placement) -> set[int]:
        both = (problem, problem.mirror_image)
        found = self._by_pieces.find([one for placed in both for one in _hashes_with_deletions(placed)])
        if problem.line:
            found |= self._by_squares.find([items_hash(placed.occupied) for placed in both])
        return found

    def _placement(self, number: int) -> Placement:
        sfen, line = self._problems[number]
        return Placement(parse_sfen(sfen).position, tuple(map(parse_move, line.split())))


def _hashes_with_deletions(problem: Placement) -> list[int]:
    """The hash of all pieces, and that without each of them."""
    whole = items_hash(problem.pieces)
    return [whole, *(whole ^ item_hash(item) for item in problem.pieces)]
