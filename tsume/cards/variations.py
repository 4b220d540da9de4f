"""Lines of moves and the variations of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.explaining.explanation import ExplainedTurn
from tsume.cards.html import element, items, moves, plain, spoken
from tsume.diagrams.captions import number_text
from tsume.language.catalogue import Language, phrase
from tsume.reports.explanation import ExplanationText, VariationText


def line_html(texts: Sequence[str], length: int, language: Language) -> str:
    """A line of moves, with its length."""
    return spoken("div", language, _line(texts, 1, language, "cards.last", length))


def variations_html(text: ExplanationText) -> str:
    """The mates after the other answers; empty without any."""
    told = [html for turn in text.explanation.turns for html in _turn(text, turn)]
    told += map(plain, text.end())
    if not told:
        return ""
    head = element("h3", phrase(text.language, "cards.variations"))
    return spoken("div", text.language, head + items(told))


def _turn(text: ExplanationText, turn: ExplainedTurn) -> Iterator[str]:
    """The answers to the key of a turn, each with its number."""
    number = len(turn.path) + 2
    ply = phrase(text.language, "cards.ply", number=number_text(number, text.language))
    for variation in text.variation_texts(turn):
        yield f"{ply} {_variation(text.language, number, variation)}"
    for drops in text.futile(turn):
        yield f"{ply} {plain(drops)}"


def _variation(language: Language, number: int, told: VariationText) -> str:
    answer = phrase(language, "cards.answer", answer=plain(told.answers))
    line = _line(told.moves, number + 1, language, "cards.last_of_variation", told.total)
    return f"{answer} {line}{plain(told.remarks)}"


def _line(texts: Sequence[str], first: int, language: Language, last: str, length: int) -> str:
    """Moves numbered from ``first`` where the language numbers them; ``last`` names the last one's phrase."""
    told = [
        text if language == "ja" else f"{phrase(language, 'cards.ply', number=number)} {text}"
        for number, text in enumerate(texts[:-1], start=first)
    ]
    ends = [phrase(language, last, move=text, number=number_text(length, language)) for text in texts[-1:]]
    return moves(told + ends)
