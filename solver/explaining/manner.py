"""Manners of answering a check: the checking piece is taken, the king moves, something comes between."""

from __future__ import annotations

from enum import IntEnum, auto

from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.tables import DEF
from tsume_rules.packing import Record, dropped, origin_of, target_of


class Manner(IntEnum):
    """Kinds of answer, in the order in which a person looks at them."""

    TAKES_CHECKER = auto()
    """The king or another piece takes the checking piece."""
    MOVES_KING = auto()
    """The king goes to another square, or takes a piece that does not check."""
    MOVES_BETWEEN = auto()
    """A piece on the board comes between (移動合)."""
    DROPS_BETWEEN = auto()
    """A piece in hand is dropped between (合駒)."""


def manner_of(record: Record, answer: int) -> Manner:
    """The manner of a legal answer (a kernels' move code); ``record`` stands before it, in check."""
    if dropped(answer):
        return Manner.DROPS_BETWEEN
    count, checker = find_checkers(record, DEF)
    if count == 1 and target_of(answer) == checker:
        return Manner.TAKES_CHECKER
    return Manner.MOVES_KING if origin_of(answer) == int(record.king[DEF]) else Manner.MOVES_BETWEEN
