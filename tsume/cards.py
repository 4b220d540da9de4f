# SPDX-License-Identifier: GPL-3.0-or-later
"""Flash cards of problems, as Anki takes them."""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from tsume.diagrams.look import (
    DiagramLook,
    captioned_moves,
    first_and_last_scene,
    mate_caption,
    number_text,
    picture_description,
)
from tsume.diagrams.svg import svg
from tsume.files.exported import placeholder_title
from tsume.language.catalogue import LANGUAGES, Language, difficulty_text, list_separator, phrase, theme_name
from tsume.reports.explanation import ExplanationText

# --- texts as the HTML of a card -------------------------------------------------------------------


def escaped_html(text: str) -> str:
    """Return a text escaped for a card: no tags, and no ``[sound:...]`` of Anki."""
    return escape(printable_note(text)).replace("[", "&#91;")


def html_element(name: str, content: str, attributes: Mapping[str, str] | None = None) -> str:
    """Return an element with this HTML in it."""
    given = "".join(f' {key}="{escaped_html(value)}"' for key, value in (attributes or {}).items())
    return f"<{name}{given}>{content}</{name}>"


def html_in_language(name: str, language: Language, content: str) -> str:
    """Return an element with a language, which fonts and screen readers use."""
    return html_element(name, content, {"lang": language})


# --- lines of moves and the variations of a problem as the HTML of a card --------------------------


def variations_html(text: ExplanationText) -> str:
    """Return the mates after the other answers; empty without any."""
    language, told = text.language, []
    for turn in text.explanation.turns:  # the answers to its key, each with its number
        number = len(turn.path) + 2
        ply = phrase(language, "cards.ply", number=number_text(number, language))
        for one in text.variation_texts(turn):
            answer = phrase(language, "cards.answer", answer=escaped_html(one.answers))
            line = _line_html(one.moves, number + 1, language, "cards.last_of_variation", one.total)
            told.append(f"{ply} {answer} {line}{escaped_html(one.remarks)}")
        told += [f"{ply} {escaped_html(drops)}" for drops in text.futile(turn)]
    told += map(escaped_html, text.end())
    if not told:
        return ""
    head = html_element("h3", phrase(language, "cards.variations"))
    items = html_element("ul", "".join(html_element("li", one) for one in told))
    return html_in_language("div", language, head + items)


def _line_html(texts: Sequence[str], first: int, language: Language, last: str, length: int) -> str:
    """Return moves numbered from ``first`` where the language has numbers; ``last`` names a phrase."""
    told = [
        text if language == "ja" else f"{phrase(language, 'cards.ply', number=number)} {text}"
        for number, text in enumerate(texts[:-1], start=first)
    ]
    told += [phrase(language, last, move=text, number=number_text(length, language)) for text in texts[-1:]]
    return " ".join(html_element("span", escaped_html(text), {"class": "move"}) for text in told)


# --- the properties of a problem as the HTML of a card ---------------------------------------------


def metadata_html(problem: StoredProblem, languages: Sequence[Language]) -> str:
    """Return title, author and source as far as they are known, difficulty, themes, the id."""
    names = ("title", "author", "source")
    facts = {name: escaped_html(getattr(problem.notebook, name)) for name in names}
    scale = problem.difficulty.scale_fields(problem.length)
    facts["difficulty"] = html_in_each_language(languages, lambda one: difficulty_text(one, scale, problem.length))
    if problem.themes:

        def themes(language: Language) -> str:
            names = (theme_name(language, tag) for tag in problem.themes)
            return escaped_html(list_separator(language).join(names))

        facts["themes"] = html_in_each_language(languages, themes)
    rows = []
    for name, content in facts.items():
        if content:
            labels = (html_in_language("span", one, phrase(one, f"cards.{name}")) for one in languages)
            rows.append(f"{html_element('b', ' / '.join(labels))} {content}")
    return "".join(html_element("div", row) for row in [*rows, escaped_html(placeholder_title(problem.id))])


def html_in_each_language(languages: Sequence[Language], content: Callable[[Language], str]) -> str:
    """Return the same in each language, side by side."""
    return " / ".join(html_in_language("span", language, content(language)) for language in languages)


# --- a problem as a flash card: its fields in HTML, its tags, its pictures -------------------------

FIELDS = ("Position", "Name", "Caption", "Side", "Front", "Back", "Line", "Other notation", "Variations", "About")
"""The fields of a note. The first is the SFEN; by the second a list of notes is sorted."""


@dataclass(frozen=True)
class AnkiCard:
    """A note of Anki with one card.

    ``canonical`` is the position it is about, the same for its mirror image. ``fields`` are in the order of
    `FIELDS`, ``pictures`` SVG documents by the names that the fields give them.
    """

    canonical: str
    length: int
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    pictures: dict[str, str]


@dataclass(frozen=True)
class CardBuilder:
    """Makes the cards of problems: the style of their pictures and the languages of their words."""

    look: DiagramLook
    languages: tuple[Language, ...]

    def card(self, problem: StoredProblem, text: ExplanationText | None) -> AnkiCard:
        """Return the card of a problem; without its explanation ``text`` it has no variations."""
        languages, length, pictures, images = self.languages, problem.length, {}, []
        scenes = first_and_last_scene(problem.position, problem.line)
        for side, scene in zip(("start", "end"), scenes, strict=True):
            picture = svg(scene, self.look)
            # Named after its content: Anki keeps one file for each name.
            name = f"tsume-{side}-{sha256(picture.encode()).hexdigest()[:20]}.svg"
            pictures[name] = picture
            words = []
            for language in languages:
                told = picture_description(scene, language, defender_hand=self.look.defender_hand)
                caption = mate_caption(length, language)
                words.append(phrase(language, f"cards.{side}", caption=caption, words=told))
            images.append(f'<img src="{name}" alt="{escaped_html(" ".join(words))}"/>')
        # All notations, those of the requested languages first.
        lines = []
        for language in [*languages, *(one for one in LANGUAGES if one not in languages)]:
            moves = captioned_moves(problem.position, problem.line, language)
            html = _line_html(moves, 1, language, "cards.last", length)
            lines.append(html_in_language("div", language, html))
        told_variations = [] if text is None else [variations_html(replace(text, language=one)) for one in languages]
        fields = {
            "Position": escaped_html(problem.sfen),
            "Name": escaped_html(problem.notebook.title or placeholder_title(problem.id)),
            "Caption": html_in_each_language(languages, lambda language: mate_caption(length, language)),
            "Side": html_in_each_language(languages, lambda language: phrase(language, "cards.side")),
            "Front": images[0],
            "Back": images[1],
            "Line": lines[0],
            "Other notation": lines[1],
            "Variations": "".join(told_variations),
            "About": metadata_html(problem, languages),
        }
        # Length, stars and themes below ``tsume``; a person's own tags as they are.
        stars, themes = problem.difficulty.stars, (f"tsume::theme::{theme}" for theme in problem.themes)
        tags = (f"tsume::{length}", f"tsume::stars::{stars}", *themes, *problem.notebook.tags)
        tag_words = filter(None, ("_".join(tag.split()) for tag in tags))
        values = tuple(fields[name] for name in FIELDS)
        return AnkiCard(problem.canonical, length, values, tuple(dict.fromkeys(tag_words)), pictures)


# --- the templates of both sides of a card, and their style ----------------------------------------

CHANGED = 1_795_305_600
"""Seconds since 1970 when these texts changed last (2026-11-22). Anki replaces older templates,
so changes by users remain until this is raised. Raise it with every change."""

QUESTION = """\
<div class="tsume question">
<div class="caption">{{Caption}}</div>
<div class="board">{{Front}}</div>
<div class="side">{{Side}}</div>
</div>
"""

ANSWER = """\
{{FrontSide}}
<hr id="answer">
<div class="tsume answer">
<div class="solution">
<div class="line">{{Line}}</div>
<div class="notation">{{Other notation}}</div>
</div>
<div class="board">{{Back}}</div>
<div class="more">
{{#Variations}}<div class="variations">{{Variations}}</div>{{/Variations}}
<div class="about">{{About}}</div>
</div>
</div>
"""

STYLE = """\
.card {
  color: #1c1206;
  background-color: #fbf8f1;
  font-family: "Hiragino Sans", "Yu Gothic", Meiryo, "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  font-size: 18px;
  line-height: 1.6;
  overflow-wrap: break-word;
  text-align: center;
}
.card.nightMode, .card.night_mode {
  color: #e6e1d6;
  background-color: #1f1f1f;
}
.tsume .caption { font-size: 1.4em; font-weight: bold; }
.tsume .caption span, .tsume .side span { display: inline-block; }
.tsume .board img {
  width: 100%;
  max-width: 30rem;
  max-width: min(30rem, 90vh);
  max-height: none;
  height: auto;
  border-radius: 6px;
}
.nightMode .tsume .board img, .night_mode .tsume .board img { filter: brightness(0.88); }
.tsume .side, .tsume .notation { opacity: 0.8; }
.tsume.answer {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.8em;
}
.tsume .line { font-size: 1.15em; }
.tsume .line > div, .tsume .notation > div { width: fit-content; margin: 0 auto; text-align: left; }
.tsume .move { white-space: nowrap; }
.tsume .more { font-size: 0.9em; text-align: left; }
.tsume h3 { margin: 0.6em 0 0; font-size: 1em; }
.tsume ul { margin: 0; padding-left: 1.3em; }
.tsume .about { margin-top: 1em; }
@media (min-width: 50rem) {
  .tsume.answer {
    grid-template-columns: minmax(0, 30rem) minmax(0, 34rem);
    justify-content: center;
    column-gap: 2rem;
  }
  .tsume .solution { grid-column: 1 / -1; }
}
"""


# --- cards as a package of Anki (.apkg): a zip of a database and of pictures. genanki knows the database ---
#
# Ids are the same in every export, so that Anki updates its notes: the id of the model is fixed, that of a
# deck depends on its name, a note's GUID on the model and the position.

MODEL_ID = 1_763_822_401
"""Names the fields and templates for good; other fields need another id, and make other notes."""
MODEL_NAME = "Tsume-shogi (tsume)"
_MIN_ID = 2**30
"""Ids of decks are from here to twice this, as genanki advises."""


def note_guid(canonical: str) -> str:
    """Return the GUID of the note about a position, given by the SFEN it shares with its mirror image."""
    return sha256(f"{MODEL_ID} {canonical}".encode()).hexdigest()[:20]


def anki_deck_id(name: str) -> int:
    """Return the id of a deck, by its name."""
    return _MIN_ID + int.from_bytes(sha256(name.encode()).digest()[:4]) % _MIN_ID


class AnkiPackage:
    """Collects cards and makes the bytes of a package; a context manager.

    ``seconds`` since 1970 is when its notes were changed: Anki replaces a note by one that was changed later.
    The same cards and the same time give the same bytes. It needs the extra ``anki``.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._genanki: Any = import_module("genanki")
        # The note type, with the date of its templates.
        model = self._genanki.Model(
            MODEL_ID,
            MODEL_NAME,
            fields=[{"name": name} for name in FIELDS],
            templates=[{"name": "Mate", "qfmt": QUESTION, "afmt": ANSWER}],
            css=STYLE,
            sort_field_index=FIELDS.index("Name"),
        )
        to_json = model.to_json
        model.to_json = lambda _seconds, deck: to_json(CHANGED, deck)
        self._model = model
        self._decks: dict[str, Any] = {}
        self._media: list[str] = []
        self._known: set[str] = set()
        self._buffer = io.BytesIO()
        self._zip = ZipFile(self._buffer, "w")
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._zip.close()

    def add(self, card: AnkiCard, deck: str) -> None:
        """Add a card to a deck; ``::`` in its name separates a deck from a subdeck."""
        self._number += 1
        guid, tags = note_guid(card.canonical), list(card.tags)
        note = self._genanki.Note(self._model, list(card.fields), tags=tags, guid=guid, due=self._number)
        if deck not in self._decks:
            self._decks[deck] = self._genanki.Deck(anki_deck_id(deck), deck)
        self._decks[deck].add_note(note)
        for name, picture in card.pictures.items():
            if name not in self._known:
                self._known.add(name)
                self._put(str(len(self._media)), picture.encode())
                self._media.append(name)

    def data(self) -> bytes:
        """Return the package; no cards can be added afterwards."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "collection.anki2"
            with closing(sqlite3.connect(path)) as connection:
                ids = itertools.count(int(self._seconds * 1000))
                decks = list(self._decks.values())
                self._genanki.Package(decks).write_to_db(connection.cursor(), self._seconds, ids)
                connection.commit()
            self._put(path.name, path.read_bytes())
        self._put("media", json.dumps({str(n): name for n, name in enumerate(self._media)}).encode())
        self._zip.close()
        return self._buffer.getvalue()

    def _put(self, name: str, data: bytes) -> None:
        self._zip.writestr(ZipInfo(name), data, ZIP_DEFLATED)
