"""The line of a position, found where none is given."""

from __future__ import annotations

from typing import Any

from solver.results import Limits, Mate, NoMate
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position


class NoLine(ValueError):
    """A position has no line, or none was found in time; the message says which."""


class Solver:
    """Finds best lines, each within some seconds; what it needs is compiled when the first is asked for."""

    def __init__(self, seconds: float) -> None:
        self._limits = Limits(seconds=seconds)
        self._engine: Any = None

    def line(self, position: Position) -> tuple[Move, ...]:
        """The best line. Raises `NoLine` for an illegal start, without a mate, and at the limit."""
        warm_up(Part.ENGINE)
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.solving.solve import solve
        from tsume_rules.game import start_faults

        faults = start_faults(position)
        if faults:
            raise NoLine("; ".join(faults))
        self._engine = self._engine or DfPnEngine()
        result = solve(position, self._limits, self._engine)
        if isinstance(result, Mate):
            return result.line
        raise NoLine("no mate" if isinstance(result, NoMate) else "unresolved: a limit was reached")
