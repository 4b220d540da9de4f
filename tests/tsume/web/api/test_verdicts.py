"""Judgements are remembered by position, line and length, unless a limit was reached."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="tsume[web] is not installed")

from tests.tsume.problems import COOKED, CORRECT, HARD
from tsume.growing import Grower
from tsume.web.api import verdicts
from tsume.web.api.verdicts import Verdicts
from tsume.web.work.crew import Crew
from tsume.web.work.judging import Judge
from tsume.web.work.messages import Job, Told
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


class Counted(Crew):
    """Counts what it is asked; the hard problem stays unresolved."""

    def __init__(self) -> None:
        super().__init__(72, Grower(1, 72), {"judgement": 1}, 1)
        self.asked: list[Job] = []

    async def results(self, job: Job) -> AsyncGenerator[Any, None]:
        self.asked.append(job)
        yield Told(b"{}", settled=job != Judge(parse_sfen(HARD)))


def test_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "MOST_KEPT", 3)
    crew = Counted()
    told = Verdicts(crew)
    correct, cooked = Judge(parse_sfen(CORRECT)), Judge(parse_sfen(COOKED))
    with_line = Judge(parse_sfen(CORRECT), (parse_move("3d2c"),))
    with_length = Judge(parse_sfen(CORRECT), moves=5)
    hard = Judge(parse_sfen(HARD))

    async def ask(*jobs: Judge) -> list[Job]:
        crew.asked.clear()
        for job in jobs:
            await told.told(job)
        return list(crew.asked)

    assert asyncio.run(ask(correct, correct, with_line, with_length)) == [correct, with_line, with_length]
    assert asyncio.run(ask(correct, hard, hard)) == [hard, hard]
    assert asyncio.run(ask(cooked, correct, with_line)) == [cooked, with_line]
