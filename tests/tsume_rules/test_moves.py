# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import pack_move, unpack_move
from tsume_rules.position import HAND_KINDS, SQUARES, mirrored, parse_square, rotated, square_name

squares = st.integers(0, SQUARES - 1)
drops = st.builds(Move, squares, drop=st.sampled_from(HAND_KINDS))
board_moves = st.builds(Move, squares, squares, promotes=st.booleans())
moves = drops | board_moves


@given(moves)
def test_usi_there_and_back(move: Move) -> None:
    assert parse_move(move.usi) == move
    assert str(move) == move.usi


@given(moves.filter(lambda move: move.origin != move.target))
def test_python_shogi_reads_the_same_move(move: Move) -> None:
    assert shogi.Move.from_usi(move.usi).usi() == move.usi


@given(moves)
def test_mirrored_or_rotated_twice_is_as_before(move: Move) -> None:
    assert move.mirrored.mirrored == move.rotated.rotated == move
    assert move.mirrored.rotated == move.rotated.mirrored


@given(moves)
def test_packed_there_and_back(move: Move) -> None:
    assert unpack_move(pack_move(move)) == move


@given(squares)
def test_squares(sq: int) -> None:
    assert parse_square(square_name(sq)) == sq
    assert mirrored(mirrored(sq)) == rotated(rotated(sq)) == sq
    assert square_name(mirrored(sq))[1] == square_name(sq)[1]


def test_examples() -> None:
    assert parse_move("2b3c+").mirrored.usi == "8b7c+"
    assert parse_move("2b3c+").rotated.usi == "8h7g+"
    assert parse_move("G*1a").rotated.usi == "G*9i"


@pytest.mark.parametrize(
    "text",
    [
        *("", "7g", "7g7", "7g7f++", "7g7f+x", "7g7f=", "7g7fxy", "0a1a", "1j1a", " 7g7f", "7g7f ", "７g7f"),
        *("K*5e", "g*5e", "+P*5e", "P*", "P*5", "P*5ee", "*5e", "P**5e", "7ab7c"),
    ],
)
def test_text_that_is_not_a_move(text: str) -> None:
    with pytest.raises(ValueError, match="not a move in USI notation"):
        parse_move(text)


@given(st.text() | st.text("123456789abcdefghi+*PLG", max_size=7))
def test_junk_is_read_literally_or_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except ValueError:
        return
    assert move.usi == text
