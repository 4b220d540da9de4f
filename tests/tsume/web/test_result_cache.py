# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of jobs are kept unless a limit was reached; concurrent requests share one run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import pytest

from tests.asynchronous import run

pytest.importorskip("starlette", reason="tsume-shogi[web] is not installed")

from tests.tsume.problems import COOKED, CORRECT, HARD
from tsume.parallel.job_pool import Job, JobPool
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions
from tsume.web.result_cache import ResultCache, SharedResultCache
from tsume.web.work.context import WorkerContext
from tsume.web.work.judging import JudgementJob
from tsume.web.work.results import Rendered
from tsume.web.work.trees import TreeJob
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

OPEN = "not settled"


class Counted(JobPool):
    """Records the jobs it is given; the hard problem stays unresolved."""

    def __init__(self) -> None:
        super().__init__(
            partial(WorkerContext, 72, ReplyTreeBuilder(TreeOptions(1, 72))), {"judgement": 1}, 1
        )
        self.asked: list[Job] = []

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        self.asked.append(job)
        yield Rendered(b"{}", settled=job != JudgementJob(parse_sfen(HARD)))


class Slow(JobPool):
    """Its trees wait until they are released."""

    def __init__(self) -> None:
        super().__init__(partial(WorkerContext, 72, ReplyTreeBuilder(TreeOptions(1, 72))), {"tree": 8}, 1)
        self.made: list[str] = []
        self.released = asyncio.Event()

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        assert isinstance(job, TreeJob)
        self.made.append(job.sfen)
        await self.released.wait()
        yield Rendered(job.sfen.encode(), settled=job.sfen != OPEN)


def test_what_is_remembered() -> None:
    pool = Counted()
    cache = ResultCache(pool, 3)
    correct, cooked = JudgementJob(parse_sfen(CORRECT)), JudgementJob(parse_sfen(COOKED))
    with_line = JudgementJob(parse_sfen(CORRECT), (parse_move("3d2c"),))
    with_length = JudgementJob(parse_sfen(CORRECT), moves=5)
    hard = JudgementJob(parse_sfen(HARD))

    async def ask(*jobs: JudgementJob) -> list[Job]:
        pool.asked.clear()
        for job in jobs:
            await cache.content(job)
        return list(pool.asked)

    assert run(ask(correct, correct, with_line, with_length)) == [correct, with_line, with_length]
    assert run(ask(correct, hard, hard)) == [hard, hard]
    assert run(ask(cooked, correct, with_line)) == [cooked, with_line]


def test_one_position_is_worked_on_once() -> None:
    async def ask() -> None:
        pool = Slow()
        cache = SharedResultCache(pool, 16)

        def tree(sfen: str) -> Any:
            return cache.content(TreeJob(sfen, 3))

        positions = [str(number) for number in range(8)]
        asked = [asyncio.create_task(tree(sfen)) for sfen in positions * 2]
        await asyncio.sleep(0)
        asked[0].cancel()
        pool.released.set()
        assert await asyncio.gather(*asked[1:]) == [sfen.encode() for sfen in (positions * 2)[1:]]
        assert pool.made == positions
        assert await tree("0") == b"0"
        assert await tree("one more") == b"one more"
        assert pool.made == [*positions, "one more"]
        assert [await tree(OPEN), await tree(OPEN)] == [OPEN.encode()] * 2
        assert pool.made == [*positions, "one more", OPEN, OPEN]

    run(ask())
