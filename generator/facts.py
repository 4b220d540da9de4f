"""Facts of a problem that may be wished or looked for: about its position, its first move, its judgement."""

from __future__ import annotations

from enum import StrEnum
from functools import reduce
from operator import or_

from solver.results import Judgement, Remark
from tsume_rules.moves import Move
from tsume_rules.pieces import Kind, Side
from tsume_rules.position import Position


class Key(StrEnum):
    """What the first move does; a drop may be a sacrifice too, and a capture that is not taken is none."""

    QUIET = "quiet"
    """It moves a piece, captures nothing, and the next answer of the main line does not take it."""
    DROP = "drop"
    """It is a drop."""
    SACRIFICE = "sacrifice"
    """The next answer of the main line takes it."""


def has_promoted(position: Position) -> bool:
    """Whether a promoted piece of either side stands on the board."""
    return any(piece is not None and piece.kind.is_promoted for piece in position.board)


def defenders(position: Position) -> int:
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


def is_without(judgement: Judgement, remark: Remark) -> bool:
    """Whether a remark is known not to apply; a judgement that was not settled to the end does not say."""
    return not judgement.unresolved and remark not in judgement.remarks


def unwanted_remarks(*, no_equal_defences: bool, no_variation_cooks: bool, one_finish: bool) -> Remark:
    """The remarks that a problem may not have if these facts are asked for.

    No other defence as long (変同), no second mate inside a variation (変化別詰), one last move only
    (no 最終手余詰).
    """
    asked = (
        (no_equal_defences, Remark.EQUAL_DEFENCES),
        (no_variation_cooks, Remark.VARIATION_COOK),
        (one_finish, Remark.LAST_MOVE_ALTERNATIVES),
    )
    return reduce(or_, (remark for is_asked, remark in asked if is_asked), Remark.NONE)
