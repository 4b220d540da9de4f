# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position may be the start of a problem."""

from __future__ import annotations

from tsume_rules.kernel.attacks import in_check
from tsume_rules.packed import pack
from tsume_rules.position import (
    FaultKind,
    Kind,
    PlacementFault,
    Position,
    Side,
    placement_faults,
    surplus_faults,
)


def is_in_check(position: Position, side: Side) -> bool:
    """Return whether a side's king is attacked."""
    return bool(in_check(pack(position), int(side)))


def start_faults(position: Position) -> list[str]:
    """Sentences saying what forbids a position as the start of a problem; empty for a legal one."""
    return [fault.sentence() for fault in faults_of_start(position)]


def faults_of_start(position: Position) -> list[PlacementFault]:
    """Return what forbids a position as the start of a problem; empty for a legal one."""
    faults = [*surplus_faults(position), *placement_faults(position)]
    if not faults and is_in_check(position, Side.DEFENDER):
        both = is_in_check(position, Side.ATTACKER)
        kind = FaultKind.BOTH_IN_CHECK if both else FaultKind.IN_CHECK
        faults.append(PlacementFault(kind, Side.DEFENDER, Kind.KING))
    return faults
