# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of moves and the variations of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.explaining.explanation import ExplainedTurn
from tsume.cards.html import escaped_html, html_element, html_in_language, html_items, html_moves
from tsume.diagrams.captions import number_text
from tsume.language.catalogue import Language, phrase
from tsume.reports.explanation import ExplanationText, VariationText


def line_html(texts: Sequence[str], length: int, language: Language) -> str:
    """A line of moves, with its length."""
    return html_in_language("div", language, _line_html(texts, 1, language, "cards.last", length))


def variations_html(text: ExplanationText) -> str:
    """The mates after the other answers; empty without any."""
    told = [html for turn in text.explanation.turns for html in _turn_html(text, turn)]
    told += map(escaped_html, text.end())
    if not told:
        return ""
    head = html_element("h3", phrase(text.language, "cards.variations"))
    return html_in_language("div", text.language, head + html_items(told))


def _turn_html(text: ExplanationText, turn: ExplainedTurn) -> Iterator[str]:
    """The answers to the key of a turn, each with its number."""
    number = len(turn.path) + 2
    ply = phrase(text.language, "cards.ply", number=number_text(number, text.language))
    for variation in text.variation_texts(turn):
        yield f"{ply} {_variation_html(text.language, number, variation)}"
    for drops in text.futile(turn):
        yield f"{ply} {escaped_html(drops)}"


def _variation_html(language: Language, number: int, texts: VariationText) -> str:
    answer = phrase(language, "cards.answer", answer=escaped_html(texts.answers))
    line = _line_html(texts.moves, number + 1, language, "cards.last_of_variation", texts.total)
    return f"{answer} {line}{escaped_html(texts.remarks)}"


def _line_html(texts: Sequence[str], first: int, language: Language, last: str, length: int) -> str:
    """Moves numbered from ``first`` where the language numbers them; ``last`` names the last one's phrase."""
    told = [
        text if language == "ja" else f"{phrase(language, 'cards.ply', number=number)} {text}"
        for number, text in enumerate(texts[:-1], start=first)
    ]
    ends = [phrase(language, last, move=text, number=number_text(length, language)) for text in texts[-1:]]
    return html_moves(told + ends)
