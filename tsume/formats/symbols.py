# SPDX-License-Identifier: GPL-3.0-or-later
"""Japanese names of pieces, squares and numbers, and reading them."""

from __future__ import annotations

from tsume_rules.hands import Hand
from tsume_rules.pieces import HAND_ORDER, Kind
from tsume_rules.squares import Square, file_of, rank_of, square

NUMERALS = "一二三四五六七八九"
WIDE_DIGITS = "１２３４５６７８９"
DIGITS = "123456789"

SHORT_NAME: dict[Kind, str] = dict(zip(Kind, "歩香桂銀角飛金玉と杏圭全馬龍", strict=True))
"""One character a kind, as on diagrams."""

NAME: dict[Kind, str] = SHORT_NAME | {
    Kind.PROMOTED_LANCE: "成香",
    Kind.PROMOTED_KNIGHT: "成桂",
    Kind.PROMOTED_SILVER: "成銀",
}
"""The names used in moves."""

KIND_OF: dict[str, Kind] = {
    **{name: kind for kind, name in SHORT_NAME.items()},
    **{name: kind for kind, name in NAME.items()},
    "王": Kind.KING,
    "竜": Kind.DRAGON,
}
"""All accepted names, with variant characters."""

MAX_STARS = 5
_EMPTY = ("", "なし", "残り全部", "残り")


def stars_text(stars: int) -> str:
    """A difficulty in stars: ``★★☆☆☆``."""
    return "★" * stars + "☆" * (MAX_STARS - stars)


def number_text(number: int) -> str:
    """A number from 1 to 19 in Japanese numerals."""
    tens, ones = divmod(number, 10)
    return "十" * tens + (NUMERALS[ones - 1] if ones else "")


_NUMBERS = {number_text(number): number for number in range(1, 20)}


def square_text(sq: Square) -> str:
    """A square as moves write it: ``２二``."""
    return WIDE_DIGITS[file_of(sq) - 1] + NUMERALS[rank_of(sq) - 1]


def parse_square_text(text: str) -> Square:
    """The square of ``２二``, ``22`` or ``２２``; raises ValueError for any other text."""
    if len(text) == 2:
        file = (WIDE_DIGITS + DIGITS).find(text[0])
        rank = (NUMERALS + WIDE_DIGITS + DIGITS).find(text[1])
        if file >= 0 and rank >= 0:
            return square(file % 9 + 1, rank % 9 + 1)
    raise ValueError(f"invalid square: {text!r}")


def hand_text(hand: Hand) -> str:
    """A hand as diagrams write it: ``飛　金二``, or ``なし`` when it is empty."""
    items = [SHORT_NAME[kind] + _repetition_text(hand[kind]) for kind in HAND_ORDER if hand[kind]]
    return "　".join(items) or "なし"


def parse_hand_text(text: str) -> Hand:
    """The hand of a text; ``残り`` (the rest) is read as empty.

    Raises ValueError for any other text.
    """
    hand = Hand()
    if text.strip() in _EMPTY:
        return hand
    for item in text.split():
        kind, number = KIND_OF.get(item[0]), _NUMBERS.get(item[1:] or "一")
        if kind is None or kind > Kind.GOLD or number is None:
            raise ValueError(f"invalid pieces in hand: {item[:20]!r}")
        hand = hand.plus(kind, number)
    return hand


def _repetition_text(number: int) -> str:
    return number_text(number) if number > 1 else ""
