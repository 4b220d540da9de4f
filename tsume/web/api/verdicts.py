"""Judgements by position, the latest remembered."""

from __future__ import annotations

from collections import OrderedDict

from tsume.web.work.crew import Crew, only
from tsume.web.work.judging import Judge
from tsume.web.work.messages import Told

MOST_KEPT = 512
"""Judgements that are remembered; one has some 3 KB, one with many second solutions 30 KB."""


class Verdicts:
    """Has positions judged, those that were asked for lately once only."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._kept: OrderedDict[Judge, bytes] = OrderedDict()

    async def told(self, asked: Judge) -> bytes:
        """The told judgement as JSON. Raises as `Crew.results` does."""
        if asked in self._kept:
            self._kept.move_to_end(asked)
            return self._kept[asked]
        told: Told = await only(self._crew.results(asked))
        if told.settled:
            self._kept[asked] = told.content
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return told.content
