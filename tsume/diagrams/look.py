# SPDX-License-Identifier: GPL-3.0-or-later
"""The content and the style of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tsume.formats import english, japanese
from tsume.formats.english import kind_name
from tsume.formats.symbols import NAME, WIDE_DIGITS, hand_text, square_text
from tsume.language.catalogue import Language, phrase
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import HAND_ORDER, Hand, Kind, Position, Side, Square, square_name


class PieceStyle(Enum):
    """What is on the pieces: one or two Japanese characters, letters, or letters with marks that show the moves."""

    KANJI = "kanji"
    TWO_KANJI = "two-kanji"
    LETTERS = "letters"
    MOVES = "moves"

    @property
    def is_international(self) -> bool:
        """Whether there are letters, which stay upright on a turned piece."""
        return self not in (PieceStyle.KANJI, PieceStyle.TWO_KANJI)


@dataclass(frozen=True)
class Colours:
    """The colours of a picture, as SVG names them. Pieces with a ``side`` are bodies with a shadow, else flat."""

    paper: str
    board: str
    line: str
    piece: str
    edge: str
    ink: str
    promoted: str
    moved: str
    arrow: str
    side: str = ""


BOOK = Colours(
    paper="#fff", board="#fff", line="#222", piece="#fff", edge="#222", ink="#000", promoted="#000",
    moved="#d8d8d8", arrow="#1a5fb4",
)  # fmt: skip
WOOD = Colours(
    paper="#fffdf7", board="#e9c180", line="#4f3a1a", piece="#fbe8c2", edge="#7a5c2e", ink="#1c1206",
    promoted="#b3261e", moved="#dc9f49", arrow="#1a5fb4", side="#d3a562",
)  # fmt: skip
DARK_WOOD = Colours(
    paper="#1c1a17", board="#785c35", line="#160e03", piece="#e6cf9f", edge="#3b2a10", ink="#1c1206",
    promoted="#a3211b", moved="#b08038", arrow="#0b3d91", side="#5a4325",
)  # fmt: skip
"""The board of pages in dark mode (``board.css``)."""
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
        """Return the arrow of a move."""
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
    """Return a position before its line and after it, the last move marked."""
    return DiagramScene(position), DiagramScene(position_after_all(position, line), last_move=line[-1])


# --- captions, titles and descriptions of pictures -------------------------------------------------


def mate_caption(length: int, language: Language) -> str:
    """Return the caption of a problem: ３手詰, Mate in 3."""
    return phrase(language, "pictures.mate_in", length=number_text(length, language))


def number_text(number: int, language: Language) -> str:
    """Return a number in a caption: in Japanese a single digit is full-width."""
    return WIDE_DIGITS[number - 1] if language == "ja" and 1 <= number <= 9 else str(number)


def captioned_moves(position: Position, line: Sequence[Move], language: Language) -> list[str]:
    """Return the moves of a line as people write them in a language."""
    return japanese.line_texts(position, line) if language == "ja" else english.line_texts(position, line)


def caption_after_moves(text: str, number: int, language: Language, *, last: bool) -> str:
    """Return the text below the board after a move; the last one says that it is mate."""
    name = "pictures.last_played" if last else "pictures.played"
    return phrase(language, name, move=text, number=number_text(number, language))


def picture_description(scene: DiagramScene, language: Language, *, defender_hand: bool = False) -> str:
    """Return words for the pieces on the board and in hand, and the last move."""
    position = scene.position
    parts = []
    for side in (Side.DEFENDER, Side.ATTACKER):
        found = [(piece.kind, sq) for sq, piece in enumerate(position.board) if piece and piece.side is side]
        found.sort(key=lambda one: (one[0] is not Kind.KING, -one[0].base, -one[0], one[1]))
        if language == "ja":
            pieces = "、".join(square_text(sq) + NAME[kind] for kind, sq in found)
        else:
            pieces = ", ".join(f"{kind_name(kind)} {square_name(sq)}" for kind, sq in found)
        pieces = pieces or phrase(language, "pictures.nothing")
        parts.append(phrase(language, f"pictures.{side.name.lower()}", pieces=pieces))
    parts.append(phrase(language, "pictures.in_hand", pieces=hand_words(position.attacker_hand, language)))
    if defender_hand:
        held = hand_words(position.defender_hand, language)
        parts.append(phrase(language, "pictures.defender_in_hand", pieces=held))
    if scene.last_move is not None:
        sq = scene.last_move.target
        name = square_text(sq) if language == "ja" else square_name(sq)
        parts.append(phrase(language, "pictures.last_move", square=name))
    return ("" if language == "ja" else " ").join(parts)


def hand_words(hand: Hand, language: Language) -> str:
    """Return a hand in words."""
    if not len(hand):
        return phrase(language, "pictures.nothing")
    if language == "ja":
        return hand_text(hand).replace("　", "、")
    held = [(kind, hand[kind]) for kind in HAND_ORDER if hand[kind]]
    return ", ".join(f"{n} {kind_name(kind)}s" if n > 1 else kind_name(kind) for kind, n in held)
