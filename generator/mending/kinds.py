# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of improvement, and which changes belong to each."""

from __future__ import annotations

from enum import StrEnum

from generator.changes import ChangeKind, PositionChange
from tsume_rules.position import Piece, Side


class Improvement(StrEnum):
    """The kinds of improvement."""

    DEFENDERS = "defenders"
    """Defending pieces are added, or exchanged for others."""
    NATURAL = "natural"
    """Pieces stand elsewhere, are plain instead of promoted, are fewer, or everything is shifted."""
    INTRODUCTION = "introduction"
    """Moves come before the line."""


def improvement_of_changes(changes: tuple[PositionChange, ...]) -> Improvement:
    """What the changes of a problem that keep its line are called together."""
    return Improvement.DEFENDERS if any(map(adds_plain_defender, changes)) else Improvement.NATURAL


def adds_plain_defender(change: PositionChange) -> bool:
    """Whether a plain defending piece is added, or comes in the place of another one."""
    if change.sort is ChangeKind.ADDED:
        return change.square is not None and _is_plain_defender(change.piece)
    was_defender = change.piece is not None and change.piece.side is Side.DEFENDER
    return change.sort is ChangeKind.EXCHANGED and was_defender and _is_plain_defender(change.other)


def _is_plain_defender(piece: Piece | None) -> bool:
    return piece is not None and piece.side is Side.DEFENDER and not piece.kind.is_promoted
