# SPDX-License-Identifier: GPL-3.0-or-later
"""The problem of the day: problems in a fixed random order, which each day goes one further."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from hashlib import sha256
from heapq import nsmallest
from typing import TypeVar

T = TypeVar("T")
MOST_DAYS = 1000
"""Problems that rotate."""
_FIRST = date(1970, 1, 1)


def day_rotation(problems: Iterable[T], canonical: Callable[[T], str]) -> list[T]:
    """At most `MOST_DAYS` problems in the order in which they come up.

    ``canonical`` gives a problem's canonical SFEN: by its hash the order is the same everywhere and tells
    nothing.
    """
    return nsmallest(MOST_DAYS, problems, key=lambda one: sha256(canonical(one).encode()).digest())


def place_of_day(day: date, number: int) -> int:
    """The place in a rotation of ``number`` problems whose turn it is on a date."""
    return (day - _FIRST).days % number
