# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns for the moves of a main line, such as ``x x S*2b Px2b ...``; docs/cli.md has the table of what is written.

A pattern is written as moves are, in USI or as books in English have them (``S-2b``, ``Sx2b``), and says as little as
one likes. A move whose piece or origin is named is made on the board and does not promote, unless ``*`` or ``+`` says
so; what else is left out may be anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tsume_rules.moves import Move
from tsume_rules.position import LETTERS, Kind, Piece, Position, Square, parse_square

Line = tuple[Move, ...]

ANY, MANY = "x", "..."
"""Any move; any number of moves."""
_KINDS = {letter: kind for kind, letter in LETTERS.items()}
_SQUARE = "[1-9][a-i]"
_MOVE = re.compile(
    rf"(?P<piece>\+?[PLNSGBRK])?(?P<origin>{_SQUARE}(?=[-x]?{_SQUARE}))?"
    rf"(?P<how>[-x*])?(?P<target>{_SQUARE})?(?P<promotes>\+)?"
)
_RANKS = str.maketrans("123456789一二三四五六七八九", "abcdefghi" * 2)
_MAX_CHARACTERS = 1000


class ConstraintError(ValueError):
    """A constraint that cannot be read; the text says what is wrong."""


def usi_squares(text: str) -> str:
    """Return a text with all squares as in USI: ``22`` and ``2二`` become ``2b``; wide characters become narrow."""
    narrow = unicodedata.normalize("NFKC", text)
    return re.sub("([1-9])([1-9一二三四五六七八九])", lambda found: found[1] + found[2].translate(_RANKS), narrow)


class PlayedMove(NamedTuple):
    """A move of a line: the kind of the piece before it, and whether it captures."""

    kind: Kind
    captures: bool
    move: Move


def played_moves(position: Position, line: Line) -> tuple[list[PlayedMove], list[Piece | None]]:
    """Return the moves of a line, and the board after them."""
    board, moves = list(position.board), []
    side = position.side_to_move
    for move in line:
        before = Piece(side, move.drop) if move.origin is None else board[move.origin]  # type: ignore[arg-type]
        assert before is not None
        moves.append(PlayedMove(before.kind, board[move.target] is not None, move))
        if move.origin is not None:
            board[move.origin] = None
        board[move.target] = Piece(side, before.kind.promoted) if move.promotes else before
        side = side.other
    return moves, board


@dataclass(frozen=True)
class MovePattern:
    """A move with some ``kind`` before it, dropped or not, capturing or not, promoting or not, from and to a square.
    None: anything."""

    kind: Kind | None = None
    drops: bool | None = None
    captures: bool | None = None
    promotes: bool | None = None
    origin: Square | None = None
    target: Square | None = None

    @classmethod
    def parse(cls, text: str) -> MovePattern:
        """Return the pattern of one move. Raises `ConstraintError`."""
        if text == ANY:
            return cls()
        parts = _MOVE.fullmatch(text)
        if parts is None or not text:
            raise ConstraintError(f"{text[:50]!r} is not a move: write it as S*2b, Px2b, R+, 3c2b or x")
        piece, how, origin, promotes = parts.group("piece", "how", "origin", "promotes")
        kind = None if piece is None else _KINDS[piece[-1]].promoted if len(piece) > 1 else _KINDS[piece]
        if kind is not None and len(piece) > 1 and not kind.is_promoted:
            raise ConstraintError(f"{text[:50]!r}: there is no {piece}")
        if (how == "*" or promotes) and kind is not None and kind.promoted is kind and (promotes or kind != Kind.GOLD):
            raise ConstraintError(f"{text[:50]!r}: {piece} {'does not promote' if promotes else 'is never dropped'}")
        if how == "*" and promotes:
            raise ConstraintError(f"{text[:50]!r}: a drop does not promote")
        is_named = piece is not None or origin is not None
        target = parts.group("target")
        return cls(
            kind,
            drops=how == "*" or (False if is_named or how or promotes else None),
            captures=None if how in (None, "*") else how == "x",
            promotes=bool(promotes) or (False if is_named or how == "*" else None),
            origin=None if origin is None else parse_square(origin),
            target=None if target is None else parse_square(target),
        )

    def matches(self, played: PlayedMove) -> bool:
        """Return whether a move is as the pattern says."""
        kind, captures, move = played
        return (
            self.kind in (None, kind)
            and self.drops in (None, move.drop is not None)
            and self.captures in (None, captures)
            and self.promotes in (None, move.promotes)
            and self.origin in (None, move.origin)
            and self.target in (None, move.target)
        )


Alternatives = tuple[MovePattern, ...]


@lru_cache(maxsize=256)
def parse_move_patterns(text: str) -> Alternatives:
    """Return the patterns of one move, such as ``S*,G*``: one of them fits. Raises `ConstraintError`."""
    return tuple(map(MovePattern.parse, usi_squares(text).split(",")))


@dataclass(frozen=True)
class LinePattern:
    """The moves of a line from the first one on; None stands for any number of moves."""

    moves: tuple[Alternatives | None, ...]

    @property
    def shortest(self) -> int:
        """How many moves it takes at least."""
        return sum(one is not None for one in self.moves)

    @property
    def has_length(self) -> bool:
        """Whether it takes exactly so many moves."""
        return None not in self.moves

    @property
    def asked(self) -> int:
        """How many of its moves are not any."""
        return sum(one is not None and one != _ANY for one in self.moves)

    def found(self, line: Sequence[PlayedMove | None]) -> int:
        """Return how many of the moves asked for a line has in their places, if the rest of the pattern is put where it
        fits best; -1 if it has too few moves or too many. A move that is not known yet, None, is as asked."""
        best = [-1] * len(line) + [0]  # by the number of moves before: what the rest of the pattern finds after them
        for one in reversed(self.moves):
            if one is None:
                for place in range(len(line) - 1, -1, -1):
                    best[place] = max(best[place], best[place + 1])
                continue
            for place, played in enumerate(line):
                fits = one != _ANY and (played is None or any(pattern.matches(played) for pattern in one))
                best[place] = -1 if best[place + 1] < 0 else best[place + 1] + fits
            best[len(line)] = -1
        return best[0]


_ANY: Alternatives = (MovePattern(),)


@lru_cache(maxsize=64)
def parse_line_pattern(text: str) -> LinePattern:
    """Return the pattern of a line. Raises `ConstraintError`."""
    words = unicodedata.normalize("NFKC", text[: _MAX_CHARACTERS + 1]).split()
    if not words or len(text) > _MAX_CHARACTERS:
        raise ConstraintError(f"a line has from 1 to {_MAX_CHARACTERS} characters")
    return LinePattern(tuple(None if word == MANY else parse_move_patterns(word) for word in words))
