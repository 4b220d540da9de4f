"""Trees for the board: each position's made once, and kept if it is settled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="tsume[web] is not installed")

from tsume.growing import Grower
from tsume.web.trees import TreeMaker
from tsume.web.work.crew import Crew
from tsume.web.work.messages import Job, Told
from tsume.web.work.trees import Tree

OPEN = "not settled"


class Slow(Crew):
    """Its trees wait until they are let go."""

    def __init__(self) -> None:
        super().__init__(72, Grower(1, 72), {"tree": 8}, 1)
        self.made: list[str] = []
        self.let_go = asyncio.Event()

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        assert isinstance(job, Tree)
        self.made.append(job.sfen)
        await self.let_go.wait()
        yield Told(job.sfen.encode(), settled=job.sfen != OPEN)


def test_one_position_is_worked_on_once() -> None:
    async def ask() -> None:
        crew = Slow()
        maker = TreeMaker(crew, 1.0)
        positions = [str(number) for number in range(8)]
        asked = [asyncio.create_task(maker.tree(sfen)) for sfen in positions * 2]
        await asyncio.sleep(0)
        asked[0].cancel()
        crew.let_go.set()
        assert await asyncio.gather(*asked[1:]) == [sfen.encode() for sfen in (positions * 2)[1:]]
        assert crew.made == positions
        assert await maker.tree("0") == b"0"
        assert await maker.tree("one more") == b"one more"
        assert crew.made == [*positions, "one more"]
        assert [await maker.tree(OPEN), await maker.tree(OPEN)] == [OPEN.encode()] * 2
        assert crew.made == [*positions, "one more", OPEN, OPEN]

    asyncio.run(ask())
