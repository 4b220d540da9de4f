# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem as it is stored, and its conversion to a row and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from db.errors import stored_value_excerpt
from db.feature_sets import feature_set_number
from db.features import StoredFeatures, stored_features
from db.models import ProblemRow
from db.notebook import EMPTY, MOST_TAGS, TEXTS, Notebook
from db.validation import require_sfen, require_valid
from generator.constraints.properties import count_defenders, key_kinds
from generator.problem import Problem, Provenance
from solver.defects import BLEMISHES, CONDITIONS, IMPERFECT, REMARKS, Defect
from solver.results import Difficulty, Grade, Judgement
from tsume_rules.moves import Move, parse_move
from tsume_rules.play import position_after_all
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.symmetry import mirrored_sfen

_REMARKS = dict(zip(REMARKS.names, REMARKS, strict=True))


@dataclass(frozen=True)
class StoredProblem:
    """A problem from the store.

    ``sfen`` is the position as composed, ``canonical`` the SFEN it shares with
    its mirror image. ``searched`` is how many plies second solutions were looked
    for, None: at any length. ``provenance`` is None for an imported problem,
    ``version`` that of the tsume that judged it. ``created_at`` is in UTC.
    ``themes`` are in alphabetical order. ``record`` is what the composer's file says, as JKF,
    None without a file. ``notebook`` has the user's data, ``same_when_counted`` is as in
    `generator.problem.Problem`.
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
    """The row for a problem, by column; numbers of NumPy become Python's.

    ``version`` is that of the tsume that judged a problem without provenance, None: this one.
    """
    origin = problem.provenance
    position, judgement, difficulty = problem.position, problem.judgement, problem.difficulty
    hand_pieces = len(position.attacker_hand)
    sfen = format_sfen(position)
    return {
        "canonical": min(sfen, mirrored_sfen(sfen)),
        "sfen": sfen,
        "length": int(problem.length),
        "line": " ".join(move.usi for move in problem.line),
        "searched": None if judgement.searched is None else int(judgement.searched),
        "remarks": judgement.remarks.names,
        "score": float(difficulty.score),
        "stars": int(difficulty.stars),
        "features": [float(value) for value in difficulty.features.values()],
        "feature_set": feature_set_number(tuple(map(str, difficulty.features))),
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
        **{name: _feature_value(difficulty, name) for name in ("resistance", "surprise")},
    }


def problem_of_row(
    row: ProblemRow, features: Sequence[str] | None, themes: Sequence[str], tags: Sequence[str] = ()
) -> StoredProblem:
    """The problem of a row; ``features`` are their names, None if those are lost.

    Raises ValueError for an invalid value.
    """
    require_valid(row)
    return StoredProblem(
        id=row.id,
        canonical=row.canonical,
        sfen=row.sfen,
        length=row.length,
        line=tuple(parse_move(usi) for usi in row.line.split()),
        difficulty=Difficulty(_features(row, features), row.score, row.stars),
        provenance=_provenance(row),
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
        notebook=Notebook(
            row.title,
            row.author,
            row.source,
            row.notes,
            _stored_words("tag", tags)[:MOST_TAGS],
            row.parent_id,
        ),
        same_when_counted=row.same_when_counted,
    )


def _feature_value(difficulty: Difficulty, name: str) -> float | None:
    value = difficulty.features.get(name)
    return None if value is None else float(value)


def sfen_with_line(sfen: str, line: str) -> str:
    """Position and line as one text. Raises ValueError if they are invalid."""
    require_sfen(sfen)
    for usi in line.split():
        parse_move(usi)
    return f"{sfen} moves {line}"


def require_playable(problem: StoredProblem) -> None:
    """Raise ValueError unless the position can be read and the line can be played on it."""
    position_after_all(problem.position, problem.line)


def _features(row: ProblemRow, names: Sequence[str] | None) -> StoredFeatures:
    if names is None:
        raise ValueError(f"the names of features {row.feature_set} are lost")
    return stored_features(names, str(row.features))


def _defects(what: str, names: list[str], known: Mapping[str, Defect]) -> Defect:
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"unknown {what}: {stored_value_excerpt(', '.join(unknown))}")
    return Defect.union(known[name] for name in names)


def _stored_words(what: str, names: Sequence[str]) -> tuple[str, ...]:
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise ValueError(f"unknown {what}: {stored_value_excerpt(repr(odd[0]))}")
    return tuple(sorted(names))


def _provenance(row: ProblemRow) -> Provenance | None:
    if row.seed is None or row.root_index is None:
        return None
    return Provenance(row.seed, row.root_index, row.version, row.recipe)


@cache
def _installed_version() -> str:
    try:
        return version("tsume-shogi")
    except PackageNotFoundError:  # run from the repository, not installed
        return "unknown"
