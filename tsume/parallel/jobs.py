# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs for worker processes, and the messages between a worker and its pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol


class JobContext(Protocol):
    """What a worker process keeps from one job to the next."""

    def look(self) -> None:
        """Raise `Cancelled` once the job is cancelled; called often while a job runs."""

    def watched(self) -> AbstractContextManager[None]:
        """Inside the block searches end when the job is cancelled."""


class Job(Protocol):
    """A request's work; it is sent to the process, so it is plain data."""

    @property
    def slot(self) -> str:
        """Jobs of one slot wait for each other."""

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""

    def run(self, context: Any) -> Iterator[Any]:
        """The result, part by part."""


MakeContext = Callable[[Callable[[], None], Callable[[Any], None]], JobContext]
"""Makes a worker's context, given its ``look``, and what sends a part of a result at once; it is pickled."""


class JobMessageKind(Enum):
    """What an answer of a worker is."""

    READY = "ready"
    """The context is made."""
    ITEM = "item"
    """A part of the result."""
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """The job met a bug; stderr has the traceback."""


JobAnswer = tuple[JobMessageKind, Any]
"""With a `JobMessageKind.ITEM` comes the part of the result."""


@dataclass(frozen=True)
class Cancel:
    """Cancels the worker's job."""


class Cancelled(Exception):
    """The job was cancelled."""


class Busy(Exception):
    """Too many jobs of a slot wait."""


class Lost(Exception):
    """A worker process ended while it worked."""


class Overtime(Exception):
    """A job exceeded its timeout; its process was killed."""
