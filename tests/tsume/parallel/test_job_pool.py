# SPDX-License-Identifier: GPL-3.0-or-later
"""The pool: jobs in turn, jobs cancelled, processes lost."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any, TypeVar

import pytest

from tests.tsume.parallel.misbehaving_jobs import Buggy, Count, Dying, Patient, PlainContext, Posting, Stuck
from tsume.parallel.job_pool import Busy, Job, JobPool, Lost, Overtime

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


def test_a_job_cancelled_does_not_delay_the_next(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> tuple[int, int]:
        return await begun(pool, Stuck()), (await done(pool, Count()))[0]

    stuck, next_one = runner.run(ask())
    assert next_one != stuck


def test_a_job_that_looks_ends_and_its_process_stays(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        pid = await begun(pool, Patient())
        await asyncio.sleep(2)
        return pid

    assert is_alive(runner.run(ask()))


def test_a_job_that_does_not_look_is_killed_and_replaced(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        pid = await begun(pool, Stuck())
        while is_alive(pid):
            await asyncio.sleep(0.05)
        while len(pool.pids) < 2 or pid in pool.pids:
            await asyncio.sleep(0.05)
        await done(pool, Count())
        return pid

    assert runner.run(ask()) not in pool.pids


def test_a_job_waiting_leaves_when_it_is_cancelled(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> list[list[Any]]:
        async with aclosing(pool.results(Patient())) as results:
            await anext(results)
            waiting = [asyncio.create_task(done(pool, Count())) for _ in range(WAITING - 1)]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
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
            with pytest.raises(Busy):
                await done(pool, Count(slot="long"))
            return [pid, *await done(pool, Count())]

    long, short = runner.run(ask())
    assert long != short


@pytest.mark.parametrize("job", [Dying(), Buggy()], ids=["killed", "a bug"])
def test_a_lost_job_is_reported_and_the_next_runs(pool: JobPool, runner: asyncio.Runner, job: Job) -> None:
    with pytest.raises(Lost):
        runner.run(done(pool, job))
    assert runner.run(done(pool, Count(1)))[1:] == [0]


def test_a_job_that_takes_too_long_is_killed(pool: JobPool, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        results = pool.results(Stuck(timeout=0.3))
        pid = int(await anext(results))
        with pytest.raises(Overtime):
            await anext(results)
        while is_alive(pid):
            await asyncio.sleep(0.05)
        return pid

    killed = runner.run(ask())
    assert runner.run(done(pool, Count()))[0] != killed


def test_jobs_wait_until_the_pool_is_ready(runner: asyncio.Runner) -> None:
    async def ask() -> tuple[list[int], bool, list[Any]]:
        pool, allowed = JobPool(PlainContext, {"judgement": 1}, 1), asyncio.Event()
        pool.start(allowed.wait())
        job = asyncio.create_task(done(pool, Count(2)))
        await asyncio.sleep(0.1)
        before = (pool.pids, job.done())
        allowed.set()
        result = await job
        pool.close()
        return (*before, result)

    pids, was_done, (_, *counted) = runner.run(ask())
    assert (pids, was_done, counted) == ([], False, [0, 1])


def test_a_pool_that_is_closed_before_it_is_ready_loses_its_jobs(runner: asyncio.Runner) -> None:
    async def ask() -> bool:
        pool, cancelled = JobPool(PlainContext, {"judgement": 1}, 1), asyncio.Event()

        async def ready() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        pool.start(ready())
        job = asyncio.create_task(done(pool, Count(2)))
        await asyncio.sleep(0.1)
        pool.close()
        with pytest.raises(Lost):
            await job
        return cancelled.is_set()

    assert runner.run(ask())
