# SPDX-License-Identifier: GPL-3.0-or-later
"""Main trees built by an engine in one call (`MateEngine.tree_walk`), as plain numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tsume_rules.packing import Record


class KeyOrder(Enum):
    """Which check is the key: one that mates by the table, or the least by its code or that of its mirror
    image."""

    ANY = 0
    LEAST = 1
    LEAST_MIRRORED = 2


@dataclass(frozen=True)
class Preferences:
    """The weights and bounds of `solver.solving.main_line`."""

    weights: tuple[float, ...]
    longest_asked: int
    most_rivals: int


@dataclass(frozen=True)
class TreeWalkPlan:
    """The arguments of `solver.solving.tree.TreeBuilder`."""

    most_turns: int
    complete: bool
    order: KeyOrder
    preferences: Preferences | None


@dataclass(frozen=True)
class WalkedTurn:
    """A turn: its plies, the check played, whether pieces are left in hand at the end.

    ``pairs`` are the longest defences and the numbers of the turns they lead to; of a turn with one ply
    the checks that mate and whether each leaves pieces in hand.
    """

    plies: int
    key: int
    leftover: bool
    pairs: Sequence[tuple[int, int]]


Name = tuple[int, int, int]
"""A turn: its position's key, the attacker's hand, its plies."""


class TreeWalk(ABC):
    """The turns that one tree builder has found with one engine."""

    @abstractmethod
    def grow(self, record: Record, n: int) -> int | None:
        """The number of the turn that mates in exactly n plies, its tree built.

        None if it cannot be built in this way; `keys` then has the checks chosen so far. Raises
        `LimitReached`.
        """

    @abstractmethod
    def turn(self, number: int) -> WalkedTurn:
        """A turn that was built."""

    @abstractmethod
    def keys(self) -> dict[Name, int]:
        """The checks chosen at turns that were begun."""
