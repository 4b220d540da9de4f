"""Runs and the numbers of a store."""

from __future__ import annotations

import pytest

from db.errors import StoreError
from db.stats import LengthStats
from db.store import Store
from tests.db.samples import problem


def start(store: Store, seed: int = 2**70) -> int:
    return store.start_run(
        seed=seed, moves=5, count=10, version="0.1.0", options={"workers": 4, "pieces": None}
    )


def test_a_run_from_beginning_to_end(store: Store) -> None:
    run_id = start(store)
    (run,) = store.runs()
    assert (run.seed, run.moves, run.count, run.version) == (2**70, 5, 10, "0.1.0")
    assert run.options == {"workers": 4, "pieces": None}
    assert (run.ended_at, run.candidates) == (None, 0)
    store.record_progress(run_id, 50, {"cook": 20, "no mate": 5})
    assert store.stats().rejections == {"cook": 20, "no mate": 5}
    assert store.stats().unfinished_runs == 1
    store.finish_run(run_id, 100, {"cook": 40, "leftover": 2})
    (run,) = store.runs()
    assert run.candidates == 100
    assert run.ended_at is not None
    assert run.ended_at >= run.started_at
    assert store.stats().rejections == {"cook": 40, "leftover": 2}
    assert store.stats().unfinished_runs == 0


def test_runs_add_up(store: Store) -> None:
    first, second = start(store, 1), start(store, 2)
    store.record_progress(first, 10, {"cook": 3, "no mate": 4})
    store.finish_run(second, 20, {"cook": 5})
    stats = store.stats()
    assert (stats.runs, stats.unfinished_runs, stats.candidates) == (2, 1, 30)
    assert list(stats.rejections.items()) == [("cook", 8), ("no mate", 4)]


def test_problems_belong_to_runs(store: Store) -> None:
    run_id = start(store)
    assert [store.add(problem(0), run_id), store.add(problem(1))] == [1, 2]
    assert [found.run_id for found in store.find()] == [run_id, None]


def test_unknown_run(store: Store) -> None:
    with pytest.raises(StoreError, match="no run 3"):
        store.record_progress(3, 1, {})
    with pytest.raises(StoreError, match="no run 3"):
        store.finish_run(3, 1, {})


def test_scores_by_length(store: Store) -> None:
    for index, score in enumerate((4.0, 1.0, 3.0, 2.0)):
        store.add(problem(index, length=3, score=score))
    store.add(problem(9, length=1, score=8.0))
    stats = store.stats()
    assert stats.problems == 5
    assert list(stats.by_length) == [1, 3]
    assert stats.by_length[1] == LengthStats(1, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0)
    assert stats.by_length[3] == LengthStats(4, 2.5, 1.0, 1.75, 2.5, 3.25, 4.0)


def test_empty_store(store: Store) -> None:
    stats = store.stats()
    assert (stats.problems, stats.by_length, stats.runs, stats.candidates, stats.rejections) == (
        0,
        {},
        0,
        0,
        {},
    )
