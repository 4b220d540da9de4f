# SPDX-License-Identifier: GPL-3.0-or-later
"""Main trees built by a kernel: the results so far, and their continuation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.engines.dfpn.kernel import main_tree as kernel
from solver.engines.dfpn.kernel.arena import Arena
from solver.engines.tree_walk import KeyOrder, Name, TreeWalk, TreeWalkPlan, WalkedTurn
from tsume_rules.packing import Record

_MORE_TURNS = 256
"""Turns beyond those allowed: along the first defences of a tree that is not complete."""
_REPLIES = 16
"""Capacity of replies for each turn."""
_ORDERS = {
    KeyOrder.ANY: kernel.ANY_KEY,
    KeyOrder.LEAST: kernel.LEAST_KEY,
    KeyOrder.LEAST_MIRRORED: kernel.LEAST_MIRRORED_KEY,
}

InOneCall = Callable[[Record, Callable[[Arena, int], int]], int]
"""Calls a kernel with an arena and the node at which it ends until it answers."""


class DfPnTreeWalk(TreeWalk):
    """Builds with `solver.engines.dfpn.kernel.main_tree`; ``stack`` is scratch space of `STACK` integers."""

    def __init__(self, plan: TreeWalkPlan, in_one_call: InOneCall, stack: np.ndarray) -> None:
        most = plan.most_turns + _MORE_TURNS
        liked = plan.preferences
        self._in_one_call = in_one_call
        self._complete, self._order, self._stack = plan.complete, _ORDERS[plan.order], stack
        self._turns = np.zeros((most, kernel.TURN), dtype=np.int64)
        self._replies = np.zeros((most * _REPLIES, kernel.REPLY), dtype=np.int64)
        self._memo = np.zeros(1 << (2 * most).bit_length(), dtype=np.int64)
        self._state = np.array([0, 0, plan.most_turns], dtype=np.int64)
        self._weights = np.array(liked.weights if liked else (), dtype=np.float64)
        self._bounds = (liked.longest_asked, liked.most_rivals) if liked else (0, 0)

    def grow(self, record: Record, n: int) -> int | None:
        """See `TreeWalk.grow`."""
        turns, replies = self._turns.reshape(-1), self._replies.reshape(-1)
        found = self._in_one_call(
            record,
            lambda arena, end: kernel.main_tree(
                arena, n, self._order, self._complete, turns, replies, self._memo, self._state, self._stack,
                self._weights, *self._bounds, end,
            ),
        )  # fmt: skip
        return found if found >= 0 else None

    def turn(self, number: int) -> WalkedTurn:
        """See `TreeWalk.turn`."""
        fields = self._turns[number].tolist()
        first, count = fields[kernel.FIRST], fields[kernel.COUNT]
        pairs = self._replies[first : first + count].tolist()
        return WalkedTurn(fields[kernel.PLIES], fields[kernel.KEY], bool(fields[kernel.LEFTOVER]), pairs)

    def keys(self) -> dict[Name, int]:
        """See `TreeWalk.keys`."""
        begun = self._turns[: self._state[kernel.TURNS]].tolist()
        return {
            (turn[kernel.BOARD] % (1 << 64), turn[kernel.HAND], turn[kernel.PLIES]): turn[kernel.KEY]
            for turn in begun
            if turn[kernel.KEY]
        }
