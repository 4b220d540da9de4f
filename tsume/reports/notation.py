"""Moves and squares of a problem in a notation: Japanese, western, or USI in the given orientation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tsume.formats import english, japanese
from tsume.formats.english import kind_name
from tsume.formats.symbols import square_text
from tsume_rules.moves import Move
from tsume_rules.pieces import Piece
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen
from tsume_rules.squares import Square, rotated, square_name

MOST_MOVES_REPEATED = 4
"""Up to this many moves that a line shares with the main line are repeated; of more only the last is."""


@dataclass(frozen=True)
class Notation:
    """How to write a sequence of moves from a position, and a square."""

    texts: Callable[[Position, Iterable[Move]], list[str]]
    square: Callable[[Square], str]


JAPANESE = Notation(japanese.line_texts, square_text)
WESTERN = Notation(english.line_texts, square_name)


def piece_text(piece: Piece, square: str | None) -> str:
    """A piece and where it stands; without a square it is in the attacker's hand."""
    if square is None:
        return f"the {kind_name(piece.kind)} in hand"
    return f"the {piece.side.name.lower()}'s {kind_name(piece.kind)} on {square}"


def usi_notation(parsed: ParsedSfen) -> Notation:
    """USI in the orientation of the given position."""

    def texts(_position: Position, moves: Iterable[Move]) -> list[str]:
        return [parsed.outward(move).usi for move in moves]

    return Notation(texts, lambda sq: square_name(rotated(sq) if parsed.rotated else sq))


@dataclass(frozen=True)
class Teller:
    """Writes lines of the problem ``parsed``, whose main line is ``main``."""

    parsed: ParsedSfen
    main: tuple[Move, ...]
    notation: Notation

    @property
    def position(self) -> Position:
        """The position where the lines begin."""
        return self.parsed.position

    def texts(self, moves: Sequence[Move], start: int = 0) -> list[str]:
        """The moves of a line from the start of the problem, without its first ``start`` moves."""
        return self.notation.texts(self.position, moves)[start:]

    def line(self, moves: Sequence[Move], start: int = 0) -> str:
        """The same as one text."""
        return " ".join(self.texts(moves, start))

    def move(self, path: Sequence[Move], move: Move) -> str:
        """A move after the moves of ``path``."""
        return self.notation.texts(self.position, (*path, move))[-1]

    def moves(self, path: Sequence[Move], moves: Iterable[Move]) -> str:
        """Alternative moves after the moves of ``path``."""
        return " ".join(self.move(path, move) for move in moves)

    def branch(self, line: Sequence[Move]) -> str:
        """A line; the moves it shares with the main line are cut short."""
        shared = 0
        while line[: shared + 1] == self.main[: shared + 1] and shared < len(line):
            shared += 1
        if not shared or shared == len(line):
            return self.line(line)
        texts = self.notation.texts(self.position, line)
        start = texts[:shared] if shared <= MOST_MOVES_REPEATED else ["…", texts[shared - 1]]
        plural = "s" * (shared > 1)
        return f"after {shared} move{plural} ({' '.join(start)}): {' '.join(texts[shared:])}"
