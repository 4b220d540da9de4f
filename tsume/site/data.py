# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts with data about all problems of a site: for the problem of the day and for training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from tsume.language.catalogue import Language
from tsume.language.voice import theme_name
from tsume.site.lists import easiest_first
from tsume.training.days import day_rotation
from tsume.training.ratings import initial_rating
from tsume_rules.sfen import format_sfen

_MOST_TRAINED = 5000
"""Problems for training; all of them are in one script, 150 bytes each."""


def days_script(problems: Sequence[StoredProblem]) -> str:
    """``TSUME_DAYS``: number, moves and stars of problems, in random order."""
    rotation = day_rotation(problems, lambda one: one.canonical)
    days = [(problem.id, problem.length, problem.difficulty.stars) for problem in rotation]
    return _assignment("TSUME_DAYS", days)


def problems_script(problems: Sequence[StoredProblem], languages: Sequence[Language]) -> str:
    """``TSUME_PROBLEMS``: what training knows of problems; ``TSUME_THEMES``: the names of themes."""
    ranks = {one.id: rank for rank, one in enumerate(easiest_first(problems))}
    rows = [(*_row(one), ranks[one.id]) for one in _spread(problems)]
    tags = sorted({tag for one in problems for tag in one.themes})
    names = {tag: {language: theme_name(language, tag) for language in languages} for tag in tags}
    return _assignment("TSUME_PROBLEMS", rows) + _assignment("TSUME_THEMES", names)


def _row(problem: StoredProblem) -> tuple[Any, ...]:
    difficulty = problem.difficulty
    rating = round(initial_rating(difficulty.score).rating)
    title = printable_note(problem.notebook.title)
    sfen = format_sfen(problem.position)
    return problem.id, sfen, problem.length, difficulty.stars, rating, title, problem.themes


def _assignment(name: str, value: Any) -> str:
    return f"window.{name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"


def _spread(problems: Sequence[StoredProblem]) -> Sequence[StoredProblem]:
    """At most `_MOST_TRAINED` problems, spread evenly over all."""
    step = max(1.0, len(problems) / _MOST_TRAINED)
    return [problems[int(at * step)] for at in range(min(len(problems), _MOST_TRAINED))]
