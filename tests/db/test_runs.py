# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of a store, and its statistics."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from db.errors import StoreError
from db.runs import RunState, StoredRun, Totals
from db.stats import NumberSpread
from db.store import Store
from tests.db.samples import problem
from tsume_rules.sfen import canonical_sfen

TOTALS = Totals(
    next_root=12, found=1, elapsed=2.5, counters={"roots": 12, "candidates": 50},
    rejections={"cook": 20, "no mate": 5}, seconds={"judge": 0.5},
)  # fmt: skip


def start(store: Store, seed: int = 2**70) -> int:
    run = store.runs.start(
        seed=seed, moves=5, count=10, version="0.1.0", recipe=4, options={"workers": 4, "pieces": None}
    )
    return run.id


def only(store: Store) -> StoredRun:
    (run,) = store.runs.all()
    assert store.runs.get(run.id) == run
    return run


def test_a_run_from_beginning_to_end(store: Store) -> None:
    run_id = start(store)
    run = only(store)
    assert (run.seed, run.moves, run.count, run.version, run.recipe) == (2**70, 5, 10, "0.1.0", 4)
    assert run.options == {"workers": 4, "pieces": None}
    assert (run.state, run.ended_at, run.candidates) == (RunState.RUNNING, None, 0)
    assert (run.resumable, run.totals) == (True, Totals())
    with store.runs.advancing(run_id, 0) as step:
        assert step.add([problem(0)]) == [1]
        step.set_totals(TOTALS)
    assert only(store).totals == TOTALS
    assert store.stats().rejections == TOTALS.rejections
    assert store.stats().unfinished_runs == 1
    last = replace(TOTALS, next_root=20, rejections={"cook": 40, "leftover": 2}, counters={"candidates": 100})
    store.runs.finish(run_id, RunState.STOPPED, 12, last)
    run = only(store)
    assert (run.state, run.candidates, run.totals) == (RunState.STOPPED, 100, last)
    assert run.ended_at is not None
    assert run.ended_at >= run.started_at
    assert store.stats().rejections == {"cook": 40, "leftover": 2}
    assert store.stats().unfinished_runs == 0
    store.runs.reopen(run_id)
    assert (only(store).state, only(store).ended_at) == (RunState.RUNNING, None)


def test_a_step_is_whole_or_not_at_all(store: Store) -> None:
    def cut_off() -> None:
        with store.runs.advancing(start(store), 0) as step:
            step.add([problem(0)])
            step.set_totals(TOTALS)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert list(store.find()) == []
    assert only(store).totals == Totals()


def test_a_step_from_elsewhere_is_refused(store: Store) -> None:
    run_id = start(store)
    with store.runs.advancing(run_id, 0) as step:
        step.set_totals(TOTALS)
    with pytest.raises(StoreError, match="at root 12, not 0: is another"), store.runs.advancing(run_id, 0):
        pass
    for last_step in (None, 0, 11):
        store.runs.finish(run_id, RunState.INTERRUPTED, 0, Totals(), last_step)
        run = only(store)
        assert (run.state, run.ended_at, run.totals) == (RunState.RUNNING, None, TOTALS)
    store.runs.finish(run_id, RunState.INTERRUPTED, 0, Totals(), last_step=12)
    assert (only(store).state, only(store).totals) == (RunState.INTERRUPTED, TOTALS)
    assert only(store).ended_at is not None


def test_a_step_marks_the_run_as_running(store: Store) -> None:
    run_id = start(store)
    store.runs.finish(run_id, RunState.INTERRUPTED, 0, Totals())
    with store.runs.advancing(run_id, 0) as step:
        step.set_totals(TOTALS)
    assert (only(store).state, only(store).ended_at) == (RunState.RUNNING, None)


def lines(store: Store, run_id: int) -> list[tuple[int, int]]:
    roots, keys = store.runs.lines(run_id)
    assert roots.dtype == keys.dtype == np.dtype(np.int64)
    return list(zip(roots.tolist(), keys.tolist(), strict=True))


def test_a_step_notes_what_its_roots_found(store: Store) -> None:
    run_id, other = start(store), start(store)
    with store.runs.advancing(run_id, 0) as step:
        step.add_lines([(12, 5), (3, -(2**63)), (12, 2**63 - 1), (12, 5)])
        step.set_totals(TOTALS)
    with store.runs.advancing(run_id, 12) as step:
        step.add_lines(iter([(12, 5), (2**62, 0)]))
        step.add_lines([])
    assert lines(store, run_id) == [(3, -(2**63)), (12, 5), (12, 2**63 - 1), (2**62, 0)]
    assert lines(store, other) == lines(store, 99) == []


def test_a_step_that_fails_notes_nothing(store: Store) -> None:
    def cut_off() -> None:
        with store.runs.advancing(1, 0) as step:
            step.add_lines([(0, 1)])
            raise KeyboardInterrupt

    start(store)
    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert lines(store, 1) == []


def test_a_step_says_what_is_stored_and_stores_the_rest(store: Store) -> None:
    store.add(problem(1))
    with store.runs.advancing(start(store), 0) as step:
        given = [problem(0), problem(1), problem(2)]
        assert step.stored_sfens(given) == {canonical_sfen(problem(1).position)}
        assert step.add([problem(0), problem(2), problem(3, themes=("a",))]) == [2, 3, 4]
        assert step.stored_sfens(given) == {canonical_sfen(one.position) for one in given}
        assert (step.add([]), step.stored_sfens([])) == ([], set())
    assert [found.run_id for found in store.find()] == [None, 1, 1, 1]
    assert [found.themes for found in store.find()] == [(), (), (), ("a",)]


def test_many_problems_are_looked_up_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.problem_rows._ASKED_AT_ONCE", 2)
    given = [problem(number) for number in range(5)]
    with store.runs.advancing(start(store), 0) as step:
        assert step.add(given[:4]) == [1, 2, 3, 4]
        assert len(step.stored_sfens(given)) == 4


def test_problems_without_ids_are_an_error_when_one_is_added(path: Path) -> None:
    """Another program may rebuild the table without its key: new problems then get no ids."""
    Store.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (
            "CREATE TABLE loose AS SELECT * FROM problems",
            "DROP TABLE problems",
            "ALTER TABLE loose RENAME TO problems",
        ):
            connection.execute(statement)
    fault = f"^{path}: is damaged: a problem has no id$"
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=fault), store.runs.advancing(start(store), 0) as step:
            step.add([problem(0), problem(1)])
        with pytest.raises(StoreError, match=fault):
            store.add(problem(0))


def test_a_file_with_a_write_ahead_log_is_not_waited_for(path: Path) -> None:
    for _ in range(2):
        with Store.open(path) as store:
            for _ in range(2):
                with store._sessions.writer.connect() as connection:
                    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
                    assert (mode, connection.exec_driver_sql("PRAGMA synchronous").scalar_one()) == ("wal", 1)
                store.close()


def test_runs_add_up(store: Store) -> None:
    for seed, candidates, rejections in ((1, 10, {"cook": 3, "no mate": 4}), (2, 20, {"cook": 5})):
        with store.runs.advancing(start(store, seed), 0) as step:
            step.set_totals(Totals(1, counters={"candidates": candidates}, rejections=rejections))
    store.runs.finish(2, RunState.COMPLETE, 0, Totals(), last_step=1)
    stats = store.stats()
    assert (stats.runs, stats.unfinished_runs, stats.candidates) == (2, 1, 30)
    assert list(stats.rejections.items()) == [("cook", 8), ("no mate", 4)]


def test_problems_belong_to_runs(store: Store) -> None:
    run_id = start(store)
    assert [store.add(problem(0, themes=("a",)), run_id), store.add(problem(1, themes=("b",)))] == [1, 2]
    assert [found.run_id for found in store.find()] == [run_id, None]
    figures = store.runs.figures(run_id)
    assert (figures.all_scores, dict(figures.themes)) == ([0.0], {"a": 1})


def test_unknown_run(store: Store) -> None:
    for number in (3, 10**30):
        assert store.runs.get(number) is None
    with pytest.raises(StoreError, match="no run 3"), store.runs.advancing(3, 0):
        pass
    with pytest.raises(StoreError, match="no run 3"):
        store.runs.finish(3, RunState.STOPPED, 1, Totals())
    with pytest.raises(StoreError, match="no run 3"):
        store.runs.reopen(3)


@pytest.mark.parametrize(
    "spoilt", ["state = 'x'", "recipe = 'x'", "counters = '[]'", 'seconds = \'{"a": "b"}\'']
)
def test_spoilt_run(in_sqlite: Store, spoilt: str) -> None:
    start(in_sqlite)
    with in_sqlite._sessions.writer.begin() as connection:
        connection.exec_driver_sql(f"UPDATE runs SET {spoilt}")
    with pytest.raises(StoreError, match="contains unreadable data"):
        in_sqlite.runs.all()


def test_numbers_of_problems(store: Store) -> None:
    for index, score in enumerate((4.0, 1.0, 3.0, 2.0)):
        store.add(problem(index, length=3, score=score, quality=10.0 * index, themes=("drop",)))
    store.add(problem(9, length=1, score=8.0, quality=40.0, themes=("drop", "corner")))
    stats = store.stats()
    assert stats.problems == 5
    assert list(stats.by_length) == [1, 3]
    assert stats.by_length[1] == NumberSpread(1, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0)
    assert stats.by_length[3] == NumberSpread(4, 2.5, 1.0, 1.75, 2.5, 3.25, 4.0)
    assert stats.quality == NumberSpread(5, 20.0, 0.0, 10.0, 20.0, 30.0, 40.0)
    assert list(stats.themes.items()) == [("drop", 5), ("corner", 1)]
    assert store.figures().all_scores == [1.0, 2.0, 3.0, 4.0, 8.0]


def test_empty_store(store: Store) -> None:
    stats = store.stats()
    assert (stats.problems, stats.by_length, stats.quality, stats.runs) == (0, {}, None, 0)
    assert (stats.candidates, stats.rejections, dict(stats.themes)) == (0, {}, {})
