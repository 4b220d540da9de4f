# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving a position: the exact shortest length and the best line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solver.engines.base import MateEngine
from solver.limits import LimitReached
from solver.results import Limits, Mate, MateBounds, SearchResult, Unresolved
from solver.solving.deepening import Progress, search_length, suited_to
from solver.solving.tree import TreeBuilder
from tsume_rules.packing import Record, pack, unpack_move
from tsume_rules.position import Position
from tsume_rules.record_play import Moves

_TURNS_FOR_A_LINE = 400


def solve(
    position: Position,
    limits: Limits,
    engine: MateEngine,
    progress: Progress | None = None,
    since: MateBounds | None = None,
) -> SearchResult:
    """The shortest mate with its best line, no mate at any length, or unresolved.

    The table is cleared first, so that a position always has the same line. The start must be legal
    (`tsume_rules.game.start_faults`). ``progress`` is called after each step of a long search. ``since``,
    the last bounds it received, continues an earlier search with the table as it is.
    """
    if since is None:
        engine.forget()
    record = pack(position)
    with engine.within(Limits(limits.nodes, limits.seconds)):
        result = search_length(engine, record, limits, progress, since)
        return with_line(engine, result, partial(best_line, engine, record))


def with_line(engine: MateEngine, result: SearchResult, line: Callable[[int], Moves]) -> SearchResult:
    """A mate with its ``line``; unresolved if a limit is reached before that is found."""
    if not isinstance(result, Mate):
        return result
    try:
        with suited_to(engine, result.length):
            return Mate(result.length, tuple(map(unpack_move, line(result.length))))
    except LimitReached as limit:
        return Unresolved(limit.reason, max(0, result.length - 2), result.length)


def best_line(engine: MateEngine, record: Record, length: int) -> Moves:
    """The best line of a position that mates in exactly ``length`` plies."""
    return line_builder(engine).line(record, length)


def line_builder(engine: MateEngine) -> TreeBuilder:
    """The builder of best lines alone."""
    return TreeBuilder(engine, most_turns=_TURNS_FOR_A_LINE, complete=False)
