"""Drops that may be futile: all on one cell are one question."""

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
    """Each answer with what ``ask`` says of its cell, asked once a cell, before the first drop on it.

    Only of drops that could be futile is anything asked; the other answers come with ``otherwise``.
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
