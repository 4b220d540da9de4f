# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats.spellings import spelt_hand
from tsume.formats.symbols import (
    hand_text,
    number_text,
    parse_hand_text,
    parse_number,
    parse_square_text,
    square_text,
)
from tsume_rules.position import SQUARES, Hand
from tsume_rules.sfen import format_hand


def test_numbers() -> None:
    assert [number_text(n) for n in (1, 9, 10, 11, 18)] == ["一", "九", "十", "十一", "十八"]


@given(st.tuples(*[st.integers(0, 18)] * 7))
def test_hands(counts: tuple[int, int, int, int, int, int, int]) -> None:
    assert parse_hand_text(hand_text(Hand(counts))) == Hand(counts)


@given(st.tuples(*[st.integers(0, 18)] * 7), st.randoms(use_true_random=False))
def test_hands_in_random_spellings(
    counts: tuple[int, int, int, int, int, int, int], rng: random.Random
) -> None:
    text = spelt_hand(Hand(counts), rng)
    assert parse_hand_text(text) == Hand(counts), text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("飛歩", "RP"),
        ("金銀", "GS"),
        ("飛二角二", "2R2B"),
        ("歩10", "10P"),
        ("歩１０", "10P"),
        ("歩十八", "18P"),
        ("歩一八枚", "18P"),
        ("飛1 金2", "R2G"),
        ("金 2 銀 1", "2GS"),
        ("飛×1、金×2", "R2G"),
        ("飛車2枚、金将、歩兵3", "2RG3P"),
        ("G, 2P", "G2P"),
        ("飛0 金1", "G"),
        ("R2P", "R2P"),
        ("G2 P3", "2G3P"),
        ("2 pawns and a", ""),
        ("rook, 2 golds", "R2G"),
        ("残り駒全部", "-"),
        ("- ", "-"),
        ("ナシ", "-"),
    ],
)
def test_spellings_of_hands(text: str, expected: str) -> None:
    if expected:
        assert (format_hand(parse_hand_text(text)) or "-") == expected
    else:
        with pytest.raises(ValueError, match="in hand"):
            parse_hand_text(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("十二", 12),
        ("百二", 102),
        ("六百十一", 611),
        ("一二", 12),
        ("二十", 20),
        ("十〇", None),
        ("", None),
        ("1" * 9, None),
    ],
)
def test_numbers_are_read(text: str, number: int | None) -> None:
    assert parse_number(text) == number


def test_squares() -> None:
    assert [parse_square_text(square_text(sq)) for sq in range(SQUARES)] == list(range(SQUARES))
    assert parse_square_text("76") == parse_square_text("７六") == parse_square_text("７６")


@pytest.mark.parametrize("text", ["", "7", "零一", "７零", "７六歩", "0 "])
def test_what_is_no_square(text: str) -> None:
    with pytest.raises(ValueError, match="invalid square"):
        parse_square_text(text)


@pytest.mark.parametrize(
    "text", ["玉", "と", "金零", "金二十", "golf", "飛 先手", "2", "3 2", "2G3", "金、玉", "歩百", "十"]
)
def test_what_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match="invalid pieces in hand"):
        parse_hand_text(text)
