# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes of the final position; `generator.theme_names` has the definitions."""

from __future__ import annotations

from collections.abc import Iterator

from generator.replay.board import attackers_of_cell
from generator.replay.line import ReplayedLine
from tsume_rules.kernel.tables import ATT, KING, OURS


def pinned_pieces(replayed: ReplayedLine) -> Iterator[tuple[int, int]]:
    """The cells of pinned defenders at the mate, each with the cell of the pinning slider."""
    king, cells = replayed.mated_king, replayed.end
    near = set(attackers_of_cell(cells, king, ATT))
    for cell in replayed.pieces:
        if cells[cell] > OURS and cell != king:
            without = cells.copy()
            without[cell] = 0
            for pinner in set(attackers_of_cell(without, king, ATT)) - near:
                yield cell, pinner


def pin_mate(replayed: ReplayedLine) -> bool:
    """ピン詰: a defender is pinned."""
    return any(True for _ in pinned_pieces(replayed))


def double_king(replayed: ReplayedLine) -> bool:
    """双玉."""
    return KING in replayed.start
