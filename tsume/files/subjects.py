# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions to be drawn: given ones, or problems of a store, with their lines if known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from db.selection import ProblemSelection
from db.store import Store
from tsume.files.inputs import PositionInputs
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import Position


@dataclass(frozen=True)
class PictureSubject:
    """A position to be drawn, seen by the attacker.

    ``place`` says where it was found, ``name`` is for its file. ``line`` is its solution, empty if it is
    not known. ``error`` says what is wrong with a position that cannot be drawn; it is None then.
    """

    place: str
    name: str
    position: Position | None
    line: tuple[Move, ...] = ()
    error: str = ""

    def at(self, ply: int) -> tuple[Position, Move | None]:
        """The position after that many moves of the line, and the last of them.

        Raises ValueError where the line is shorter or cannot be played.
        """
        assert self.position is not None
        if ply > len(self.line):
            raise ValueError(f"no move {ply}: the line has {len(self.line)}")
        return position_after_all(self.position, self.line[:ply]), self.line[ply - 1] if ply else None


def given_subjects(inputs: PositionInputs) -> Iterator[PictureSubject]:
    """The positions of a command's arguments and files."""
    for number, entry in enumerate(inputs, start=1):
        name = str(number if entry.id is None else entry.id)
        if entry.parsed is None:
            yield PictureSubject(entry.place, name, None, error=entry.error)
        else:
            yield PictureSubject(entry.place, name, entry.parsed.position, entry.line)


def stored_subjects(place: str, wanted: ProblemSelection) -> Iterator[PictureSubject]:
    """The problems of a store. Raises `db.errors.StoreError`."""
    with Store.open(place, create=False) as store:
        for problem in map(store.playable, store.find(wanted)):
            yield PictureSubject(f"problem {problem.id}", str(problem.id), problem.position, problem.line)
