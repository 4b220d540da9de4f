# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker process keeps from one job to the next: its engines, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from tsume.uses.checking import BOARD, Checker
from tsume.uses.engines import engine_table_bits
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.work.results import Event

Report = Callable[[Event], None]
"""Takes an event of a job at once, before its next step ends."""


def no_report(event: Event) -> None:
    """Leave out what would be told during a step."""


class WorkerContext:
    """What one process keeps, with ``memory`` MB for its engine.

    ``builder`` makes reply trees. ``look`` is called every few milliseconds of a search; what it raises ends
    the search. ``report`` takes the events that do not wait for the end of a step.
    """

    def __init__(
        self,
        memory: int,
        builder: ReplyTreeBuilder,
        look: Callable[[], None],
        report: Report = no_report,
        checker: Checker | None = None,
    ) -> None:
        self.checker = checker or Checker(replace(BOARD, memory=memory))
        self.builder = builder
        self.look = look
        self.report = report
        self._memory = memory

    @property
    def table_bits(self) -> int:
        """The size of an engine's table that the memory allows."""
        return engine_table_bits(self._memory)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside the block the checker's searches end when the job is cancelled."""
        with self.checker.engine.watched(self.look):
            yield
