# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves made on a record for the length of a ``with`` block, undone even if it raises; lines on a copy."""

from __future__ import annotations

from types import TracebackType

from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.retract import captured_of, move_of
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions

Moves = tuple[int, ...]
"""A line of kernels' move codes; the sides alternate."""


class played:  # noqa: N801  (reads as a verb: ``with played(record, move, side)``)
    """Make a side's move; undo it when the block ends."""

    __slots__ = ("_captured", "_move", "_record", "_side")

    def __init__(self, record: Record, move: int, side: Side) -> None:
        self._record, self._move, self._side = record, move, int(side)

    def __enter__(self) -> None:
        self._captured = do(self._record, self._move, self._side)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        undo(self._record, self._move, self._side, self._captured)


class line_played:  # noqa: N801
    """Play a line, the attacker moving first; undo it when the block ends."""

    __slots__ = ("_captured", "_moves", "_record")

    def __init__(self, record: Record, moves: Moves) -> None:
        self._record, self._moves = record, moves

    def __enter__(self) -> None:
        self._captured = [do(self._record, move, ply % 2) for ply, move in enumerate(self._moves)]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for ply in range(len(self._moves) - 1, -1, -1):
            undo(self._record, self._moves[ply], ply % 2, self._captured[ply])


class retracted:  # noqa: N801
    """Undo an un-move (`tsume_rules.kernel.retract`); play it again when the block ends."""

    __slots__ = ("_record", "_side", "_unmove")

    def __init__(self, record: Record, unmove: int, side: Side) -> None:
        self._record, self._unmove, self._side = record, unmove, int(side)

    def __enter__(self) -> None:
        undo(self._record, move_of(self._unmove), self._side, captured_of(self._unmove))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        do(self._record, move_of(self._unmove), self._side)


def record_after(record: Record, moves: Moves) -> Record:
    """A copy of a record after a line, the attacker moving first."""
    copy = record.copy()
    for ply, move in enumerate(moves):
        do(copy, move, ply % 2)
    return copy


def first_illegal(record: Record, moves: Moves) -> int | None:
    """The index of the first move that is not a legal check or not a legal answer to one."""
    after = record.copy()
    for ply, move in enumerate(moves):
        if move not in (legal_evasions(after) if ply % 2 else legal_checks(after)):
            return ply
        do(after, move, ply % 2)
    return None


def attacker_turns(record: Record, moves: Moves) -> list[Record]:
    """The position at each of the attacker's turns on a line, also at the one after it.

    The attacker moves first; the last turn comes after the line if that has an even number of moves.
    """
    after = record.copy()
    turns = [after.copy()]
    for ply, move in enumerate(moves):
        do(after, move, ply % 2)
        if ply % 2:
            turns.append(after.copy())
    return turns
