# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume cards``"""

from __future__ import annotations

import time
from dataclasses import dataclass

import click

from db.errors import StoreError, stored_value_excerpt
from db.notebook import is_unprintable
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from generator.problem import Problem
from tsume.cards import AnkiPackage, Card, CardBuilder, require_genanki
from tsume.commands.look_options import spoken_look_options
from tsume.commands.options import memory_option, seconds_option, selection_options, store_option
from tsume.diagrams.look import DiagramLook
from tsume.files.inputs import print_complaint
from tsume.files.writing import require_one_file, write_data
from tsume.language.catalogue import Language, phrase
from tsume.progress import with_progress_bar
from tsume.reports.explanation import ExplanationText, explanation_text
from tsume.services.explaining import Explainer

_SECONDS = 10.0
_LONGEST_NAME = 200


def _deck_name(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """A name that Anki leaves as it is."""
    if name is None:
        return None
    if len(name) > _LONGEST_NAME or any(map(is_unprintable, name)):
        raise click.BadParameter(f"give at most {_LONGEST_NAME} printable characters")
    if any(not part or part != part.strip() for part in name.split("::")):
        raise click.BadParameter(f"{stored_value_excerpt(name)!r}: every level of a deck (A::B) needs a name")
    return name


@click.command()
@store_option
@click.option("-o", "--output", required=True, metavar="PATH",
              help="Output file (.apkg); - for stdout.")  # fmt: skip
@click.option("--deck", callback=_deck_name, metavar="NAME",
              help="Name of the deck; by default 詰将棋 or Tsume-shogi.")  # fmt: skip
@click.option("--by-length", is_flag=True, help="Make a subdeck for each number of moves.")
@click.option("--no-variations", is_flag=True, help="Omit the variations, which need a search.")
@spoken_look_options
@selection_options
@seconds_option(_SECONDS)
@memory_option
def cards(
    place: str,
    output: str,
    deck: str | None,
    by_length: bool,
    no_variations: bool,
    look: DiagramLook,
    languages: tuple[Language, ...],
    wanted: ProblemSelection,
    seconds: float,
    memory: int,
) -> None:
    """Make flash cards of stored problems for Anki.

    Front: the diagram and the number of moves. Back: the final position, the line and the variations.
    Importing the deck again updates the existing cards.
    """
    require_genanki()
    require_one_file(output, "a package")
    explainer = None if no_variations else Explainer(seconds, memory)
    writer = _CardWriter(CardBuilder(look, languages), explainer)
    name = deck or phrase(languages[0], "cards.deck")
    try:
        with Store.open(place, create=False) as store, AnkiPackage(time.time()) as package:
            problems = list(store.find(wanted))
            if not problems:
                raise click.ClickException(f"{store.name}: no problems")
            for problem in with_progress_bar(map(store.playable, problems), len(problems)):
                card = writer.card(problem, store.name)
                package.add(card, _deck_of(card, name, languages[0], by_length=by_length))
            data = package.data()
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    write_data(data, output)


@dataclass(frozen=True)
class _CardWriter:
    """Makes cards, with variations where there is an explainer."""

    builder: CardBuilder
    explainer: Explainer | None

    def card(self, problem: StoredProblem, store: str) -> Card:
        """The card of a problem. Raises StoreError for one that has no sense, which names the store."""
        try:
            text = self._text(problem.problem)
            card = self.builder.card(problem, text)
        except ValueError as error:
            raise StoreError(f"{store}: problem {problem.id} cannot be read: {error}") from None
        if text and not text.explanation.complete:
            print_complaint(f"No. {problem.id}", "a limit was reached: some variations are missing")
        return card

    def _text(self, problem: Problem) -> ExplanationText | None:
        if self.explainer is None:
            return None
        explanation = self.explainer.explain_judged(problem, checks=False)
        return explanation_text(problem, explanation, "ja")


def _deck_of(card: Card, name: str, language: Language, *, by_length: bool) -> str:
    if not by_length:
        return name
    below = phrase(language, "cards.subdeck", length=card.length)
    return f"{name}::{below}"
