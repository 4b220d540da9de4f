# SPDX-License-Identifier: GPL-3.0-or-later
"""The reply trees of stored problems, and their storage."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.errors import StoreError
from db.store import Store, StoredTree, StoredTrees
from tsume import __version__
from tsume.parallel.job_pool import JobPool
from tsume.web.api.parsing import POSITION, TREE, RequestError, json_response, parsed_query
from tsume.web.delivery import SharedResultCache, compressed_json_response
from tsume.web.pages import BoardPages
from tsume.web.work.trees import FORMAT, PositionJob, TreeJob, WholeTreeJob
from tsume_rules.sfen import format_sfen

# --- saves reply trees to the store, by a thread of its own: no request waits for a store that is locked ---

_MAX_WAITING = 1000
"""Trees that wait to be saved; further ones are not saved."""
_LAST_SECONDS = 2.0
"""Seconds for the last trees when the server ends."""


class TreeSaver:
    """Saves trees soon; those that cannot be saved are lost."""

    def __init__(self, trees: StoredTrees) -> None:
        self._trees = trees
        self._waiting: queue.Queue[StoredTree | None] = queue.Queue(_MAX_WAITING)
        self._thread = threading.Thread(target=self._save_all, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def save(self, tree: StoredTree) -> None:
        """Save a tree later."""
        with suppress(queue.Full):
            self._waiting.put_nowait(tree)

    def close(self) -> None:
        """Save what waits, unless that takes long."""
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
            self._thread.join(_LAST_SECONDS)

    def _save_all(self) -> None:
        ended = False
        while not ended:
            found = [self._waiting.get()]
            with suppress(queue.Empty):
                while True:
                    found.append(self._waiting.get_nowait())
            ended = None in found
            with suppress(StoreError):
                self._trees.save([tree for tree in found if tree is not None])


# --- the reply trees of stored problems, and their storage -----------------------------------------

_KEPT, _KEPT_WHOLE, _KEPT_POSITIONS = 4096, 64, 1024
"""Trees in memory, compressed: 3 KB each, a whole one up to some hundred; positions, of some KB each."""


class TreeEndpoint:
    """Answers requests for trees and for positions in them: from memory, from the store, by the pool.

    The first tree of a problem is saved in the store if that ``saves``. ``builder_name`` says what trees
    depend on (`ReplyTreeBuilder.name`).
    """

    def __init__(
        self, store: Store, pool: JobPool, pages: BoardPages, builder_name: str, seconds: float, *, saves: bool
    ) -> None:
        self._pages = pages
        self._trees, self._whole = SharedResultCache(pool, _KEPT), SharedResultCache(pool, _KEPT_WHOLE)
        self._positions = SharedResultCache(pool, _KEPT_POSITIONS)
        self._stored = StoredTrees(store)
        self._saver = TreeSaver(self._stored) if saves else None
        self._builder_name = builder_name
        self._seconds = seconds

    def start(self) -> None:
        """Begin to save trees."""
        if self._saver:
            self._saver.start()

    def close(self) -> None:
        """Save no more."""
        if self._saver:
            self._saver.close()

    async def tree(self, request: Request) -> Response:
        """Return the tree of a problem to play against, from some moves on; or everything."""
        values = parsed_query(request, TREE)
        whole, moves = values.get("whole", False), values.get("moves", ())
        if whole and moves:
            raise RequestError(400, "whole: a whole tree has no moves")
        problem = await run_in_threadpool(self._pages.requested, request)
        sfen = format_sfen(problem.position)
        if whole:
            content = await self._whole.content(WholeTreeJob(sfen, self._seconds))
        else:
            content = await self._content(problem.id, TreeJob(sfen, problem.length, moves, self._seconds))
        return compressed_json_response(request, content)

    async def position(self, request: Request) -> Response:
        """Return what each move of a position of a problem leads to."""
        moves = parsed_query(request, POSITION).get("moves", ())
        problem = await run_in_threadpool(self._pages.requested, request)
        job = PositionJob(format_sfen(problem.position), problem.length, moves, self._seconds)
        return json_response(await self._positions.content(job))

    async def _content(self, number: int, job: TreeJob) -> bytes:
        if job.moves or self._trees.kept(job) is not None:
            return await self._trees.content(job)
        key = self._key(job)
        if (stored := await run_in_threadpool(self._stored_content, number, key)) is not None:
            self._trees.keep(job, stored)
            return stored
        content = await self._trees.content(job)
        if self._saver and self._trees.kept(job) is not None:
            self._saver.save(StoredTree(number, key, content))
        return content

    def _stored_content(self, number: int, key: str) -> bytes | None:
        try:
            return self._stored.content(number, key)
        except StoreError:  # it can be made again
            return None

    def _key(self, job: TreeJob) -> str:
        """Name all that a tree depends on."""
        parts = (FORMAT, __version__, self._builder_name, job.sfen, job.length)
        return sha256(repr(parts).encode()).hexdigest()
