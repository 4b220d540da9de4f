# SPDX-License-Identifier: GPL-3.0-or-later
"""A call in a process of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from generator.run.processes import WorkerLostError
from tsume.parallel.single_call import call_in_process


def write_number(path: Path) -> None:
    path.write_text(str(os.getpid()))


def fail() -> None:
    raise ValueError("no such thing")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever(started: Path) -> None:
    write_number(started)
    time.sleep(600)


def test_the_work_is_done_in_another_process(tmp_path: Path) -> None:
    call_in_process(write_number, tmp_path / "number")
    assert int((tmp_path / "number").read_text()) != os.getpid()


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="no such thing"):
        call_in_process(fail)


def test_a_process_that_is_killed_is_reported() -> None:
    with pytest.raises(WorkerLostError, match="status -9"):
        call_in_process(die)


def test_an_interrupt_ends_the_work(tmp_path: Path) -> None:
    started = tmp_path / "number"

    def interrupt() -> None:
        while not started.exists() or not started.read_text():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        call_in_process(wait_for_ever, started)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
