# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions drawn from the network until one mates in n plies, for Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from generator.candidate import EMPTY
from generator.constraints.position import PositionConstraints
from generator.learned.kernel.network import Network, draw_learned_mate
from generator.learned.network import scratch_for
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import Record, pack
from tsume_rules.sfen import parse_sfen

DRAW_NODES = {3: 1_000, 5: 1_000, 7: 1_500, 9: 3_000}
"""Nodes for the length of one position, by length in plies."""


def nodes_for_tests(length: int) -> int:
    """Nodes for the tests of one position for second solutions."""
    return min(3_000 << (max(0, length - 3) // 2), 24_000)


class LearnedSampler:
    """Draws positions from a network; random choices follow ``state``, the caller's uint64 array [1]."""

    def __init__(self, engine: DfPnEngine, state: np.ndarray, network: Network) -> None:
        self._engine = engine
        self._state = state
        self._network = network
        self._scratch = scratch_for(network)
        self._constraints = PositionConstraints().packed()
        self._empty = pack(parse_sfen(EMPTY).position)

    def set_constraints(self, constraints: PositionConstraints) -> None:
        """From now on draw only positions that meet these constraints."""
        self._constraints = constraints.packed()

    def draw(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray = ()
    ) -> tuple[Record | None, int]:
        """The first of at most ``tries`` positions that mates in exactly n plies, and how many were drawn.

        ``nodes`` bounds the search of one.
        """
        return self.draw_by(draw_learned_mate, n, tries, nodes, conditions)

    def draw_by(
        self,
        kernel: Callable[..., int],
        n: int,
        tries: int,
        nodes: int,
        conditions: Sequence[int] | np.ndarray,
        *options: int,
    ) -> tuple[Record | None, int]:
        """As `draw`, by another kernel, with ``options`` of its own after the conditions."""
        self._engine.check_limits()
        arena = self._engine.arena(self._empty.copy())
        asked = np.array(conditions, dtype=np.int64)
        number = kernel(
            arena, n, tries, nodes, asked, *options, self._network, self._state, self._scratch,
            self._constraints,
        )  # fmt: skip
        return (arena.pos, number) if number else (None, tries)

    def mates(self, n: int, tries: int, nodes: int, conditions: np.ndarray) -> Iterator[Record]:
        """Those of ``tries`` positions that mate in exactly n plies."""
        left = tries
        while left > 0:
            record, number = self.draw(n, left, nodes, conditions)
            left -= number
            if record is not None:
                yield record
