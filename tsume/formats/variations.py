# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of a record in the order of KIF and KI2 files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tsume.formats.game_record import Branch, GameRecord
from tsume_rules.moves import position_after
from tsume_rules.position import Position, Square


@dataclass(frozen=True)
class PlacedBranch:
    """A line, the position before it, and the target of the move before it.

    ``more`` is the number of later variations that replace its first move.
    """

    branch: Branch
    position: Position
    last_target: Square | None
    more: int = 0
    main: bool = False

    def has_others(self, number: int) -> bool:
        """Whether alternatives to a move follow in the file."""
        return bool(self.branch.leaving(number)) or (number == self.branch.first and self.more > 0)


def in_writing_order(record: GameRecord) -> Iterator[PlacedBranch]:
    """The main line, then the variations, each followed by its own; those that begin last are first.

    A reader that goes back to the move before a variation is then always in its parent line.
    """
    yield from _branches_in_writing_order(PlacedBranch(record.main, record.position, None, main=True))


def _branches_in_writing_order(placed: PlacedBranch) -> Iterator[PlacedBranch]:
    yield placed
    branch = placed.branch
    positions, targets = [placed.position], [placed.last_target]
    for move in branch.line:
        positions.append(position_after(positions[-1], move))
        targets.append(move.target)
    for number in sorted({one.first for one in branch.branches}, reverse=True):
        at = number - branch.first
        siblings = branch.leaving(number)
        for place, sibling in enumerate(siblings, start=1):
            yield from _branches_in_writing_order(
                PlacedBranch(sibling, positions[at], targets[at], len(siblings) - place)
            )
