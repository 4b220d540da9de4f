# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: exact, anywhere on the board, mirrored or not."""

from __future__ import annotations

from generator.replay import ReplayedLine, replay_line
from generator.themes.predicates import picture_of
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


def _story(sfen: str, move: str) -> ReplayedLine:
    """A line of a single move; it need not mate."""
    return replay_line(parse_sfen(sfen).position, (parse_move(move),))


def test_a_frame_is_a_picture_wherever_it_stands() -> None:
    assert picture_of(_story("gkg6/s1s6/1ss6/9/9/9/9/9/9 b G 1", "G*9c")) == "口"
    assert picture_of(_story("9/9/9/9/9/9/6gkg/6s1s/7ss b G 1", "G*3i")) == "口"


def test_one_piece_more_or_fewer_spoils_it() -> None:
    assert picture_of(_story("gkg6/s1s6/1ss6/9/9/9/9/8p/9 b G 1", "G*9c")) is None
    assert picture_of(_story("gkg6/s8/1ss6/9/9/9/9/9/9 b G 1", "G*9c")) is None


def test_a_mirrored_letter_counts() -> None:
    letter, mirrored = "3k5/3g5/3g5/3g5/4sss2/9/9/9/9 b G 1", "6k2/6g2/6g2/6g2/3sss3/9/9/9/9 b G 1"
    assert picture_of(_story(letter, "G*6e")) == picture_of(_story(mirrored, "G*3e")) == "L"
