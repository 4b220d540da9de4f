# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees are saved by a thread; a store that is locked or fails delays nobody."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from db.errors import StoreError
from db.store import Store, StoredTree, StoredTrees
from tsume.web.api import trees as endpoint
from tsume.web.api.trees import TreeSaver


class Locked(StoredTrees):
    """Saves nothing until it is released; the first ``failures`` times it fails."""

    def __init__(self, store: Store, failures: int = 0) -> None:
        super().__init__(store)
        self.released, self.begun = threading.Event(), threading.Event()
        self.failures = failures
        self.saved: list[StoredTree] = []

    def save(self, trees: Sequence[StoredTree]) -> None:
        self.begun.set()
        self.released.wait()
        if self.failures > 0:
            self.failures -= 1
            raise StoreError("locked")
        self.saved += trees


TREES = [StoredTree(number, "key", b"tree") for number in range(5)]


def test_what_is_given_is_saved_at_the_end(opened: Store) -> None:
    trees = Locked(opened)
    trees.released.set()
    saver = TreeSaver(trees)
    saver.start()
    for tree in TREES:
        saver.save(tree)
    saver.close()
    assert trees.saved == TREES


def test_nobody_waits_for_a_store_that_is_locked(opened: Store) -> None:
    trees = Locked(opened)
    saver = TreeSaver(trees)
    saver.start()
    for _ in range(endpoint._MOST_WAITING + 10):
        saver.save(TREES[0])
    assert trees.saved == []
    trees.released.set()


def test_after_a_failure_it_goes_on(opened: Store) -> None:
    trees = Locked(opened, failures=1)
    saver = TreeSaver(trees)
    saver.start()
    saver.save(TREES[0])
    trees.begun.wait()
    saver.save(TREES[1])
    trees.released.set()
    saver.close()
    assert trees.saved == [TREES[1]]
