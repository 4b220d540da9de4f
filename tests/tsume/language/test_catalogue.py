# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of phrases is complete in both languages, and nothing in it is left over."""

import re
import string
from functools import cache

from generator.acceptance import Rejection
from generator.constraints.options import Style
from solver.explaining.explanation import AnswerManner
from solver.results import BLEMISHES, CONDITIONS, REMARKS, Defect, Difficulty, Grade
from tests.places import ROOT
from tsume.language import web
from tsume.language.catalogue import CATALOGUE, LANGUAGES, difficulty_text
from tsume.language.terms import GLOSSARY

VERDICT_TERMS = {
    "PERFECT", "SOUND", "BLEMISH", "UNSOUND", "INTENDED_SOLUTION", "SECOND_SOLUTION", "VARIATION", "TRY",
    "INTERPOSITION", "FUTILE_INTERPOSITION", "RESTORING_INTERPOSITION", "NARROW", "PURIST", "WIDE",
}  # fmt: skip
"""The terms besides defects that are explained."""
ENUMERATED = {
    "blemishes": set(BLEMISHES),
    "definitions": set(GLOSSARY),
    "glossary": set(Defect.__members__) - {"NONE"} | VERDICT_TERMS,
    "grades": {grade.value for grade in Grade} | {"unresolved"},
    "heads": set(CONDITIONS.names),
    "reasons": {reason.value for reason in Rejection},
    "remarks": set(REMARKS.names),
    "styles": {style.value for style in Style},
    "terms": set(Defect.__members__) - {"NONE"},
}
"""The areas whose names are those of something counted or found."""
ROOMS = ("tsume", "db", "generator", "solver", "tsume_rules")
"""The packages whose sources may use a phrase."""
MANNERS = {manner.name.lower() for manner in AnswerManner} | {"moves_king_taking"}
"""How a reply tree says that an answer meets a check."""

SEVERAL = {
    "findings.kings", "findings.two_pawns", "findings.too_many", "findings.number_of",  # 2 at least
    "explanation.longer", "explanation.mates_too",  # in 3 moves at least
    "judgement.class_at",
}  # fmt: skip
"""Phrases whose numbers are never 1."""


def test_a_phrase_has_the_same_parts_in_both_languages() -> None:
    wrong = []
    for name, texts in CATALOGUE.items():
        parts = [{part for _, part, _, _ in string.Formatter().parse(text) if part} for text in texts]
        if len(texts) != len(LANGUAGES) or parts[0] != parts[1]:
            wrong.append((name, texts))
    assert wrong == []


def test_numbers_before_plurals_have_a_singular_beside_them() -> None:
    """What is said of one move, piece or check: a phrase of its own, or a part in words."""
    plural = re.compile(r"\{(\w+)\} (?:more |missing )?[a-z]+s\b")
    of_one = re.compile(r"\b1 (\w+ )?(moves|pieces|checks|nodes|problems|games)\b")
    counted = {"number", "checks", "length", "total", "plies", "expected", "actual", "within"}
    areas = ("judgement", "findings", "explanation", "tree")
    wrong = [name for name in CATALOGUE if name.endswith("_one") and of_one.search(CATALOGUE[name][1])]
    for name, (_, english) in CATALOGUE.items():
        if name.partition(".")[0] in areas and name not in SEVERAL and f"{name}_one" not in CATALOGUE:
            wrong += [name] if counted.intersection(plural.findall(english)) else []
    assert wrong == []


@cache
def sources() -> str:
    """The sources that may use a phrase, the phrases themselves left out."""
    rooms = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    rooms += [path for kind in ("html", "js") for path in (ROOT / "tsume").rglob(f"*.{kind}")]
    phrases = ROOT / "tsume" / "language"
    found = [path for path in rooms if path.parent != phrases or path.name == "voice.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in found)


@cache
def composed(area: str) -> list[str]:
    """How names of an area begin that are put together: ``column_`` of ``f"problems.column_{heading}"``."""
    return re.findall(rf'["`]{area}\.(\w*)\$?\{{', sources())


def is_used(area: str, name: str) -> bool:
    if area in ENUMERATED:
        return name in ENUMERATED[area]
    if area == "stages" or f'"{area}.' not in sources():  # counted by name; for commands to come
        return f'"{name}"' in sources() or area != "stages"
    if area == "tree" and name in MANNERS:
        return True
    rests = [name.removeprefix(start) for start in composed(area) if name.startswith(start)]
    return f'"{area}.{name}"' in sources() or any(f'"{rest}"' in sources() for rest in rests)


def test_every_phrase_is_used() -> None:
    names = [tuple(name.split(".", 1)) for name in CATALOGUE]
    assert [(area, name) for area, name in names if not is_used(area, name)] == []


def test_what_is_counted_or_found_has_its_words() -> None:
    names = [name.split(".", 1) for name in CATALOGUE]
    assert {area: {name for found, name in names if found == area} for area in ENUMERATED} == ENUMERATED


def test_no_phrase_of_the_api_replaces_another() -> None:
    assert not web.API.keys() & web.TRAINING_API.keys()


def test_how_hard_a_problem_is_in_both_languages() -> None:
    """Beyond the ends of the scale, the second word still compares with problems of the length."""
    told = [
        (difficulty_text("en", Difficulty({}, score).scale_fields(length), length),
         difficulty_text("ja", Difficulty({}, score).scale_fields(length), length))
        for score, length in ((30, 3), (75.2, 11), (130, 31))
    ]  # fmt: skip
    assert told == [
        ("1200 ★★☆☆☆ elementary, average for a mate in 3", "1200 ★★☆☆☆ 初級（3手詰としては普通）"),
        ("2104 ★★★★☆ advanced, very hard for a mate in 11", "2104 ★★★★☆ 上級（11手詰としてはとても難しい）"),
        ("2600 ★★★★★ expert, very hard for a mate in 31", "2600 ★★★★★ 達人（31手詰としてはとても難しい）"),
    ]
