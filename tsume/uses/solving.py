# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest mate of a position."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from solver.results import Limits, Mate, NoMate, SearchResult
from tsume.uses.engines import EngineOptions, make_engine
from tsume.uses.saved_search import Progress, SavedSearch
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.solving.solve import EqualSolutions


class NoLine(ValueError):
    """A position has no line, or none was found in time; the message says which."""


NewProgress = Callable[[Callable[[], int], float], Progress]
"""Makes a `Progress` from a function that counts the nodes and the seconds spent by earlier runs."""


@dataclass(frozen=True)
class Solved:
    """The result of a search and what it took; ``cells`` only with RSEARCH."""

    result: SearchResult
    nodes: int
    seconds: float
    cells: int | None

    @property
    def spent(self) -> dict[str, Any]:
        """What the search took, as fields."""
        return {"nodes": self.nodes, "seconds": self.seconds, "cells": self.cells}


class Solver:
    """Finds shortest mates, each search within ``limits``.

    The engine of that ``name`` is made when it is first needed, unless an ``engine`` is given.
    """

    def __init__(
        self,
        limits: Limits,
        options: EngineOptions | None = None,
        name: str = "df-pn",
        engine: MateEngine | None = None,
    ) -> None:
        self._limits = limits
        self._options = options or EngineOptions()
        self._name = name
        if engine is not None:
            self.engine = engine

    @cached_property
    def engine(self) -> MateEngine:
        """The engine. Raises `tsume.uses.engines.TooLittleMemory`."""
        return make_engine(self._name, self._options)

    def solve(
        self, position: Position, new_progress: NewProgress | None = None, saved: SavedSearch | None = None
    ) -> Solved:
        """The shortest mate of a position whose start is legal; a ``saved`` search is continued.

        Raises as `SavedSearch` does.
        """
        from solver.solving.solve import solve

        engine, nodes = self.engine, self.engine.nodes
        before = saved.open(position, cast("DfPnEngine", engine)) if saved else 0.0
        started = time.perf_counter() - before
        progress = new_progress(lambda: engine.nodes - nodes, before) if new_progress else None
        if saved:
            result = saved.solve(self._limits, progress)
        elif progress:
            with engine.watched(progress.look):
                result = solve(position, self._limits, engine, progress.hear)
        else:
            result = solve(position, self._limits, engine)
        seconds = round(time.perf_counter() - started, 4)
        return Solved(result, engine.nodes - nodes, seconds, engine.peak_cells)

    def other_solutions(self, position: Position, mate: Mate) -> tuple[EqualSolutions, ...] | None:
        """All checks that mate as soon, at each turn of the line; None if the time runs out."""
        from solver.limits import LimitReached
        from solver.solving.solve import equal_solutions

        try:
            with self.engine.within(self._limits):
                return equal_solutions(self.engine, position, mate.length, mate.line)
        except LimitReached:
            return None

    def line(self, position: Position) -> tuple[Move, ...]:
        """The best line. Raises `NoLine` for an illegal start, without a mate, and at the limit."""
        warm_up(KernelPart.ENGINE)
        from tsume_rules.game import start_faults

        faults = start_faults(position)
        if faults:
            raise NoLine("; ".join(faults))
        result = self.solve(position).result
        if isinstance(result, Mate):
            return result.line
        raise NoLine("no mate" if isinstance(result, NoMate) else "unresolved: a limit was reached")
