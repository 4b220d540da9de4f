# SPDX-License-Identifier: GPL-3.0-or-later
"""Helper threads of a search: each searches the same query, and all share the table."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from solver.engines.dfpn.kernel.arena import (
    CHILD,
    FINISHED,
    FRAME,
    LINK_PENDING,
    LOCKS,
    MEETINGS,
    RUNNING,
    SEARCH,
    Arena,
)
from solver.engines.dfpn.kernel.search import abandon, begin, run
from solver.engines.dfpn.kernel.table import entered_count_place
from solver.engines.dfpn.memory import CHILDREN, FRAMES, SCRATCH
from tsume_rules.packed import PackedPosition

SLICE = 4000
"""Nodes that a thread searches between tests whether to stop."""
THREAD = "tsume helper"
"""The name of the threads."""
_COUNTS = ("nodes", "expanded", "stored", "evicted")


def shared_array(members: int) -> Any:
    """Return the arena's ``shared`` of so many searches."""
    return np.zeros(LOCKS + members * MEETINGS if members > 1 else 1, dtype=np.int64)


class HelperThreads:
    """The helpers of an engine's search, which has number 0.

    They start in the middle of its search of a query and stop with it (`start`, `stop`). From then on each
    allocates its own links only (`table.is_own_link`). An entry names a use of its link, and no two searches
    know the same use of a link: the uses of a helper begin after those of the engine's search, which
    continues after them, and a helper knows no uses of other links.
    """

    def __init__(self, members: int) -> None:
        """``members``: the number of the engine's search and its helpers, at least two."""
        self.members = members
        self._helpers = [_Helper(number) for number in range(1, members)]
        self._arena: Arena | None = None
        self._stopped = threading.Event()

    @property
    def is_at_work(self) -> bool:
        """Whether the helpers are running."""
        return self._arena is not None

    @property
    def nodes(self) -> int:
        """Return the nodes searched by the helpers since the start."""
        return sum(helper.nodes for helper in self._helpers) if self.is_at_work else 0

    def start(self, arena: Arena, root: PackedPosition) -> None:
        """Help a search; ``root``: a copy of its root, at which the helpers start."""
        self._arena = arena
        self._stopped.clear()
        arena.shared[:] = 0
        path = arena.frames[: int(arena.search.depth)]
        own = arena.shared[LOCKS : LOCKS + MEETINGS]
        for frame in path:
            if not frame.attacker:
                own[int(entered_count_place(frame.slot))] += 1
        n, attacker = int(arena.frames[0].n), bool(arena.frames[0].attacker)
        arena.search.members = self.members
        for helper in self._helpers:
            helper.start(arena, root.copy(), n, attacker, self._stopped)

    def answer(self) -> Any:
        """Return the search state of a helper with an answer, if any. Reraises a helper's exception."""
        for helper in self._helpers:
            if helper.error is not None:
                raise helper.error
            if helper.has_answered:
                return helper.search
        return None

    def stop(self) -> None:
        """Stop the helpers, if they are running.

        If interrupted, it must be called again before another search.
        """
        if self._arena is None:
            return
        self._stopped.set()
        for helper in self._helpers:
            helper.stop(self._arena.search)
        self._arena.search.members = 0
        self._arena = None


def _links_of(member: int, members: int) -> slice:
    """Return the links that a search allocates."""
    return slice(member, None, members)


def _next_use(uses: Any) -> Any:
    """Numbers of uses after those; 0 is none."""
    return np.maximum(uses + np.uint16(1), np.uint16(1))


class _Helper:
    """A search in a thread of its own."""

    def __init__(self, number: int) -> None:
        self._searches = np.zeros(1, dtype=SEARCH).view(np.recarray)
        self.search = self._searches[0]
        self._number = number
        self._frames = np.zeros(FRAMES, dtype=FRAME).view(np.recarray)
        self._children = np.zeros(CHILDREN, dtype=CHILD).view(np.recarray)
        self._scratch = np.zeros(SCRATCH, dtype=np.int64)
        self._nodes = self._searches["nodes"]
        self._thread: threading.Thread | None = None  # after `start`, until `stop` is done
        self.has_answered = False
        self.error: BaseException | None = None

    @property
    def nodes(self) -> int:
        """Nodes searched since the start."""
        return int(self._nodes[0])

    def start(self, arena: Arena, root: PackedPosition, n: int, attacker: bool, stopped: threading.Event) -> None:
        """Search a position as another search does, which shares its table."""
        search, members = self.search, int(arena.search.members)
        self._searches[0] = arena.search
        links = _links_of(self._number, members)
        uses = _next_use(search.link_uses[links])
        search.link_uses[:] = 0
        search.link_uses[links] = uses
        search.link_state[search.link_state != LINK_PENDING] = 0  # heads on that search's path keep theirs
        search.links_by_path[:] = 0
        search.path[:] = 0
        search.depth = 0
        search.age = (int(search.age) - 1) & 0xFFFF  # `begin` makes it that of the question
        search.member = self._number
        for name in _COUNTS:
            search[name] = 0
        self.has_answered = False
        own = arena._replace(pos=root, search=search, frames=self._frames, kids=self._children, buf=self._scratch)
        work = (own, n, attacker, stopped)
        self._thread = threading.Thread(name=THREAD, target=self._run, args=work, daemon=True)
        self._thread.start()

    def _run(self, arena: Arena, n: int, attacker: bool, stopped: threading.Event) -> None:
        try:
            status = FINISHED if begin(arena, n, attacker) else RUNNING
            while status == RUNNING and not stopped.is_set():
                status = run(arena, SLICE)
            self.has_answered = status == FINISHED
            if not self.has_answered:
                abandon(arena)
        except BaseException as error:
            self.error = error

    def stop(self, search: Any) -> None:
        """Wait until the thread has stopped, and let the main search continue from its uses."""
        if self._thread is None:
            return
        if self._thread.ident is not None:  # it was not interrupted during its start
            self._thread.join()
        # Continue the uses of a helper's links after those that it has allocated.
        links = _links_of(self._number, int(search.members))
        before, after = search.link_uses[links], self.search.link_uses[links]
        given = after != _next_use(before)
        before[given] = _next_use(after[given])
        search.link_state[links][given] = 0
        for name in _COUNTS:
            search[name] += self.search[name]
            self.search[name] = 0
        self._thread = None
