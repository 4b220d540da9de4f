# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of nodes and time, tested between slices of a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from solver.results import Limits, Reason

Number = TypeVar("Number", int, float)


class LimitReached(Exception):  # not an error: the search reached a limit
    """A search reached a limit; ``reason`` says which."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class LimitMeter:
    """The current limits of a search; ``count`` returns the nodes used.

    ``look``, if set, is called whenever the limits are tested; it may raise.
    """

    def __init__(self, count: Callable[[], int]) -> None:
        self._count = count
        self.look: Callable[[], None] | None = None
        self._node_limit: int | None = None
        self._deadline: float | None = None

    @contextmanager
    def within(self, limits: Limits) -> Iterator[None]:
        """Apply the limits' nodes and seconds inside the block; of nested limits the tighter ones hold."""
        before = self._node_limit, self._deadline
        if limits.nodes is not None:
            self._node_limit = _lower_limit(self._node_limit, self._count() + limits.nodes)
        if limits.seconds is not None:
            self._deadline = _lower_limit(self._deadline, time.monotonic() + limits.seconds)
        try:
            yield
        finally:
            self._node_limit, self._deadline = before

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds until the current deadline, not negative; None: there is none."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def next_slice(self, most: int) -> int:
        """Nodes that may be searched before the limits are tested again, at most ``most``."""
        return most if self._node_limit is None else max(0, min(most, self._node_limit - self._count()))

    def check(self) -> None:
        """Raise `LimitReached` if a current limit is reached."""
        if self.look is not None:
            self.look()
        if self._node_limit is not None and self._count() >= self._node_limit:
            raise LimitReached(Reason.NODES)
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise LimitReached(Reason.SECONDS)


def _lower_limit(limit: Number | None, other: Number) -> Number:
    return other if limit is None else min(limit, other)
