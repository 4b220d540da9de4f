"""The crew: jobs in turn, jobs given up, processes lost."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any, TypeVar

import pytest

from tests.tsume.web.work.jobs import Buggy, Count, Dying, Patient, Stuck
from tsume.growing import Grower
from tsume.warmup import Part, warm_up
from tsume.web.work.crew import Crew
from tsume.web.work.messages import Busy, Job, Lost, Overtime

T = TypeVar("T")
Run = Callable[[Awaitable[T]], T]
WAITING = 3


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def crew(runner: asyncio.Runner) -> Iterator[Crew]:
    warm_up(Part.ENGINE, Part.LIKENESS)
    crew = Crew(72, Grower(10.0, 72), {"judgement": WAITING, "long": 1}, 2)

    async def start() -> None:
        crew.start()

    async def close() -> None:
        crew.close()

    runner.run(start())
    yield crew
    runner.run(close())


async def done(crew: Crew, job: Job) -> list[Any]:
    return [item async for item in crew.results(job)]


async def begun(crew: Crew, job: Job) -> int:
    """The process of a job that is given up as soon as it has begun."""
    async with aclosing(crew.results(job)) as results:
        return int(await anext(results))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_result_comes_part_by_part(crew: Crew, runner: asyncio.Runner) -> None:
    pid, *counted = runner.run(done(crew, Count(3)))
    assert counted == [0, 1, 2]
    assert pid in crew.pids
    assert pid != os.getpid()


def test_a_job_given_up_does_not_delay_the_next(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> tuple[int, int]:
        return await begun(crew, Stuck()), (await done(crew, Count()))[0]

    stuck, next_one = runner.run(ask())
    assert next_one != stuck


def test_a_job_that_looks_ends_and_its_process_stays(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        pid = await begun(crew, Patient())
        await asyncio.sleep(2)
        return pid

    assert is_alive(runner.run(ask()))


def test_a_job_that_does_not_look_is_killed_and_replaced(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        pid = await begun(crew, Stuck())
        while is_alive(pid):
            await asyncio.sleep(0.05)
        while len(crew.pids) < 2 or pid in crew.pids:
            await asyncio.sleep(0.05)
        await done(crew, Count())
        return pid

    assert runner.run(ask()) not in crew.pids


def test_a_job_waiting_leaves_when_it_is_given_up(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> list[list[Any]]:
        async with aclosing(crew.results(Patient())) as results:
            await anext(results)
            waiting = [asyncio.create_task(done(crew, Count())) for _ in range(WAITING - 1)]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await done(crew, Count())
            waiting[0].cancel()
            await asyncio.sleep(0.05)
            waiting.append(asyncio.create_task(done(crew, Count())))
            await asyncio.sleep(0.05)
            assert not waiting[1].done()
        return list(await asyncio.gather(*waiting[1:]))

    assert len(runner.run(ask())) == WAITING - 1


def test_another_seat_does_not_wait(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> list[int]:
        async with aclosing(crew.results(Patient(slot="long"))) as results:
            pid: int = await anext(results)
            with pytest.raises(Busy):
                await done(crew, Count(slot="long"))
            return [pid, *await done(crew, Count())]

    long, short = runner.run(ask())
    assert long != short


@pytest.mark.parametrize("job", [Dying(), Buggy()], ids=["killed", "a bug"])
def test_a_lost_job_is_told_and_the_next_one_done(crew: Crew, runner: asyncio.Runner, job: Job) -> None:
    with pytest.raises(Lost):
        runner.run(done(crew, job))
    assert runner.run(done(crew, Count(1)))[1:] == [0]


def test_a_job_that_takes_too_long_is_killed(crew: Crew, runner: asyncio.Runner) -> None:
    async def ask() -> int:
        results = crew.results(Stuck(seconds=0.3))
        pid = int(await anext(results))
        with pytest.raises(Overtime):
            await anext(results)
        while is_alive(pid):
            await asyncio.sleep(0.05)
        return pid

    killed = runner.run(ask())
    assert runner.run(done(crew, Count()))[0] != killed
