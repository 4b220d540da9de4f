# SPDX-License-Identifier: GPL-3.0-or-later
"""Long mates in short variations (変化別詰): remarks, not defects."""

from __future__ import annotations

from solver.engines.base import MateEngine
from solver.judging.cooks import DecisionPoint
from solver.solving.tree import TreeBuilder
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played, played


def variation_cook(engine: MateEngine, record: Record, point: DecisionPoint) -> Moves | None:
    """A line in which, after a shorter defence, some check mates as late as the main line.

    The mate must leave nothing in hand; only then can it be mistaken for the main line.
    None if there is no such line. ``record`` stands at the start. Raises `LimitReached`.
    """
    n = point.turn.n
    if n < 5:
        return None
    longest = {reply.moves[0] for reply in point.turn.replies}
    path = (*point.path, point.turn.key)
    with line_played(record, path):
        for answer in engine.defences(record, n - 1):
            if answer not in longest:
                with played(record, answer, Side.DEFENDER):
                    rest = _as_late(engine, record, n - 2)
                if rest:
                    return (*path, answer, *rest)
    return None


def _as_late(engine: MateEngine, record: Record, n: int) -> Moves:
    """The line of a check that mates in exactly n plies and leaves nothing in hand; () if none does."""
    for check in legal_checks(record):
        if engine.mates_after(record, check, n) and not engine.mates_after(record, check, n - 2):
            tree = TreeBuilder(engine, complete=False).after(record, check, n)
            if not tree.leftover:
                return tree.line()
    return ()
