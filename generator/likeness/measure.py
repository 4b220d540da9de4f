# SPDX-License-Identifier: GPL-3.0-or-later
"""The likeness of a problem to human ones: its rank among published problems."""

from __future__ import annotations

import numpy as np

from generator.likeness.kernel.traits import COUNTS, line_traits, position_traits
from generator.likeness.model import PERCENTS, model_for_length
from tsume_rules.moves import Move
from tsume_rules.packed import Moves, Record, pack, pack_move
from tsume_rules.position import Position

_ROOM = 4096
"""An upper bound of the space for the traits of a position and all its checks."""
_OF_PLY = 3
"""At most this many traits come from one ply of a line."""


class TraitCounter:
    """Lists the traits of problems (`generator.likeness.kernel.traits`)."""

    def __init__(self) -> None:
        self._list = np.zeros(_ROOM, dtype=np.int64)
        self._captured = np.zeros(0, dtype=np.int64)

    def traits(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a position and its line."""
        self._make_room(len(line))
        first = position_traits(record, self._list, 0)
        return self._list[: self._count_line_traits(record, line, first)].copy()

    def position_traits(self, record: Record) -> np.ndarray:
        """The traits of a position."""
        return self._list[: position_traits(record, self._list, 0)].copy()

    def line_traits(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a line."""
        self._make_room(len(line))
        return self._list[: self._count_line_traits(record, line, 0)].copy()

    def _count_line_traits(self, record: Record, line: Moves, first: int) -> int:
        moves = np.array(line, dtype=np.int64)
        return int(line_traits(record, moves, len(line), self._captured, self._list, first))

    def _make_room(self, length: int) -> None:
        """Kernels do not see the end of an array."""
        if len(self._captured) < length:
            self._captured = np.zeros(length, dtype=np.int64)
            self._list = np.zeros(_ROOM + _OF_PLY * length + COUNTS, dtype=np.int64)


def likeness_of(position: Position, line: tuple[Move, ...]) -> int:
    """The share (%) of published problems that the model calls less likely than this one: 0 to 100.

    They are those of the line's length, or of the nearest length that has a model. The line must
    be one of checks and legal answers that ends in mate, the attacker being Black.
    """
    model = model_for_length(len(line))
    traits = TraitCounter().traits(pack(position), tuple(map(pack_move, line)))
    return round(float(np.interp(model.values[traits].sum(), model.ranks, PERCENTS)))
