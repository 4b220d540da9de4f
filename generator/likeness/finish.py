# SPDX-License-Identifier: GPL-3.0-or-later
"""The last move of a problem: whether another one mates as well (最終手余詰)."""

from __future__ import annotations

import numpy as np

from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.packed import Moves, Record, dropped, legal_checks, line_played, origin_of, played, target_of
from tsume_rules.position import Side

_ROOM = 1 << 12
"""Scratch space of `is_mated`."""


def has_two_last_moves(record: Record, line: Moves) -> bool:
    """Whether another last check of a line mates at once; another promotion is no other check."""
    out = np.empty(_ROOM, dtype=np.int64)

    def mates(check: int) -> bool:
        with played(record, check, Side.ATTACKER):
            return bool(is_mated(record, NARROW, out, 0))

    with line_played(record, line[:-1]):
        return any(mates(check) for check in legal_checks(record) if _route(check) != _route(line[-1]))


def _route(move: int) -> tuple[int, int, int]:
    """A move but for its promotion."""
    return dropped(move), origin_of(move), target_of(move)
