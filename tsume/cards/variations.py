"""Lines of moves and the variations of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solver.explaining.explanation import ExplainedTurn
from tsume.cards.html import element, items, moves, plain, spoken
from tsume.diagrams.words import number_text
from tsume.language.catalogue import Language, phrase
from tsume.reports.explanation import ExplanationText, VariationText


def line_html(texts: Iterable[str], length: int, language: Language) -> str:
    """A line of this many moves, and that it is mate."""
    mate = phrase(language, "cards.mate", length=number_text(length, language))
    return spoken("div", language, moves([*_numbered(texts, language, 1), mate]))


def variations_html(text: ExplanationText) -> str:
    """How the attacker mates after each other answer; empty where there is no other answer."""
    told = [html for turn in text.explanation.turns for html in _turn(text, turn)]
    told += map(plain, text.end())
    if not told:
        return ""
    head = element("h3", phrase(text.language, "cards.variations"))
    return spoken("div", text.language, head + items(told))


def _turn(text: ExplanationText, turn: ExplainedTurn) -> Iterator[str]:
    """The answers to the key of a turn, each with its number."""
    number = len(turn.path) + 2
    told = [_variation(text, number, one) for one in text.variation_texts(turn)]
    told += (plain(phrase(text.language, "cards.move", number=number, move=one)) for one in text.futile(turn))
    for one in told:
        yield phrase(text.language, "cards.at", number=number_text(number, text.language), text=one)


def _variation(text: ExplanationText, number: int, told: VariationText) -> str:
    language = text.language
    answer, *line = _numbered([told.answers, *told.moves], language, number)
    met = phrase(language, "cards.answer", answer=plain(answer))
    mate = phrase(language, "cards.variation_mate", length=number_text(told.total, language))
    return f"{met} {moves([*line, mate])}{plain(told.remarks)}"


def _numbered(texts: Iterable[str], language: Language, first: int) -> Iterator[str]:
    """Moves with their numbers where the language writes these."""
    for number, move in enumerate(texts, start=first):
        yield phrase(language, "cards.move", number=number, move=move)
