# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms of the first position: near misses."""

from __future__ import annotations

import pytest

from generator.themes import find_themes
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


@pytest.mark.parametrize(
    ("board", "is_one"),
    [
        ("7nl/7k1/8p/9/9/9/9/9/9", True),
        ("8l/5b1r1/8k/9/9/9/9/9/9", False),  # a lance, but else only a rook and a bishop
        ("4b3l/7rk/7p1/9/9/9/9/9/9", True),
        ("7+p1/8k/7g1/6s2/9/9/9/9/9", False),  # nothing where it began
    ],
)
def test_a_game_like_king_has_a_castle(board: str, is_one: bool) -> None:
    found = find_themes(parse_sfen(f"{board} b G 1").position, (parse_move("G*9i"),))
    assert ("game-like" in found) is is_one
