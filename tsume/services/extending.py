# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a problem can be extended to a longer one."""

from __future__ import annotations

from generator.constraints.problem import ProblemConstraints
from solver.results import Limits, Mate, NoMate, Reason, SearchResult
from tsume.services.engines import df_pn_of_size
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

_NODES = 1_000_000
"""Limit of the search of one position; not in seconds, so that a file always gives the same starts."""


class ExtensionCheck:
    """Checks problems that are to be extended to ``moves`` moves under constraints, with one engine."""

    def __init__(self, moves: int, wishes: ProblemConstraints, table_bits: int) -> None:
        self._moves = moves
        self._wishes = wishes
        self._engine = df_pn_of_size(table_bits)

    def fault(self, position: Position) -> str:
        """Why a problem cannot be extended; empty if it can. Its start is legal."""
        from generator.reverse.seeds import given_problem
        from solver.solving.deepening import search_length
        from tsume_rules.packed import pack

        if self._moves < 3:  # no mate is shorter
            return self._too_long()
        if not self._wishes.allow_kinds(position):
            return "it has a kind of piece that the conditions exclude"
        self._engine.forget()
        limits = Limits(nodes=_NODES, max_length=self._moves - 2)
        fault = self._fault_of(search_length(self._engine, pack(position), limits))
        self._engine.forget()
        return fault or given_problem(self._engine, canonical_sfen(position)).why

    def _fault_of(self, result: SearchResult) -> str:
        if isinstance(result, Mate):
            return "" if result.length < self._moves else self._too_long()
        if isinstance(result, NoMate):
            return "no mate"
        return self._too_long() if result.reason is Reason.LENGTH else "no mate found within the limits"

    def _too_long(self) -> str:
        return f"no mate in fewer than {self._moves} moves"
