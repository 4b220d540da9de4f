"""What a problem is asked to be before it is drawn: the network sees it as features.

What is easily sound has few pieces, few checks and no sacrifices; so a position is asked for what some
published problem has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tsume_rules.moves import Move
from tsume_rules.packing import pack
from tsume_rules.pieces import Kind, Side
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks

Line = tuple[Move, ...]


@dataclass(frozen=True)
class Condition:
    """A number that a problem has, from ``least`` to ``most``; numbers beyond count as these."""

    name: str
    least: int
    most: int
    of: Callable[[Position, Line], int]

    @property
    def values(self) -> int:
        """How many values it has."""
        return self.most - self.least + 1

    def value(self, position: Position, line: Line) -> int:
        """The value of a problem, from 0 on."""
        return min(max(self.of(position, line), self.least), self.most) - self.least


def _defenders(position: Position, _line: Line) -> int:
    return sum(
        piece is not None and piece.side is Side.DEFENDER and piece.kind is not Kind.KING
        for piece in position.board
    )


def _pieces(position: Position, _line: Line) -> int:
    return position.piece_count()


def _first_checks(position: Position, _line: Line) -> int:
    return len(legal_checks(pack(position))) // 2


def _sacrifices(_position: Position, line: Line) -> int:
    return sum(answer.target == check.target for check, answer in zip(line[::2], line[1::2], strict=False))


def _answers_not_by_king(position: Position, line: Line) -> int:
    king = position.king(Side.DEFENDER)
    others = 0
    for answer in line[1::2]:
        if answer.origin == king:
            king = answer.target
        else:
            others += 1
    return others


CONDITIONS = (
    Condition("defenders", 0, 9, _defenders),
    Condition("pieces", 3, 16, _pieces),
    Condition("first checks, in pairs", 0, 12, _first_checks),
    Condition("checking pieces captured at once", 0, 4, _sacrifices),
    Condition("answers not by the king", 0, 4, _answers_not_by_king),
)
"""All conditions, in the order of their features. `asked_counts` relies on the first two."""
_STARTS = np.cumsum([0, *(condition.values for condition in CONDITIONS)])


def conditions_of(position: Position, line: Line) -> tuple[int, ...]:
    """The conditions that a problem meets, as numbers below `MOST_CONDITIONS`, one of each kind."""
    return tuple(
        int(start) + condition.value(position, line)
        for start, condition in zip(_STARTS, CONDITIONS, strict=False)
    )


def asked_counts(conditions: Sequence[int]) -> tuple[int, int]:
    """How many defenders and how many pieces some conditions, one of each kind, ask for."""
    defenders, pieces = (
        condition.least + int(number - start)
        for condition, number, start in zip(CONDITIONS[:2], conditions, _STARTS, strict=False)
    )
    return defenders, pieces
