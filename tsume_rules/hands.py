# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces in hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tsume_rules.pieces import HAND_KINDS, Kind


@dataclass(frozen=True)
class Hand:
    """The number of pieces of each unpromoted kind that a side holds.

    ``counts[i]`` belongs to ``HAND_KINDS[i]`` (pawn, lance, knight, silver,
    bishop, rook, gold).
    """

    counts: tuple[int, int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0, 0)

    @classmethod
    def of(cls, counts: Mapping[Kind, int]) -> Hand:
        """A hand from a mapping of unpromoted kinds to numbers."""
        p, l, n, s, b, r, g = (counts.get(kind, 0) for kind in HAND_KINDS)  # noqa: E741
        return cls((p, l, n, s, b, r, g))

    def __getitem__(self, kind: Kind) -> int:
        return self.counts[kind - 1]

    def __iter__(self) -> Iterator[Kind]:
        return (kind for kind in HAND_KINDS for _ in range(self[kind]))

    def __len__(self) -> int:
        return sum(self.counts)

    def __bool__(self) -> bool:
        return any(self.counts)

    def plus(self, kind: Kind, number: int = 1) -> Hand:
        """This hand with ``number`` more (or, negative, fewer) pieces of a kind."""
        counts = list(self.counts)
        counts[kind.base - 1] += number
        p, l, n, s, b, r, g = counts  # noqa: E741
        return Hand((p, l, n, s, b, r, g))
