# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs for the tests of the pool: one that ends, and some that do not behave."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any


@dataclass
class PlainContext:
    """A context without any tools."""

    look: Callable[[], None]
    post: Callable[[Any], None]

    def watched(self) -> AbstractContextManager[None]:
        return nullcontext()


@dataclass(frozen=True)
class Count:
    """Yields the number of its process, then counts."""

    most: int = 0
    slot: str = "judgement"
    timeout: float = 60.0

    def run(self, context: PlainContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        yield from range(self.most)


@dataclass(frozen=True)
class Posting:
    """Sends a part of its result before the step ends that leads to the next."""

    slot: str = "judgement"
    timeout: float = 60.0

    def run(self, context: PlainContext) -> Iterator[Any]:
        yield "begun"
        context.post("posted")
        yield "ended"


@dataclass(frozen=True)
class Patient:
    """Runs until it is cancelled; checks for that."""

    slot: str = "judgement"
    timeout: float = 600.0

    def run(self, context: PlainContext) -> Iterator[Any]:
        yield os.getpid()
        while True:
            time.sleep(0.01)
            context.look()


@dataclass(frozen=True)
class Stuck:
    """Never checks whether it is cancelled."""

    slot: str = "judgement"
    timeout: float = 600.0

    def run(self, context: PlainContext) -> Iterator[Any]:
        context.look = lambda: None  # the process looks too, after each part of a result
        yield os.getpid()
        time.sleep(1000)


@dataclass(frozen=True)
class Dying:
    """Its process is killed."""

    slot: str = "judgement"
    timeout: float = 60.0

    def run(self, context: PlainContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Buggy:
    """Meets a bug."""

    slot: str = "judgement"
    timeout: float = 60.0

    def run(self, context: PlainContext) -> Iterator[Any]:  # noqa: ARG002
        yield os.getpid()
        raise ZeroDivisionError
