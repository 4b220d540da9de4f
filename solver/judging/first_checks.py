# SPDX-License-Identifier: GPL-3.0-or-later
"""The other first checks that mate, each with its length and line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.engines.base import MateEngine
from solver.judging.cooks import (
    CheckTable,
    Cook,
    cook_length,
    cook_line,
    decision_point,
    refute,
    refute_with_growing_nodes,
)
from solver.results import Limits
from solver.solving.deepening import suited_to
from solver.solving.known_line import known_line
from solver.solving.tree import Turn
from tsume_rules.moves import Move
from tsume_rules.packing import Record, pack, pack_move, unpack_move
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks

SEARCH_NODES = 10_000_000
"""Nodes for the mates at any length, as many as a judge has."""
LENGTH_NODES = 1_000_000
"""Nodes for the exact length of one mate."""


@dataclass(frozen=True)
class FirstMate:
    """The mate by a first check: its ``length`` (not proved the shortest unless ``exact``) and its line."""

    length: int
    line: tuple[Move, ...]
    exact: bool = True


@dataclass
class FirstChecks:
    """Searches the first checks other than the key of a mate in ``length`` plies.

    ``still_open``: the checks that neither mate nor were refuted, once `mates` is exhausted.
    """

    engine: MateEngine
    position: Position
    key: Move
    length: int
    nodes: int = SEARCH_NODES
    still_open: tuple[Move, ...] = field(default=(), init=False)

    def mates(self) -> Iterator[FirstMate]:
        """The checks that mate at any length, roughly the shortest first. Raises `LimitReached`."""
        record, key = pack(self.position), pack_move(self.key)
        others = [check for check in legal_checks(record) if check != key]
        point = decision_point(record, (), Turn(self.length, key), others, CheckTable())
        with suited_to(self.engine, self.length):
            while cook := refute(self.engine, record, point, 0):
                yield self._mate(record, cook)
            limits = Limits(nodes=self.nodes)
            for cook in refute_with_growing_nodes(self.engine, record, [point], limits):
                yield self._mate(record, cook)
        self.still_open = tuple(map(unpack_move, point.open_checks))

    def _mate(self, record: Record, cook: Cook) -> FirstMate:
        """The shortest mate by a check; the one that was found if its length takes too many nodes."""
        found = known_line(self.engine, record, cook.bound, cook.check)
        exact = self.engine.answered_within(
            LENGTH_NODES,
            lambda: (cook_length(self.engine, record, cook), cook_line(self.engine, record, cook)),
        )
        if exact:
            return FirstMate(exact[0], tuple(map(unpack_move, exact[1])))
        line = found or (cook.check,)
        return FirstMate(cook.bound, tuple(map(unpack_move, line)), exact=False)
