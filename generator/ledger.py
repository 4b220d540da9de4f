"""What is counted for one root: rejections by reason, tests of the growth, seconds by stage."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from generator.reasons import Counts, Rejection
from generator.stages import FAILED, UNANSWERED, Stage

T = TypeVar("T")
REASON_OF = {
    Stage.ANSWER_HOLDS: Rejection.LONGER_DEFENCE,
    Stage.ANSWER_LASTS: Rejection.SHORTER_DEFENCE,
    Stage.OTHER_ANSWERS: Rejection.OTHER_DEFENCE,
    Stage.NEW: Rejection.ALREADY_SEEN,
    Stage.NO_MATE_IN_ONE: Rejection.MATE_IN_ONE,
    Stage.NO_MATE_IN_THREE: Rejection.MATE_IN_THREE,
    Stage.NO_SHORTER_MATE: Rejection.SHORTER_MATE,
    Stage.ONE_KEY: Rejection.SECOND_MATE,
}
"""Why a candidate that fails a test of the growth is rejected."""


class Ledger:
    """``counts`` of what happened in a root, and CPU ``seconds`` by stage."""

    def __init__(self) -> None:
        self.counts: Counts = Counter(roots=1)
        self.seconds: dict[str, float] = {}

    def add_tests(self, tally: np.ndarray) -> None:
        """Add what the tests of the growth did (`generator.stages`); counts of zero are dropped."""
        self.counts["defences"] += int(tally[Stage.ANSWER_HOLDS, 0])
        self.counts["candidates"] += int(tally[Stage.NEW, 0])
        for stage, reason in REASON_OF.items():
            self.counts[reason] += int(tally[stage, FAILED])
            self.counts[Rejection.UNRESOLVED] += int(tally[stage, UNANSWERED])
        self.counts = Counter({name: number for name, number in self.counts.items() if number})

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
