# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves and their USI text (``7g7f``, ``2b3c+``, ``G*5b``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from tsume_rules.pieces import KIND_IN_HAND, LETTERS, Kind
from tsume_rules.squares import Square, mirrored, parse_square, rotated, square_name


@dataclass(frozen=True, order=True)
class Move:
    """A move of a piece on the board (``origin`` set) or a drop (``drop`` set)."""

    target: Square
    origin: Square | None = None
    promotes: bool = False
    drop: Kind | None = None

    @cached_property
    def usi(self) -> str:
        """The move in USI notation."""
        target = square_name(self.target)
        if self.drop is not None:
            return f"{LETTERS[self.drop]}*{target}"
        assert self.origin is not None
        return square_name(self.origin) + target + ("+" if self.promotes else "")

    def __str__(self) -> str:
        return self.usi

    @property
    def mirrored(self) -> Move:
        """The move with left and right exchanged."""
        origin = None if self.origin is None else mirrored(self.origin)
        return Move(mirrored(self.target), origin, self.promotes, self.drop)

    @property
    def rotated(self) -> Move:
        """The move seen from the other side of the board."""
        origin = None if self.origin is None else rotated(self.origin)
        return Move(rotated(self.target), origin, self.promotes, self.drop)


@lru_cache(maxsize=2**14)  # all there are
def parse_move(usi: str) -> Move:
    """The move of a USI text. Raises ValueError for any other text."""
    try:
        if usi[1:2] == "*":
            return Move(parse_square(usi[2:]), drop=KIND_IN_HAND[usi[0]])
        if usi[4:] not in ("", "+"):
            raise ValueError(usi)
        return Move(parse_square(usi[2:4]), parse_square(usi[:2]), promotes=len(usi) == 5)
    except (ValueError, KeyError):
        raise ValueError(f"not a move in USI notation: {usi!r}") from None
