# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of a problem that can be required or searched for: of its position, first move and judgement."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from solver.results import Defect, Judgement
from tsume_rules.moves import Move
from tsume_rules.position import Kind, Position, Side


class Key(StrEnum):
    """What the first move does; a drop may also be a sacrifice, and some captures are none of these."""

    QUIET = "quiet"
    """It moves a piece, captures nothing, and the next answer of the main line does not take it."""
    DROP = "drop"
    """It is a drop."""
    SACRIFICE = "sacrifice"
    """The next answer of the main line takes it."""


@dataclass(frozen=True, kw_only=True)
class PropertyConstraints:
    """Properties that a problem must have; the defaults require none.

    ``no_promoted``: no promoted piece stands on the board; ``defenders``: at least this many pieces of the
    defender stand there beside the king. ``no_equal_defences`` (変同), ``no_variation_cooks`` (変化別詰) and
    ``one_finish`` (no 最終手余詰): the judgement has no such remark. ``same_when_counted``: length and main
    line stay the same if every interposition counts. ``key``: a `Key`.
    """

    no_promoted: bool = False
    defenders: int | None = None
    no_equal_defences: bool = False
    no_variation_cooks: bool = False
    one_finish: bool = False
    same_when_counted: bool = False
    key: str | None = None

    @property
    def has_property_constraints(self) -> bool:
        """Whether any property is required."""
        return any(getattr(self, field.name) not in (None, False) for field in fields(PropertyConstraints))

    @property
    def unwanted_defects(self) -> Defect:
        """The remarks that no problem may have."""
        asked = (
            (self.no_equal_defences, Defect.EQUAL_DEFENCES),
            (self.no_variation_cooks, Defect.VARIATION_COOK),
            (self.one_finish, Defect.LAST_MOVE_ALTERNATIVES),
        )
        return Defect.union(remark for is_asked, remark in asked if is_asked)


def has_promoted(position: Position) -> bool:
    """Whether a promoted piece of either side stands on the board."""
    return any(piece is not None and piece.kind.is_promoted for piece in position.board)


def count_defenders(position: Position) -> int:
    """How many pieces of the defender stand on the board, the king not counted."""
    pieces = [piece for piece in position.board if piece is not None and piece.side is Side.DEFENDER]
    return sum(piece.kind is not Kind.KING for piece in pieces)


def key_kinds(position: Position, line: tuple[Move, ...]) -> frozenset[Key]:
    """What the first move of a main line is."""
    key = line[0]
    kinds = {Key.DROP} if key.drop is not None else set()
    if len(line) > 1 and line[1].target == key.target:
        return frozenset(kinds | {Key.SACRIFICE})
    if key.drop is None and position.board[key.target] is None:
        kinds.add(Key.QUIET)
    return frozenset(kinds)


def is_free_of_defect(judgement: Judgement, remark: Defect) -> bool:
    """Whether a remark is known not to apply; a judgement that was not settled to the end does not say."""
    return not judgement.unresolved and remark not in judgement.remarks
