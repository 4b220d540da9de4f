# SPDX-License-Identifier: GPL-3.0-or-later
"""A limit on attempts: of a passphrase for a name, of new names by a client."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil

from tsume.web.api.responses import RequestError

_MOST_KEYS = 10_000
"""Keys that are remembered, the latest ones."""


class AttemptLimiter:
    """At most ``most`` attempts in ``seconds`` for each key; those that succeed do not count."""

    def __init__(
        self, most: int = 10, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def begin(self, key: str) -> None:
        """Count an attempt before it is made. Raises `RequestError` if there were too many."""
        now, times = self._clock(), self._times.setdefault(key, deque())
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            retry = max(1, ceil(times[0] + self._seconds - now))
            raise RequestError(429, f"too many attempts: try again in {retry} s", retry=retry)
        times.append(now)
        self._times.move_to_end(key)
        while len(self._times) > _MOST_KEYS:
            self._times.popitem(last=False)

    def forget(self, key: str) -> None:
        """An attempt has succeeded: the key begins anew."""
        self._times.pop(key, None)
