# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, CORRECT_WHITE_LINE, FAULTY
from tsume.usi.positions import parse_position, start_position
from tsume.usi.protocol import UsiError
from tsume_rules.position import Side
from tsume_rules.sfen import format_hand


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


TWO_KINGS = "7nk/9/7G1/9/9/9/9/9/K8 b P 1"


@pytest.mark.parametrize(
    ("text", "roles", "white"),
    [
        (f"sfen {CORRECT}", "attack", False),
        (f"sfen {CORRECT_WHITE}", "attack", True),
        (f"sfen {CORRECT} moves {CORRECT_LINE[0]}", "defence", True),
        (f"sfen {CORRECT_WHITE} moves {CORRECT_WHITE_LINE[0]}", "defence", False),
        (f"sfen {CORRECT} moves 3d3e", "defence", True),
        ("sfen 9/8k/6+S2/6G2/9/9/9/9/9 w - 1", "defence", True),
        ("sfen 9/9/9/9/9/2g6/2+s6/K8/9 b - 1", "defence", False),
        (f"sfen {TWO_KINGS}", "attack", False),
        (f"sfen {TWO_KINGS} moves 2c1b", "defence", True),
        (f"sfen {TWO_KINGS} moves 2c3c", "attack or defence", True),
        ("sfen 7nk/8P/7G1/9/9/9/9/9/K8 w - 1", "attack or defence", True),
        ("startpos moves 7g7f", "attack", True),
        ("startpos moves 7g7f 3c3d 8h3c+", "attack or defence", True),
    ],
)
def test_the_roles_of_the_side_to_move(text: str, roles: str, white: bool) -> None:
    position = parse_position(text)
    found = [name for name in ("attack", "defence") if getattr(position, name) is not None]
    assert (" or ".join(found), position.white_to_move) == (roles, white)
    for parsed in (position.attack, position.defence):
        assert parsed is None or parsed.position.king(Side.DEFENDER) is not None


@pytest.mark.parametrize("moves", ["5a4b", "5a4b 7g7f", "5a4b 7g7f 4b5a"])
def test_what_a_handicap_leaves_out_is_never_the_attacker_s(moves: str) -> None:
    start = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    position = parse_position(f"{start} moves {moves}").parsed.position
    assert not position.attacker_hand
    assert format_hand(position.defender_hand) == "RB"
    with pytest.raises(UsiError, match="no bishop in hand"):
        parse_position(f"{start} moves 5a4b B*5e")


def test_missing_pieces_are_the_defender_s_if_he_is_to_move() -> None:
    position = parse_position("sfen 9/8k/6+S2/6G2/9/9/9/9/9 w - 1")
    assert position.missing == 36
    assert len(list(position.parsed.position.attacker_hand)) == 0


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
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "no defender's king"),
        ("sfen 4k4/4R4/9/9/9/9/9/9/9 b - 1", "in check"),
        ("sfen 4k4/9/9/4P4/4P4/9/9/9/9 w - 1", "pawns on file 5"),
    ],
)
def test_other_errors(text: str, message: str) -> None:
    with pytest.raises(UsiError, match=message):
        parse_position(text)
