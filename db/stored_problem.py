# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem as it is stored, and its conversion to a row and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.engine import insert_missing_rows
from db.errors import stored_value_excerpt
from db.models import FEATURE_SETS, ProblemRow
from db.notebook import EMPTY, MAX_TAGS, TEXTS, Notebook
from generator.constraints.problem import count_defenders, key_kinds
from generator.problem import STORED, Problem, Provenance
from solver.results import BLEMISHES, CONDITIONS, IMPERFECT, REMARKS, Defect, Difficulty, Grade, Judgement
from tsume_rules.moves import Move, parse_move, position_after_all
from tsume_rules.position import ALL_PIECES, LETTERS, LETTERS_IN_HAND, Position
from tsume_rules.sfen import format_sfen, mirrored_sfen, parse_sfen

# --- the names of features: each set is stored once, in the caller's transaction -------------------

_REMEMBERED = 1000


@lru_cache(_REMEMBERED)
def feature_set_id(names: tuple[str, ...]) -> int:
    """Return the id of a set of names: a hash, so that all processes give the same names the same one."""
    digest = blake2b(json.dumps(names).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def add_feature_sets(session: Session, sets: Mapping[int, Sequence[str]]) -> None:
    """Store sets of names by id, unless they are stored already."""
    insert_missing_rows(session, FEATURE_SETS, [{"id": key, "names": list(sets[key])} for key in sorted(sets)])


def feature_names(session: Session, sets: Collection[int]) -> dict[int, Sequence[str]]:
    """Return the names of sets, by id; missing ones are omitted."""
    if not sets:
        return {}
    wanted = select(FEATURE_SETS.c.id, FEATURE_SETS.c.names).where(FEATURE_SETS.c.id.in_(sorted(sets)))
    return {key: names for key, names in session.connection().execute(wanted) if isinstance(names, list)}


# --- the features of a stored problem: JSON as text, parsed on first access ------------------------

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?"
_USUAL = re.compile(rf"\[(?:{_NUMBER}(?:, {_NUMBER})*)?\]", re.ASCII)


class StoredFeatures(Mapping[str, float]):
    """Names, and their values as the text of a JSON list, since most callers never read them."""

    def __init__(self, names: Sequence[str], values: str) -> None:
        self._names = names
        self._text = values

    @property
    def json(self) -> str:
        """The features as a JSON object."""
        if not is_usual_feature_text(self._text) or not self._names:
            return json.dumps(dict(self), ensure_ascii=False)
        values = self._text[1:-1].split(", ")
        return _json_object_template(tuple(self._names)) % tuple(values)

    @cached_property
    def _read(self) -> dict[str, float]:
        return dict(zip(self._names, map(float, json.loads(self._text)), strict=True))

    def __getitem__(self, name: str) -> float:
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def __repr__(self) -> str:
        return repr(self._read)


@lru_cache(1000)
def _json_object_template(names: tuple[str, ...]) -> str:
    """Return a JSON object with a %s for each value."""
    told = (json.dumps(name, ensure_ascii=False).replace("%", "%%") for name in names)
    return "{" + ", ".join(f"{name}: %s" for name in told) + "}"


def is_usual_feature_text(text: Any) -> bool:
    """Return whether a text is a list of numbers as this program writes them."""
    return type(text) is str and _USUAL.fullmatch(text) is not None


def is_json_number_list(text: Any) -> bool:
    """Return whether a text is a JSON list of finite numbers."""
    try:
        values = json.loads(text)
        return isinstance(values, list) and all(isinstance(value, float | int) and isfinite(value) for value in values)
    except (ValueError, TypeError, RecursionError, OverflowError):
        return False


def stored_features(names: Sequence[str], text: str) -> StoredFeatures:
    """Return the features of a row. Raises ValueError unless there is a value for each name."""
    number = text.count(",") + 1 if len(text) > len("[]") else 0
    if number != len(names) or not {str}.issuperset(map(type, names)):
        raise ValueError("features have other names than values")
    return StoredFeatures(names, text)


# --- validation of rows: SQLite accepts any value in any column ------------------------------------

_LARGEST = 2**63 - 1
Check = Callable[[Any], bool]
_GRADES = tuple(grade.value for grade in STORED)
_ON_BOARD, _IN_HAND = "".join(LETTERS.values()), LETTERS_IN_HAND
_SFEN = re.compile(rf"[1-9+{_ON_BOARD}{_ON_BOARD.lower()}/]{{17,110}} b [0-9{_IN_HAND}{_IN_HAND.lower()}-]{{1,60}} 1")


def _whole(least: int, most: int) -> Check:
    return lambda value: isinstance(value, int) and least <= value <= most


def _or_none(is_sound: Check) -> Check:
    return lambda value: value is None or is_sound(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_finite(value: Any) -> bool:
    return isinstance(value, float | int) and isfinite(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_CHECKS: dict[str, Check] = {
    "id": _whole(-_LARGEST, _LARGEST), "length": _whole(1, 2**31 - 1), "proof_tree": _whole(0, _LARGEST),
    "board_pieces": _whole(0, ALL_PIECES), "hand_pieces": _whole(0, ALL_PIECES),
    **dict.fromkeys(
        ("searched", "root_index", "run_id", "recipe", "defenders"), _or_none(_whole(0, _LARGEST))
    ),
    **dict.fromkeys(("canonical", "line", "version", *TEXTS), _is_text),
    "sfen": lambda value: _is_text(value) and _SFEN.fullmatch(value) is not None,
    "score": _is_finite, "quality": _is_finite,
    "resistance": _or_none(_is_finite), "surprise": _or_none(_is_finite),
    "remarks": _are_texts, "grade": lambda value: value in _GRADES, "blemishes": _are_texts,
    "record": _or_none(_is_text), "parent_id": _or_none(_whole(-_LARGEST, _LARGEST)),
    "key_kinds": _or_none(_is_text), "same_when_counted": lambda value: value in (None, True, False),
    "features": lambda text: is_usual_feature_text(text) or is_json_number_list(text),
    "feature_set": _whole(-_LARGEST - 1, _LARGEST),
    "created_at": lambda value: isinstance(value, datetime),
}  # fmt: skip
"""What a value of each column must be."""


def _require_column(name: str, value: Any) -> None:
    if not _CHECKS[name](value):
        raise ValueError(f"{name} is {stored_value_excerpt(repr(value))}")


# --- a problem as it is stored, and its conversion to a row and back -------------------------------

_REMARKS = dict(zip(REMARKS.names, REMARKS, strict=True))


@dataclass(frozen=True)
class StoredProblem:
    """A problem from the store.

    ``sfen`` is the position as composed, ``canonical`` the SFEN it shares with its mirror image. ``searched`` is how
    many plies second solutions were looked for, None: at any length. ``provenance`` is None for an imported problem,
    ``version`` that of the tsume that judged it. ``created_at`` is in UTC. ``themes`` are in alphabetical order.
    ``record`` is what the composer's file says, as JKF, None without a file. ``notebook`` has the user's data,
    ``same_when_counted`` is as in `generator.problem.Problem`.
    """

    id: int
    canonical: str
    sfen: str
    length: int
    line: tuple[Move, ...]
    difficulty: Difficulty
    provenance: Provenance | None
    searched: int | None
    remarks: Defect
    version: str
    run_id: int | None
    created_at: datetime
    themes: tuple[str, ...] = ()
    quality: float = 0.0
    grade: Grade = Grade.PERFECT
    blemishes: Defect = Defect.NONE
    record: str | None = None
    notebook: Notebook = EMPTY
    same_when_counted: bool | None = None

    @cached_property
    def position(self) -> Position:
        """The position; parsed from ``sfen`` on first access."""
        return parse_sfen(self.sfen).position

    @property
    def problem(self) -> Problem:
        """The problem as it was added, with the stored part of its judgement."""
        defects = self.blemishes & CONDITIONS
        if Defect.COOK_IN_EQUAL_DEFENCE in self.blemishes:
            defects |= Defect.COOK
        # A sound problem without one of these is not perfect only because a limit was reached.
        is_settled = self.grade is Grade.PERFECT or bool(self.blemishes & IMPERFECT)
        judgement = Judgement(
            defects, not is_settled, self.length, self.line, searched=self.searched, remarks=self.remarks,
            grade=self.grade, blemishes=self.blemishes,
        )  # fmt: skip
        return Problem(
            self.position, judgement, self.difficulty, self.provenance, self.themes, self.quality,
            self.record, same_when_counted=self.same_when_counted,
        )  # fmt: skip


def problem_row_values(
    problem: Problem, run_id: int | None, notebook: Notebook = EMPTY, version: str | None = None
) -> dict[str, Any]:
    """Return the row for a problem, by column; numbers of NumPy become Python's. ``version`` is that of the tsume that
    judged a problem without provenance, None: this one."""
    origin = problem.provenance
    position, judgement, difficulty = problem.position, problem.judgement, problem.difficulty
    hand_pieces = len(position.attacker_hand)
    measured = {name: difficulty.features.get(name) for name in ("resistance", "surprise")}
    sfen = format_sfen(position)
    return {
        "canonical": min(sfen, mirrored_sfen(sfen)),
        "sfen": sfen,
        "length": int(problem.length),
        "line": " ".join(move.usi for move in problem.line),
        "searched": None if judgement.searched is None else int(judgement.searched),
        "remarks": judgement.remarks.names,
        "score": float(difficulty.score),
        "features": [float(value) for value in difficulty.features.values()],
        "feature_set": feature_set_id(tuple(map(str, difficulty.features))),
        "board_pieces": position.piece_count() - hand_pieces,
        "hand_pieces": hand_pieces,
        "seed": None if origin is None else int(origin.seed),
        "root_index": None if origin is None else int(origin.index),
        "version": (version or _installed_version()) if origin is None else origin.version,
        "run_id": run_id,
        "created_at": datetime.now(UTC),
        "quality": float(problem.quality),
        "recipe": None if origin is None else origin.recipe,
        "grade": None if problem.grade is None else problem.grade.value,
        "blemishes": problem.blemishes.blemish_names,
        "record": problem.record,
        **{name: getattr(notebook, name) for name in TEXTS},
        "parent_id": notebook.parent,
        "defenders": count_defenders(position),
        "key_kinds": " ".join(sorted(key_kinds(position, problem.line))),
        "same_when_counted": problem.same_when_counted,
        **{name: None if value is None else float(value) for name, value in measured.items()},
        "proof_tree": difficulty.proof_tree,
    }


def problem_of_row(
    row: ProblemRow, features: Sequence[str] | None, themes: Sequence[str], tags: Sequence[str] = ()
) -> StoredProblem:
    """Return the problem of a row; ``features`` are their names, None if those are lost. Raises ValueError for an
    invalid value."""
    for name in _CHECKS:
        _require_column(name, getattr(row, name))
    if features is None:
        raise ValueError(f"the names of features {row.feature_set} are lost")
    provenance = None
    if row.seed is not None and row.root_index is not None:
        provenance = Provenance(row.seed, row.root_index, row.version, row.recipe)
    words = _stored_words("tag", tags)[:MAX_TAGS]
    return StoredProblem(
        id=row.id,
        canonical=row.canonical,
        sfen=row.sfen,
        length=row.length,
        line=tuple(parse_move(usi) for usi in row.line.split()),
        difficulty=Difficulty(stored_features(features, str(row.features)), row.score),
        provenance=provenance,
        searched=row.searched,
        remarks=_defects("remarks", row.remarks, _REMARKS),
        version=row.version,
        run_id=row.run_id,
        created_at=row.created_at,
        themes=_stored_words("theme", themes),
        quality=row.quality,
        grade=Grade(row.grade),
        blemishes=_defects("blemishes", row.blemishes, BLEMISHES),
        record=row.record,
        notebook=Notebook(row.title, row.author, row.source, row.notes, words, row.parent_id),
        same_when_counted=row.same_when_counted,
    )


def sfen_with_line(sfen: str, line: str) -> str:
    """Position and line as one text. Raises ValueError if they are invalid."""
    _require_column("sfen", sfen)
    for usi in line.split():
        parse_move(usi)
    return f"{sfen} moves {line}"


def require_playable_line(problem: StoredProblem) -> None:
    """Raise ValueError unless the position can be read and the line can be played on it."""
    position_after_all(problem.position, problem.line)


def _defects(what: str, names: list[str], known: Mapping[str, Defect]) -> Defect:
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"unknown {what}: {stored_value_excerpt(', '.join(unknown))}")
    return Defect.union(known[name] for name in names)


def _stored_words(what: str, names: Sequence[str]) -> tuple[str, ...]:
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise ValueError(f"unknown {what}: {stored_value_excerpt(repr(odd[0]))}")
    return tuple(sorted(names))


@cache
def _installed_version() -> str:
    try:
        return version("tsume-shogi")
    except PackageNotFoundError:  # run from the repository, not installed
        return "unknown"
