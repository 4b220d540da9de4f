# SPDX-License-Identifier: GPL-3.0-or-later
"""What is different on a server: large numbers, order of texts, lost connections, writers at once."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from db.engine import locate_store
from db.errors import LostConnectionError, StoreError
from db.notebook import Notebook, NotebookEdit
from db.problem_rows import ProblemAddition
from db.runs import RunState, RunTotals
from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Provenance
from tests.db.killed_writers import contest
from tests.db.samples import problem, run_of
from tests.db.test_runs import lines
from tests.places import ROOT
from tests.postgresql import Server

LARGE = (2**31, 2**32 + 1, 2**62, 2**63 - 1, 2**63, 10**30)


@pytest.fixture
def shared(postgresql: Server) -> Iterator[str]:
    """The place of a store on the server."""
    with postgresql.store() as place:
        yield place


@pytest.mark.parametrize("number", [*LARGE, *(-one for one in LARGE)])
def test_what_no_column_holds_is_found_nowhere(store: Store, number: int) -> None:
    store.add(problem(0))
    for asked in ({"moves": number}, {"stars": number}, {"ids": (number,)}, {"seed": number}):
        assert list(store.find(ProblemSelection(**asked))) == []
    assert len(list(store.find(ProblemSelection(max_pieces=number, ids=(1, number))))) == (number > 0)
    assert len(list(store.find(ProblemSelection(defenders=number)))) == (number < 0)
    if number > 0:
        assert len(list(store.find(ProblemSelection(limit=number)))) == 1
        assert list(store.find(skip=number)) == []
    assert store.get(number) is None
    assert store.runs.get(number) is None
    if abs(number) < 2**63:
        assert store.versions(number).later == ()
        with pytest.raises(StoreError, match=f"no problem {number}"):
            store.edit([number], NotebookEdit(title="a"))
        with pytest.raises(StoreError, match=f"no run {number}"), store.runs.advancing(number, 0):
            pass
        assert lines(store, number) == []


def test_counts_may_be_larger_than_32_bits(store: Store) -> None:
    run = store.runs.start(seed=1, moves=3, count=2**40, version="1", recipe=1, options={})
    totals = RunTotals(2**41, 2**35, 1.0, {"candidates": 2**50}, {"cook": 2**45})
    with store.runs.advancing(run.id, 0) as step:
        step.set_totals(totals)
    store.add(replace(problem(0), provenance=Provenance(1, 2**50, "1", 1)))
    found = run_of(store, run.id)
    assert (found.count, found.totals) == (2**40, totals)
    assert next(store.find()).provenance == Provenance(1, 2**50, "1", 1)


def test_texts_that_no_database_holds_are_refused_and_found_nowhere(store: Store) -> None:
    one = problem(0)
    for odd in ("a\0b", "\ud800"):
        for refused, notebook in (
            (replace(one, themes=(odd,)), Notebook()),
            (replace(one, record=odd), Notebook()),
            (one, Notebook(title=odd)),
            (one, Notebook(tags=(odd,))),
        ):
            with pytest.raises(StoreError, match="a text contains a character"):
                store.add_all([ProblemAddition(problem(1)), ProblemAddition(refused, notebook)])
    store.add(one)
    for odd in ("a\0b", "\ud800"):
        for asked in ({"title": odd}, {"author": odd}, {"themes": (odd,)}, {"tags": (odd,)}):
            assert list(store.find(ProblemSelection(**asked))) == []
    assert store.stats().problems == 1


def test_a_problem_that_cannot_be_stored_ends_a_step(store: Store) -> None:
    run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})
    with pytest.raises(StoreError, match="finite"), store.runs.advancing(run.id, 0) as step:
        step.add([problem(0, quality=float("inf"))])
    assert store.stats().problems == 0


def test_names_are_ordered_alike_everywhere(store: Store) -> None:
    names = ("a", "B", "_", "ä", "飛", "Z", "a b", "a-b")
    store.add(problem(0, themes=names), notebook=Notebook(tags=("b", "A", "_", "飛")))
    run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})
    with store.runs.advancing(run.id, 0) as step:
        step.set_totals(RunTotals(1, rejections=dict.fromkeys(names, 3)))
    assert list(store.stats().themes) == list(store.stats().rejections) == sorted(names)
    found = next(store.find())
    assert (found.themes, found.notebook.tags) == (tuple(sorted(names)), ("A", "_", "b", "飛"))


def test_a_long_line_is_stored(store: Store) -> None:
    """It has more bytes than an entry of an index may have."""
    one = problem(0)
    long = tuple(one.line[number % 2] for number in range(4001))
    store.add(replace(one, judgement=replace(one.judgement, line=long, length=len(long))))
    assert next(store.find()).line == long


def end_connections(store: Store) -> None:
    """As a server that is started again does, and a router that forgets."""
    engine = store._sessions.reader.execution_options(isolation_level="AUTOCOMMIT", postgresql_readonly=False)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with engine.connect() as connection:
        connection.execute(text(f"{others} AND datname = current_database()"))


def test_an_idle_connection_that_was_lost_is_replaced(in_postgresql: Store) -> None:
    store = in_postgresql
    store.add(problem(0))
    with Store.open(_place(store)) as other:
        end_connections(other)
    assert store.add(problem(1)) == 2
    with Store.open(_place(store)) as other:
        end_connections(other)
    assert store.stats().problems == 2


def test_a_connection_lost_in_a_step_takes_all_of_it_along(in_postgresql: Store) -> None:
    store = in_postgresql
    run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})

    def step_of_a_lost_connection() -> None:
        with store.runs.advancing(run.id, 0) as step:
            step.add([problem(0)])
            with Store.open(_place(store)) as other:
                end_connections(other)
            step.set_totals(RunTotals(5))

    with pytest.raises(LostConnectionError):
        step_of_a_lost_connection()
    assert store.stats().problems == 0
    with store.runs.advancing(run.id, 0) as step:
        assert step.add([problem(0)]) == [2]
        step.set_totals(RunTotals(5))
    store.runs.finish(run.id, RunState.STOPPED, 5, RunTotals(5, 1))


def test_two_that_insert_in_opposite_orders_wait_for_each_other(shared: str) -> None:
    ready, faults = threading.Barrier(2), list[BaseException]()

    def write(own: int, other: int) -> None:
        try:
            with Store.open(shared) as store:
                run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})
                ready.wait(30)
                for number in range(0, 40, 2):
                    with store.runs.advancing(run.id, number) as step:
                        for index in (number + own, number + other):
                            step.add([problem(index)])
                        step.set_totals(RunTotals(number + 2))
        except BaseException as fault:
            faults.append(fault)

    writers = [threading.Thread(target=write, args=order) for order in ((0, 1), (1, 0))]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert faults == []
    with Store.open(shared) as store:
        assert store.stats().problems == 40


def test_what_is_read_is_of_one_moment(in_postgresql: Store) -> None:
    store = in_postgresql
    with store._sessions.reading() as session:
        count = text("SELECT count(*) FROM problems")
        assert session.scalar(count) == 0
        with Store.open(_place(store)) as other:
            other.add(problem(0))
        assert session.scalar(count) == 0
    assert store.stats().problems == 1


def test_reading_does_not_wait_for_a_writer(in_postgresql: Store) -> None:
    store = in_postgresql
    run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})
    with store.runs.advancing(run.id, 0) as step:
        step.add([problem(0)])
        step.add_lines([(0, 5)])
        with Store.open(_place(store)) as other:
            assert other.runs.get(run.id) == run
            assert lines(other, run.id) == []
            assert other.stats().problems == 0
    assert lines(store, run.id) == [(0, 5)]


def test_an_empty_database_becomes_a_store(postgresql: Server) -> None:
    with postgresql.empty() as place:
        with pytest.raises(StoreError, match="is empty"):
            Store.open(place, create=False)
        with Store.open(place) as store:
            assert store.add(problem(0)) == 1
        assert Store.upgrade(place)[0] == Store.upgrade(place)[1]


def test_a_driver_that_is_missing_is_named(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"psycopg is not installed: pip install 'tsume-shogi\[postgresql\]'$"):
        Store.open(shared)


def _place(store: Store) -> str:
    url: Any = store._sessions.location.url
    place: str = url.set(drivername="postgresql").render_as_string(hide_password=False)
    assert locate_store(place).url == url
    return place


# --- Several processes on one store, and processes that die ----------------------------------------


def start(place: str, first: int, after: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.db.writer", place, str(first), str(after)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def printed(process: subprocess.Popen[str]) -> list[str]:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return output.split()


def is_sound(place: str) -> bool:
    """Whether a file is whole; a server sees to that itself."""
    if "://" in place:
        return True
    with closing(sqlite3.connect(place)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.smoke
def test_two_processes_write_to_one_new_file(place: str) -> None:
    writers = [start(place, 0, 100), start(place, 100, 200)]
    ids = [printed(process) for process in writers]
    assert sorted(map(int, ids[0] + ids[1])) == list(range(1, 201))
    with Store.open(place) as store:
        assert len(list(store.find())) == 200
        first = next(store.find(ProblemSelection(limit=1))).position
        assert first in (problem(0).position, problem(100).position)


def test_two_processes_write_the_same_problems(place: str) -> None:
    writers = [start(place, 0, 50), start(place, 0, 50)]
    first, second = (printed(process) for process in writers)
    assert all((one == "None") != (other == "None") for one, other in zip(first, second, strict=True))
    with Store.open(place) as store:
        assert len(list(store.find())) == 50


def test_many_processes_create_one_file(place: str) -> None:
    writers = [start(place, index, index + 1) for index in range(4)]
    assert all(printed(process) != ["None"] for process in writers)
    with Store.open(place) as store:
        assert len(list(store.find())) == 4


@pytest.mark.parametrize("lines", [1, 30])
def test_killed_while_writing(place: str, lines: int) -> None:
    process = start(place, 0, 600)
    assert process.stdout is not None
    committed = [int(process.stdout.readline()) for _ in range(lines)]
    os.kill(process.pid, signal.SIGKILL)
    committed += map(int, process.stdout.read().split())
    process.wait(timeout=60)
    process.stdout.close()
    with Store.open(place) as store:
        found = [one.problem for one in store.find()]
        assert found == [problem(index) for index in range(len(found))]
        assert len(committed) <= len(found) <= len(committed) + 1
        next_id = store.add(problem(640))
    if "://" in place:  # a server's counter is not rolled back: the killed transaction's number stays unused
        assert next_id in (len(found) + 1, len(found) + 2)
    else:
        assert next_id == len(found) + 1
    assert is_sound(place)


def test_readers_go_on_while_another_writes(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
        with store._sessions.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE problems SET score = 50")
            with Store.open(path) as other:
                assert [found.difficulty.score for found in other.find()] == [0]
        assert [found.difficulty.score for found in store.find()] == [50]


# --- Processes that write to one store and are killed lose nothing ---------------------------------


def test_writers_that_are_killed_lose_nothing(place: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.mkdir()
    outcome = contest(place, 3, 5.0, told)
    assert outcome.faults == []
    assert outcome.kills > 1
    assert outcome.problems > 0
