"""A record being read: the position as it was written, and its moves played."""

from __future__ import annotations

from dataclasses import dataclass, field

from tsume.formats.errors import FormatError, shown
from tsume_rules.moves import Move
from tsume_rules.pieces import Piece, Side
from tsume_rules.play import position_after
from tsume_rules.position import Position
from tsume_rules.reach import reached
from tsume_rules.sfen import ParsedSfen, format_sfen, parse_sfen
from tsume_rules.squares import Square, rotated

START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
"""The first position of the game."""

Game = tuple[Position, tuple[Move, ...]]
"""What the readers return: the attacker Black and to move, and the moves from there."""


@dataclass
class Replay:
    """The moves of a record, played one by one; squares are those of the record."""

    parsed: ParsedSfen
    position: Position
    moves: list[Move] = field(default_factory=list)

    @classmethod
    def of(cls, given: Position, line: int) -> Replay:
        """Begin at a position as written; `FormatError` when the rules do not allow it."""
        try:
            parsed = parse_sfen(format_sfen(given))
        except ValueError as error:
            raise FormatError(str(error), line) from None
        return cls(parsed, parsed.position)

    @property
    def side_to_move(self) -> Side:
        """Whose move it is, by the sides of the record (Black is `Side.ATTACKER`)."""
        return self.position.side_to_move.other if self.parsed.rotated else self.position.side_to_move

    def piece(self, sq: Square) -> Piece | None:
        """What stands on a square, by the sides of the record."""
        piece = self.position.board[rotated(sq) if self.parsed.rotated else sq]
        return piece.rotated if piece is not None and self.parsed.rotated else piece

    def play(self, move: Move, text: str, line: int) -> None:
        """Play a move of the record; `FormatError` when it cannot be played."""
        played = self.parsed.outward(move)
        try:
            position = position_after(self.position, played)
        except ValueError as error:
            raise FormatError(f"move {shown(text)}: {error}", line) from None
        if played.origin is not None and played.target not in reached(self.position.board, played.origin):
            raise FormatError(f"move {shown(text)}: the piece does not move that way", line)
        self.position = position
        self.moves.append(played)

    @property
    def game(self) -> Game:
        """The first position and the moves."""
        return self.parsed.position, tuple(self.moves)
