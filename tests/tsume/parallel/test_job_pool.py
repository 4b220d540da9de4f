# SPDX-License-Identifier: GPL-3.0-or-later
"""The pool: jobs in turn, jobs cancelled, processes lost."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from generator.run.processes import WorkerLostError
from tests.tsume.parallel.misbehaving_jobs import Buggy, Count, Dying, Patient, PlainContext, Posting, Stuck
from tsume.parallel.job_pool import Job, JobPool, JobTimeout, PoolBusy, WorkerLost
from tsume.parallel.ordered_map import MANY, call_in_process, ordered_map

T = TypeVar("T")
Run = Callable[[Awaitable[T]], T]
WAITING = 3


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def pool(runner: asyncio.Runner) -> Iterator[JobPool]:
    pool = JobPool(PlainContext, {"judgement": WAITING, "long": 1}, 2)

    async def start() -> None:
        pool.start()

    async def close() -> None:
        pool.close()

    runner.run(start())
    yield pool
    runner.run(close())


async def done(pool: JobPool, job: Job) -> list[Any]:
    return [item async for item in pool.results(job)]


async def begun(pool: JobPool, job: Job) -> int:
    """The process of a job that is cancelled as soon as it has begun."""
    async with aclosing(pool.results(job)) as results:
        return int(await anext(results))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_result_comes_part_by_part(pool: JobPool, runner: asyncio.Runner) -> None:
    pid, *counted = runner.run(done(pool, Count(3)))
    assert counted == [0, 1, 2]
    assert pid in pool.pids
    assert pid != os.getpid()
    assert runner.run(done(pool, Posting())) == ["begun", "posted", "ended"]


def test_a_job_that_does_not_look_delays_no_other_and_is_killed_and_replaced(
    pool: JobPool, runner: asyncio.Runner
) -> None:
    async def ask() -> int:
        pid = await begun(pool, Stuck())
        assert (await done(pool, Count()))[0] != pid
        while is_alive(pid) or len(pool.pids) < 2 or pid in pool.pids:
            await asyncio.sleep(0.05)
        await done(pool, Count())
        return pid

    assert runner.run(ask()) not in pool.pids


def test_a_job_that_looks_ends_and_its_process_stays(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        pid = await begun(pool, Patient())
        await asyncio.sleep(2)
        return pid

    assert is_alive(runner.run(ask()))


def test_a_job_waiting_leaves_when_it_is_cancelled(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> list[list[Any]]:
        async with aclosing(pool.results(Patient())) as results:
            await anext(results)
            waiting = [asyncio.create_task(done(pool, Count())) for _ in range(WAITING - 1)]
            await asyncio.sleep(0)
            with pytest.raises(PoolBusy):
                await done(pool, Count())
            waiting[0].cancel()
            await asyncio.sleep(0.05)
            waiting.append(asyncio.create_task(done(pool, Count())))
            await asyncio.sleep(0.05)
            assert not waiting[1].done()
        return list(await asyncio.gather(*waiting[1:]))

    assert len(runner.run(ask())) == WAITING - 1


def test_a_slot_may_have_several_jobs_at_once(runner: asyncio.Runner) -> None:
    async def ask() -> tuple[set[int], bool]:
        pool = JobPool(PlainContext, {"judgement": 4}, 3, {"judgement": 2})
        pool.start()
        first, second, third = (pool.results(Patient()) for _ in range(3))
        async with aclosing(first), aclosing(second):
            running = {await anext(first), await anext(second)}
            waiting = asyncio.create_task(anext(third))
            await asyncio.sleep(0.1)
            waits = not waiting.done()
        running.add(await waiting)
        await third.aclose()
        pool.close()
        return running, waits

    pids, waits = runner.run(ask())
    assert waits
    assert len(pids) >= 2


def test_jobs_of_another_slot_do_not_wait(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> list[int]:
        async with aclosing(pool.results(Patient(slot="long"))) as results:
            pid: int = await anext(results)
            with pytest.raises(PoolBusy):
                await done(pool, Count(slot="long"))
            return [pid, *await done(pool, Count())]

    long, short = runner.run(ask())
    assert long != short


@pytest.mark.parametrize("job", [Dying(), Buggy()], ids=["killed", "a bug"])
def test_a_lost_job_is_reported_and_the_next_runs(pool: JobPool, runner: asyncio.Runner, job: Job) -> None:
    with pytest.raises(WorkerLost):
        runner.run(done(pool, job))
    assert runner.run(done(pool, Count(1)))[1:] == [0]


def test_a_job_that_takes_too_long_is_killed(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        results = pool.results(Stuck(timeout=0.3))
        pid = int(await anext(results))
        with pytest.raises(JobTimeout):
            await anext(results)
        while is_alive(pid):
            await asyncio.sleep(0.05)
        return pid

    killed = runner.run(ask())
    assert runner.run(done(pool, Count()))[0] != killed


# --- Work of other processes: one call, and a map whose results come in the order of the items ---


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
    with closing(ordered_map(makes(work), range(200), jobs)) as results:
        assert list(results) == list(map(work, range(200)))


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_errors_of_work_and_items_are_raised_after_the_results_before_them(jobs: int | None) -> None:
    with closing(ordered_map(makes(_square), [3, 2, -1, 5], jobs)) as results:
        assert (next(results), next(results)) == (9, 4)
        with pytest.raises(ValueError, match="-1 is negative"):
            next(results)

    def items() -> Iterator[int]:
        yield from (1, 2)
        raise RuntimeError("no more")

    with closing(ordered_map(makes(_square), items(), jobs)) as results:
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

    with closing(ordered_map(makes(_square), items(), jobs)) as results:
        for result in results:
            answers.append(result)
    assert answers == [0, 1, 4]


def test_only_many_items_and_much_work_are_for_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    few, many = MANY - 1, 3 * MANY
    for number, worth, much, elsewhere in (
        (few, 0.0, 1000.0, False), (few, 0.0, 0.0, True), (many, 0.0, 1000.0, True), (many, 1000.0, 0.0, False),
    ):  # fmt: skip
        monkeypatch.setattr("tsume.parallel.ordered_map._WORTH", worth)
        monkeypatch.setattr("tsume.parallel.ordered_map._MUCH", much)
        with closing(ordered_map(makes(_place_slowly), range(number), None)) as results:
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

    with closing(ordered_map(makes(_square), items(), 2)) as results:
        for _ in range(10):
            next(results)
        time.sleep(0.2)
        assert read < 2000  # those read, those waiting and those handed out have their bounds


def test_items_are_prepared_in_order() -> None:
    for jobs in (1, 2, None):
        with closing(ordered_map(makes(_square), [], jobs)) as results:
            assert list(results) == []
        seen: list[int] = []

        def prepare(item: int, seen: list[int] = seen) -> int:
            seen.append(item)
            return item + 1

        with closing(ordered_map(makes(_square), range(60), jobs, prepare)) as results:
            assert list(results) == [(number + 1) ** 2 for number in range(60)]
        assert seen == list(range(60))


def test_a_process_that_is_killed_is_an_error() -> None:
    with (
        closing(ordered_map(makes(_end_at_three), range(100), 2)) as results,
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
