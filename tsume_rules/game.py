"""The rules in readable form: checks, evasions, legality of a start."""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.checks import MAX_MOVES
from tsume_rules.kernel.checks import checks as _checks
from tsume_rules.kernel.evasions import evasions as _evasions
from tsume_rules.moves import Move
from tsume_rules.packing import pack, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.position import IllegalPosition, Position, structural_faults


def checks(position: Position) -> list[Move]:
    """All legal checks of the attacker, who is to move."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return [unpack_move(int(code)) for code in out[: _checks(pack(position), out, 0)]]


def evasions(position: Position) -> list[Move]:
    """All legal answers of the defender, who is to move and in check."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return [unpack_move(int(code)) for code in out[: _evasions(pack(position), out, 0)]]


def is_in_check(position: Position, side: Side) -> bool:
    """Whether a side's king is attacked."""
    return bool(in_check(pack(position), int(side)))


def start_faults(position: Position) -> list[str]:
    """What forbids a position as the start of a problem; empty for a legal one."""
    faults = structural_faults(position)
    if not faults and is_in_check(position, Side.DEFENDER):
        faults.append("the defender's king is in check with the attacker to move")
    return faults


def require_legal_start(position: Position) -> None:
    """Raise `IllegalPosition` unless a problem may begin here."""
    faults = start_faults(position)
    if faults:
        raise IllegalPosition("; ".join(faults))
