# SPDX-License-Identifier: GPL-3.0-or-later
"""The legal moves of a record as kernels' codes, in the fixed order: moves before drops, then by code."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsume_rules.kernel import answers
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.checks import MAX_MOVES, checks
from tsume_rules.kernel.evasions import evasions
from tsume_rules.kernel.placement import has_pawn
from tsume_rules.kernel.play import make_drop
from tsume_rules.kernel.tables import ATT, DEF, PAWN, STEP
from tsume_rules.packing import Record

_BELOW = int(STEP[7])
"""From the defender's king to the cell from which a pawn gives check."""


def legal_checks(record: Record) -> list[int]:
    """All legal checks, the attacker to move, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: checks(record, out, 0)].tolist())


def legal_evasions(record: Record) -> list[int]:
    """All legal answers of a defender in check, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: evasions(record, out, 0)].tolist())


def forbidden_drop(record: Record) -> int:
    """The pawn drop that is forbidden because it would be mate (打歩詰); 0 if there is none."""
    cell = int(record.king[DEF]) + _BELOW
    if not record.hand[ATT, PAWN] or record.board[cell] or has_pawn(record, cell, ATT):
        return 0
    drop = int(make_drop(PAWN, cell))
    return 0 if in_check(record, ATT) or drop in legal_checks(record) else drop


def room_for_answers() -> Any:
    """Scratch space for many calls of `answered_checks`."""
    return np.empty(answers.ROOM, dtype=np.int64)


def answered_checks(record: Record, room: Any = None) -> dict[int, list[int]]:
    """Each legal check with all legal answers to it; neither are in order. ``room``: scratch space."""
    out = room_for_answers() if room is None else room
    moves = out[MAX_MOVES : answers.answered_checks(record, out)].tolist()
    found: dict[int, list[int]] = {}
    at = 0
    while at < len(moves):
        last = at + 2 + moves[at + 1]
        found[moves[at]] = moves[at + 2 : last]
        at = last
    return found
