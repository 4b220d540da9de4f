"""Moves and squares of one problem in a notation: Japanese, western, or USI as they were given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tsume.formats import english, japanese
from tsume.formats.symbols import square_text
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen
from tsume_rules.squares import Square, rotated, square_name

MOST_MOVES_REPEATED = 4
"""So many moves that a line shares with the main line are told again; of more only the last."""


@dataclass(frozen=True)
class Notation:
    """How moves played one after the other from a position are written, and squares."""

    texts: Callable[[Position, Iterable[Move]], list[str]]
    square: Callable[[Square], str]


JAPANESE = Notation(japanese.line_texts, square_text)
WESTERN = Notation(english.line_texts, square_name)


def usi_notation(parsed: ParsedSfen) -> Notation:
    """USI in the orientation in which the position was given."""

    def texts(_position: Position, moves: Iterable[Move]) -> list[str]:
        return [parsed.outward(move).usi for move in moves]

    return Notation(texts, lambda sq: square_name(rotated(sq) if parsed.rotated else sq))


@dataclass(frozen=True)
class Teller:
    """Tells lines of one problem, read as ``parsed``, whose main line is ``main``."""

    parsed: ParsedSfen
    main: tuple[Move, ...]
    notation: Notation

    @property
    def position(self) -> Position:
        """Where the lines begin."""
        return self.parsed.position

    def line(self, moves: Sequence[Move], start: int = 0) -> str:
        """A line from the problem's start, its first ``start`` moves left out."""
        return " ".join(self.notation.texts(self.position, moves)[start:])

    def move(self, path: Sequence[Move], move: Move) -> str:
        """A move after others."""
        return self.notation.texts(self.position, (*path, move))[-1]

    def moves(self, path: Sequence[Move], moves: Iterable[Move]) -> str:
        """Moves to choose from after others."""
        return " ".join(self.move(path, move) for move in moves)

    def branch(self, line: Sequence[Move]) -> str:
        """A line, what it shares with the main line cut short."""
        shared = 0
        while line[: shared + 1] == self.main[: shared + 1] and shared < len(line):
            shared += 1
        if not shared or shared == len(line):
            return self.line(line)
        texts = self.notation.texts(self.position, line)
        told = texts[:shared] if shared <= MOST_MOVES_REPEATED else ["…", texts[shared - 1]]
        plural = "s" * (shared > 1)
        return f"after {shared} move{plural} ({' '.join(told)}): {' '.join(texts[shared:])}"
