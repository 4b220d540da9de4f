# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsume.formats.symbols import hand_text, number_text, parse_hand_text, parse_square_text, square_text
from tsume_rules.hands import Hand
from tsume_rules.squares import SQUARES


def test_numbers() -> None:
    assert [number_text(n) for n in (1, 9, 10, 11, 18)] == ["一", "九", "十", "十一", "十八"]


@given(st.tuples(*[st.integers(0, 18)] * 7))
def test_hands(counts: tuple[int, int, int, int, int, int, int]) -> None:
    assert parse_hand_text(hand_text(Hand(counts))) == Hand(counts)


def test_squares() -> None:
    assert [parse_square_text(square_text(sq)) for sq in range(SQUARES)] == list(range(SQUARES))
    assert parse_square_text("76") == parse_square_text("７六") == parse_square_text("７６")


@pytest.mark.parametrize("text", ["", "7", "零一", "７零", "７六歩", "0 "])
def test_what_is_no_square(text: str) -> None:
    with pytest.raises(ValueError, match="invalid square"):
        parse_square_text(text)


@pytest.mark.parametrize("text", ["玉", "と", "金零", "金二十", "金２", "gold"])
def test_what_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match="invalid pieces in hand"):
        parse_hand_text(text)
