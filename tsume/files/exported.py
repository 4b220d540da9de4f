# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored problem as JSON fields, and back from fields that this version wrote.

The field ``hash`` is one over this version and all that a check would prove or compute. It shows that
these fields were not changed by mistake; it is no protection against forgery.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

from db.notebook import Notebook
from db.stored_problem import StoredFeatures, StoredProblem
from generator.problem import STORED, Problem, Provenance
from generator.run.version import GENERATOR_VERSION
from solver.defects import BLEMISHES, Defect
from solver.results import Difficulty, Grade, Judgement
from tsume import __version__
from tsume.files.entries import Entry
from tsume.language.terms import REMARKS, remark_texts
from tsume.reports.notebook import notebook_fields
from tsume_rules.play import position_after_all

HASH = "hash"
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_HASHED = (
    "sfen", "length", "line", "score", "stars", "themes", "quality", "grade", "blemishes", "features",
    "searched", "notes", "same_when_counted", "seed", "index", "recipe", "version",
)  # fmt: skip
_REMARKS = {text: Defect[name] for name, (_, text) in REMARKS.items()}
_MOST_STARS, _MOST_PLIES, _LARGEST, _LARGEST_SEED, _LONGEST_WORD = 5, 2**31 - 1, 2**63 - 1, 10**99, 50
"""What the columns of the store hold."""


def problem_fields(problem: StoredProblem) -> dict[str, Any]:
    """A stored problem as JSON fields."""
    fields = {"id": problem.id, **_judged_fields(problem), "features": dict(problem.difficulty.features)}
    fields |= {**_provenance_fields(problem), **notebook_fields(problem.notebook)}
    return {**fields, HASH: problem_hash(fields)}


def problem_text(problem: StoredProblem) -> str:
    """`problem_fields` as JSON on one line; what the hash is over is written once."""
    features = problem.difficulty.features
    values = features.json if isinstance(features, StoredFeatures) else _ENCODER.encode(features)
    judged, made = _ENCODER.encode(_judged_fields(problem)), _ENCODER.encode(_provenance_fields(problem))
    hashed = f'{judged[1:-1]}, "features": {values}, {made[1:-1]}'
    notebook, digest = _notebook_json(problem.notebook), _version_hash(hashed)
    return f'{{"id": {problem.id}, {hashed}, {notebook}, "{HASH}": "{digest}"}}'


@lru_cache(1000)  # most are empty
def _notebook_json(notebook: Notebook) -> str:
    return _ENCODER.encode(notebook_fields(notebook))[1:-1]


def _judged_fields(problem: StoredProblem) -> dict[str, Any]:
    return {
        "sfen": problem.sfen,
        "length": problem.length,
        "line": [move.usi for move in problem.line],
        "score": problem.difficulty.score,
        "stars": problem.difficulty.stars,
        "themes": list(problem.themes),
        "quality": problem.quality,
        "grade": problem.grade.value,
        "blemishes": problem.blemishes.blemish_names,
    }


def _provenance_fields(problem: StoredProblem) -> dict[str, Any]:
    made = problem.provenance
    return {
        "searched": problem.searched,
        "notes": remark_texts(problem.remarks),
        "same_when_counted": problem.same_when_counted,
        "seed": made.seed if made else None,
        "index": made.index if made else None,
        "recipe": made.recipe if made else None,
        "version": problem.version,
    }


def problem_hash(fields: Mapping[str, Any]) -> str:
    """The hash of a problem's fields, 32 hexadecimal digits; another version has another one."""
    return _version_hash(_ENCODER.encode({name: fields.get(name) for name in _HASHED})[1:-1])


def _version_hash(text: str) -> str:
    told = f"{__version__} {GENERATOR_VERSION} {text}".encode(errors="surrogatepass")
    return hashlib.sha256(told).hexdigest()[:32]


@dataclass(frozen=True)
class TrustedProblem:
    """A problem that needs no check, and the version of the tsume that once checked it."""

    problem: Problem
    version: str


def trusted_problem(entry: Entry) -> TrustedProblem | None:
    """The problem of a line of JSON whose hash fits; None for any other entry, and for what is no problem."""
    fields = entry.fields
    if fields is None or entry.parsed is None or entry.parsed.rotated:
        return None
    try:
        if fields.get(HASH) != problem_hash(fields):
            return None
        position_after_all(entry.parsed.position, entry.line)
        return TrustedProblem(problem_of_fields(entry, fields), fields["version"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None  # its maker computed the hash


def problem_of_fields(entry: Entry, fields: Mapping[str, Any]) -> Problem:
    """The problem of an entry that was read, with what its fields say of it.

    Raises ValueError, KeyError, TypeError, AttributeError or OverflowError for what is no problem.
    """
    assert entry.parsed is not None
    grade, seed, version, counted = (
        fields[name] for name in ("grade", "seed", "version", "same_when_counted")
    )
    words = [version, *fields["themes"]]
    if Grade(grade) not in STORED or not entry.line or counted not in (None, True, False):
        raise ValueError
    if not all(isinstance(word, str) and word.isprintable() and len(word) <= _LONGEST_WORD for word in words):
        raise ValueError
    judgement = Judgement(
        Defect.NONE,
        length=_whole_number(fields["length"], 1, _MOST_PLIES),
        line=entry.line,
        searched=_optional_number(fields["searched"]),
        remarks=Defect.union(_REMARKS[text] for text in fields["notes"]),
        grade=Grade(grade),
        blemishes=Defect.union(BLEMISHES[name] for name in fields["blemishes"]),
    )
    features = {str(name): _finite_number(value) for name, value in fields["features"].items()}
    made = None
    if seed is not None:
        seed, index = _whole_number(seed, 0, _LARGEST_SEED), _whole_number(fields["index"], 0, _LARGEST)
        made = Provenance(seed, index, version, _optional_number(fields["recipe"]))
    return Problem(
        entry.parsed.position,
        judgement,
        Difficulty(features, _finite_number(fields["score"]), _whole_number(fields["stars"], 1, _MOST_STARS)),
        made,
        tuple(fields["themes"]),
        _finite_number(fields["quality"]),
        same_when_counted=counted,
    )


def _optional_number(value: Any) -> int | None:
    return None if value is None else _whole_number(value, 0, _MOST_PLIES)


def _whole_number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError
    return value


def _finite_number(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number
