# SPDX-License-Identifier: GPL-3.0-or-later
"""Where games begin: 平手, and the handicaps (駒落ち), in which White lacks pieces and moves first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tsume.formats.symbols import DIGITS, NUMERALS, WIDE_DIGITS
from tsume_rules.position import ALL_PIECES, Hand, Position, Side, Square, square
from tsume_rules.sfen import ParsedSfen, parse_sfen

START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
"""The first position of the game."""
EVEN = "平手"

_ROOK, _BISHOP = "82", "22"
_TWO = f"{_ROOK} {_BISHOP}"
_FOUR, _SIX = f"{_TWO} 91 11", f"{_TWO} 91 11 81 21"
_EIGHT, _TEN = f"{_SIX} 71 31", f"{_SIX} 71 31 61 41"
_DRAGONFLY = "91 81 71 61 41 31 21 11"
_PAWNS = "93 83 73 63 53 43 33 23 13"
_REMOVED = {
    EVEN: "",
    "香落": "11",
    "左香落": "11",
    "右香落": "91",
    "角落": _BISHOP,
    "飛落": _ROOK,
    "飛車落": _ROOK,
    "飛香落": f"{_ROOK} 11",
    "二枚落": _TWO,
    "三枚落": f"{_TWO} 11",
    "四枚落": _FOUR,
    "五枚落": f"{_FOUR} 81",
    "右五枚落": f"{_FOUR} 81",
    "左五枚落": f"{_FOUR} 21",
    "六枚落": _SIX,
    "右七枚落": f"{_SIX} 71",
    "左七枚落": f"{_SIX} 31",
    "八枚落": _EIGHT,
    "右九枚落": f"{_EIGHT} 61",
    "左九枚落": f"{_EIGHT} 41",
    "十枚落": _TEN,
    "トンボ": _DRAGONFLY,
    "トンボ落": _DRAGONFLY,
    "十九枚落": f"{_TEN} {_PAWNS}",
    "裸玉": f"{_TEN} {_PAWNS}",
}
"""The squares whose pieces White lacks, by the name that game records give the handicap, without its last ち.

左 and 右 are White's left and right; without them a lance is the left one and a fifth piece the right knight.
"""
_WITHOUT_SIDE = {"七枚落": "silver", "九枚落": "gold"}
_PRESETS = {
    "HIRATE": EVEN, "KY": "香落", "KY_R": "右香落", "KA": "角落", "HI": "飛落", "HIKY": "飛香落",
    "2": "二枚落", "3": "三枚落", "4": "四枚落", "5": "五枚落", "5_L": "左五枚落", "6": "六枚落",
    "7_L": "左七枚落", "7_R": "右七枚落", "8": "八枚落", "10": "十枚落",
}  # fmt: skip
"""Handicaps by the names of JKF."""
_NUMERAL_OF = dict(zip(DIGITS + WIDE_DIGITS, NUMERALS * 2, strict=True))


def game_start(name: str) -> Position | None:
    """The start of a game as it is played, by the name of its handicap (手合割); None for another name.

    What a handicap leaves out is in nobody's hand. Raises ValueError for a name that does not say enough.
    """
    words = name.strip().removesuffix("ち").replace("10枚", "十枚").replace("１０枚", "十枚")
    known = "".join(_NUMERAL_OF.get(letter, letter) for letter in words)
    if known in _WITHOUT_SIDE:
        raise ValueError(
            f"{name.strip()} does not say which {_WITHOUT_SIDE[known]} is missing: 左{known}ち or 右{known}ち"
        )
    if known not in _REMOVED:
        return None
    return without_pieces(square(int(sq[0]), int(sq[1])) for sq in _REMOVED[known].split())


def preset_start(preset: str) -> Position | None:
    """The start of a game by the name that JKF gives it; None for another name."""
    return game_start(_PRESETS[preset]) if preset in _PRESETS else None


def without_pieces(squares: Iterable[Square]) -> Position:
    """The start of a game in which these pieces do not take part; White moves first if there are any."""
    board = list(_START.board)
    for sq in squares:
        board[sq] = None
    is_even = tuple(board) == _START.board
    return replace(_START, board=tuple(board), side_to_move=Side.ATTACKER if is_even else Side.DEFENDER)


def is_game_start(position: Position) -> bool:
    """Whether a game may begin here: a side has all its pieces at home, the other its king and some more."""
    if position.attacker_hand:
        return False
    pieces = [(sq, piece) for sq, piece in enumerate(position.board) if piece is not None]
    numbers = [sum(piece.side is side for _, piece in pieces) for side in Side]
    return (
        max(numbers) == ALL_PIECES // 2
        and all(piece == _START.board[sq] for sq, piece in pieces)
        and all(position.king(side) is not None for side in Side)
    )


def as_played(parsed: ParsedSfen) -> Position:
    """The position without the pieces that nobody has in a game with a handicap; any other as it is.

    Such pieces are in the defender's hand (`ParsedSfen.missing`), as a problem has all pieces.
    """
    position = parsed.position
    is_handicap = parsed.missing and parsed.missing == len(position.defender_hand) and is_game_start(position)
    return replace(position, defender_hand=Hand()) if is_handicap else position


_START = parse_sfen(START_SFEN).position
