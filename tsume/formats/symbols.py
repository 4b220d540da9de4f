# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of pieces, squares, numbers and hands in Japanese, and reading them."""

from __future__ import annotations

import re

from tsume_rules.position import HAND_ORDER, KIND_IN_HAND, SET_COUNT, Hand, Kind, Square, file_of, rank_of, square

NUMERALS = "一二三四五六七八九"
WIDE_DIGITS = "１２３４５６７８９"
DIGITS = "123456789"
MAX_DIGITS = 6
"""The most digits of a number that is read."""

SHORT_NAME: dict[Kind, str] = dict(zip(Kind, "歩香桂銀角飛金玉と杏圭全馬龍", strict=True))
"""One character a kind, as on diagrams."""

_FULL = "歩兵 香車 桂馬 銀将 角行 飛車 金将 玉将 と 成香 成桂 成銀 龍馬 龍王"
FULL_NAME: dict[Kind, str] = dict(zip(Kind, _FULL.split(), strict=True))
"""The names as they are written on pieces."""

NAME: dict[Kind, str] = {kind: name if name[0] == "成" else SHORT_NAME[kind] for kind, name in FULL_NAME.items()}
"""The names used in moves."""

KIND_OF: dict[str, Kind] = {
    **{name: kind for names in (SHORT_NAME, NAME, FULL_NAME) for kind, name in names.items()},
    "王": Kind.KING, "王将": Kind.KING, "竜": Kind.DRAGON, "竜王": Kind.DRAGON, "竜馬": Kind.HORSE, "と金": Kind.TOKIN,
}  # fmt: skip
"""All accepted names, with variant characters."""

_PLAIN = (
    {0xFF01 + at: 0x21 + at for at in range(94)}
    | dict.fromkeys((0x9, 0xA0, 0x2002, 0x2003, 0x3000), 0x20)
    | dict.fromkeys((0x2502, 0x2503), 0x7C)
)
NUMBER = r"[0-9]+|[〇一二三四五六七八九十百]+"
"""A number in plain text (`plain_text`), as a pattern."""
_BETWEEN = r"[ 、。､,・･./+;&|]*(?:と[ 、]*(?=[飛角金銀桂香歩]))?"
_EMPTY = re.compile(r"(?:な|無|ナ|ﾅ)[しシｼい]\.?|(?:あ|有)りません|無|[-ーｰ−—―×0]\.?|nothing|[Nn]one|empty|no pieces|")
_AROUND = " ()[]【】「」『』〈〉《》。"
_REST = re.compile(
    r"(?:(?:残|他|その他|以外)り?の?駒?の?(?:全部|全て|総て|すべて|全駒|一式|全)?[.。]?|全部|すべて|"
    r"(?:all )?(?:the )?(?:rest|others)|everything else)\.?"
)
_JAPANESE_ITEM = re.compile(
    r"(?P<number>)(?P<piece>飛車?|角行?|金将?|銀将?|桂馬?|香車?|歩兵?)が? {0,9}"
    + rf"(?:[x×*✕(]? {{0,9}}(?P<times>{NUMBER}))? {{0,9}}[枚個]?\)?{_BETWEEN}"
)
_ENGLISH_ITEM = re.compile(
    r"(?:and )?(?P<number>[0-9]+)? {0,9}[x×*]? {0,9}(?P<piece>rook|bishop|gold|silver|knight|lance|pawn)s?"
    r"(?: {0,9}[x×*]? {0,9}(?P<times>[0-9]+))?" + _BETWEEN
)
_LETTER_ITEM = re.compile(
    r"(?P<number>[0-9]+)? {0,9}[x×*]? {0,9}(?P<piece>[rbgsnlp])"
    r"(?: {0,9}[x×*]? {0,9}(?P<times>[0-9]+)(?=[ ,;/]|$))?" + _BETWEEN
)

_HAND_ITEMS: tuple[tuple[re.Pattern[str], dict[str, Kind]], ...] = (
    (_JAPANESE_ITEM, KIND_OF),
    (_ENGLISH_ITEM, {kind.name.lower(): kind for kind in HAND_ORDER}),
    (_LETTER_ITEM, {letter.lower(): kind for letter, kind in KIND_IN_HAND.items()}),
)
"""What an item of a hand looks like in small letters, in Japanese first, and the kind of its piece."""


def number_text(number: int) -> str:
    """Return a number from 1 to 19 in Japanese numerals."""
    tens, ones = divmod(number, 10)
    return "十" * tens + (NUMERALS[ones - 1] if ones else "")


def plain_text(text: str) -> str:
    """Return a text of the same length with full-width ASCII, spaces and upright lines as ordinary ones."""
    return text.translate(_PLAIN)


def parse_number(text: str) -> int | None:
    """Return the number of ``12``, ``十二``, ``百二`` or ``一二``; None for any other text."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= MAX_DIGITS else None
    if not text or any(one not in "〇十百" + NUMERALS for one in text) or len(text) > 2 * MAX_DIGITS:
        return None
    if "十" not in text and "百" not in text:
        return int("".join(str(_digit(one)) for one in text))
    hundreds, has_hundreds, below = text.rpartition("百")
    tens, has_tens, ones = below.rpartition("十")
    if any(len(part) > 1 or part == "〇" for part in (hundreds, tens, ones)):
        return None
    hundred = _digit(hundreds) if hundreds else int(bool(has_hundreds))
    ten = _digit(tens) if tens else int(bool(has_tens))
    return 100 * hundred + 10 * ten + (_digit(ones) if ones else 0)


def _digit(numeral: str) -> int:
    return NUMERALS.find(numeral) + 1


def square_text(sq: Square) -> str:
    """Return a square as moves write it: ``２二``."""
    return WIDE_DIGITS[file_of(sq) - 1] + NUMERALS[rank_of(sq) - 1]


def parse_square_text(text: str) -> Square:
    """Return the square of ``２二``, ``22`` or ``２２``; raise ValueError for any other text."""
    if len(text) == 2:
        file = (WIDE_DIGITS + DIGITS).find(text[0])
        rank = (NUMERALS + WIDE_DIGITS + DIGITS).find(text[1])
        if file >= 0 and rank >= 0:
            return square(file % 9 + 1, rank % 9 + 1)
    raise ValueError(f"invalid square: {text!r}")


def hand_text(hand: Hand) -> str:
    """Return a hand as diagrams write it: ``飛　金二``, or ``なし`` when it is empty."""
    held = [(SHORT_NAME[kind], hand[kind]) for kind in HAND_ORDER if hand[kind]]
    return "　".join(name + (number_text(number) if number > 1 else "") for name, number in held) or "なし"


def parse_hand_text(text: str) -> Hand:
    """Return the hand of a text in Japanese, ``飛　金二``, ``金２枚、歩``, or in English, ``G, 2P``.

    The rest of the pieces (`is_rest_of_pieces`) is read as empty. Raises ValueError for any other text.
    """
    plain = plain_text(text).strip(_AROUND).removesuffix("です").strip(_AROUND)
    if _EMPTY.fullmatch(plain) or is_rest_of_pieces(text):
        return Hand()
    plain = plain.removesuffix("のみ").removesuffix("だけ").strip(_AROUND).lower()
    for pattern, kinds in _HAND_ITEMS:
        hand = _hand_of_items(plain, pattern, kinds)
        if hand is not None:
            return hand
    raise ValueError(f"invalid pieces in hand: {text.strip()[:20]!r}")


def is_rest_of_pieces(text: str) -> bool:
    """Return whether a hand is said to be all pieces that stand nowhere else: ``残り全部``."""
    return _REST.fullmatch(plain_text(text).strip(_AROUND)) is not None


def is_hand_in_japanese(text: str) -> bool:
    """Return whether a text names pieces in hand in Japanese, one at least."""
    return bool(_hand_of_items(plain_text(text).strip(), *_HAND_ITEMS[0]))


def is_hand(text: str) -> bool:
    """Return whether a text names pieces in hand in any way that is read, one at least."""
    plain = plain_text(text).strip().lower()
    return any(_hand_of_items(plain, pattern, kinds) for pattern, kinds in _HAND_ITEMS)


def _hand_of_items(text: str, pattern: re.Pattern[str], kinds: dict[str, Kind]) -> Hand | None:
    """Return the hand of items that follow each other to the end of a text, None for any other text."""
    hand, at = Hand(), 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None or (found["number"] and found["times"]):
            return None
        number = parse_number(found["number"] or found["times"] or "1")
        if number is None or number > SET_COUNT[Kind.PAWN]:
            return None
        hand = hand.plus(kinds[found["piece"]], number)
        at = found.end()
    return hand
