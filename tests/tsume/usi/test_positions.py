# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, FAULTY
from tsume.usi.positions import parse_position, start_position
from tsume.usi.protocol import UsiError


def test_the_attacker_is_the_side_to_move() -> None:
    black, white = parse_position(f"sfen {CORRECT}"), parse_position(f"sfen {CORRECT_WHITE}")
    assert not black.white_to_move
    assert white.white_to_move
    assert white.parsed.sfen == CORRECT_WHITE


def test_moves_change_the_side_to_move() -> None:
    assert start_position() == parse_position("startpos")
    position = parse_position("startpos  moves 7g7f\t3c3d 8h2b+")
    assert position.white_to_move
    assert position.parsed.sfen == "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1"
    assert not parse_position("startpos moves 7g7f 3c3d").white_to_move


@pytest.mark.parametrize(
    ("sfen", "line"), [(CORRECT, CORRECT_LINE[:2]), (CORRECT_WHITE, CORRECT_WHITE_LINE[:2])]
)
def test_problems_can_be_played_on(sfen: str, line: list[str]) -> None:
    before = parse_position(f"sfen {sfen}")
    after = parse_position(f"sfen {sfen} moves {' '.join(line)}")
    assert after.white_to_move == before.white_to_move
    assert after != before


@pytest.mark.parametrize("sfen", FAULTY)
def test_bad_positions_name_their_field(sfen: str) -> None:
    with pytest.raises(UsiError, match="position") as raised:
        parse_position(f"sfen {sfen}")
    assert FAULTY[sfen] in str(raised.value)
    assert str(raised.value).isascii()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs startpos or sfen"),
        ("startpos 7g7f", "needs startpos or sfen"),
        ("startpos moves 7g7f 7g7f", "moves: move 2, 7g7f: no piece on 7g"),
        ("startpos moves 7g7f 2g2f", "it is White's turn"),
        ("startpos moves 7g7f é", "moves: move 2, '\\\\xe9', is not USI notation"),
        ("startpos moves 7g7e", "the piece does not move that way"),
        (f"sfen {CORRECT} moves {CORRECT_LINE[0]}", "no defender's king"),
    ],
)
def test_other_errors(text: str, message: str) -> None:
    with pytest.raises(UsiError, match=message):
        parse_position(text)
