"""What a worker process is told and what it answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext


SECONDS = 20.0
"""The time limit of one search, where nothing else is said."""
SPARE = 10.0
"""Seconds that a job may take for what is no search, loading included, before its process is killed."""


class Said(Enum):
    """What an answer is."""

    READY = "ready"
    """The engine is loaded."""
    ITEM = "item"
    """A part of the result."""
    DONE = "done"
    STOPPED = "stopped"
    """The job was given up, as the server asked."""
    FAILED = "failed"
    """The job met a bug, which is told on stderr."""


Answer = tuple[Said, Any]
"""With a `Said.ITEM` comes the part of the result."""


class Job(Protocol):
    """What a worker does for one request; it is sent to the process, so it is plain data."""

    @property
    def slot(self) -> str:
        """Jobs of one slot are done one after the other."""

    @property
    def seconds(self) -> float:
        """After this time the process is killed."""

    def run(self, context: WorkerContext) -> Iterator[Any]:
        """The result, part by part."""


@dataclass(frozen=True)
class Rendered:
    """An object as JSON. What is not ``settled`` may be another one with more time."""

    content: bytes
    settled: bool


def as_json(fields: dict[str, Any]) -> bytes:
    """An object on one line, UTF-8."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


@dataclass(frozen=True)
class Stop:
    """Gives up what the worker is doing."""


class Busy(Exception):
    """Too many jobs of a slot wait."""


class Lost(Exception):
    """A worker's process ended while it worked."""


class Overtime(Exception):
    """A job took far longer than it may, and its process was killed."""
