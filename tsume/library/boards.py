# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves as other programs have them: boards and moves of python-shogi and cshogi, answers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Protocol

from db.errors import stored_value_excerpt
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import SQUARES, Kind


class Board(Protocol):
    """A board with a method ``sfen``: ``shogi.Board`` of python-shogi, ``cshogi.Board``."""

    def sfen(self) -> str:
        """The SFEN of the position."""
        ...


class HasSfen(Protocol):
    """What has its position as an SFEN, such as an answer."""

    @property
    def sfen(self) -> str:
        """The SFEN of the position."""
        ...


class BoardMove(Protocol):
    """A move with a method ``usi``: ``shogi.Move`` of python-shogi."""

    def usi(self) -> str:
        """The move in USI."""
        ...


GivenPosition = str | Board | HasSfen
GivenMove = str | BoardMove | int
"""A move in USI, one of python-shogi, or one of cshogi, which are numbers."""

_CSHOGI_DROPS = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER, Kind.BISHOP, Kind.ROOK, Kind.GOLD)
"""In the order in which cshogi numbers the origins of drops, after the squares."""


def sfen_text(name: str, given: Any) -> str:
    """The SFEN of a text, a board or an answer. Raises TypeError, which names the argument."""
    found = None if isinstance(given, type) else getattr(given, "sfen", None)
    text = given if isinstance(given, str) else found() if callable(found) else found
    if not isinstance(text, str):
        excerpt = stored_value_excerpt(repr(given))
        raise TypeError(f"{name} must be an SFEN, or a board or an answer with one, not {excerpt}")
    return text


def own_line(given: Any) -> Sequence[str]:
    """The line of an answer; empty for anything else."""
    is_answer = not isinstance(given, str) and isinstance(getattr(given, "sfen", None), str)
    return getattr(given, "line", ()) if is_answer else ()


def is_move(value: Any) -> bool:
    """Whether a value is a move of some kind."""
    is_number = isinstance(value, Integral) and not isinstance(value, bool)
    return isinstance(value, str) or is_number or callable(getattr(value, "usi", None))


def move_of(given: Any) -> Move:
    """A move. Raises ValueError."""
    if isinstance(given, Integral):
        return _move_of_number(int(given))
    return parse_move(given if isinstance(given, str) else given.usi())


def _move_of_number(number: int) -> Move:
    """A move of cshogi: 7 bits for the target, 7 for the origin, one for the promotion."""
    target, origin, promotes = number & 127, number >> 7 & 127, bool(number >> 14 & 1)
    if number >= 0 and target < SQUARES and target != origin:
        if origin < SQUARES:
            return Move(target, origin, promotes=promotes)
        if origin - SQUARES < len(_CSHOGI_DROPS) and not promotes:
            return Move(target, drop=_CSHOGI_DROPS[origin - SQUARES])
    raise ValueError(f"not a move of cshogi: {number}")
