# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated assets: diagrams, outlines of pieces, phrases for scripts."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.theme_names import NAMES
from tsume import __version__
from tsume.diagrams.look import WOOD, DiagramLook, DiagramScene, PieceStyle
from tsume.diagrams.pieces import piece_outlines
from tsume.diagrams.svg import svg
from tsume.formats.english import kind_name
from tsume.formats.symbols import NAME
from tsume.language.catalogue import CATALOGUE, LANGUAGES, Language
from tsume.language.voice import theme_name
from tsume_rules.position import Kind
from tsume_rules.sfen import kind_letter, parse_sfen

STATIC = Path(__file__).parent / "static"
_MAX_DIAGRAMS = 1000
"""Diagrams in the cache, of 14 KB each."""
_COMPOSING = ("classes", "common", "compose", "explanation", "findings", "grades", "terms")
"""The areas of phrases that only the compose page uses."""


@lru_cache(_MAX_DIAGRAMS)
def diagram(sfen: str, language: Language) -> str:
    """Return the diagram of a position as SVG."""
    return svg(DiagramScene(parse_sfen(sfen).position), DiagramLook(language=language, colours=WOOD))


@cache
def pieces_script() -> str:
    """``TSUME_PIECES``: by SFEN letter the outlines of a kind in each style, its name in each language."""
    pieces = {
        kind_letter(kind): {
            **{style.value: asdict(piece_outlines(kind, style)) for style in PieceStyle},
            "name": {"ja": NAME[kind], "en": kind_name(kind)},
        }
        for kind in Kind
    }
    return assignment_script("TSUME_PIECES", pieces)


@cache
def words_script(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """``TSUME_WORDS``: the phrases of the board, and the terms that they use, by language."""
    return assignment_script("TSUME_WORDS", _phrases(languages, "web", "definitions", "glossary"))


@cache
def compose_words_script(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """Adds the phrases of the compose page and the names of themes to ``TSUME_WORDS``."""
    phrases = _phrases(languages, *_COMPOSING)
    for language, texts in phrases.items():
        texts.update({f"themes.{tag}": theme_name(language, tag) for tag in NAMES})
    return _added_words(phrases)


@cache
def training_words_script(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """Adds the phrases of the training page to ``TSUME_WORDS``."""
    return _added_words(_phrases(languages, "training"))


def _added_words(added: dict[Language, dict[str, str]]) -> str:
    return "".join(f"Object.assign(TSUME_WORDS.{name}, {compact_json(words)});\n" for name, words in added.items())


def _phrases(languages: tuple[Language, ...], *areas: str) -> dict[Language, dict[str, str]]:
    found = {name: texts for name, texts in CATALOGUE.items() if name.split(".")[0] in areas}
    return {
        language: {name: texts[LANGUAGES.index(language)] for name, texts in found.items()} for language in languages
    }


@cache
def static_version() -> str:
    """Changes when a script or a style changes: addresses with it may be cached for good."""
    generated = (words_script(), compose_words_script(), training_words_script(), pieces_script())
    hashed = sha256("".join((__version__, *generated)).encode())
    for path in sorted(STATIC.iterdir()):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:12]


def assignment_script(name: str, value: Any) -> str:
    """Return the script that defines a global value."""
    return f"window.{name} = {compact_json(value)};\n"


def compact_json(value: Any) -> str:
    """Return a value as JSON on one line, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
