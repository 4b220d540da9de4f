# SPDX-License-Identifier: GPL-3.0-or-later
"""The README of the collection, in two languages, with the numbers of its problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tsume.collection.levels import COUNTS, LEVELS
from tsume.collection.lines import CollectionProblem
from tsume.language.catalogue import LANGUAGES, Language

TEMPLATES = Path(__file__).parent / "templates"
_HEADS: dict[Language, str] = {
    "en": "| moves | problems | " + " | ".join(f"level {i + 1}" for i in range(LEVELS)) + " | scores |",
    "ja": "| 手数 | 題数 | " + " | ".join(f"レベル{i + 1}" for i in range(LEVELS)) + " | 難易度の点数 |",
}
_PRELIMINARY: dict[Language, str] = {
    "en": "\nThis is a preliminary set: the complete collection has {wanted} problems.\n",
    "ja": "\nこれは暫定版です。完成版は{wanted}題です。\n",
}


def readme_name(language: Language) -> str:
    """The name of a README."""
    return "README.md" if language == "en" else f"README.{language}.md"


def readme_texts(problems: Sequence[CollectionProblem]) -> dict[str, str]:
    """The READMEs by name."""
    return {readme_name(language): _readme_text(problems, language) for language in LANGUAGES}


def _readme_text(problems: Sequence[CollectionProblem], language: Language) -> str:
    template = (TEMPLATES / readme_name(language)).read_text(encoding="utf-8")
    is_complete = dict(Counter(one.problem.length for one in problems)) == COUNTS
    note = "" if is_complete else _PRELIMINARY[language].format(wanted=sum(COUNTS.values()))
    return template.format(number=len(problems), table=_table(problems, language), note=note)


def _table(problems: Sequence[CollectionProblem], language: Language) -> str:
    lengths = sorted({one.problem.length for one in problems})
    rows = [_row([one for one in problems if one.problem.length == length], length) for length in lengths]
    return "\n".join([_HEADS[language], "|" + "---|" * (LEVELS + 3), *rows])


def _row(problems: Sequence[CollectionProblem], length: int) -> str:
    levels = Counter(one.level for one in problems)
    scores = [one.problem.difficulty.score for one in problems]
    numbers = [length, len(problems), *(levels[1 + i] for i in range(LEVELS))]
    return f"| {' | '.join(map(str, numbers))} | {min(scores):.0f}-{max(scores):.0f} |"
