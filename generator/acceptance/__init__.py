# SPDX-License-Identifier: GPL-3.0-or-later
"""Acceptance, the same for all ways of composing: the last tests make a candidate a problem.

Why a candidate was rejected: every rejection has one of the reasons here and is counted.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import PurePath
from typing import TypeVar


class Rejection(StrEnum):
    """The reasons, roughly in the order of the tests."""

    NO_FINAL = "no mated position drawn"
    NOT_MENDED = "no sound position near a drawn one"
    NO_WAY_BACK = "no check leads to the final position"
    SHORTER_DEFENCE = "the answer taken back is no longest defence"
    LONGER_DEFENCE = "another answer lasts longer"
    OTHER_DEFENCE = "another longest defence has a second solution or leaves pieces in hand"
    ALREADY_SEEN = "met before in this tree"
    MATE_IN_ONE = "mates in one"
    MATE_IN_THREE = "mates in three"
    SHORTER_MATE = "mates sooner"
    SECOND_MATE = "another check mates as soon or a little later"
    LONGER_COOK = "another check mates later"
    LEFTOVER = "pieces left in hand"
    STARTS_IN_CHECK = "the attacker's king is in check at the start"
    GREY = "depends on the reading of futile interpositions"
    NOT_CORRECT = "defect found by the full check"
    NOT_EXCLUDED = "a longer second solution is not excluded"
    UNRESOLVED = "not resolved within the limits"
    PLAIN_QUALITY = "its quality is below the floor"
    NOT_WISHED = "not as wished"
    SAME_LINE = "its line is that of another problem of the run"
    SAME_PROBLEM = "another problem of the run has its squares, its last moves, or its key and mate"
    REPEATED = "a manoeuvre is repeated within the line"
    UNLIKELY = "unlike what people compose"
    SAME_FRAME = "first move and final position are those of another problem of its root"
    NOT_CONFIRMED = "not confirmed from an empty table"
    DUPLICATE = "already found or stored"
    FAILED = "an error in the program ended the root"


_REASONS = frozenset(reason.value for reason in Rejection)
_FAILURE = "root "
_MAX_OF_ERROR = 120
"""Characters of an error in a failure's name, at most."""
Counts = Counter[str]
"""How often each thing happened: rejections by reason, and the other counters of a run."""
KNOWN_AGAIN = "known again"
"""The counter of problems that an earlier root had found."""

MAX_FAILED_ROOTS = 16
"""If so many roots in succession raise an error, the run ends."""


class RootsFailedError(RuntimeError):
    """Many roots in succession raised an error: no other is expected to do better."""


def failure_name(index: int, error: BaseException) -> str:
    """Return the name under which a failed root is counted: its index, the error and where it was raised."""
    cause = error.__cause__ or error  # what a generator makes of StopIteration says nothing
    raised = traceback.extract_tb(cause.__traceback__)[-1]
    text = " ".join(f"{type(cause).__name__} {cause}".split())
    place = f"{PurePath(raised.filename).name}, line {raised.lineno}"
    return f"{_FAILURE}{index}: {text[:_MAX_OF_ERROR]} ({place})"


def failure_of(counts: Counts) -> str:
    """Return the name of the failed root among the counters of a root; empty if it did not fail."""
    return next(filter(is_failure, counts), "")


def is_failure(name: str) -> bool:
    """Return whether a counter's name is that of a failed root (`failure_name`)."""
    return name.startswith(_FAILURE)


def is_rejection(name: str) -> bool:
    """Return whether a counter's name is a reason or a failed root, not a stage."""
    return name in _REASONS or is_failure(name)


# --- the statistics of one root: rejections by reason, tests, CPU seconds by stage -----------------

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
        """Yield the same items; the CPU time that each takes is added to a stage."""
        while True:
            with self.timed(stage):
                one = next(found, None)
            if one is None:
                return
            yield one
