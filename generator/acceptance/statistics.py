# SPDX-License-Identifier: GPL-3.0-or-later
"""The statistics of one root: rejections by reason, tests, CPU seconds by stage."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from generator.acceptance.reasons import Counts

T = TypeVar("T")


class RootStatistics:
    """``counts`` of what happened in a root, and CPU ``seconds`` by stage."""

    def __init__(self) -> None:
        self.counts: Counts = Counter({"roots": 1})
        self.seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the CPU time of the block to a stage."""
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.process_time() - started

    def timed_each(self, stage: str, found: Iterator[T]) -> Iterator[T]:
        """The same items; the CPU time that each takes is added to a stage."""
        while True:
            with self.timed(stage):
                one = next(found, None)
            if one is None:
                return
            yield one
