# SPDX-License-Identifier: GPL-3.0-or-later
"""The templates of pages with their addresses and texts, and generated scripts and diagrams.

`tsume serve` and folders of pages share them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape as _xml_text
from xml.sax.saxutils import quoteattr

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from generator.theme_names import NAMES
from solver.explaining.explanation import ReplyTree
from tsume import __version__
from tsume.book.content import booklet_answer
from tsume.collection import Lesson
from tsume.diagrams.glyphs import piece_outlines, sign_outlines
from tsume.diagrams.look import DiagramScene, PieceStyle, picture_description
from tsume.diagrams.svg import page_svg
from tsume.formats.english import kind_name
from tsume.formats.symbols import NAME
from tsume.language.catalogue import (
    CATALOGUE,
    LANGUAGES,
    Language,
    difficulty_words,
    phrase,
    stars_text,
    theme_name,
    theme_text,
)
from tsume.reports.explanation import Remark, comment_text
from tsume_rules.position import Kind
from tsume_rules.sfen import format_sfen, kind_letter, parse_sfen

# --- the answer of a problem as a part of a page ---------------------------------------------------

_MOVE = re.compile(
    "[▲△](同|[１-９][一二三四五六七八九])成?[歩香桂銀角飛金玉と杏圭全馬龍][右左直]?[上寄引]?(不成|成|打)?"
    r"|\+?[PLNSBRGK]([1-9][a-i])?[-x*][1-9][a-i][+=]?"
)


def answer_fields(
    problem: StoredProblem, tree: ReplyTree | None, language: Language, remarks: Sequence[Remark] = ()
) -> dict[str, Any]:
    """Return what answer.html shows: the line, the comment on it, and the parts, each a label and texts."""
    answer = booklet_answer(problem, tree, language, wide_digits=False)
    heading = phrase(language, "book.difficulty")  # the page has the one by results
    parts = [part for part in answer["parts"] if part["label"] != heading]
    return {**answer, "parts": parts, "comment": comment_text(remarks, problem.position, language)}


def moves_without_breaks(text: str) -> Markup:
    """Return a text as HTML whose moves do not wrap."""
    return Markup(_MOVE.sub(r'<span class="move">\g<0></span>', str(escape(printable_note(text)))))


# --- the templates of pages with their addresses and texts -----------------------------------------


def template_environment(*packages: str) -> Environment:
    """Return the templates of these packages, in this order, and those of the board."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, "tsume.web")]), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def rendered_template(templates: Environment, name: str, language: Language, to: object, **values: Any) -> str:
    """Return a page in a language; ``to`` has the addresses in it, of a server (`tsume.web.pages`) or of a folder
    (`tsume.site.pages`)."""
    return templates.get_template(name).render(
        stars_text=stars_text,
        moves_without_breaks=moves_without_breaks,
        say=lambda phrase_name, **parts: phrase(language, phrase_name, **parts),
        language=language,
        template=name,
        to=to,
        **values,
    )


_NEAR = 2
"""Pages linked on each side of a page, besides the first and the last."""


def near_pages(page: int, last: int) -> list[int]:
    """Return the pages linked from a page of a list, itself included; 0 stands for a gap. A single page has none."""
    told = {1, last, *range(max(1, page - _NEAR), min(last, page + _NEAR) + 1)} if last > 1 else set()
    found: list[int] = []
    for number in sorted(told):
        if found and number > found[-1] + 1:
            found.append(0)
        found.append(number)
    return found


def mate_in_text(length: int, language: Language) -> str:
    """Return the length of a problem on a page: 3手詰, Mate in 3."""
    return phrase(language, "web.mate_in", length=length)


def problem_description(problem: StoredProblem, language: Language) -> str:
    """Return the first position in words, for screen readers."""
    position = picture_description(DiagramScene(problem.position), language)
    return f"{mate_in_text(problem.length, language)}. {position}"


def problem_summary(problem: StoredProblem, language: Language, rating: float | None = None) -> dict[str, Any]:
    """Return the fields of a problem that pages show before it is solved; ``rating`` is that by results, if any."""
    scale = problem.difficulty.scale_fields(problem.length, rating)
    return {
        "id": problem.id,
        "sfen": format_sfen(problem.position),
        "title": printable_note(problem.notebook.title),
        "author": printable_note(problem.notebook.author),
        "length": problem.length,
        "mate_in": mate_in_text(problem.length, language),
        "stars": scale["stars"],
        "quality": round(problem.quality),
        "rating": scale["rating"],
        "difficulty": difficulty_words(language, scale, problem.length),
    }


# --- Atom feeds (RFC 4287), of a site and of the problem of the day --------------------------------


@dataclass(frozen=True)
class FeedEntry:
    """An entry: its id and its page, what is told of a problem, and the address of the diagram."""

    id: str
    page: str
    title: str
    updated: datetime
    picture: str
    author: str


def feed_title(problem: StoredProblem, language: Language) -> str:
    """Return number, title, length and difficulty of a problem."""
    told = [phrase(language, "web.number", id=problem.id), printable_note(problem.notebook.title),
            mate_in_text(problem.length, language)]  # fmt: skip
    return f"{' '.join(filter(None, told))} {round(problem.difficulty.rating)} {'★' * problem.difficulty.stars}"


def atom_feed(
    language: Language, title: str, addresses: tuple[str, str, str], updated: datetime, entries: Iterable[FeedEntry]
) -> str:
    """Return a feed; ``addresses`` are its id, its own, and that of the page that it belongs to."""
    number, own, page = addresses
    return "".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>\n',
            f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">\n',
            f"<title>{_xml_text(title)}</title>\n<id>{_xml_text(number)}</id>\n{_feed_time(updated)}\n",
            f'<link rel="self" type="application/atom+xml" href={quoteattr(own)}/>\n',
            f'<link rel="alternate" type="text/html" href={quoteattr(page)}/>\n',
            "<author><name>tsume</name></author>\n",
            *map(_feed_entry, entries),
            "</feed>\n",
        ]
    )


def _feed_entry(one: FeedEntry) -> str:
    image = f"<p><img src={quoteattr(one.picture)} alt={quoteattr(one.title)}/></p>"
    author = f"<author><name>{_xml_text(printable_note(one.author))}</name></author>" if one.author else ""
    return (
        f"<entry><title>{_xml_text(one.title)}</title><id>{_xml_text(one.id)}</id>"
        f"<link href={quoteattr(one.page)}/>{_feed_time(one.updated)}{author}"
        f'<content type="html">{_xml_text(image)}</content></entry>\n'
    )


def _feed_time(updated: datetime) -> str:
    return f"<updated>{updated:%Y-%m-%dT%H:%M:%SZ}</updated>"


# --- the keys of the page for composing ------------------------------------------------------------

_KEYS = {
    "arrows": "← ↑ ↓ →", "letters": "P L N S G B R K", "enter": "Enter Esc", "plus": "+", "x": "X", "h": "H",
    "delete": "Delete", "undo": "U Y", "mirror": "M", "steps": ", . Esc", "mouse": "",
}  # fmt: skip
"""The keys by the name of the phrase that says what they do."""


def compose_help(language: Language) -> list[tuple[str, str]]:
    """Return the keys of the compose page, and what they do."""
    return [(keys, phrase(language, f"compose.key_{name}")) for name, keys in _KEYS.items()]


def lessons_shown(lessons: Iterable[Lesson], language: Language) -> list[tuple[str, tuple[int, ...]]]:
    """Return the theme of each lesson in plain words, with its problems."""
    return [(theme_text(language, one.theme), one.problems) for one in lessons]


# --- generated scripts and diagrams ----------------------------------------------------------------

STATIC = Path(__file__).parent / "static"
_MAX_DIAGRAMS = 1000
"""Diagrams in the cache, of 21 KB each."""
_TERMS = ("glossary", "definitions")
"""The areas of terms and of what they mean."""
_EXPLAINED_TO_PLAYERS = ("INTERPOSITION", "FUTILE_INTERPOSITION")
"""The terms of messages that not everybody knows, as in player_view.js."""
_COMPOSING = (*_TERMS, "classes", "common", "compose", "explanation", "findings", "grades", "terms")
"""The areas of phrases that only the compose page uses."""


@lru_cache(_MAX_DIAGRAMS)
def diagram(sfen: str, language: Language) -> str:
    """Return the diagram of a position as SVG."""
    return page_svg(parse_sfen(sfen).position, language)


@cache
def pieces_script() -> str:
    """``TSUME_PIECES``: by SFEN letter the names of a kind, its outlines by style; ``TSUME_SIGNS``: their texts.

    It has the default style, all that most pages draw; `piece_sets_script` adds the others.
    """
    pieces, signs = _piece_sets(PieceStyle.KANJI)
    for kind in Kind:
        pieces[kind_letter(kind)]["name"] = {"ja": NAME[kind], "en": kind_name(kind)}
    return assignment_script("TSUME_PIECES", pieces) + assignment_script("TSUME_SIGNS", signs)


@cache
def piece_sets_script() -> str:
    """Adds all styles to ``TSUME_PIECES`` and ``TSUME_SIGNS``."""
    pieces, signs = _piece_sets(*PieceStyle)
    each = "".join(f"Object.assign(TSUME_PIECES[{kind!r}], {compact_json(sets)});\n" for kind, sets in pieces.items())
    return f"{each}Object.assign(TSUME_SIGNS, {compact_json(signs)});\n"


def _piece_sets(*styles: PieceStyle) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the outlines of each kind by style, and those of the texts on them."""
    drawn = {kind: {style.value: piece_outlines(kind, style) for style in styles} for kind in Kind}
    texts = {text for sets in drawn.values() for outlines in sets.values() for text, _ in outlines.sign}
    pieces = {
        kind_letter(kind): {style: asdict(outlines) for style, outlines in sets.items()} for kind, sets in drawn.items()
    }
    return pieces, {text: path for text, path in sign_outlines().items() if text in texts}


@cache
def words_script(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """``TSUME_WORDS``: the phrases of the board by language, and the terms that its player explains."""
    phrases = _phrases(languages, "web", "difficulty")
    terms = [f"{area}.{term}" for term in _EXPLAINED_TO_PLAYERS for area in _TERMS]
    for language, texts in phrases.items():
        texts.update({name: phrase(language, name) for name in terms})
    return assignment_script("TSUME_WORDS", phrases)


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


@cache
def class_words_script(languages: tuple[Language, ...] = LANGUAGES) -> str:
    """Adds the phrases of classes to ``TSUME_WORDS``: only a server has them."""
    return _added_words(_phrases(languages, "classroom"))


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
    words = (words_script(), compose_words_script(), training_words_script(), class_words_script())
    generated = (*words, pieces_script(), piece_sets_script())
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
