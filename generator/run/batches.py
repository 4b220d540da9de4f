# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of roots: what a root may know of earlier ones depends on its index alone.

A root of one batch knows the finds of all batches except its own and the one before, so
the roots of two batches can be composed at the same time, by any number of processes, with the same result.
Batches grow during a run: later ones have work for thousands of processes.
"""

from __future__ import annotations

from bisect import bisect_right

BATCH = 8
"""Roots in each of the first batches; the size of every batch is a multiple of it."""
BATCH_SHARE = 4
"""The size of a batch is the number of roots before it, divided by this: docs/scale.md has the choice."""
LARGEST_BATCH = 65_536
"""Roots in a batch, at most."""

_starts = [0]
"""The first root of each batch computed so far."""


def roots_in_batch(start: int) -> int:
    """The size of the batch that begins with root ``start``."""
    return min(LARGEST_BATCH, max(BATCH, start // BATCH_SHARE // BATCH * BATCH))


def batch_of_root(index: int) -> int:
    """The number of a root's batch, from 0 on."""
    while _starts[-1] <= index:
        _starts.append(_starts[-1] + roots_in_batch(_starts[-1]))
    return bisect_right(_starts, index) - 1


def first_root_of_batch(number: int) -> int:
    """The first root of a batch."""
    while len(_starts) <= number:
        _starts.append(_starts[-1] + roots_in_batch(_starts[-1]))
    return _starts[number]


def first_root_of_needed_batch(index: int) -> int:
    """The end of the roots that root ``index`` knows: all below it, done before ``index`` begins."""
    return first_root_of_batch(max(0, batch_of_root(index) - 1))


def end_of_batch_of_root(index: int) -> int:
    """The first root of the batch after that of root ``index``."""
    return first_root_of_batch(batch_of_root(index) + 1)
