# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that write to a PostgreSQL server which is stopped and started again meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from db.runs import RunState
from db.store import Store
from tests.postgresql import NoServer, Server, server
from tests.sampling import few
from tests.tsume.conftest import Run

ASKED = ["generate", "-m1", "-n150", "--style=free", "--seed=7", "-j2"]
PATIENCE = 300.0


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A server that nobody else uses."""
    try:
        with server() as found:
            yield found
    except NoServer as why:
        pytest.skip(str(why))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The problems of the run without an outage."""
    place = tmp_path_factory.mktemp("undisturbed") / "store.db"
    subprocess.run([sys.executable, "-m", "tsume", *ASKED, "--db", place], check=True, capture_output=True)
    return sfens(str(place))


def sfens(place: str) -> list[str]:
    with Store.open(place, create=False) as store:
        return [problem.sfen for problem in store.find()]


def started(place: str, folder: Path) -> subprocess.Popen[str]:
    """A run that has stored something."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        run = subprocess.Popen(
            [sys.executable, "-m", "tsume", *ASKED, "--db", place], stdout=out, stderr=err, text=True
        )
    end = time.monotonic() + PATIENCE
    while not (folder / "out").read_text() and run.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    return run


@contextmanager
def asleep(run: subprocess.Popen[str]) -> Iterator[None]:
    """Let a run sleep, so that it cannot end meanwhile: what it does next, it does after the block."""
    run.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        run.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("seconds", few((1.0, 0.0, 0.1, 4.0, 8.0, 20.0), 1))
def test_a_run_outlasts_a_restart_of_the_server(
    seconds: float, own_server: Server, undisturbed: list[str], tmp_path: Path
) -> None:
    long = seconds >= 1  # a short outage may fall between two transactions
    with own_server.store() as place:
        run = started(place, tmp_path)
        with asleep(run):
            own_server.stop()
        if long:
            until_told(tmp_path / "err", "retrying")
        time.sleep(seconds)
        own_server.start()
        assert run.wait(PATIENCE) == 0, (tmp_path / "err").read_text()
        assert sfens(place) == undisturbed
        printed = [line.split(" moves")[0] for line in (tmp_path / "out").read_text().splitlines()]
        assert printed == undisturbed
        told = (tmp_path / "err").read_text()
        assert told.count("retrying for 120 s") == told.count("reconnected after")
        assert "retrying" in told or not long
        assert "Traceback" not in told


def test_an_interrupt_ends_a_run_whose_server_is_gone(
    own_server: Server, undisturbed: list[str], tmp_path: Path, tsume: Run
) -> None:
    with own_server.store() as place:
        run = started(place, tmp_path)
        with asleep(run):
            own_server.stop()
        until_told(tmp_path / "err", "retrying")
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130
        own_server.start()
        told = (tmp_path / "err").read_text()
        assert "tsume runs resume 1" in told
        assert "Traceback" not in told
        assert tsume("runs", "resume", "1", "--db", place, "-j2").exit_code == 0
        assert sfens(place) == undisturbed
        with Store.open(place) as store:
            found = store.runs.get(1)
        assert found is not None
        assert found.state is RunState.COMPLETE


def until_told(file: Path, words: str) -> None:
    end = time.monotonic() + PATIENCE
    while words not in file.read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
