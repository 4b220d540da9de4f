# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a problem as a part of a page."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume.book.answers import BookletAnswer
from tsume.language.catalogue import Language

_MOVE = re.compile(
    "[▲△](同|[１-９][一二三四五六七八九])成?[歩香桂銀角飛金玉と杏圭全馬龍][右左直]?[上寄引]?(不成|成|打)?"
    r"|\+?[PLNSBRGK]([1-9][a-i])?[-x*][1-9][a-i][+=]?"
)


def answer_fields(problem: StoredProblem, tree: ReplyTree | None, language: Language) -> dict[str, Any]:
    """What answer.html shows: the line, and the parts, each a label and texts."""
    return BookletAnswer(problem, tree, language, wide_digits=False).fields()


def unbroken_moves(text: str) -> Markup:
    """A text as HTML whose moves do not wrap."""
    return Markup(_MOVE.sub(r'<span class="move">\g<0></span>', str(escape(printable_note(text)))))
