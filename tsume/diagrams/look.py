# SPDX-License-Identifier: GPL-3.0-or-later
"""The content and the style of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tsume.language.catalogue import Language
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import Kind, Position, Square


class PieceStyle(Enum):
    """What is on the pieces: Japanese characters, letters, or letters with marks that show the moves."""

    KANJI = "kanji"
    LETTERS = "letters"
    MOVES = "moves"

    @property
    def is_international(self) -> bool:
        """Whether there are letters, which stay upright on a turned piece."""
        return self is not PieceStyle.KANJI


@dataclass(frozen=True)
class Colours:
    """The colours of a picture, as SVG names them."""

    paper: str
    board: str
    line: str
    piece: str
    edge: str
    ink: str
    promoted: str
    moved: str
    arrow: str


BOOK = Colours(
    paper="#fff", board="#fff", line="#222", piece="#fff", edge="#222", ink="#000", promoted="#000",
    moved="#d8d8d8", arrow="#1a5fb4",
)  # fmt: skip
WOOD = Colours(
    paper="#fffdf7", board="#f0cf8e", line="#5d4520", piece="#fbe9c3", edge="#7a5c2e", ink="#1c1206",
    promoted="#b3261e", moved="#e6a94f", arrow="#1a5fb4",
)  # fmt: skip
COLOURS = {"book": BOOK, "wood": WOOD}
"""The palettes by name: black on white as in a book, and wooden."""


@dataclass(frozen=True)
class DiagramLook:
    """The style of a picture: pieces, language of the words, colours, optional parts.

    The defender's hand is left out by default: it holds all other pieces (残り全部).
    """

    piece_style: PieceStyle = PieceStyle.KANJI
    language: Language = "ja"
    colours: Colours = BOOK
    coordinates: bool = True
    defender_hand: bool = False


@dataclass(frozen=True)
class Arrow:
    """An arrow to a square: from a square, or from the attacker's hand where a kind is dropped."""

    target: Square
    origin: Square | None = None
    drop: Kind | None = None

    @classmethod
    def of(cls, move: Move) -> Arrow:
        """The arrow of a move."""
        return cls(move.target, move.origin, move.drop)


@dataclass(frozen=True)
class DiagramScene:
    """The content of a picture: a position, seen by the attacker, with arrows and marks.

    ``caption`` stands above the board. ``last_move`` led to the position; its squares are marked.
    ``marks`` are squares with a ring.
    """

    position: Position
    caption: str = ""
    last_move: Move | None = None
    arrows: tuple[Arrow, ...] = ()
    marks: frozenset[Square] = frozenset()


def first_and_last_scene(position: Position, line: Sequence[Move]) -> tuple[DiagramScene, DiagramScene]:
    """A position before its line and after it, the last move marked."""
    return DiagramScene(position), DiagramScene(position_after_all(position, line), last_move=line[-1])
