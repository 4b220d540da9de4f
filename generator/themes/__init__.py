# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes: what happens in a problem's main line, a small predicate each (docs/themes.md)."""

from __future__ import annotations

from generator.replay import replay_line
from generator.themes.table import THEMES, Theme, shown_themes
from tsume_rules.moves import Move
from tsume_rules.position import Position

__all__ = ["THEMES", "Theme", "find_themes"]


def find_themes(position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
    """The tags of the themes that a main line shows, their purposes unproved, in the order of `THEMES`. The attacker
    moves first; the line ends with the mate. Mirror images show the same themes."""
    return shown_themes(replay_line(position, line))
