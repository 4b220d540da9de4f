# SPDX-License-Identifier: GPL-3.0-or-later
"""RSEARCH for Python (Katoh1988, section 4): the search of a game, in slices, and its bound on cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.engines.rsearch.kernel.cells import CELL, FINISHED, INFINITE, OUT_OF_CELLS, SEARCH, STEP, TOO_DEEP, Space

SLICE = 50_000
"""Nodes between two calls of ``look``: a few milliseconds."""
_FIRST_CELLS = 1 << 12


@dataclass(frozen=True)
class RSearchCondition:
    """The condition for expanding a node into the list of its call; otherwise a separate call solves it.

    Both must hold, in all calls: it is less than ``depth`` (c) plies below the root of the call (4.2), and
    fewer than ``cells`` (c1) cells are in use, in all calls together (the N of section 5; 4.3 counts those of
    the present call). The paper's cond is true when they do not hold, and may differ from call to call.
    """

    depth: int = INFINITE
    cells: int = INFINITE


@dataclass(frozen=True)
class RSearchOutcome:
    """The root's value and the work of a search.

    ``value`` is exact if it is between alpha and beta; at or below alpha it is an upper bound,
    at or above beta a lower one. ``leaves``: leaves evaluated; ``visited``: nodes developed,
    leaves included; ``calls``: recursive calls, without the first; ``cells``: the most cells in
    use; ``promised``: the bound that they cannot exceed (`RSearch.promised`).
    """

    value: int
    leaves: int
    visited: int
    calls: int
    cells: int
    promised: int


class RSearch:
    """Searches of one game (`solver.engines.rsearch.kernel.framework.make_rsearch`) in a given space.

    ``levels``: the longest path of the game, in plies. ``branching``: the most moves of a position. ``limit``: the most
    cells in use; if a list would not fit, its moves are searched one after the other. None: cells are added when
    needed. Raises ValueError for a limit that a path of ``levels`` plies would exceed.
    """

    def __init__(self, kernels: Any, *, levels: int, branching: int, limit: int | None = None) -> None:
        if limit is not None and limit < levels + 2:
            raise ValueError(f"a game of {levels} plies needs {levels + 2} cells, not {limit}")
        self._kernels = kernels
        self._strict = limit is not None
        cells = np.zeros(limit or _FIRST_CELLS, dtype=CELL).view(np.recarray)
        search = np.zeros(1, dtype=SEARCH).view(np.recarray)[0]
        path = np.zeros(levels + 1, dtype=STEP).view(np.recarray)
        self._space = Space(search, cells, path, np.zeros((levels + 1, branching), dtype=np.int64))

    def search(
        self,
        state: Any,
        cond: RSearchCondition,
        *,
        alpha: int = -INFINITE,
        beta: int = INFINITE,
        dual: bool = False,
        look: Callable[[int], None] | None = None,
    ) -> RSearchOutcome:
        """Search the tree below the game's state, from above, or from below if ``dual``.

        ``look`` is called every few milliseconds with the number of nodes visited; if it raises,
        the state is restored. Raises ValueError for c < 1, an empty window or a path that is too
        long, AssertionError if more cells were in use than section 4.3 promises.
        """
        if cond.depth < 1 or alpha >= beta:
            raise ValueError(f"nothing to search: c = {cond.depth}, between {alpha} and {beta}")
        self._kernels.begin_rsearch(self._space, alpha, beta, cond.depth, cond.cells, self._strict, dual)
        try:
            while (status := self._kernels.continue_rsearch(self._space, state, SLICE)) != FINISHED:
                if status == TOO_DEEP:
                    raise ValueError(f"a path of more than {len(self._space.path) - 1} plies")
                if status == OUT_OF_CELLS:
                    old = self._space.cells
                    cells = np.zeros(2 * len(old), dtype=CELL).view(np.recarray)
                    cells[: len(old)] = old
                    self._space = self._space._replace(cells=cells)
                elif look is not None:
                    look(int(self._space.search.visited))
        except BaseException:
            self._kernels.abandon_rsearch(self._space, state)
            raise
        found, promised = self._space.search, self.promised(cond)
        if found.most_cells > promised:
            raise AssertionError(f"{found.most_cells} cells were in use, {promised} promised ({cond})")
        numbers = (found.value, found.leaves, found.visited, found.begun, found.most_cells, promised)
        return RSearchOutcome(*map(int, numbers))

    def promised(self, cond: RSearchCondition) -> int:
        """Return the bound of section 4.3 on the cells of the last search, from the branching it met.

        Let e[l] be the most children that a node of level l puts into a list at once: all moves of a MAX node, one of a
        MIN node. By depth: a list of height c at level l holds at most e[l] nodes one ply below its root, e[l] e[l+1]
        two plies below it, and so on; the lists of levels 0, c, 2c, ... can exist at the same time. By cells: the last
        node expanded while fewer than c1 cells are in use adds its children, and below it there are only roots of
        calls, at most one on each level. With a limit it is the limit.
        """
        if self._strict:
            return len(self._space.cells)
        most = [max(int(step.widest), int(step.narrow)) for step in self._space.path]
        lists = cells_bound_by_depth(most, cond.depth)
        return lists if lists <= cond.cells else cells_bound_by_limit(most, cond.cells)


def cells_bound_by_limit(most: list[int], cells: int) -> int:
    """Return the most cells if lists grow while fewer than ``cells`` are in use.

    ``most`` as in `cells_bound_by_depth`.
    """
    return max(1, cells - 1 + max(most)) + sum(most)


def cells_bound_by_depth(most: list[int], depth: int) -> int:
    """Return the most cells of lists of height ``depth`` if nodes of level l add at most ``most[l]`` children."""
    total = 1
    for root in range(0, len(most), depth):
        nodes = 1
        for children in most[root : root + depth]:
            nodes *= children
            total += nodes
    return total
