# SPDX-License-Identifier: GPL-3.0-or-later
"""Captions, titles and descriptions of pictures."""

from __future__ import annotations

from collections.abc import Sequence

from tsume.diagrams.look import DiagramScene
from tsume.formats import english, japanese
from tsume.formats.english import kind_name
from tsume.formats.symbols import NAME, WIDE_DIGITS, hand_text, square_text
from tsume.language.catalogue import Language, phrase
from tsume_rules.moves import Move
from tsume_rules.position import HAND_ORDER, Hand, Kind, Position, Side, square_name


def mate_in(length: int, language: Language) -> str:
    """The caption of a problem: ３手詰, Mate in 3."""
    return phrase(language, "pictures.mate_in", length=number_text(length, language))


def number_text(number: int, language: Language) -> str:
    """A number in a caption: in Japanese a single digit is full-width."""
    return WIDE_DIGITS[number - 1] if language == "ja" and 1 <= number <= 9 else str(number)


def captioned_moves(position: Position, line: Sequence[Move], language: Language) -> list[str]:
    """The moves of a line as people write them in a language."""
    return japanese.line_texts(position, line) if language == "ja" else english.line_texts(position, line)


def caption_after_moves(text: str, number: int, language: Language, *, last: bool) -> str:
    """The text below the board after a move; the last one says that it is mate."""
    name = "pictures.last_played" if last else "pictures.played"
    return phrase(language, name, move=text, number=number_text(number, language))


def picture_title(scene: DiagramScene, language: Language) -> str:
    """The title of a picture: its caption or a default."""
    return " ".join(scene.caption.split()) or phrase(language, "pictures.position")


def picture_description(scene: DiagramScene, language: Language, *, defender_hand: bool = False) -> str:
    """The pieces on the board and in hand, and the last move."""
    position = scene.position
    parts = [
        phrase(language, f"pictures.{side.name.lower()}", pieces=_pieces_text(position, side, language))
        for side in (Side.DEFENDER, Side.ATTACKER)
    ]
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
    """A hand in words."""
    if not len(hand):
        return phrase(language, "pictures.nothing")
    if language == "ja":
        return hand_text(hand).replace("　", "、")
    held = [(kind, hand[kind]) for kind in HAND_ORDER if hand[kind]]
    return ", ".join(f"{n} {kind_name(kind)}s" if n > 1 else kind_name(kind) for kind, n in held)


def _pieces_text(position: Position, side: Side, language: Language) -> str:
    """A side's pieces on the board, the king first, then by value."""
    found = [(piece.kind, sq) for sq, piece in enumerate(position.board) if piece and piece.side is side]
    found.sort(key=lambda one: (one[0] is not Kind.KING, -one[0].base, -one[0], one[1]))
    if not found:
        return phrase(language, "pictures.nothing")
    if language == "ja":
        return "、".join(square_text(sq) + NAME[kind] for kind, sq in found)
    return ", ".join(f"{kind_name(kind)} {square_name(sq)}" for kind, sq in found)
