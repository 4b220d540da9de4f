# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of other processes: one call, and a map whose results come in the order of the items."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from generator.run.processes import WorkerLostError
from tsume.parallel.ordered_map import MANY, call_in_process, ordered_map

PATIENCE = 60.0


def _square(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number * number


def _slow_at_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def _end_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def _place_slowly(number: int) -> tuple[int, int]:
    time.sleep(0.01)
    return number, os.getpid()


def makes(work: Callable[[Any], Any]) -> Callable[[], Callable[[Any], Any]]:
    """What makes a work: the work itself."""
    return partial(partial, work)


@pytest.mark.parametrize("jobs", [1, 2, 3, None])
@pytest.mark.parametrize("work", [_square, _slow_at_first])
def test_the_results_come_in_the_order_of_the_items(work: Callable[[int], int], jobs: int | None) -> None:
    with closing(ordered_map(makes(work), range(200), jobs, ())) as results:
        assert list(results) == list(map(work, range(200)))


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_errors_of_work_and_items_are_raised_after_the_results_before_them(jobs: int | None) -> None:
    with closing(ordered_map(makes(_square), [3, 2, -1, 5], jobs, ())) as results:
        assert (next(results), next(results)) == (9, 4)
        with pytest.raises(ValueError, match="-1 is negative"):
            next(results)

    def items() -> Iterator[int]:
        yield from (1, 2)
        raise RuntimeError("no more")

    with closing(ordered_map(makes(_square), items(), jobs, ())) as results:
        assert (next(results), next(results)) == (1, 4)
        with pytest.raises(RuntimeError, match="no more"):
            next(results)


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_an_item_is_answered_before_the_next_one_comes(jobs: int | None) -> None:
    answers: list[int] = []

    def items() -> Iterator[int]:
        for number in range(3):
            deadline = time.monotonic() + PATIENCE
            while len(answers) < number:  # the answer to the item before
                assert time.monotonic() < deadline
                time.sleep(0.01)
            yield number

    with closing(ordered_map(makes(_square), items(), jobs, ())) as results:
        for result in results:
            answers.append(result)
    assert answers == [0, 1, 4]


def test_only_many_items_are_worked_on_by_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for number, worth, elsewhere in ((MANY - 1, 0.0, False), (3 * MANY, 0.0, True), (3 * MANY, 1000.0, False)):
        monkeypatch.setattr("tsume.parallel.ordered_map._WORTH", worth)
        with closing(ordered_map(makes(_place_slowly), range(number), None, ())) as results:
            places = dict(results)
        assert list(places) == list(range(number))
        assert (places[number - 1] != os.getpid()) == elsewhere


def test_items_are_read_a_bounded_number_ahead() -> None:
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        while True:
            read += 1
            yield read

    with closing(ordered_map(makes(_square), items(), 2, ())) as results:
        for _ in range(10):
            next(results)
        time.sleep(0.2)
        assert read < 2000  # those read, those waiting and those handed out have their bounds


def test_items_are_prepared_in_order() -> None:
    for jobs in (1, 2, None):
        with closing(ordered_map(makes(_square), [], jobs, ())) as results:
            assert list(results) == []
        seen: list[int] = []

        def prepare(item: int, seen: list[int] = seen) -> int:
            seen.append(item)
            return item + 1

        with closing(ordered_map(makes(_square), range(60), jobs, (), prepare)) as results:
            assert list(results) == [(number + 1) ** 2 for number in range(60)]
        assert seen == list(range(60))


def test_a_process_that_is_killed_is_an_error() -> None:
    with (
        closing(ordered_map(makes(_end_at_three), range(100), 2, ())) as results,
        pytest.raises(WorkerLostError, match="ended with status -9"),
    ):
        list(results)


def write_number(path: Path) -> None:
    path.write_text(str(os.getpid()))


def fail() -> None:
    raise ValueError("no such thing")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever(started: Path) -> None:
    write_number(started)
    time.sleep(600)


def test_a_call_in_another_process(tmp_path: Path) -> None:
    call_in_process(write_number, tmp_path / "number")
    assert int((tmp_path / "number").read_text()) != os.getpid()
    with pytest.raises(ValueError, match="no such thing"):
        call_in_process(fail)
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
