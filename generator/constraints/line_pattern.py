# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns for the moves of a main line, such as ``x x S*2b Px2b ...``; docs/cli.md has the table of what is written.

A pattern is written as moves are, in USI or as books in English have them (``S-2b``, ``Sx2b``), and says as little as
one likes. A move whose piece or origin is named is made on the board and does not promote, unless ``*`` or ``+`` says
so; what else is left out may be anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tsume_rules.moves import Move
from tsume_rules.position import LETTERS, Kind, Piece, Position, Side, Square, file_of, parse_square, rank_of

Line = tuple[Move, ...]
_FAR = 4
"""King's steps between squares that are not near at all."""
_MAIN = 3
"""What the kind of a piece and a square weigh, against whether a move drops, captures or promotes."""

ANY, MANY = "x", "..."
"""Any move; any number of moves."""
_KINDS = {letter: kind for kind, letter in LETTERS.items()}
_SQUARE = "[1-9][a-i]"
_MOVE = re.compile(
    rf"(?P<piece>\+?[PLNSGBRK])?(?P<origin>{_SQUARE}(?=[-x]?{_SQUARE}))?"
    rf"(?P<how>[-x*])?(?P<target>{_SQUARE})?(?P<promotes>\+)?"
)
_RANKS = dict(zip("123456789一二三四五六七八九", "abcdefghi" * 2, strict=True))
LONGEST_PATTERN = 1000
"""Characters of a pattern."""


class ConstraintError(ValueError):
    """A constraint that cannot be read; the text says what is wrong."""


def usi_squares(text: str) -> str:
    """Return a text with all squares as in USI: ``22`` and ``2二`` become ``2b``; wide characters become narrow."""
    narrow = unicodedata.normalize("NFKC", text)
    return re.sub("([1-9])([1-9一二三四五六七八九])", lambda found: found[1] + _RANKS[found[2]], narrow)


def king_steps(one: Square, other: Square) -> int:
    """Return how many steps a king takes from one square to another."""
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))


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

    def nearness(self, played: PlayedMove) -> float:
        """Return how much of the pattern a move has, from 0 to 1: a square counts the less the further away it is."""
        kind, captures, move = played
        fields = (
            (self.kind, kind, _MAIN), (self.drops, move.drop is not None, 1), (self.captures, captures, 1),
            (self.promotes, move.promotes, 1),
        )  # fmt: skip
        found = [(float(asked == other), weight) for asked, other, weight in fields if asked is not None]
        for asked, square in ((self.origin, move.origin), (self.target, move.target)):
            if asked is not None:
                near = 0.0 if square is None else max(0.0, 1.0 - king_steps(asked, square) / _FAR)
                found.append((near, _MAIN))
        return sum(near * weight for near, weight in found) / sum(weight for _, weight in found) if found else 1.0


Alternatives = tuple[MovePattern, ...]


def nearness_of_any(patterns: Alternatives, played: PlayedMove) -> float:
    """Return how near a move is to the nearest of some patterns."""
    return max(one.nearness(played) for one in patterns)


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

    @property
    def has_squares(self) -> bool:
        """Whether it names a square."""
        return any(one.target is not None or one.origin is not None for some in self.moves if some for one in some)

    def sole_moves(self, length: int) -> Iterator[tuple[Side, int, MovePattern]]:
        """Yield the moves without alternatives, each with its side and the most answers up to it in ``length`` plies.
        Between two ``...`` the attacker is the one who drops; if nobody does, both may be either side's and are left
        out."""
        runs: list[list[Alternatives]] = [[]]
        for some in self.moves:
            if some is None:
                runs.append([])
            else:
                runs[-1].append(some)
        for number, run in enumerate(runs):
            drop = next((place for place, some in enumerate(run) if all(one.drops for one in some)), None)
            is_known = number in (0, len(runs) - 1)
            if not is_known and drop is None:
                continue
            first = 0 if number == 0 else length - len(run) if is_known else (drop or 0) % 2
            for ply, some in enumerate(run, first):
                if len(some) == 1:
                    side = Side.DEFENDER if ply % 2 else Side.ATTACKER
                    yield side, (ply + 1) // 2 if is_known else length // 2, some[0]

    def found(self, line: Sequence[PlayedMove | None]) -> float:
        """Return how many of the moves asked for a line has in their places, or parts of them, if the rest of the
        pattern is put where it fits best; -1 if it has too few moves or too many. A move that is not known yet, None,
        is as asked."""
        # By the number of moves before: what the rest of the pattern finds after them.
        best = [-1.0] * len(line) + [0.0]
        for one in reversed(self.moves):
            if one is None:
                for place in range(len(line) - 1, -1, -1):
                    best[place] = max(best[place], best[place + 1])
                continue
            for place, played in enumerate(line):
                fits = 0.0 if one == _ANY else 1.0 if played is None else nearness_of_any(one, played)
                best[place] = -1.0 if best[place + 1] < 0 else best[place + 1] + fits
            best[len(line)] = -1.0
        return best[0]


_ANY: Alternatives = (MovePattern(),)


@lru_cache(maxsize=64)
def parse_line_pattern(text: str) -> LinePattern:
    """Return the pattern of a line. Raises `ConstraintError`."""
    words = unicodedata.normalize("NFKC", text[: LONGEST_PATTERN + 1]).split()
    if not words or len(text) > LONGEST_PATTERN:
        raise ConstraintError(f"a line has from 1 to {LONGEST_PATTERN} characters")
    return LinePattern(tuple(None if word == MANY else parse_move_patterns(word) for word in words))
