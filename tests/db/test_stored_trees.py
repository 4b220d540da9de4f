# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees kept with the problems of a store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from db.errors import StoreError
from db.store import Store, StoredTree, StoredTrees
from tests.db.samples import problem

CONTENT = b"\x1f\x8b\x00\xff" * 500


def test_a_tree_is_kept_under_its_key(store: Store) -> None:
    trees = StoredTrees(store)
    for index in range(3):
        store.add(problem(index))
    trees.save([StoredTree(1, "a", CONTENT), StoredTree(2, "b", b"")])
    assert trees.content(1, "a") == CONTENT
    assert trees.content(2, "b") == b""
    assert (trees.content(1, "b"), trees.content(3, "a"), trees.content(99, "a")) == (None, None, None)


def test_a_problem_has_one_tree_the_last(store: Store) -> None:
    trees = StoredTrees(store)
    store.add(problem(0))
    trees.save([StoredTree(1, "a", b"1"), StoredTree(1, "b", b"2")])
    assert (trees.content(1, "a"), trees.content(1, "b")) == (None, b"2")
    trees.save([StoredTree(1, "c", b"3")])
    assert (trees.content(1, "b"), trees.content(1, "c")) == (None, b"3")


def test_the_tree_of_a_missing_problem_is_left_out(store: Store) -> None:
    trees = StoredTrees(store)
    store.add(problem(0))
    trees.save([StoredTree(7, "a", b"7"), StoredTree(1, "a", b"1")])
    trees.save([StoredTree(8, "a", b"8")])
    trees.save([])
    assert (trees.content(7, "a"), trees.content(1, "a")) == (None, b"1")


def test_a_tree_disappears_with_its_problem(store: Store) -> None:
    trees = StoredTrees(store)
    for index in range(2):
        store.add(problem(index))
    trees.save([StoredTree(number, "a", CONTENT) for number in (1, 2)])
    with store._sessions.writing() as session:
        session.execute(text("DELETE FROM problems WHERE id = 1"))
    assert (trees.content(1, "a"), trees.content(2, "a")) == (None, CONTENT)


def test_a_store_that_is_only_read_keeps_none(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
        StoredTrees(store).save([StoredTree(1, "a", CONTENT)])
    with Store.open(f"file:{path}?mode=ro", create=False) as store:
        trees = StoredTrees(store)
        assert trees.content(1, "a") == CONTENT
        with pytest.raises(StoreError, match="read-only"):
            trees.save([StoredTree(1, "b", CONTENT)])


NEWER = ("training_runs", "sessions", "cards", "problem_ratings", "results", "persons")
"""The tables of the revision after."""


def test_an_older_store_gets_the_table(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
    with closing(sqlite3.connect(path)) as connection:
        for table in ("problem_trees", *NEWER):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("UPDATE alembic_version SET version_num = '0007_first_checks'")
        connection.commit()
    assert Store.upgrade(path)[0] == "0007_first_checks"
    with Store.open(path) as store:
        StoredTrees(store).save([StoredTree(1, "a", CONTENT)])
        assert StoredTrees(store).content(1, "a") == CONTENT
