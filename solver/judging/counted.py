# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a problem stays the same when every interposition counts, futile ones (無駄合) too.

This is the strictest reading: its mates are mates of the same length by the others.
"""

from __future__ import annotations

from functools import partial

from solver.engines.base import MateEngine
from solver.judging.judge import mirror_order
from solver.results import Interposition
from solver.solving.tree import TreeBuilder
from tsume_rules.packing import Record, pack
from tsume_rules.position import Position
from tsume_rules.record_play import Moves

NODES = 100_000
"""Nodes for the search."""


def same_when_counted(engine: MateEngine, position: Position, length: int) -> bool | None:
    """Whether a mate of ``length`` plies has the same length and main line if every interposition counts.

    None if that needs more than `NODES` nodes. The engine's table is cleared first, so that the answer
    depends on the position alone. Raises `LimitReached` for a current limit.
    """
    engine.forget()
    return engine.answered_within(NODES, partial(_is_same, engine, position, length))


def _is_same(engine: MateEngine, position: Position, length: int) -> bool:
    record = pack(position)
    with engine.reading(Interposition.COUNT_ALL):
        if not engine.mates(record, length):
            return False
        counted = _line(engine, position, record, length)
    return counted == _line(engine, position, record, length)


def _line(engine: MateEngine, position: Position, record: Record, length: int) -> Moves:
    return TreeBuilder(engine, order=mirror_order(position)).line(record, length)
