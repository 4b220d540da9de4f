# SPDX-License-Identifier: GPL-3.0-or-later
"""All phrases: ``phrase(language, "explanation.head", length=3, line=...)``; and how a command speaks.

Each module beside this one holds the phrases of some areas: a dict for each, from a name to a pair in the
order of `LANGUAGES`. A phrase is named ``area.name``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from generator.theme_names import NAMES, english_name, japanese_name
from solver.results import MAX_STARS
from tsume.language import commands, compose, judging, publishing, terms, web

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")

_AREAS = {
    "api": {**web.API, **web.TRAINING_API}, "blemishes": terms.BLEMISHES, "book": publishing.BOOK,
    "cards": publishing.CARDS, "changes": judging.CHANGES, "charts": commands.CHARTS,
    "choosing": commands.CHOOSING, "classes": terms.CLASSES, "classroom": web.CLASSROOM,
    "comment": judging.COMMENT, "common": commands.COMMON,
    "compose": compose.PHRASES, "dataset": publishing.DATASET, "definitions": terms.DEFINITIONS,
    "difficulty": terms.DIFFICULTY,
    "explanation": judging.EXPLANATION, "findings": judging.FINDINGS, "games": commands.GAMES,
    "glossary": terms.GLOSSARY, "grades": terms.GRADES, "heads": terms.HEADS, "importing": commands.IMPORTING,
    "judgement": judging.JUDGEMENT, "merging": commands.MERGING, "nearest": commands.NEAREST,
    "notebooks": commands.NOTEBOOKS, "per_file": commands.PER_FILE, "one_of_class": terms.ONE_OF_CLASS,
    "pictures": publishing.PICTURES, "problems": commands.PROBLEMS, "reasons": commands.REASONS,
    "remarks": terms.REMARKS, "runs": commands.RUNS, "serving": web.SERVING, "site": web.SITE,
    "some_of_class": terms.SOME_OF_CLASS, "solving": commands.SOLVING, "verify": commands.VERIFYING,
    "stages": commands.STAGES, "statistics": commands.STATISTICS, "styles": commands.STYLES,
    "terms": terms.PHRASES, "theme_words": terms.THEME_WORDS, "training": web.TRAINING_PAGE,
    "tree": judging.REPLY_TREE, "usi": commands.USI, "page": web.PAGE, "web": web.WEB,
}  # fmt: skip
CATALOGUE: dict[str, tuple[str, str]] = {
    f"{area}.{name}": texts for area, phrases in _AREAS.items() for name, texts in phrases.items()
}
"""Each phrase in the order of `LANGUAGES`."""


def phrase(language: Language, name: str, /, **parts: object) -> str:
    """Return a phrase in a language with its parts filled in. Raises KeyError for an unknown name or part."""
    return CATALOGUE[name][LANGUAGES.index(language)].format(**parts)


# --- how a command speaks: the language of its words, and how it writes boards, squares and moves --

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
        return list_separator(self.words).join(texts)

    def moves(self, number: int) -> str:
        """Return a number of moves."""
        return moves_text(self.words, number)


def theme_name(language: Language, tag: str) -> str:
    """Return the name of a theme; of an unknown tag the tag itself."""
    return japanese_name(tag) if language == "ja" else english_name(tag)


def theme_choices(language: Language) -> list[tuple[str, str]]:
    """Return all themes: their tags with their names in a language."""
    return [(tag, theme_name(language, tag)) for tag in NAMES]


def theme_text(language: Language, tag: str) -> str:
    """Return the name of a theme, and in brackets what it is in plain words if the name does not tell."""
    name, plain = theme_name(language, tag), f"theme_words.{tag}"
    if plain not in CATALOGUE:
        return name
    return f"{name}（{phrase(language, plain)}）" if language == "ja" else f"{name} ({phrase(language, plain)})"


def list_separator(language: Language) -> str:
    """Return what stands between the items of a list."""
    return "、" if language == "ja" else ", "


def moves_text(language: Language, number: int) -> str:
    """Return a number of moves: ``3 moves``, ``3手``."""
    return phrase(language, "common.one_move" if number == 1 else "common.moves", number=number)


def stars_text(stars: int) -> str:
    """Return stars out of five: ``★★☆☆☆``."""
    return "★" * stars + "☆" * (MAX_STARS - stars)


def difficulty_words(language: Language, scale: Mapping[str, int | None], length: int) -> str:
    """Return how hard a problem is, and how hard for its length: ``elementary, hard for a mate in 3``. ``scale`` has
    the fields of `solver.results.Difficulty.scale_fields`."""
    fifth = phrase(language, f"difficulty.fifth_{scale['rank_in_length']}")
    rank = phrase(language, "difficulty.in_length", length=length, rank=fifth)
    level = phrase(language, f"difficulty.stars_{scale['stars']}")
    return f"{level}（{rank}）" if language == "ja" else f"{level}, {rank}"


def difficulty_text(language: Language, scale: Mapping[str, int | None], length: int) -> str:
    """Return the same with rating and stars: ``1250 ★★☆☆☆ elementary, hard for a mate in 3``."""
    return f"{scale['rating']} {stars_text(scale['stars'] or 0)} {difficulty_words(language, scale, length)}"


MIXED = Voice("en", "ja")
"""English words, Japanese boards and moves: what most commands print if no language is asked for."""
USI = Voice("en", "usi")
"""English words, and moves in USI in the orientation of the given position."""
