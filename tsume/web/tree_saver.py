# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves reply trees to the store, by a thread of its own: no request waits for a store that is locked."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import suppress

from db.errors import StoreError
from db.store import StoredTree, StoredTrees

_MOST_WAITING = 1000
"""Trees that wait to be saved; further ones are not saved."""
_LAST_SECONDS = 2.0
"""Seconds for the last trees when the server ends."""


class TreeSaver:
    """Saves trees soon; those that cannot be saved are lost."""

    def __init__(self, trees: StoredTrees) -> None:
        self._trees = trees
        self._waiting: queue.Queue[StoredTree | None] = queue.Queue(_MOST_WAITING)
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
            found = [self._waiting.get(), *self._others()]
            ended = None in found
            with suppress(StoreError):
                self._trees.save([tree for tree in found if tree is not None])

    def _others(self) -> Iterator[StoredTree | None]:
        """What waits beside the first one."""
        with suppress(queue.Empty):
            while True:
                yield self._waiting.get_nowait()
