# SPDX-License-Identifier: GPL-3.0-or-later
"""The properties of a problem as the HTML of a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from db.stored_problem import StoredProblem
from tsume.cards.html import escaped_html, html_element, html_in_language
from tsume.files.composer_records import placeholder_title
from tsume.formats.symbols import MAX_STARS, stars_text
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import separator, theme_name


def about_html(problem: StoredProblem, languages: Sequence[Language]) -> str:
    """Title, author and source as far as they are known, difficulty, themes, the id."""
    rows = [
        f"{_label_in_languages(name, languages)} {content}"
        for name, content in _problem_facts(problem, languages)
    ]
    return "".join(html_element("div", row) for row in [*rows, escaped_html(placeholder_title(problem.id))])


def _problem_facts(problem: StoredProblem, languages: Sequence[Language]) -> Iterator[tuple[str, str]]:
    for name in ("title", "author", "source"):
        if text := getattr(problem.notebook, name):
            yield name, escaped_html(text)
    yield "difficulty", _difficulty(problem, languages)
    if problem.themes:
        yield "themes", in_each_language(languages, lambda language: escaped_html(_themes(problem, language)))


def _difficulty(problem: StoredProblem, languages: Sequence[Language]) -> str:
    stars = problem.difficulty.stars
    words = (phrase(language, "cards.stars", stars=stars, most=MAX_STARS) for language in languages)
    shown = html_element("span", stars_text(stars), {"title": " / ".join(words)})
    return f"{shown} {problem.difficulty.score:.2f}"


def _themes(problem: StoredProblem, language: Language) -> str:
    return separator(language).join(theme_name(language, tag) for tag in problem.themes)


def _label_in_languages(name: str, languages: Sequence[Language]) -> str:
    return html_element("b", in_each_language(languages, lambda language: phrase(language, f"cards.{name}")))


def in_each_language(languages: Sequence[Language], content: Callable[[Language], str]) -> str:
    """The same in each language, side by side."""
    return " / ".join(html_in_language("span", language, content(language)) for language in languages)
