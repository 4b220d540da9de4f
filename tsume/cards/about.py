"""What is known of a problem, as the HTML of a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from db.stored_problem import StoredProblem
from generator.theme_names import english_name, japanese_name
from tsume.cards.html import element, plain, spoken
from tsume.composers import placeholder
from tsume.formats.game_record import MAX_STARS
from tsume.language.catalogue import Language, phrase


def about_html(problem: StoredProblem, languages: Sequence[Language]) -> str:
    """Title, author and source as far as they are known, difficulty, themes, the id."""
    rows = [f"{_named(name, languages)} {content}" for name, content in _facts(problem, languages)]
    return "".join(element("div", row) for row in [*rows, plain(placeholder(problem.id))])


def _facts(problem: StoredProblem, languages: Sequence[Language]) -> Iterator[tuple[str, str]]:
    for name in ("title", "author", "source"):
        if text := getattr(problem.notebook, name):
            yield name, plain(text)
    yield "difficulty", _difficulty(problem, languages)
    if problem.themes:
        yield "themes", in_each(languages, lambda language: plain(_themes(problem, language)))


def _difficulty(problem: StoredProblem, languages: Sequence[Language]) -> str:
    stars = problem.difficulty.stars
    words = (phrase(language, "cards.stars", stars=stars, most=MAX_STARS) for language in languages)
    drawn = "★" * stars + "☆" * (MAX_STARS - stars)
    return f"{element('span', drawn, {'title': ' / '.join(words)})} {problem.difficulty.score:.2f}"


def _themes(problem: StoredProblem, language: Language) -> str:
    if language == "ja":
        return "、".join(map(japanese_name, problem.themes))
    return ", ".join(map(english_name, problem.themes))


def _named(name: str, languages: Sequence[Language]) -> str:
    return element("b", in_each(languages, lambda language: phrase(language, f"cards.{name}")))


def in_each(languages: Sequence[Language], content: Callable[[Language], str]) -> str:
    """The same in each language, side by side."""
    return " / ".join(spoken("span", language, content(language)) for language in languages)
