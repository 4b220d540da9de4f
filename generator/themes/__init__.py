"""Themes: what happens in a problem's main line, a small predicate each (docs/themes.md)."""

from __future__ import annotations

from generator.themes.story import replay
from generator.themes.table import THEMES, Theme, themes_of
from tsume_rules.moves import Move
from tsume_rules.position import Position

__all__ = ["THEMES", "Theme", "find_themes"]


def find_themes(position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
    """The names of a main line's themes, in the order of `THEMES`.

    The attacker moves first; the line ends with the mate. Mirror images have the same themes.
    """
    return themes_of(replay(position, line))
