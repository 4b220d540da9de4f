"""Themes of the final position; `generator.theme_names` gives the meanings."""

from __future__ import annotations

from collections.abc import Iterator

from generator.themes.board import attackers
from generator.themes.story import Story
from tsume_rules.kernel.tables import ATT, KING, OURS


def pins(story: Story) -> Iterator[tuple[int, int]]:
    """The cells of pinned defenders at the mate, each with that of the slider that pins it."""
    king, cells = story.mated_king, story.end
    near = set(attackers(cells, king, ATT))
    for cell in story.who:
        if cells[cell] > OURS and cell != king:
            without = cells.copy()
            without[cell] = 0
            for pinner in set(attackers(without, king, ATT)) - near:
                yield cell, pinner


def pin_mate(story: Story) -> bool:
    """ピン詰: a defender is pinned."""
    return any(True for _ in pins(story))


def double_king(story: Story) -> bool:
    """双玉."""
    return KING in story.start
