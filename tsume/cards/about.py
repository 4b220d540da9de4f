"""The properties of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from db.stored_problem import StoredProblem
from tsume.cards.html import element, plain, spoken
from tsume.files.composer_records import placeholder
from tsume.formats.symbols import MAX_STARS, stars_text
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import separator, theme_name


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
    return (
        f"{element('span', stars_text(stars), {'title': ' / '.join(words)})} {problem.difficulty.score:.2f}"
    )


def _themes(problem: StoredProblem, language: Language) -> str:
    return separator(language).join(theme_name(language, tag) for tag in problem.themes)


def _named(name: str, languages: Sequence[Language]) -> str:
    return element("b", in_each(languages, lambda language: phrase(language, f"cards.{name}")))


def in_each(languages: Sequence[Language], content: Callable[[Language], str]) -> str:
    """The same in each language, side by side."""
    return " / ".join(spoken("span", language, content(language)) for language in languages)
