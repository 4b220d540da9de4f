# SPDX-License-Identifier: GPL-3.0-or-later
"""A position on the way to a problem, as both ways of composing hand it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from generator.problem import line_key
from generator.replay import ReplayedLine, replay_line
from generator.themes import THEMES
from tsume_rules.moves import Move
from tsume_rules.packed import Moves, PackedPosition, unpack, unpack_move
from tsume_rules.position import Position

EMPTY = "8k/9/9/9/9/9/9/9/9 b - 1"
"""The SFEN of a board with nothing but a king."""


@dataclass
class Candidate:
    """A position on the way to a problem: it mates in ``length`` plies by ``line``.

    ``family`` numbers the final positions of a root. ``open_checks`` counts the other checks that were not refuted for
    good when it was found, ``checks`` all checks, ``defences`` the longest defences against the key.
    """

    packed: PackedPosition
    length: int
    line: Moves
    family: int
    open_checks: int = 0
    checks: int = 1
    defences: int = 1

    @property
    def line_key(self) -> str:
        """`generator.problem.line_key` of the line."""
        return line_key(tuple(unpack_move(move) for move in self.line))

    @cached_property
    def readable(self) -> tuple[Position, tuple[Move, ...]]:
        """The position and the line as readable types."""
        return unpack(self.packed), tuple(unpack_move(move) for move in self.line)

    @cached_property
    def replayed(self) -> ReplayedLine:
        """The replay of the line."""
        return replay_line(*self.readable)

    def shown_themes(self, themes: Iterable[str]) -> frozenset[str]:
        """Return those of some themes that the line shows (`generator.themes`); purposes are not proved."""
        return frozenset(name for name in themes if THEMES[name].predicate(self.replayed))
