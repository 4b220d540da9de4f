# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command speaks: the language of its words, and how it writes boards, squares and moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from generator.theme_names import NAMES, english_name, japanese_name
from tsume.language.catalogue import CATALOGUE, Language, phrase

Board = Literal["ja", "en", "usi"]
LANG_VARIABLE = "TSUME_LANG"
"""The environment variable that chooses a language."""


@dataclass(frozen=True)
class Voice:
    """``words``: the language of sentences; ``board``: whose boards, squares and moves are shown."""

    words: Language
    board: Board

    @classmethod
    def of(cls, language: Language) -> Voice:
        """Return all of it in one language."""
        return cls(language, language)

    def __call__(self, name: str, /, **parts: object) -> str:
        """Return a phrase in the language of the words."""
        return phrase(self.words, name, **parts)

    def known(self, name: str, otherwise: str) -> str:
        """Return a phrase without parts; ``otherwise`` where the catalogue has none of that name."""
        return self(name) if name in CATALOGUE else otherwise

    def theme(self, tag: str) -> str:
        """Return the name of a theme in the language of the words; of an unknown tag the tag itself."""
        return theme_name(self.words, tag)

    def on_board(self, name: str, /, **parts: object) -> str:
        """Return a phrase in the language of the boards."""
        return phrase("ja" if self.board == "ja" else "en", name, **parts)

    def listed(self, texts: Iterable[str]) -> str:
        """Return texts separated by commas."""
        return separator(self.words).join(texts)

    def moves(self, number: int) -> str:
        """Return a number of moves."""
        return moves_text(self.words, number)


def theme_name(language: Language, tag: str) -> str:
    """Return the name of a theme; of an unknown tag the tag itself."""
    return japanese_name(tag) if language == "ja" else english_name(tag)


def theme_choices(language: Language) -> list[tuple[str, str]]:
    """Return all themes: their tags with their names in a language."""
    return [(tag, theme_name(language, tag)) for tag in NAMES]


def separator(language: Language) -> str:
    """Return what stands between the items of a list."""
    return "、" if language == "ja" else ", "


def moves_text(language: Language, number: int) -> str:
    """Return a number of moves: ``3 moves``, ``3手``."""
    return phrase(language, "common.one_move" if number == 1 else "common.moves", number=number)


MIXED = Voice("en", "ja")
"""English words, Japanese boards and moves: what most commands print if no language is asked for."""
USI = Voice("en", "usi")
"""English words, and moves in USI in the orientation of the given position."""
