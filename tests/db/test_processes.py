# SPDX-License-Identifier: GPL-3.0-or-later
"""Several processes on one store, and processes that die."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from db.selection import ProblemSelection
from db.store import Store
from tests.db.samples import problem
from tests.places import ROOT


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
        assert next(store.find(ProblemSelection(limit=1))).position in (
            problem(0).position,
            problem(100).position,
        )


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
            connection.exec_driver_sql("UPDATE problems SET stars = 5")
            with Store.open(path) as other:
                assert [found.difficulty.stars for found in other.find()] == [2]
        assert [found.difficulty.stars for found in store.find()] == [5]
