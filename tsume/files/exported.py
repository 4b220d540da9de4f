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

from db.features import Features
from db.notebook import Notebook
from db.stored_problem import StoredProblem
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
    fields = {"id": problem.id, **_judged(problem), "features": dict(problem.difficulty.features)}
    fields |= {**_made(problem), **notebook_fields(problem.notebook)}
    return {**fields, HASH: hash_of(fields)}


def problem_text(problem: StoredProblem) -> str:
    """`problem_fields` as JSON on one line; what the hash is over is written once."""
    features = problem.difficulty.features
    told = features.json if isinstance(features, Features) else _ENCODER.encode(features)
    judged, made = _ENCODER.encode(_judged(problem)), _ENCODER.encode(_made(problem))
    hashed = f'{judged[1:-1]}, "features": {told}, {made[1:-1]}'
    return f'{{"id": {problem.id}, {hashed}, {_written(problem.notebook)}, "{HASH}": "{_digest(hashed)}"}}'


@lru_cache(1000)  # most are empty
def _written(notebook: Notebook) -> str:
    return _ENCODER.encode(notebook_fields(notebook))[1:-1]


def _judged(problem: StoredProblem) -> dict[str, Any]:
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


def _made(problem: StoredProblem) -> dict[str, Any]:
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


def hash_of(fields: Mapping[str, Any]) -> str:
    """The hash of a problem's fields, 32 hexadecimal digits; another version has another one."""
    return _digest(_ENCODER.encode({name: fields.get(name) for name in _HASHED})[1:-1])


def _digest(text: str) -> str:
    told = f"{__version__} {GENERATOR_VERSION} {text}".encode(errors="surrogatepass")
    return hashlib.sha256(told).hexdigest()[:32]


@dataclass(frozen=True)
class Trusted:
    """A problem that needs no check, and the version of the tsume that once checked it."""

    problem: Problem
    version: str


def trusted(entry: Entry) -> Trusted | None:
    """The problem of a line of JSON whose hash fits; None for any other entry, and for what is no problem."""
    fields = entry.fields
    if fields is None or entry.parsed is None or entry.parsed.rotated:
        return None
    try:
        if fields.get(HASH) != hash_of(fields):
            return None
        position_after_all(entry.parsed.position, entry.line)
        return Trusted(_problem(entry, fields), fields["version"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None  # its maker computed the hash


def _problem(entry: Entry, fields: Mapping[str, Any]) -> Problem:
    """Raises ValueError, KeyError, TypeError, AttributeError or OverflowError for what is no problem."""
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
        length=_whole(fields["length"], 1, _MOST_PLIES),
        line=entry.line,
        searched=_optional(fields["searched"]),
        remarks=Defect.union(_REMARKS[text] for text in fields["notes"]),
        grade=Grade(grade),
        blemishes=Defect.union(BLEMISHES[name] for name in fields["blemishes"]),
    )
    features = {str(name): _finite(value) for name, value in fields["features"].items()}
    made = None
    if seed is not None:
        seed, index = _whole(seed, 0, _LARGEST_SEED), _whole(fields["index"], 0, _LARGEST)
        made = Provenance(seed, index, version, _optional(fields["recipe"]))
    return Problem(
        entry.parsed.position,
        judgement,
        Difficulty(features, _finite(fields["score"]), _whole(fields["stars"], 1, _MOST_STARS)),
        made,
        tuple(fields["themes"]),
        _finite(fields["quality"]),
        same_when_counted=counted,
    )


def _optional(value: Any) -> int | None:
    return None if value is None else _whole(value, 0, _MOST_PLIES)


def _whole(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError
    return value


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number
