"""Taking back moves: what a position may have come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tsume_rules.kernel.play import undo
from tsume_rules.kernel.retract import MOST_UNMOVES, captured_of, move_of
from tsume_rules.kernel.retract import un_checks as _un_checks
from tsume_rules.kernel.retract import un_evasions as _un_evasions
from tsume_rules.moves import Move
from tsume_rules.packing import pack, unpack, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.position import Position


@dataclass(frozen=True)
class UnMove:
    """A move taken back: ``before`` is the position in which ``move`` was played."""

    move: Move
    before: Position


def un_evasions(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The answers to a check that may have led here (the attacker to move, no check on the defender)."""
    return _taken_back(position, Side.DEFENDER, _un_evasions, captures)


def un_checks(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The checks that may have led here (the defender to move and in check)."""
    return _taken_back(position, Side.ATTACKER, _un_checks, captures)


def _taken_back(
    position: Position, side: Side, list_unmoves: Callable[..., int], captures: bool
) -> list[UnMove]:
    out = np.empty(MOST_UNMOVES, dtype=np.int64)
    number = list_unmoves(pack(position), out, captures)
    found = []
    for code in out[:number].tolist():
        record = pack(position)
        undo(record, move_of(code), int(side), captured_of(code))
        found.append(UnMove(unpack_move(move_of(code)), unpack(record, side)))
    return found
