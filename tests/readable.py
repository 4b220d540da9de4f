# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels' lists of moves and of moves taken back, in readable types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tsume_rules.kernel import move_generation as attack
from tsume_rules.kernel import move_generation as defence
from tsume_rules.kernel import retract
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.kernel.state import undo
from tsume_rules.moves import Move
from tsume_rules.packed import pack, unpack, unpack_move
from tsume_rules.position import Position, Side


@dataclass(frozen=True)
class UnMove:
    """A move taken back: ``before`` is the position in which ``move`` was played."""

    move: Move
    before: Position


def checks(position: Position) -> list[Move]:
    """All legal checks of the attacker, who is to move."""
    return _moves(position, attack.checks)


def evasions(position: Position) -> list[Move]:
    """All legal answers of the defender, who is to move and in check."""
    return _moves(position, defence.evasions)


def un_evasions(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The answers to a check that may have led here (the attacker to move, no check on the defender)."""
    return _retracted(position, Side.DEFENDER, retract.un_evasions, captures)


def un_checks(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The checks that may have led here (the defender to move and in check)."""
    return _retracted(position, Side.ATTACKER, retract.un_checks, captures)


def _moves(position: Position, list_moves: Callable[..., int]) -> list[Move]:
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return [unpack_move(code) for code in out[: list_moves(pack(position), out, 0)].tolist()]


def _retracted(position: Position, side: Side, list_unmoves: Callable[..., int], captures: bool) -> list[UnMove]:
    out = np.empty(retract.MAX_UNMOVES, dtype=np.int64)
    number = list_unmoves(pack(position), out, captures)
    found = []
    for code in out[:number].tolist():
        packed = pack(position)
        move = retract.move_of(code)
        undo(packed, move, int(side), retract.captured_of(code))
        found.append(UnMove(unpack_move(move), unpack(packed, side)))
    return found
