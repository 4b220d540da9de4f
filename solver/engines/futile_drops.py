# SPDX-License-Identifier: GPL-3.0-or-later
"""Possibly futile drops: one query for all drops on a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from solver.engines.kernel.mate import may_be_futile
from tsume_rules.packing import Record, target_of

T = TypeVar("T")
U = TypeVar("U")


def asked_by_cell(
    record: Record, answers: Iterable[int], ask: Callable[[int], T], otherwise: U
) -> Iterator[tuple[int, T | U]]:
    """Yield each answer with ``ask(cell)`` for a drop that may be futile, else with ``otherwise``.

    ``ask`` is called once for each cell, before the first such drop on it is yielded.
    """
    said: dict[int, T] = {}
    for move in answers:
        if not may_be_futile(record, move):
            yield move, otherwise
            continue
        cell = target_of(move)
        if cell not in said:
            said[cell] = ask(cell)
        yield move, said[cell]
