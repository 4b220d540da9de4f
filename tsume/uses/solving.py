# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest mate of a position."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from solver.results import Limits, Mate, NoMate, SearchResult, Unresolved
from tsume.reports.solution import limit_text, solution_fields
from tsume.uses.engines import DEFAULT_ENGINE, EngineOptions, make_engine
from tsume.uses.saved_search import Progress, SavedSearch
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.solving.solve import EqualSolutions


class NoLine(ValueError):
    """A position has no line, or none was found in time; the message says which."""


NewProgress = Callable[[Callable[[], int], float], Progress]
"""Makes a `Progress` from a function that counts the nodes and the seconds spent by earlier runs."""


@dataclass(frozen=True)
class SolveOptions:
    """A mate of at most ``max_moves`` plies, searched for within ``nodes`` and ``seconds``.

    By the ``engine`` of a name in `ENGINES`, made by ``of_engine``. ``all_answers``: all checks that mate as
    soon are searched for too.
    """

    seconds: float | None = 30.0
    nodes: int | None = None
    max_moves: int | None = None
    engine: str = "df-pn"
    of_engine: EngineOptions = DEFAULT_ENGINE
    all_answers: bool = False


COMMAND = SolveOptions()
"""Of the command, the library, `solve` in a browser, and lines that pictures need."""


@dataclass(frozen=True)
class Solved:
    """The result of a search and what it took; ``cells`` only with RSEARCH.

    ``others``: all checks that mate as soon, at each turn of the line; None if they were not wanted, or if
    the time ran out.
    """

    parsed: ParsedSfen
    result: SearchResult
    nodes: int
    seconds: float
    cells: int | None
    others: tuple[EqualSolutions, ...] | None = None

    @property
    def outcome(self) -> str:
        """The result as a word of JSON."""
        if isinstance(self.result, Mate):
            return "mate"
        return "no_mate" if isinstance(self.result, NoMate) else "unresolved"

    @property
    def error(self) -> str | None:
        """The limit that was reached, and what is known nevertheless; None if there is a result."""
        return limit_text(self.result) if isinstance(self.result, Unresolved) else None

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume solve --jsonl`` (docs/cli.md)."""
        mate = self.result if isinstance(self.result, Mate) else None
        return solution_fields(
            self.parsed, self.outcome, mate, self.others,
            nodes=self.nodes, seconds=self.seconds, cells=self.cells, error=self.error,
        )  # fmt: skip


class Solver:
    """Finds shortest mates with one engine, made when it is first needed unless one is given."""

    def __init__(self, options: SolveOptions = COMMAND, engine: MateEngine | None = None) -> None:
        self._options = options
        self._limits = Limits(options.nodes, options.seconds, options.max_moves)
        if engine is not None:
            self.engine = engine

    @cached_property
    def engine(self) -> MateEngine:
        """The engine. Raises `tsume.uses.engines.TooLittleMemory`."""
        return make_engine(self._options.engine, self._options.of_engine)

    def solve(
        self, parsed: ParsedSfen, new_progress: NewProgress | None = None, saved: SavedSearch | None = None
    ) -> Solved:
        """Find the shortest mate of a position whose start is legal; a ``saved`` search is continued.

        Raises as `SavedSearch` does.
        """
        from solver.limits import LimitReached
        from solver.solving.solve import equal_solutions, solve

        engine, position, limits = self.engine, parsed.position, self._limits
        nodes = engine.nodes
        before = saved.open(position, cast("DfPnEngine", engine)) if saved else 0.0
        started = time.perf_counter() - before
        progress = new_progress(lambda: engine.nodes - nodes, before) if new_progress else None
        if saved:
            result = saved.solve(limits, progress)
        elif progress:
            with engine.watched(progress.look):
                result = solve(position, limits, engine, progress.hear)
        else:
            result = solve(position, limits, engine)
        seconds = round(time.perf_counter() - started, 4)
        spent, cells = engine.nodes - nodes, engine.peak_cells
        others = None
        if self._options.all_answers and isinstance(result, Mate):
            with suppress(LimitReached), engine.within(limits):
                others = equal_solutions(engine, position, result.length, result.line)
        return Solved(parsed, result, spent, seconds, cells, others)

    def line(self, position: Position) -> tuple[Move, ...]:
        """Return the best line. Raises `NoLine` for an illegal start, without a mate, and at the limit."""
        warm_up(KernelPart.ENGINE)
        from tsume_rules.game import start_faults

        faults = start_faults(position)
        if faults:
            raise NoLine("; ".join(faults))
        result = self.solve(ParsedSfen(position)).result
        if isinstance(result, Mate):
            return result.line
        raise NoLine("no mate" if isinstance(result, NoMate) else "unresolved: a limit was reached")
