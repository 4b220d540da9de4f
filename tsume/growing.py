"""Reply trees for commands, one by one or many by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from solver.explaining.reply_tree import ReplyTree
from solver.results import Limits
from tsume.engines import EngineOptions, make_engine
from tsume.parallel.ordered_map import ordered_map
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
    processes = max(1, min(jobs, len(items)))
    with closing(ordered_map(partial(partial, work, grower), items, processes, (Part.ENGINE,))) as made:
        yield from made
