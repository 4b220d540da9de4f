# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of jobs as JSON, and the time that jobs may take."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tsume.uses.checking import BOARD, Checker
from tsume.uses.trees import ReplyTreeBuilder

Event = dict[str, Any]
"""One object of a stream of results; its field ``event`` is its name."""
SECONDS = 20.0
"""The default time limit of one search."""
SPARE = 10.0
"""Seconds that a job may take apart from searching, loading included, before its process is killed."""


def search_timeout(limit: float) -> float:
    """Seconds after which the process of a job with one search of ``limit`` seconds is killed."""
    return 1.5 * limit + SPARE


@dataclass(frozen=True)
class RenderedResult:
    """An object as JSON, possibly compressed. If it is not ``settled``, more time might change it."""

    content: bytes
    settled: bool


@dataclass(frozen=True)
class RefusedResult:
    """The result of a job that cannot be done: the fault is in the request."""

    fault: str


class RefusedJobError(ValueError):
    """The job cannot be done; the message says what is wrong with the request."""


def json_bytes(fields: dict[str, Any]) -> bytes:
    """Return an object on one line, UTF-8."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


# --- what a worker process keeps from one job to the next: its engines, made once ------------------

Report = Callable[[Event], None]
"""Takes an event of a job at once, before its next step ends."""


def ignore_event(event: Event) -> None:
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
        report: Report = ignore_event,
        checker: Checker | None = None,
    ) -> None:
        self.checker = checker or Checker(replace(BOARD, memory=memory))
        self.builder = builder
        self.look = look
        self.report = report
        self.memory = memory

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside the block the checker's searches end when the job is cancelled."""
        with self.checker.engine.watched(self.look):
            yield
