# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position may be the start of a problem."""

from __future__ import annotations

from tsume_rules.kernel.attacks import in_check
from tsume_rules.packing import pack
from tsume_rules.pieces import Side
from tsume_rules.position import IN_CHECK, Position, structural_faults


def is_in_check(position: Position, side: Side) -> bool:
    """Whether a side's king is attacked."""
    return bool(in_check(pack(position), int(side)))


def start_faults(position: Position) -> list[str]:
    """Sentences saying what forbids a position as the start of a problem; empty for a legal one."""
    faults = structural_faults(position)
    if not faults and is_in_check(position, Side.DEFENDER):
        faults.append(IN_CHECK)
    return faults
