"""Reply trees for the board: made by a worker process, each position's once, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from tsume.web.work.crew import Crew, only
from tsume.web.work.messages import Told
from tsume.web.work.trees import Tree

MOST_KEPT = 256
"""Trees that are remembered; one of 9 plies has about 100 KB."""


class TreeMaker:
    """The trees of positions as JSON, each made once. Belongs to one event loop."""

    def __init__(self, crew: Crew, seconds: float) -> None:
        self._crew, self._seconds = crew, seconds
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def tree(self, sfen: str) -> bytes:
        """The told tree of a position, UTF-8. Raises as `Crew.results` does."""
        if sfen in self._kept:
            self._kept.move_to_end(sfen)
            return self._kept[sfen]
        if sfen not in self._making:
            task = asyncio.create_task(self._make(sfen))
            self._making[sfen] = task
            task.add_done_callback(lambda _: self._making.pop(sfen))
        return await asyncio.shield(self._making[sfen])

    async def _make(self, sfen: str) -> bytes:
        made: Told = await only(self._crew.results(Tree(sfen, self._seconds)))
        if made.settled:
            self._kept[sfen] = made.content
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return made.content
