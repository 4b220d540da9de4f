# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem of the collection as a line of JSON, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from generator.problem import Problem
from solver.results import Defect
from tsume.collection.levels import LEVELS
from tsume.files.entries import Entry, read_entry
from tsume.files.exported import problem_of_fields
from tsume.formats.json_text import JsonError, parse_json
from tsume.language.terms import remark_texts
from tsume_rules.moves import position_after_all
from tsume_rules.sfen import format_sfen

_NOT_READ = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class CollectionError(ValueError):
    """The collection is missing or damaged."""


@dataclass(frozen=True)
class CollectionProblem:
    """A problem of the collection, its level, and the version of tsume that composed it."""

    problem: Problem
    level: int
    version: str


def collection_fields(one: CollectionProblem) -> dict[str, Any]:
    """The fields of a line, in their order."""
    problem, made = one.problem, one.problem.provenance
    return {
        "sfen": format_sfen(problem.position),
        "length": problem.length,
        "line": " ".join(move.usi for move in problem.line),
        "level": one.level,
        "score": problem.difficulty.score,
        "stars": problem.difficulty.stars,
        "quality": problem.quality,
        "grade": problem.grade.value if problem.grade else None,
        "blemishes": problem.blemishes.blemish_names,
        "remarks": problem.judgement.remarks.names,
        "themes": sorted(problem.themes),
        "features": dict(problem.difficulty.features),
        "searched": problem.judgement.searched,
        "same_when_counted": problem.same_when_counted,
        "seed": made.seed if made else None,
        "index": made.index if made else None,
        "recipe": made.recipe if made else None,
        "version": one.version,
    }


def collection_line(one: CollectionProblem) -> str:
    """A problem on a line, without the line's end."""
    return _ENCODER.encode(collection_fields(one))


def read_collection_line(text: str, place: str) -> CollectionProblem:
    """The problem of a line. Raises `CollectionError`, which names the place."""
    entry = read_entry(text, place)
    if entry.parsed is None:
        raise CollectionError(f"{place}: {entry.error}")
    try:
        return _problem_of_entry(entry, dict(parse_json(text)))
    except (*_NOT_READ, JsonError) as error:
        raise CollectionError(f"{place}: not a problem of the collection: {error!r}") from None


def _problem_of_entry(entry: Entry, fields: dict[str, Any]) -> CollectionProblem:
    assert entry.parsed is not None
    position_after_all(entry.parsed.position, entry.line)
    remarks = Defect.union(Defect[name] for name in fields["remarks"])
    problem = problem_of_fields(entry, {**fields, "notes": remark_texts(remarks)})
    if fields["level"] not in range(1, LEVELS + 1):
        raise ValueError(f"level {fields['level']}")
    return CollectionProblem(problem, fields["level"], fields["version"])
