"""Themes of the first and of the final position."""

from __future__ import annotations

from generator.themes.story import Story

FEW_PIECES = 4
"""At most this many pieces on the board and in the attacker's hand, kings counted, are few."""
CLEAN = 2
"""At most this many of the attacker's pieces at the mate make a clean finish (清涼詰)."""


def few_pieces(story: Story) -> bool:
    """少駒数."""
    return story.position.piece_count() <= FEW_PIECES


def clean_finish(story: Story) -> bool:
    """清涼詰."""
    return len(story.final_attackers) <= CLEAN
