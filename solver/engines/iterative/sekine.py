# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine's search as an engine: all threads search for lengths, one answers the other queries."""

from __future__ import annotations

from solver.engines.iterative.engine import IterativeEngine
from solver.engines.iterative.root import WEIGHT, RootSearch
from solver.results import Interposition, Limits, SearchResult
from tsume_rules.packing import Record


class SekineEngine(IterativeEngine):
    """The second engine, with lengths found by the root search (`RootSearch`).

    ``threads`` search in parallel, each with a table of 2 ** ``table_bits`` entries; this engine
    is the first of them. ``weight``: how much the king's freedom counts, 0 or more.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        weight: float = WEIGHT,
        table_bits: int = 20,
        interposition: Interposition = Interposition.NARROW,
    ) -> None:
        self._weight = weight
        self._helpers = [
            IterativeEngine(table_bits=table_bits, interposition=interposition) for _ in range(threads - 1)
        ]
        super().__init__(table_bits=table_bits, interposition=interposition)

    @property
    def nodes(self) -> int:
        """Positions searched by all threads since the engine was made."""
        return self.own_nodes + sum(helper.nodes for helper in self._helpers)

    def forget(self) -> None:
        """Empty all tables."""
        super().forget()
        for helper in self._helpers:
            helper.forget()

    def search_length(self, record: Record, limits: Limits) -> SearchResult:
        """The exact length by the root search; `NoMate` only if the attacker runs out of checks."""
        return RootSearch(record, [self, *self._helpers], self._weight).search(limits)

    def _set_reading(self, interposition: Interposition) -> None:
        super()._set_reading(interposition)
        for helper in self._helpers:
            helper._set_reading(interposition)

    def _bar(self, positions: list[Record]) -> None:
        super()._bar(positions)
        for helper in self._helpers:
            helper._bar(positions)
