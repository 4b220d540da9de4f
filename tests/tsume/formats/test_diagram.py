# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import unicodedata

import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats.positions import random_record
from tsume.formats.diagram import board_lines, parse_rank_line, text_diagram
from tsume.formats.kif import read_kif
from tsume_rules.position import Kind, Piece, Side
from tsume_rules.sfen import format_sfen, parse_sfen

SFEN = "7nl/5+B3/8p/6+R1k/8s/7Ps/9/9/9 b G2r2b3g2s3n3l16p 1".replace("2r2b", "rb")


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def test_the_diagram_of_a_problem() -> None:
    text = text_diagram(parse_sfen(SFEN).position).splitlines()
    assert text[0] == "  ９ ８ ７ ６ ５ ４ ３ ２ １"
    assert text[5] == "| ・ ・ ・ ・ ・ ・ 龍 ・v玉|四"
    assert text[-1] == "攻方の持駒：金"


def test_the_defenders_hand_is_shown_on_request() -> None:
    position = parse_sfen(SFEN).position
    assert text_diagram(position, defender_hand=True).startswith("玉方の持駒：飛　角　金三　銀二")
    assert "玉方" not in text_diagram(position)


@given(st.integers(0, 10**9))
def test_the_board_lines_up_and_is_python_shogis(seed: int) -> None:
    position = random_record(seed).position
    lines = board_lines(position)
    assert {width(line) for line in lines[2:-1]} == {width("|" + " ・" * 9 + "|一")}
    assert lines == shogi.Board(format_sfen(position)).kif_str().splitlines()[1:-1]


@given(st.integers(0, 10**9), st.booleans())
def test_a_diagram_is_read_again(seed: int, defender_hand: bool) -> None:
    position = random_record(seed).position
    assert read_kif(text_diagram(position, defender_hand=defender_hand)) == [(position, ())]


def test_other_characters_for_the_same_pieces_are_read() -> None:
    row = parse_rank_line("|v王 竜 ・ . 口 口 ・ ・^歩|一")
    assert row[:2] == [Piece(Side.DEFENDER, Kind.KING), Piece(Side.ATTACKER, Kind.DRAGON)]
    assert row[4:] == [None] * 4 + [Piece(Side.DEFENDER, Kind.PAWN)]


@pytest.mark.parametrize(
    "row", ["|", "", "| ・|", "|" + " ・" * 10 + "|", "|v" + " ・" * 8 + "|", "| x" * 9 + "|"]
)
def test_a_row_that_has_not_nine_squares_is_refused(row: str) -> None:
    with pytest.raises(ValueError, match=r"squares|rank|square|piece"):
        parse_rank_line(row)
