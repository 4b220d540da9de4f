# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem as a flash card: its fields in HTML, its tags, its pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from db.stored_problem import StoredProblem
from tsume.cards.about import about_html, in_each_language
from tsume.cards.html import escaped_html, html_image
from tsume.cards.variations import line_html, variations_html
from tsume.diagrams.captions import captioned_moves, mate_in, picture_description
from tsume.diagrams.look import DiagramLook, DiagramScene, first_and_last_scene
from tsume.diagrams.svg import svg
from tsume.files.composer_records import placeholder_title
from tsume.language.catalogue import LANGUAGES, Language, phrase
from tsume.reports.explanation import ExplanationText

FIELDS = (
    "Position", "Name", "Caption", "Side", "Front", "Back", "Line", "Other notation", "Variations", "About",
)  # fmt: skip
"""The fields of a note. The first is the SFEN; by the second a list of notes is sorted."""


@dataclass(frozen=True)
class Card:
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

    def card(self, problem: StoredProblem, text: ExplanationText | None) -> Card:
        """The card of a problem; without its explanation ``text`` it has no variations."""
        scenes = dict(
            zip(("start", "end"), first_and_last_scene(problem.position, problem.line), strict=True)
        )
        pictures = dict(_picture_file(side, svg(scene, self.look)) for side, scene in scenes.items())
        start, end = (
            html_image(name, self._words(side, scene, problem))
            for name, (side, scene) in zip(pictures, scenes.items(), strict=True)
        )
        line, other = (
            line_html(captioned_moves(problem.position, problem.line, language), problem.length, language)
            for language in self._notations()
        )
        fields = {
            "Position": escaped_html(problem.sfen),
            "Name": escaped_html(_card_picture_name(problem)),
            "Caption": in_each_language(self.languages, lambda language: mate_in(problem.length, language)),
            "Side": in_each_language(self.languages, lambda language: phrase(language, "cards.side")),
            "Front": start,
            "Back": end,
            "Line": line,
            "Other notation": other,
            "Variations": "" if text is None else self._variations(text),
            "About": about_html(problem, self.languages),
        }
        return Card(
            problem.canonical,
            problem.length,
            tuple(fields[name] for name in FIELDS),
            _tags(problem),
            pictures,
        )

    def _notations(self) -> list[Language]:
        """All languages, the requested ones first."""
        return [*self.languages, *(one for one in LANGUAGES if one not in self.languages)]

    def _variations(self, text: ExplanationText) -> str:
        return "".join(variations_html(replace(text, language=language)) for language in self.languages)

    def _words(self, side: str, scene: DiagramScene, problem: StoredProblem) -> str:
        """The description of a picture."""
        return " ".join(
            phrase(
                language,
                f"cards.{side}",
                caption=mate_in(problem.length, language),
                words=picture_description(scene, language, defender_hand=self.look.defender_hand),
            )
            for language in self.languages
        )


def _picture_file(side: str, picture: str) -> tuple[str, str]:
    """A picture with a name made of its content: Anki keeps one file for each name."""
    return f"tsume-{side}-{sha256(picture.encode()).hexdigest()[:20]}.svg", picture


def _card_picture_name(problem: StoredProblem) -> str:
    return problem.notebook.title or placeholder_title(problem.id)


def _tags(problem: StoredProblem) -> tuple[str, ...]:
    """Length, stars and themes below ``tsume``; a person's own tags as they are."""
    own = (
        f"tsume::{problem.length}",
        f"tsume::stars::{problem.difficulty.stars}",
        *(f"tsume::theme::{theme}" for theme in problem.themes),
    )
    words = ("_".join(tag.split()) for tag in (*own, *problem.notebook.tags))
    return tuple(dict.fromkeys(word for word in words if word))
