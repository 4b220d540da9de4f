# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics on the first and the final position."""

from __future__ import annotations

from generator.replay.line import ReplayedLine

FEW_PIECES = 4
"""At most this many pieces on the board and in the attacker's hand, kings counted, are few."""
CLEAN = 2
"""At most this many of the attacker's pieces at the mate make a clean finish (清涼詰)."""


def few_pieces(replayed: ReplayedLine) -> bool:
    """少駒数."""
    return replayed.position.piece_count() <= FEW_PIECES


def clean_finish(replayed: ReplayedLine) -> bool:
    """清涼詰."""
    return len(replayed.final_attackers) <= CLEAN
