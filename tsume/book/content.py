# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of a booklet: the data and pictures of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume.book.answers import BookletAnswer
from tsume.book.characters import printable_data
from tsume.book.options import BookletOptions
from tsume.diagrams.captions import mate_in, number_text, picture_description
from tsume.diagrams.look import DiagramScene, first_and_last_scene
from tsume.diagrams.svg import svg
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import theme_name


@dataclass(frozen=True)
class Content:
    """``data`` is what the pages say, ready for JSON.

    ``missing`` are the characters that cannot be printed: 〓 replaces them.
    """

    data: dict[str, Any]
    missing: frozenset[str] = frozenset()


def booklet_content(
    problems: Iterable[tuple[StoredProblem, ReplyTree | None]],
    options: BookletOptions,
    made_by: str,
    number: int,
    save_picture: Callable[[str, str], object],
) -> Content:
    """A booklet of ``number`` problems sorted by length: one section for each length, numbered consecutively.

    ``save_picture`` receives the file name and the SVG of each diagram; neither trees nor pictures stay in
    memory. ``made_by`` names the program and its version. Raises ValueError if there are no problems.
    """
    if not number:
        raise ValueError("a booklet needs problems")
    builder = _ContentBuilder(options, save_picture)
    sections = []
    for length, found in groupby(problems, key=lambda one: one[0].length):
        entries = [builder.entry(problem, tree) for problem, tree in found]
        sections.append(
            {
                "title": _title_in_both_languages(options, length),
                "mark": f"section-{length}",
                "problems": entries,
            }
        )
    data = {
        "paper": options.paper,
        "per_page": options.per_page,
        "answers": options.answers,
        "crowded": options.is_crowded,
        "lang": options.languages[0],
        "title": options.title or _phrase_in_each_language(options, "title"),
        "author": options.author,
        "subtitle": _phrase_in_each_language(options, "subtitle", number=number),
        "contents_title": _phrase_in_each_language(options, "contents"),
        "answers_title": _phrase_in_each_language(options, "answers"),
        "themes_title": _phrase_in_each_language(options, "index"),
        "made_by": _phrase_in_each_language(options, "made_by", program=made_by),
        "sections": sections,
        "themes": builder.index(),
    }
    printed, missing = printable_data(data)
    return Content(printed, frozenset(missing))


class _ContentBuilder:
    """Numbers the problems, draws them, collects their themes."""

    def __init__(self, options: BookletOptions, save_picture: Callable[[str, str], object]) -> None:
        self._plan = options
        self._save_picture = save_picture
        self._numbers: dict[str, list[int]] = {}
        self._count = 0

    def entry(self, problem: StoredProblem, tree: ReplyTree | None) -> dict[str, Any]:
        """A problem as the pages take it."""
        self._count += 1
        for tag in problem.themes:
            self._numbers.setdefault(tag, []).append(self._count)
        options = self._plan
        start, end = first_and_last_scene(problem.position, problem.line)
        names = f"p{self._count}.svg", f"e{self._count}.svg"
        for name, scene in zip(names, (start, end), strict=True):
            self._save_picture(name, svg(scene, options.look))
        return {
            "number": self._count,
            "heads": [self._head(problem.length, language) for language in options.languages],
            "title": problem.notebook.title,
            "author": problem.notebook.author,
            "picture": names[0],
            "alt": self._alt(start, "alt", problem.length),
            "final": names[1],
            "final_alt": self._alt(end, "final_alt", problem.length),
            "final_caption": _phrase_in_each_language(options, "final"),
            "answers": [
                BookletAnswer(problem, tree, language, brief=options.is_crowded).fields()
                for language in options.languages
            ],
        }

    def _head(self, length: int, language: Language) -> str:
        number = phrase(language, "book.number", number=number_text(self._count, language))
        return f"{number}　{mate_in(length, language)}"

    def _alt(self, scene: DiagramScene, name: str, length: int) -> str:
        language = self._plan.languages[0]
        number = number_text(self._count, language)
        head = phrase(language, f"book.{name}", number=number, caption=mate_in(length, language))
        return head + picture_description(scene, language, defender_hand=self._plan.look.defender_hand)

    def index(self) -> list[dict[str, Any]]:
        """The themes by name, each with the numbers of its problems."""
        named = [(_theme_text(tag, self._plan.languages), numbers) for tag, numbers in self._numbers.items()]
        return [{"name": name, "numbers": numbers} for name, numbers in sorted(named)]


def _theme_text(tag: str, languages: Sequence[Language]) -> str:
    return " ".join(theme_name(language, tag) for language in languages)


def _title_in_both_languages(options: BookletOptions, length: int) -> str:
    return " ".join(mate_in(length, language) for language in options.languages)


def _phrase_in_each_language(options: BookletOptions, name: str, **parts: Any) -> str:
    """A phrase in the languages of a booklet, one after the other."""
    texts = [
        phrase(
            language, f"book.{name}", **{key: _value_text(value, language) for key, value in parts.items()}
        )
        for language in options.languages
    ]
    return " ".join(dict.fromkeys(texts))


def _value_text(value: Any, language: Language) -> str:
    return number_text(value, language) if isinstance(value, int) else str(value)
