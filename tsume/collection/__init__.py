# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection: problems that come with the program (docs/collection.md), their folder and lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from db.notebook import Notebook
from db.problem_rows import ProblemAddition
from db.store import Store
from db.stored_problem import StoredProblem
from generator.problem import Problem
from solver.results import FEATURES, Defect
from tsume.files.entries import read_entry
from tsume.files.exported import problem_of_fields
from tsume.formats.text import parse_json
from tsume.language.catalogue import LANGUAGES, Language
from tsume.language.terms import remark_texts
from tsume_rules.moves import Move, parse_move, position_after_all
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

# --- lengths and order of the collection ------------------------------------------------------------

COUNTS = {3: 300, 5: 300, 7: 300, 9: 200, 11: 150, 13: 120, 15: 80, 17: 50}
"""How many problems the complete collection has of each length."""
TAG = "collection"
"""The tag in a store of the problems of the collection."""


# --- a problem of the collection as a line of JSON, and back ---------------------------------------
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_OPTIONAL: dict[str, Any] = {
    "blemishes": [], "remarks": [], "searched": None, "same_when_counted": True, "seed": None, "index": None,
    "recipe": None,
}  # fmt: skip
"""Fields that stand on a line only where they have other values."""


class CollectionError(ValueError):
    """The collection is missing or damaged."""


@dataclass(frozen=True)
class CollectionProblem:
    """A problem of the collection, the version of tsume that composed it, and a comment on it, by language."""

    problem: Problem
    version: str
    comment: Mapping[Language, str] = field(default_factory=dict)

    @property
    def order(self) -> tuple[int, float, str]:
        """By length, then by score."""
        return self.problem.length, self.problem.difficulty.score, format_sfen(self.problem.position)


def collection_fields(one: CollectionProblem) -> dict[str, Any]:
    """Return the fields of a line, in their order."""
    problem, made = one.problem, one.problem.provenance
    features = [problem.difficulty.features[name] for name in FEATURES]
    fields = {
        "sfen": format_sfen(problem.position),
        "length": problem.length,
        "line": " ".join(move.usi for move in problem.line),
        "score": problem.difficulty.score,
        **problem.difficulty.scale_fields(problem.length),
        "quality": problem.quality,
        "grade": problem.grade.value if problem.grade else None,
        "blemishes": problem.blemishes.blemish_names,
        "remarks": problem.judgement.remarks.names,
        "themes": sorted(problem.themes),
        "features": [int(value) if value.is_integer() else value for value in features],
        "searched": problem.judgement.searched,
        "same_when_counted": problem.same_when_counted,
        "seed": made.seed if made else None,
        "index": made.index if made else None,
        "recipe": made.recipe if made else None,
        "version": one.version,
        "comment": dict(one.comment),
    }
    return {name: value for name, value in fields.items() if name not in _OPTIONAL or value != _OPTIONAL[name]}


def collection_line(one: CollectionProblem) -> str:
    """Return a problem on a line, without the line's end."""
    return _ENCODER.encode(collection_fields(one))


def read_collection_line(text: str, place: str) -> CollectionProblem:
    """Return the problem of a line. Raises `CollectionError`, which names the place."""
    entry = read_entry(text, place)
    if entry.parsed is None:
        raise CollectionError(f"{place}: {entry.error}")
    try:
        fields = _OPTIONAL | dict(parse_json(text))
        features = dict(zip(FEATURES, fields["features"], strict=True))
        comment = {name: str(fields["comment"][name]) for name in LANGUAGES if name in fields["comment"]}
        position_after_all(entry.parsed.position, entry.line)
        remarks = Defect.union(Defect[name] for name in fields["remarks"])
        problem = problem_of_fields(entry, {**fields, "features": features, "notes": remark_texts(remarks)})
        return CollectionProblem(problem, fields["version"], comment)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise CollectionError(f"{place}: not a problem of the collection: {error!r}") from None


# --- the collection --------------------------------------------------------------------------------

PROBLEMS, SUMS = "problems.jsonl", "SHA256SUMS"
_INSTALLED = Path(__file__).parent / "data"
_IN_REPOSITORY = Path(__file__).parents[2] / "collection"


def collection_folder() -> Path:
    """Return the folder from which the collection is read."""
    return _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY


def read_collection(folder: Path | None = None) -> list[CollectionProblem]:
    """Return the problems of the collection in its order; not proved again: the file must have its checksum.

    Raises `CollectionError`.
    """
    return read_collection_text(verified_collection_text(folder or collection_folder()))


def collection_size() -> int:
    """Return how many problems the collection has; 0 if there is none."""
    try:
        return len(verified_collection_text(collection_folder()).splitlines())
    except CollectionError:
        return 0


def read_collection_text(text: str) -> list[CollectionProblem]:
    """Return the problems of the text of a collection. Raises `CollectionError`."""
    return [
        read_collection_line(line, f"{PROBLEMS}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
    ]


def verified_collection_text(folder: Path) -> str:
    """Return the text of the collection. Raises `CollectionError` if it is missing or was changed."""
    try:
        data = (folder / PROBLEMS).read_bytes()
        recorded = (folder / SUMS).read_text(encoding="ascii")
        text = data.decode()
    except (OSError, ValueError) as error:
        raise CollectionError(f"the collection cannot be read: {error}") from None
    if recorded != _sums(data):
        raise CollectionError(f"{folder / PROBLEMS}: its checksum is not that of {SUMS}")
    return text


def write_collection(folder: Path, problems: Iterable[CollectionProblem]) -> None:
    """Write the problems and their checksum."""
    data = "".join(f"{collection_line(one)}\n" for one in problems).encode()
    (folder / PROBLEMS).write_bytes(data)
    (folder / SUMS).write_bytes(_sums(data).encode())


def _sums(data: bytes) -> str:
    """Return the checksum as ``sha256sum --check`` reads it."""
    return f"{hashlib.sha256(data).hexdigest()}  {PROBLEMS}\n"


# --- the keys by which a run knows the problems of the collection ----------------------------------


@cache
def collection_keys() -> frozenset[int]:
    """Return the hashes of the keys of all problems. Raises `tsume.collection.CollectionError`."""
    problems = map(parse_json, verified_collection_text(collection_folder()).splitlines())
    return frozenset(
        key
        for one in problems
        for key in natural_key_hashes(parse_sfen(one["sfen"]).position, tuple(map(parse_move, one["line"].split())))
    )


CORES = (9, 11, 13)
"""Lengths of the problems that `tsume generate` extends to long works."""


@cache
def cores_of_long_works() -> tuple[str, ...]:
    """Return the SFENs of the problems that long works are extended from; none without the collection."""
    try:
        problems = map(parse_json, verified_collection_text(collection_folder()).splitlines())
        return tuple(one["sfen"] for one in problems if one["length"] in CORES)
    except CollectionError:
        return ()


def natural_key_hashes(position: Position, line: tuple[Move, ...]) -> Iterable[int]:
    """Return the hashes of a problem's keys: equal ones mean the same problem to an editor."""
    from generator.problem_keys import key_hash, natural_problem_keys  # loads kernels

    return map(key_hash, natural_problem_keys(position, line))


# --- the collection in a store ---------------------------------------------------------------------

SOURCE = "tsume, second collection"
"""The source of its problems in a store."""


def add_collection(store: Store, problems: Sequence[CollectionProblem] | None = None) -> list[int]:
    """Store the problems of the collection, in its order; return the ids of those that are new.

    Problems that are stored already remain as they are. Raises
    `tsume.collection.CollectionError` and `db.errors.StoreError`.
    """
    additions = [
        ProblemAddition(one.problem, Notebook(source=SOURCE, tags=(TAG,)), one.version)
        for one in (read_collection() if problems is None else problems)
    ]
    return [added.id for added in store.add_all(additions) if added.is_new]


# --- the course: lessons of problems of the collection ---------------------------------------------

LESSONS = (
    "knight-mate", "discovered-check", "double-check", "big-piece-sacrifice", "king-lure", "decoy", "block",
    "obstruction-removal", "replacement", "non-promotion", "distant-drop", "interposition",
)  # fmt: skip
"""The theme of each lesson."""
LESSON_PROBLEMS = 10
_EASIEST = 0.4
"""The first lesson is of the easier problems of its theme, so many of all; the last one of all."""


@dataclass(frozen=True)
class Lesson:
    """A theme and the ids of problems that show it, from easy to hard."""

    theme: str
    problems: tuple[int, ...]


def course(problems: Iterable[StoredProblem]) -> list[Lesson]:
    """Return the lessons, from those of the problems that are of the collection; no problem is in two of them."""
    left = {one.id: one for one in problems if TAG in one.notebook.tags}
    by_theme = {theme: [one for one in left.values() if theme in one.themes] for theme in LESSONS}
    found: dict[str, Lesson] = {}
    for theme in sorted(LESSONS, key=lambda theme: len(by_theme[theme])):  # the rare ones choose first
        own = sorted((one for one in by_theme[theme] if one.id in left), key=lambda one: (one.difficulty.score, one.id))
        share = _EASIEST + (1 - _EASIEST) * LESSONS.index(theme) / (len(LESSONS) - 1)
        among = own[: max(LESSON_PROBLEMS, round(share * len(own)))]
        number = min(LESSON_PROBLEMS, len(among))
        chosen = [among[place * len(among) // number].id for place in range(number)]
        for one in chosen:
            del left[one]
        if chosen:
            found[theme] = Lesson(theme, tuple(chosen))
    return [found[theme] for theme in LESSONS if theme in found]
