# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a problem in one language: line, variations, tries, themes, comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume.book.commentary import LineCommentary
from tsume.diagrams.captions import number_text
from tsume.formats.symbols import stars_text
from tsume.language.catalogue import Language, phrase
from tsume.language.terms import TERMS
from tsume.language.voice import separator, theme_name
from tsume.reports.notation import MoveWriter, notation_of
from tsume_rules.sfen import ParsedSfen


@dataclass(frozen=True)
class BookletAnswer:
    """The answer of a problem in one language; ``tree`` may be missing.

    A ``brief`` one has fewer variations and tries. With ``wide_digits`` Japanese numbers below ten are
    full-width, as print has them.
    """

    problem: StoredProblem
    tree: ReplyTree | None
    language: Language
    brief: bool = False
    wide_digits: bool = True

    def fields(self) -> dict[str, Any]:
        """The answer as the pages take it."""
        return {
            "lang": self.language,
            "line": self._line(),
            "parts": [
                {"label": phrase(self.language, f"book.{name}"), "items": items}
                for name, items in self._parts()
                if items
            ],
        }

    def _line(self) -> str:
        moves = self._writer.line(self.problem.line)
        length = self.problem.length
        written = number_text(length, self.language) if self.wide_digits else str(length)
        return self._phrase("line", moves=moves, length=written)

    def _parts(self) -> Iterator[tuple[str, list[str]]]:
        if self.tree is not None:
            problem = self.problem
            yield from LineCommentary(
                problem.position, problem.line, self.tree, self.language, self.brief
            ).parts()
        yield "blemishes", self._blemishes()
        yield "themes", self._themes()
        yield "difficulty", [self._difficulty()]
        yield "comment", self.problem.notebook.notes.splitlines()
        yield "source", [text for text in (self.problem.notebook.source,) if text]

    @property
    def _writer(self) -> MoveWriter:
        parsed = ParsedSfen(self.problem.position)
        return MoveWriter(parsed, self.problem.line, notation_of(self.language))

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"book.{name}", **parts)

    # --- the rest ---------------------------------------------------------------------------------

    def _blemishes(self) -> list[str]:
        names = self.problem.blemishes.blemish_names
        if self.language == "ja":
            return self._listed([TERMS[name] for name in names])
        return self._listed([name.lower().replace("_", " ") for name in names])

    def _themes(self) -> list[str]:
        return self._listed([theme_name(self.language, tag) for tag in self.problem.themes])

    def _listed(self, names: list[str]) -> list[str]:
        """Names as one item, or none."""
        return [separator(self.language).join(names)] if names else []

    def _difficulty(self) -> str:
        difficulty = self.problem.difficulty
        return f"{stars_text(difficulty.stars)} {difficulty.score:.1f}"
