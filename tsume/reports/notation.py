# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards, moves and squares of a problem, as a voice has them: Japanese, western, or USI as given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.results import Mate, Unresolved
from tsume.formats import english, japanese
from tsume.formats.diagram import english_diagram, text_diagram
from tsume.formats.english import kind_name
from tsume.formats.symbols import NAME, square_text
from tsume.language.catalogue import Language, Voice, moves_text, phrase
from tsume_rules.moves import Move
from tsume_rules.position import Kind, Piece, Position, Side, Square, rotated, square_name
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from generator.problem import Problem
    from solver.solving.solve import EqualSolutions

MAX_MOVES_REPEATED = 4
"""Up to this many moves shared with the main line are repeated; of more, only the last one."""


def board_text(voice: Voice, position: Position) -> str:
    """Return the board and the attacker's hand."""
    return text_diagram(position) if voice.board == "ja" else english_diagram(position)


def solution_text(voice: Voice, position: Position, line: Sequence[Move]) -> str:
    """Return the line and its length, as shown below a board."""
    text = MoveWriter(voice, ParsedSfen(position), tuple(line)).line(line)
    return voice.on_board("common.solution", line=text, length=len(line))


def kind_text(language: Language, kind: Kind) -> str:
    """Return a kind of piece in words."""
    return NAME[kind] if language == "ja" else kind_name(kind)


def side_text(language: Language, side: Side) -> str:
    """Return a side in words."""
    return phrase(language, "common.attacker" if side is Side.ATTACKER else "common.defender")


def piece_text(language: Language, piece: Piece, square: str | None) -> str:
    """Return a piece and where it stands; without a square it is in the attacker's hand."""
    kind = kind_text(language, piece.kind)
    if square is None:
        return phrase(language, "common.in_hand", piece=kind)
    side = side_text(language, piece.side)
    return phrase(language, "common.on_board", side=side, square=square, piece=kind)


def square_words(language: Language, sq: Square) -> str:
    """Return a square in the middle of a sentence."""
    return square_text(sq) if language == "ja" else square_name(sq)


@dataclass(frozen=True)
class MoveWriter:
    """Writes moves and lines of the problem ``parsed``, whose main line is ``main``, and phrases, as a voice has them.

    USI is in the orientation of the given position.
    """

    voice: Voice
    parsed: ParsedSfen
    main: tuple[Move, ...] = ()

    @property
    def words(self) -> Language:
        """The language of phrases."""
        return self.voice.words

    def say(self, name: str, /, **parts: object) -> str:
        """Return a phrase of findings."""
        return phrase(self.voice.words, f"findings.{name}", **parts)

    @property
    def position(self) -> Position:
        """The position where the lines begin."""
        return self.parsed.position

    def texts(self, moves: Sequence[Move], start: int = 0) -> list[str]:
        """Return the moves of a line from the start of the problem, without its first ``start`` moves."""
        if self.voice.board == "usi":
            return usi_line(self.parsed, moves)[start:]
        if self.voice.board == "ja":
            return japanese.line_texts(self.position, moves, start)
        return english.line_texts(self.position, moves, start)

    def square(self, sq: Square) -> str:
        """Return the name of a square."""
        is_turned = self.voice.board == "usi" and self.parsed.rotated
        return square_words("ja" if self.voice.board == "ja" else "en", rotated(sq) if is_turned else sq)

    def line(self, moves: Sequence[Move], start: int = 0) -> str:
        """Return the same as one text."""
        return " ".join(self.texts(moves, start))

    def move(self, path: Sequence[Move], move: Move) -> str:
        """Return a move after the moves of ``path``."""
        (text,) = self.texts((*path, move), len(path))
        return text

    def moves(self, path: Sequence[Move], moves: Iterable[Move]) -> str:
        """Return alternative moves after the moves of ``path``."""
        return " ".join(self.move(path, move) for move in moves)

    def branch(self, line: Sequence[Move]) -> str:
        """Return a line; the moves shared with the main line are abbreviated."""
        shared = 0
        while line[: shared + 1] == self.main[: shared + 1] and shared < len(line):
            shared += 1
        if not shared or shared == len(line):
            return self.line(line)
        texts = self.texts(line)
        start = texts[:shared] if shared <= MAX_MOVES_REPEATED else ["…", texts[shared - 1]]
        moves, rest = moves_text(self.words, shared), " ".join(texts[shared:])
        return self.say("branch", moves=moves, start=" ".join(start), rest=rest)


def usi_line(parsed: ParsedSfen, line: Iterable[Move]) -> list[str]:
    """Return moves in USI, in the orientation of the given position."""
    return [parsed.outward(move).usi for move in line]


def problem_line(problem: Problem) -> str:
    """Return a problem as `tsume.files.entries` reads it: the SFEN, ``moves``, the moves in USI."""
    return f"{format_sfen(problem.position)} moves {' '.join(move.usi for move in problem.line)}"


# --- the answer of a search for the shortest mate ---------------------------------------------------


def solution_fields(
    parsed: ParsedSfen,
    result: str,
    mate: Mate | None = None,
    answers: tuple[EqualSolutions, ...] | None = None,
    *,
    nodes: int = 0,
    seconds: float = 0.0,
    cells: int | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Return the fields of ``tsume solve --jsonl``, moves in USI in the orientation of the given position."""
    fields: dict[str, Any] = {
        "result": result,
        "length": mate.length if mate else None,
        "line": usi_line(parsed, mate.line) if mate else [],
        "nodes": nodes,
        "seconds": seconds,
    }
    if cells is not None:
        fields["cells"] = cells
    if answers is not None:
        fields["answers"] = [
            {
                "turn": one.turn + 1,
                "key": parsed.outward(one.key).usi,
                "form": usi_line(parsed, one.form),
                "other": usi_line(parsed, one.other),
            }
            for one in answers
        ]
    return {**fields, "error": error}


def limit_text(result: Unresolved) -> str:
    """Return which limit ended a search, and what is known nevertheless."""
    known = f"; no mate within {result.no_mate_within} moves" if result.no_mate_within > 0 else ""
    if result.mate_within is not None:
        known += f"; found a mate in {result.mate_within} moves, which may not be the shortest"
    return f"{result.reason.value} limit reached{known}"
