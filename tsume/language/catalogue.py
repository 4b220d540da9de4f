# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of all phrases: ``phrase(language, "explanation.head", length=3, line=...)``.

Each module beside this one holds the phrases of one area: ``PHRASES``, from a name to a pair in the order
of `LANGUAGES`. A phrase is named ``area.name``.
"""

from __future__ import annotations

from typing import Literal

from tsume.language import (
    api,
    book,
    cards,
    changes,
    charts,
    choosing,
    common,
    compose,
    dataset,
    definitions,
    explanation,
    findings,
    importing,
    judgement,
    merging,
    nearest,
    notebooks,
    per_file,
    pictures,
    problems,
    reasons,
    reply_tree,
    runs,
    serving,
    site,
    solving,
    statistics,
    terms,
    training,
    training_page,
    usi,
    verifying,
    web,
)

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")

_AREAS = {
    "api": {**api.PHRASES, **training.API},
    "blemishes": terms.BLEMISHES,
    "book": book.PHRASES,
    "cards": cards.PHRASES,
    "changes": changes.PHRASES,
    "charts": charts.PHRASES,
    "choosing": choosing.PHRASES,
    "classes": terms.CLASSES,
    "common": common.PHRASES,
    "compose": compose.PHRASES,
    "dataset": dataset.PHRASES,
    "definitions": definitions.DEFINITIONS,
    "explanation": explanation.PHRASES,
    "findings": findings.PHRASES,
    "glossary": definitions.GLOSSARY,
    "grades": terms.GRADES,
    "heads": terms.HEADS,
    "importing": importing.PHRASES,
    "judgement": judgement.PHRASES,
    "merging": merging.PHRASES,
    "nearest": nearest.PHRASES,
    "notebooks": notebooks.PHRASES,
    "per_file": per_file.PHRASES,
    "one_of_class": terms.ONE_OF_CLASS,
    "pictures": pictures.PHRASES,
    "problems": problems.PHRASES,
    "reasons": reasons.REASONS,
    "remarks": terms.REMARKS,
    "runs": runs.PHRASES,
    "serving": serving.PHRASES,
    "site": site.PHRASES,
    "some_of_class": terms.SOME_OF_CLASS,
    "solving": solving.PHRASES,
    "verify": verifying.PHRASES,
    "stages": reasons.STAGES,
    "statistics": statistics.PHRASES,
    "styles": runs.STYLES,
    "terms": terms.PHRASES,
    "training": training_page.PHRASES,
    "tree": reply_tree.PHRASES,
    "usi": usi.PHRASES,
    "web": web.PHRASES,
}
CATALOGUE: dict[str, tuple[str, str]] = {
    f"{area}.{name}": texts for area, phrases in _AREAS.items() for name, texts in phrases.items()
}
"""Each phrase in the order of `LANGUAGES`."""


def phrase(language: Language, name: str, /, **parts: object) -> str:
    """A phrase in a language with its parts filled in. Raises KeyError for an unknown name or part."""
    return CATALOGUE[name][LANGUAGES.index(language)].format(**parts)
