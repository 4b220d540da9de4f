"""Reply trees for commands, one by one or many by several processes."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, TypeVar

from generator.processes import end_with_parent, stop_signals_blocked
from solver.explaining.reply_tree import ReplyTree
from solver.results import Limits
from tsume.engines import EngineOptions, make_engine
from tsume.warmup import Part, warm_up
from tsume_rules.position import Position

Item = TypeVar("Item")
Made = TypeVar("Made")


class Grower:
    """Makes reply trees, each within ``seconds`` and ``memory`` MB, and within ``nodes`` if these are given.

    ``options`` are those of `solver.explaining.reply_tree_builder.reply_tree`.
    """

    def __init__(self, seconds: float, memory: int, nodes: int | None = None, **options: Any) -> None:
        self._limits = Limits(nodes, seconds)
        self._memory = memory
        self._options = options
        self._engine: Any = None

    def tree(self, position: Position, **options: Any) -> ReplyTree:
        """The tree of a position whose start is legal; these options count before those of all trees."""
        warm_up(Part.ENGINE)
        from solver.explaining.reply_tree_builder import reply_tree

        if self._engine is None:
            self._engine = make_engine("df-pn", EngineOptions(self._memory << 20))
        return reply_tree(self._engine, position, self._limits, **{**self._options, **options})


def grown(positions: Sequence[Position], jobs: int, grower: Grower) -> Iterator[ReplyTree]:
    """The trees of positions, in their order, made by ``jobs`` processes; the same for any number."""
    return worked(Grower.tree, positions, jobs, grower)


def worked(
    work: Callable[[Grower, Item], Made], items: Sequence[Item], jobs: int, grower: Grower
) -> Iterator[Made]:
    """What ``work`` makes of each item with a grower, in their order, by ``jobs`` processes."""
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from (work(grower, item) for item in items)
        return
    warm_up(Part.ENGINE)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _keep, (grower,))
    try:
        with stop_signals_blocked():  # which the processes inherit
            made = pool.map(partial(_with_own, work), items, chunksize=2)
        yield from made
    finally:
        pool.shutdown(cancel_futures=True)


_own: list[Grower] = []
"""The grower of a process of `worked`."""


def _keep(grower: Grower) -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    _own[:] = [grower]


def _with_own(work: Callable[[Grower, Item], Made], item: Item) -> Made:
    return work(_own[0], item)
