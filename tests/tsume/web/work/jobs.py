"""Jobs for the tests of the crew: one that ends, and some that do not behave."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tsume.web.work.context import WorkerContext


@dataclass(frozen=True)
class Count:
    """Tells its process and counts."""

    most: int = 0
    slot: str = "judgement"
    seconds: float = 60.0

    def run(self, context: WorkerContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        yield from range(self.most)


@dataclass(frozen=True)
class Patient:
    """Goes on until it is given up, and looks whether it is."""

    slot: str = "judgement"
    seconds: float = 600.0

    def run(self, context: WorkerContext) -> Iterator[Any]:
        yield os.getpid()
        while True:
            time.sleep(0.01)
            context.look()


@dataclass(frozen=True)
class Stuck:
    """Never looks whether it is given up."""

    slot: str = "judgement"
    seconds: float = 600.0

    def run(self, context: WorkerContext) -> Iterator[Any]:
        context.look = lambda: None  # the process looks too, after each part of a result
        yield os.getpid()
        time.sleep(1000)


@dataclass(frozen=True)
class Dying:
    """Its process is killed."""

    slot: str = "judgement"
    seconds: float = 60.0

    def run(self, context: WorkerContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Buggy:
    """Meets a bug."""

    slot: str = "judgement"
    seconds: float = 60.0

    def run(self, context: WorkerContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        raise ZeroDivisionError
