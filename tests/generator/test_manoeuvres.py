# SPDX-License-Identifier: GPL-3.0-or-later
"""A manoeuvre that a line repeats, and what is none."""

from __future__ import annotations

import pytest

from generator.acceptance.pipeline import repeats_manoeuvre
from generator.replay import replay_line
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

TWO_SILVERS = "4k4/9/3S1S3/9/9/9/9/9/9 b - 1"


@pytest.mark.parametrize(("sfen", "line", "repeats"), [
    # promote beside the king, step next to it, be captured; twice
    (TWO_SILVERS, "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b5b", True),
    # by a gold from the hand instead of the second silver: another way to come
    ("4k4/9/5S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*6b 5b4b 6b5b 4b5b", False),
    # by a knight that moves like a gold too
    ("4k4/9/3N1S3/9/9/9/9/9/9 b - 1", "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b5b", True),
    # with another check between the two
    ("4k4/9/3S1S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*5c 5b5c 6c6b+ 5c4b 6b5b 4b5b", True),
    # the second comes from farther off
    ("4k4/9/3S1S3/9/9/9/9/9/9 b G 1", "4c4b+ 5a6a 4b5b 6a5b G*4b 5b4a 6c6b+ 4a5a 6b5b 5a5b", False),
    # the second is not taken
    (TWO_SILVERS, "4c4b+ 5a6a 4b5b 6a5b 6c6b+ 5b4b 6b5b 4b3a", False),
    # single sacrifices are no manoeuvre
    ("4k4/9/9/9/9/9/9/9/9 b 3G 1", "G*5b 5a5b G*5c 5b5c G*5d 5c5d", False),
    # a piece that goes on (馬鋸)
    ("8k/9/9/9/4+B4/9/9/9/9 b - 1", "5e4e 1a2a 4e4d 2a1a 4d3d 1a2a 3d3c 2a1a", False),
])  # fmt: skip
def test_a_manoeuvre_is_repeated(sfen: str, line: str, repeats: bool) -> None:
    moves = tuple(map(parse_move, line.split()))
    assert repeats_manoeuvre(replay_line(parse_sfen(sfen).position, moves)) == repeats
