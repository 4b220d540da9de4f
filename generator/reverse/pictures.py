# SPDX-License-Identifier: GPL-3.0-or-later
"""Mated positions whose pieces draw a picture (曲詰): where such problems begin backwards."""

from __future__ import annotations

import numpy as np

from generator.candidate import EMPTY
from generator.constraints.given_final import is_mate
from generator.reverse.kernel.pictures import NO_MATE, draw_mate_on_cells
from generator.themes.pictures import Pattern, patterns_of
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import CELL
from tsume_rules.packed import Record, pack, unpack
from tsume_rules.position import square
from tsume_rules.sfen import parse_sfen

_DRAWS, _STEPS = 24, 2_000
"""Draws of which the best is taken, and exchanges of pieces in each."""
_LOWEST = 3
"""A picture begins at most this many ranks below the top, where kings are mated more easily."""


class PictureSampler:
    """Draws mated positions that need most of their pieces; random choices follow ``state`` and ``rng``."""

    def __init__(self, state: np.ndarray) -> None:
        self._state = state
        self._position = pack(parse_sfen(EMPTY).position)
        self._saved = np.zeros(1, dtype=POSITION).view(np.recarray)
        self._scratch = np.zeros(8192, dtype=np.int64)

    def draw(self, name: str | None, rng: np.random.Generator) -> Record | None:
        """A mated position that draws a picture, any if there is no ``name``; None if no draw was mate."""
        patterns = patterns_of(name)
        best, found = NO_MATE, None
        for _ in range(_DRAWS):
            cells = _cells_of(patterns[int(rng.integers(len(patterns)))], rng)
            unneeded = draw_mate_on_cells(
                self._position, cells, self._saved, self._state, self._scratch, _STEPS
            )
            if unneeded < best and is_mate(unpack(self._position)):
                best, found = unneeded, self._position.copy()
        return found


def _cells_of(pattern: Pattern, rng: np.random.Generator) -> np.ndarray:
    """The cells of a pattern somewhere on the board."""
    width, height = (max(place[axis] for place in pattern) + 1 for axis in (0, 1))
    right = int(rng.integers(10 - width))
    down = int(rng.integers(min(_LOWEST, 9 - height) + 1))
    return np.array([CELL[square(9 - x - right, 1 + y + down)] for x, y in sorted(pattern)], dtype=np.int64)
