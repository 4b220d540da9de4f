"""Trees for the board: made once, kept, and refused when too many wait."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("starlette", reason="tsume[web] is not installed")

from tsume.growing import Grower
from tsume.web import trees
from tsume.web.trees import Busy, TreeMaker


class Slow(TreeMaker):
    """Its trees wait until they are let go."""

    def __init__(self) -> None:
        super().__init__(Grower(1, 72))
        self.made: list[str] = []
        self.let_go = asyncio.Event()

    async def _make(self, sfen: str) -> bytes:
        self.made.append(sfen)
        await self.let_go.wait()
        return sfen.encode()


def test_one_position_is_worked_on_once_and_too_many_are_refused() -> None:
    async def ask() -> None:
        maker = Slow()
        positions = [str(number) for number in range(trees.MOST_WAITING)]
        asked = [asyncio.create_task(maker.tree(sfen)) for sfen in positions * 2]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await maker.tree("one more")
        asked[0].cancel()
        maker.let_go.set()
        assert await asyncio.gather(*asked[1:]) == [sfen.encode() for sfen in (positions * 2)[1:]]
        assert maker.made == positions
        assert await maker.tree("one more") == b"one more"

    asyncio.run(ask())
