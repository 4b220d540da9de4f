# SPDX-License-Identifier: GPL-3.0-or-later
"""The heuristics by name; quality and likeness are fitted to them.

A heuristic does not ask for a purpose; the theme of the same name may require more
(`generator.themes.table`). Fit the quality and the likeness again (`scripts/fit`) after changing one.
"""

from __future__ import annotations

from collections.abc import Callable

from generator.heuristics import attack, defence, form
from generator.replay.line import ReplayedLine

HEURISTICS: dict[str, Callable[[ReplayedLine], bool]] = {
    "sacrifice": attack.sacrifice,
    "big-piece-sacrifice": attack.big_piece_sacrifice,
    "promotion-sacrifice": attack.promotion_sacrifice,
    "serial-sacrifice": attack.serial_sacrifice,
    "quiet-move": attack.quiet_move,
    "non-promotion": attack.non_promotion,
    "distant-drop": attack.distant_drop,
    "discovered-check": attack.discovered_check,
    "double-check": attack.double_check,
    "obstruction-removal": attack.obstruction_removal,
    "switchback": attack.switchback,
    "knight-mate": attack.knight_mate,
    "interposition": defence.interposition,
    "moved-interposition": defence.moved_interposition,
    "chuai": defence.chuai,
    "king-lure": defence.king_lure,
    "decoy": defence.decoy,
    "block": defence.block,
    "king-hunt": defence.king_hunt,
    "king-returns": defence.king_returns,
    "clean-finish": form.clean_finish,
    "few-pieces": form.few_pieces,
}
"""In a fixed order."""


def heuristics_of(replayed: ReplayedLine) -> tuple[str, ...]:
    """The names of the heuristics that a line satisfies, in the order of `HEURISTICS`."""
    return tuple(name for name, shows in HEURISTICS.items() if shows(replayed))
