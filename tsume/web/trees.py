"""Reply trees for the board: made by one worker process, kept by position, refused when too many wait."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
import threading
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from generator.processes import end_with_parent
from tsume.growing import Grower
from tsume.web.told_tree import told_tree
from tsume_rules.sfen import parse_sfen

MOST_WAITING = 8
"""Trees that are made or wait to be made."""
MOST_KEPT = 256
"""Trees that are remembered; one of 9 plies has about 100 KB."""


class Busy(Exception):
    """Too many trees wait."""


class TreeMaker:
    """The trees of positions as JSON, each made once. Belongs to one event loop; close it at the end."""

    def __init__(self, grower: Grower) -> None:
        self._grower = grower
        self._pool: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def tree(self, sfen: str) -> bytes:
        """The told tree of a position, UTF-8. Raises `Busy`, and `BrokenProcessPool` if the worker died."""
        if sfen in self._kept:
            self._kept.move_to_end(sfen)
            return self._kept[sfen]
        if sfen not in self._making:
            if len(self._making) >= MOST_WAITING:
                raise Busy
            task = asyncio.create_task(self._make(sfen))
            self._making[sfen] = task
            task.add_done_callback(lambda _: self._making.pop(sfen))
        return await asyncio.shield(self._making[sfen])

    async def _make(self, sfen: str) -> bytes:
        if self._pool is None:
            self._pool = self._new_pool()
        try:
            made = await asyncio.get_running_loop().run_in_executor(self._pool, _tree, sfen)
        except BrokenProcessPool:
            self._pool = None
            raise
        self._kept[sfen] = made
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return made

    def start(self) -> None:
        """Start the worker before it is needed: it has to load the compiled engine."""
        self._pool = self._new_pool()
        self._pool.submit(_tree, _FIRST)

    def close(self) -> None:
        """Stop the worker, whatever it is doing; what waits is given up."""
        if self._pool is not None:
            workers = list(self._pool._processes.values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _keep, (self._grower,))


_FIRST = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
"""A mate in three, so that all that a tree needs is loaded."""
_own: list[Grower] = []
"""The grower of the worker process."""


def _keep(grower: Grower) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops its worker
    threading.Thread(target=end_with_parent, daemon=True).start()
    _own[:] = [grower]


def _tree(sfen: str) -> bytes:
    parsed = parse_sfen(sfen)
    fields = {"sfen": sfen, **told_tree(_own[0].tree(parsed.position), parsed)}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
