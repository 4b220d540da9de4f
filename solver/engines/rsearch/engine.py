# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH as an engine: each query is answered within a given number of cells."""

from __future__ import annotations

import numpy as np

from solver.engines.base import MateEngine
from solver.engines.rsearch import MIN_CELLS
from solver.engines.rsearch.kernel import mating
from solver.engines.rsearch.kernel.framework import CELL, FINISHED, INFINITE, SEARCH, STEP, TOO_DEEP, Space
from solver.results import Interposition, LimitReached, Reason
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import PackedPosition

SLICE = 1_000
"""Nodes expanded between two tests of the limits: a few milliseconds."""
_LOOKED_AT = 64
"""Maximum number of positions searched for each expanded node (seldom more)."""
_MAX_LEVELS = 1023
_ROW = 2 * MAX_MOVES
"""Capacity for the moves of a node, with a number for each."""
_BESIDE_CELLS = (_MAX_LEVELS + 1) * (_ROW * 8 + STEP.itemsize + mating.STEP_MADE.itemsize) + mating.SCRATCH * 8


def rsearch_bytes(cells: int) -> int:
    """Return the most memory, in bytes, that an engine with ``cells`` cells uses."""
    return cells * CELL.itemsize + _BESIDE_CELLS


class RSearchEngine(MateEngine):
    """A mate engine with ``cells`` cells and without a table.

    Each query is searched afresh. ``cells`` affects the work, not the answers. The narrow reading and ``COUNT_ALL`` are
    supported, the wide reading is not. Raises ValueError for fewer than `MIN_CELLS` cells.
    """

    def __init__(self, *, cells: int, interposition: Interposition = Interposition.NARROW) -> None:
        if cells < MIN_CELLS:
            raise ValueError(f"{cells} cells are too few: give at least {MIN_CELLS}")
        self._levels = min(_MAX_LEVELS, cells - 2)
        self._space = Space(
            np.zeros(1, dtype=SEARCH).view(np.recarray)[0],
            np.zeros(cells, dtype=CELL).view(np.recarray),
            np.zeros(self._levels + 1, dtype=STEP).view(np.recarray),
            np.zeros((self._levels + 1, _ROW), dtype=np.int64),
        )
        self._search = np.zeros(1, dtype=mating.MATING).view(np.recarray)[0]
        self._steps = np.zeros(self._levels + 2, dtype=mating.STEP_MADE).view(np.recarray)
        self._barred = np.zeros(64, dtype=mating.BARRED).view(np.recarray)
        self._scratch = np.zeros(mating.SCRATCH, dtype=np.int64)
        self._value = 0
        self._bound = 0
        self.peak_cells: int = 0
        search = self._search  # not self: a reference cycle would keep dead cells
        super().__init__(lambda: int(search.nodes), interposition)

    @property
    def length(self) -> int:
        """Return the bound of the last query; `NEVER` after a no that holds at any length."""
        return mating.NEVER if self.refuted_for_good else self._bound

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no at any length: the attacker runs out of checks."""
        return self._value == mating.NEVER

    def forget(self) -> None:
        """Reset the peak of cells; nothing else is kept between queries."""
        self.peak_cells = 0

    def _set_reading(self, interposition: Interposition) -> None:
        if interposition is Interposition.WIDE:
            raise ValueError("RSEARCH does not support the wide reading: sequences of captures could be endless")
        self._search.mode = interposition.value

    def _bar(self, positions: list[PackedPosition]) -> None:
        if len(positions) > len(self._barred):
            self._barred = np.zeros(2 * len(positions), dtype=mating.BARRED).view(np.recarray)
        for entry, packed in zip(self._barred, positions, strict=False):
            entry.key, entry.hand = packed.key, packed_hand(packed)
        self._search.barred = len(positions)

    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        """Return whether the node's value is at most n: a search with a null window, from below."""
        self._meter.check()
        self._bound = n
        state = mating.Mating(packed, self._search, self._steps, self._barred, self._scratch)
        levels = min(2 * n + 8, self._levels)
        while (value := self._value_within(state, n, attacker, levels)) is None:
            if levels == self._levels:
                raise LimitReached(Reason.MEMORY)
            levels = min(2 * levels, self._levels)
        self._value = value
        return value <= n

    def _value_within(self, state: mating.Mating, n: int, attacker: bool, levels: int) -> int | None:
        """Return the value, or a bound on it above n; None if some path has more than ``levels`` levels."""
        mating.set_mating_root(state, attacker, n)
        space = self._space._replace(path=self._space.path[: levels + 1])
        mating.KERNELS.begin_rsearch(space, n, n + 1, INFINITE, INFINITE, True, True)
        try:
            while True:
                # The limits count all positions searched.
                nodes = max(1, self._meter.next_slice(SLICE * _LOOKED_AT) // _LOOKED_AT)
                if (status := mating.KERNELS.continue_rsearch(space, state, nodes)) == FINISHED:
                    break
                if status == TOO_DEEP:
                    mating.KERNELS.abandon_rsearch(space, state)
                    return None
                self._meter.check()
        except BaseException:
            mating.KERNELS.abandon_rsearch(space, state)
            raise
        finally:
            self.peak_cells = max(self.peak_cells, int(space.search.most_cells))
        return int(space.search.value)
