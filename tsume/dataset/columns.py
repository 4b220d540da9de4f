# SPDX-License-Identifier: GPL-3.0-or-later
"""The columns of a data set: name, type and value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from db.stored_problem import StoredProblem

Kind = Literal["string", "strings", "bool", "int8", "int32", "int64", "float64"]

FEATURES = (
    "length", "pieces", "log_proof_tree", "log_peak_proof_number", "log_refutation_work", "hardest_try",
    "refutation_depth", "checks_per_turn", "answers_per_check", "king_freedom", "open_squares", "sacrifices",
    "quiet_moves", "non_promotions", "distant_drops", "captures", "resistance", "tries", "surprise",
)  # fmt: skip
"""The features that have a column (docs/difficulty.md): fixed, so that all files share one schema."""

_HELD = re.compile(r"(\d*)[A-Z]")
"""The attacker's pieces in the hands of an SFEN."""


@dataclass(frozen=True)
class DatasetColumn:
    """A column; ``value`` returns None if unknown."""

    name: str
    kind: Kind
    value: Callable[[StoredProblem], Any]


def _provenance_value(name: str) -> Callable[[StoredProblem], Any]:
    return lambda problem: problem.provenance and getattr(problem.provenance, name)


def _notebook_value(name: str) -> Callable[[StoredProblem], str | None]:
    return lambda problem: getattr(problem.notebook, name) or None


def _feature_value(name: str) -> Callable[[StoredProblem], float | None]:
    return lambda problem: problem.difficulty.features.get(name)


def _pieces_on_board(problem: StoredProblem) -> int:
    """Counted in the SFEN: parsing it would take as long as all other columns."""
    return sum(map(str.isalpha, problem.sfen.split(" ", 1)[0]))


def _pieces_in_hand(problem: StoredProblem) -> int:
    return sum(int(number or 1) for number in _HELD.findall(problem.sfen.split(" ")[2]))


def _seed_text(problem: StoredProblem) -> str | None:
    """A text: a seed may have 128 bits."""
    return None if problem.provenance is None else str(problem.provenance.seed)


COLUMNS = (
    DatasetColumn("id", "int64", lambda problem: problem.id),
    DatasetColumn("sfen", "string", lambda problem: problem.sfen),
    DatasetColumn("line", "strings", lambda problem: [move.usi for move in problem.line]),
    DatasetColumn("length", "int32", lambda problem: problem.length),
    DatasetColumn("score", "float64", lambda problem: problem.difficulty.score),
    DatasetColumn("stars", "int8", lambda problem: problem.difficulty.stars),
    DatasetColumn("quality", "float64", lambda problem: problem.quality),
    DatasetColumn("themes", "strings", lambda problem: problem.themes),
    DatasetColumn("grade", "string", lambda problem: problem.grade.value),
    DatasetColumn("blemishes", "strings", lambda problem: problem.blemishes.blemish_names),
    DatasetColumn("remarks", "strings", lambda problem: problem.remarks.names),
    DatasetColumn("searched", "int64", lambda problem: problem.searched),
    DatasetColumn("same_when_counted", "bool", lambda problem: problem.same_when_counted),
    DatasetColumn("board_pieces", "int8", _pieces_on_board),
    DatasetColumn("hand_pieces", "int8", _pieces_in_hand),
    *(DatasetColumn(name, "string", _notebook_value(name)) for name in ("title", "author", "source")),
    DatasetColumn("version_of", "int64", lambda problem: problem.notebook.parent),
    DatasetColumn("seed", "string", _seed_text),
    DatasetColumn("root_index", "int64", _provenance_value("index")),
    DatasetColumn("recipe", "int64", _provenance_value("recipe")),
    DatasetColumn("version", "string", lambda problem: problem.version),
    *(DatasetColumn(f"feature_{name}", "float64", _feature_value(name)) for name in FEATURES),
)
"""Personal notes and tags are not exported."""
