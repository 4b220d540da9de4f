# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a booklet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tsume.diagrams.look import DiagramLook
from tsume.language.catalogue import Language

Paper = Literal["a5", "a4"]
PAPERS: tuple[Paper, ...] = ("a5", "a4")
PER_PAGE = (1, 2, 4, 6)
"""The possible numbers of problems on a page."""
_MANY = 4
Answers = Literal["back", "reverse"]
ANSWERS: tuple[Answers, ...] = ("back", "reverse")
"""The place of the answers: at the end, or on the reverse of each page."""


@dataclass(frozen=True)
class BookletOptions:
    """Paper, problems on a page, place of the answers, languages, title page, style of the diagrams.

    ``title`` may be empty: then the booklet has the usual one. ``languages`` are those of all text, in
    this order.
    """

    paper: Paper = "a5"
    per_page: int = 2
    answers: Answers = "back"
    languages: tuple[Language, ...] = ("ja",)
    title: str = ""
    author: str = ""
    look: DiagramLook = DiagramLook()  # noqa: RUF009

    @property
    def is_crowded(self) -> bool:
        """Whether the answers of many problems share one page."""
        return self.answers == "reverse" and self.per_page >= _MANY
