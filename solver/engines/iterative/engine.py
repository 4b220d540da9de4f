# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine: one query at a time, within limits."""

from __future__ import annotations

import numpy as np

from solver.engines.base import MateEngine
from solver.engines.iterative.kernel import search as kernel
from solver.results import Interposition, LimitReached, Reason
from tsume_rules.kernel.state import origin_of, packed_hand, target_of
from tsume_rules.packed import PackedPosition, played
from tsume_rules.position import Side

SLICE = 20_000
"""Nodes between two tests of the limits: a few milliseconds."""
_FRAMES, _SCRATCH = 1024, 1 << 17
_BESIDE_TABLE = _FRAMES * kernel.FRAME.itemsize + _SCRATCH * 8 + kernel.STATE.itemsize


def table_bits_within(size: int) -> int:
    """``table_bits`` of the largest table with which an engine uses at most ``size`` bytes.

    Raises ValueError if not even the smallest fits.
    """
    entries = (size - _BESIDE_TABLE) // kernel.ENTRY.itemsize
    if entries < kernel.BUCKET:
        raise ValueError(f"no engine works within {size} bytes")
    return entries.bit_length() - 1


class IterativeEngine(MateEngine):
    """A depth-first search with a table, as an engine (`solver.engines.base`).

    ``table_bits``: the table has 2 ** table_bits entries of 40 bytes.
    """

    def __init__(self, *, table_bits: int = 20, interposition: Interposition = Interposition.NARROW) -> None:
        self._table = np.zeros(1 << table_bits, dtype=kernel.ENTRY).view(np.recarray)
        self._state = np.zeros(1, dtype=kernel.STATE).view(np.recarray)[0]
        self._frames = np.zeros(_FRAMES, dtype=kernel.FRAME).view(np.recarray)
        self._barred = np.zeros(64, dtype=kernel.BARRED).view(np.recarray)
        self._scratch = np.zeros(_SCRATCH, dtype=np.int64)
        self._state.stamp = 1
        self._bound = 0
        state = self._state  # not self: a reference cycle would keep dead tables
        super().__init__(lambda: int(state.nodes), interposition)

    @property
    def own_nodes(self) -> int:
        """Positions searched by this engine itself, without those of other threads."""
        return int(self._state.nodes)

    @property
    def length(self) -> int:
        """Return the bound of the last query; `FOREVER` after a no that holds at any length."""
        return kernel.FOREVER if self.refuted_for_good else self._bound

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no at any length: the attacker runs out of checks."""
        return int(self._state.answer) != kernel.MATE and not self._state.cut

    def forget(self) -> None:
        """Empty the table."""
        self._state.stamp += 1

    def _set_reading(self, interposition: Interposition) -> None:
        self._state.mode = interposition.value

    def _bar(self, positions: list[PackedPosition]) -> None:
        if len(positions) > len(self._barred):
            self._barred = np.zeros(2 * len(positions), dtype=kernel.BARRED).view(np.recarray)
        for entry, packed in zip(self._barred, positions, strict=False):
            entry.key, entry.hand = packed.key, packed_hand(packed)
        self._state.barred = len(positions)

    def raise_bound(self, packed: PackedPosition, last: int) -> tuple[int, bool | None]:
        """As `MateEngine.raise_bound`."""
        self.check_limits()
        n = 1
        while True:
            kernel.begin_search(arena := self._arena(packed), True, n)
            if kernel.continue_search(arena, self._meter.next_slice(SLICE)) != kernel.FINISHED:
                kernel.abandon_search(arena)
                return n, None
            self._bound = n
            if self._state.answer == kernel.MATE or self.refuted_for_good or n >= last:
                return n, self._state.answer == kernel.MATE
            n += 2

    def known_after(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a check mates within n plies by the table alone."""
        with played(packed, check, Side.ATTACKER):
            place = kernel.find_table_entry(self._arena(packed), False)
            return bool(place >= 0 and self._table[place].mate <= n - 1)

    def is_mated_by(self, packed: PackedPosition, n: int, answers: list[int]) -> bool:
        """D(q, n) as if the defender had only these answers (`answer_groups`). Raises `LimitReached`."""
        arena = self._arena(packed)
        kernel.begin_search_of_answers(arena, n, np.array(answers, dtype=np.int64))
        return self._finish(arena, n)

    def answer_groups(self, packed: PackedPosition, n: int) -> list[list[int]]:
        """Return the defender's answers in groups that can be decided independently: all drops on a cell are one."""
        end = kernel.ordered_defences(packed, n, self.mode, 0, self._scratch, 0)
        groups: dict[tuple[bool, int], list[int]] = {}
        for entry in self._scratch[:end].tolist():
            on_board = not entry & kernel.TAKE and origin_of(entry) > 0
            place = entry if on_board else target_of(kernel.move_of_entry(entry))
            groups.setdefault((on_board, place), []).append(entry)
        return list(groups.values())

    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        arena = self._arena(packed)
        kernel.begin_search(arena, attacker, n)
        return self._finish(arena, n)

    def _arena(self, packed: PackedPosition) -> kernel.Arena:
        return kernel.Arena(packed, self._table, self._state, self._frames, self._barred, self._scratch)

    def _finish(self, arena: kernel.Arena, n: int) -> bool:
        self._bound = n
        self._meter.check()  # many queries need only one slice of nodes
        try:
            while (status := kernel.continue_search(arena, self._meter.next_slice(SLICE))) != kernel.FINISHED:
                if status == kernel.OUT_OF_ROOM:
                    raise LimitReached(Reason.MEMORY)
                self._meter.check()
        except BaseException:
            kernel.abandon_search(arena)
            raise
        return int(self._state.answer) == kernel.MATE
