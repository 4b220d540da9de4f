# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of all phrases: ``phrase(language, "explanation.head", length=3, line=...)``.

Each module beside this one holds the phrases of some areas: a dict for each, from a name to a pair in the
order of `LANGUAGES`. A phrase is named ``area.name``.
"""

from __future__ import annotations

from typing import Literal

from tsume.language import commands, compose, judging, publishing, terms, web

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")

_AREAS = {
    "api": {**web.API, **web.TRAINING_API}, "blemishes": terms.BLEMISHES, "book": publishing.BOOK,
    "cards": publishing.CARDS, "changes": judging.CHANGES, "charts": commands.CHARTS,
    "choosing": commands.CHOOSING, "classes": terms.CLASSES, "common": commands.COMMON,
    "compose": compose.PHRASES, "dataset": publishing.DATASET, "definitions": terms.DEFINITIONS,
    "explanation": judging.EXPLANATION, "findings": judging.FINDINGS, "glossary": terms.GLOSSARY,
    "grades": terms.GRADES, "heads": terms.HEADS, "importing": commands.IMPORTING,
    "judgement": judging.JUDGEMENT, "merging": commands.MERGING, "nearest": commands.NEAREST,
    "notebooks": commands.NOTEBOOKS, "per_file": commands.PER_FILE, "one_of_class": terms.ONE_OF_CLASS,
    "pictures": publishing.PICTURES, "problems": commands.PROBLEMS, "reasons": commands.REASONS,
    "remarks": terms.REMARKS, "runs": commands.RUNS, "serving": web.SERVING, "site": web.SITE,
    "some_of_class": terms.SOME_OF_CLASS, "solving": commands.SOLVING, "verify": commands.VERIFYING,
    "stages": commands.STAGES, "statistics": commands.STATISTICS, "styles": commands.STYLES,
    "terms": terms.PHRASES, "training": web.TRAINING_PAGE, "tree": judging.REPLY_TREE, "usi": commands.USI,
    "web": web.WEB,
}  # fmt: skip
CATALOGUE: dict[str, tuple[str, str]] = {
    f"{area}.{name}": texts for area, phrases in _AREAS.items() for name, texts in phrases.items()
}
"""Each phrase in the order of `LANGUAGES`."""


def phrase(language: Language, name: str, /, **parts: object) -> str:
    """Return a phrase in a language with its parts filled in. Raises KeyError for an unknown name or part."""
    return CATALOGUE[name][LANGUAGES.index(language)].format(**parts)
