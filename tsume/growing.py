"""Reply trees for commands, one by one or many by several processes."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from generator.processes import end_with_parent, stop_signals_blocked
from solver.explaining.reply_tree import ReplyTree
from solver.results import Limits
from tsume.engines import EngineOptions, make_engine
from tsume.warmup import Part, warm_up
from tsume_rules.position import Position


class Grower:
    """Makes reply trees, each within ``seconds`` and ``memory`` MB.

    ``options`` are those of `solver.explaining.reply_tree_builder.reply_tree`.
    """

    def __init__(self, seconds: float, memory: int, **options: Any) -> None:
        self._seconds = seconds
        self._memory = memory
        self._options = options
        self._engine: Any = None

    def tree(self, position: Position) -> ReplyTree:
        """The tree of a position whose start is legal."""
        warm_up(Part.ENGINE)
        from solver.explaining.reply_tree_builder import reply_tree

        if self._engine is None:
            self._engine = make_engine("df-pn", EngineOptions(self._memory << 20))
        return reply_tree(self._engine, position, Limits(seconds=self._seconds), **self._options)


def grown(positions: Sequence[Position], jobs: int, grower: Grower) -> Iterator[ReplyTree]:
    """The trees of positions, in their order, made by ``jobs`` processes; the same for any number."""
    jobs = min(jobs, len(positions))
    if jobs <= 1:
        yield from map(grower.tree, positions)
        return
    warm_up(Part.ENGINE)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _keep, (grower,))
    try:
        with stop_signals_blocked():  # which the processes inherit
            trees = pool.map(_tree, positions, chunksize=2)
        yield from trees
    finally:
        pool.shutdown(cancel_futures=True)


_own: list[Grower] = []
"""The grower of a process of `grown`."""


def _keep(grower: Grower) -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    _own[:] = [grower]


def _tree(position: Position) -> ReplyTree:
    return _own[0].tree(position)
