# SPDX-License-Identifier: GPL-3.0-or-later
"""Drops that the defender may not play, given to an engine (`MateEngine.sparing`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tsume_rules.kernel.state import hand_contains


@dataclass(frozen=True)
class SparedDrop:
    """A drop that is left out: its move, the key of the board, the least hand of the attacker.

    It is left out whenever the attacker holds that hand or a larger one.
    """

    key: int
    move: int
    hand: int

    def includes(self, other: SparedDrop) -> bool:
        """Whether another drop is left out wherever that one says so."""
        return self.covers(other.key, other.move, other.hand)

    def covers(self, key: int, move: int, hand: int) -> bool:
        """Whether it is this move on this board, the attacker holding enough."""
        return (key, move) == (self.key, self.move) and bool(hand_contains(hand, self.hand))


def is_spared(drops: Iterable[SparedDrop], key: int, move: int, hand: int) -> bool:
    """Whether a move is left out on a board, the attacker holding ``hand``."""
    return any(drop.covers(key, move, hand) for drop in drops)
