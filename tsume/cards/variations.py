"""The variations of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Iterator

from solver.explaining.explanation import ExplainedTurn
from tsume.cards.html import element, items, plain, spoken
from tsume.diagrams.words import number_text
from tsume.language.catalogue import phrase
from tsume.reports.explanation import ExplanationText, VariationText


def variations_html(text: ExplanationText) -> str:
    """How the attacker mates after each other answer, turn by turn; empty where there is no other answer."""
    turns = [html for turn in text.explanation.turns if (html := _turn(text, turn))]
    notes = [element("p", plain(line)) for line in text.end()]
    if not turns and not notes:
        return ""
    head = element("h3", phrase(text.language, "cards.variations"))
    return spoken("div", text.language, head + "".join(turns + notes))


def _turn(text: ExplanationText, turn: ExplainedTurn) -> str:
    told = [_variation(text, turn, one) for one in text.variation_texts(turn)]
    told += text.futile(turn)
    if not told or turn.key is None:
        return ""
    key = text.key(turn)
    number = number_text(len(turn.path) + 1, text.language)
    head = phrase(text.language, "cards.turn", number=number, key=key)
    return element("p", plain(head)) + items(map(plain, told))


def _variation(text: ExplanationText, turn: ExplainedTurn, told: VariationText) -> str:
    answers, *moves = _numbered(text, len(turn.path) + 2, [told.answers, *told.moves])
    return phrase(
        text.language,
        "cards.variation",
        answers=answers,
        line=" ".join(moves),
        total=number_text(told.total, text.language),
        remarks=told.remarks,
    )


def _numbered(text: ExplanationText, first: int, moves: list[str]) -> Iterator[str]:
    for number, move in enumerate(moves, start=first):
        yield phrase(text.language, "cards.move", number=number, move=move)
