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
    "quiet_moves", "non_promotions", "distant_drops", "captures",
)  # fmt: skip
"""The features that have a column (docs/difficulty.md): fixed, so that all files share one schema."""

_HELD = re.compile(r"(\d*)[A-Z]")
"""The attacker's pieces in the hands of an SFEN."""


@dataclass(frozen=True)
class Column:
    """A column; ``value`` returns None if unknown."""

    name: str
    kind: Kind
    value: Callable[[StoredProblem], Any]


def _made(name: str) -> Callable[[StoredProblem], Any]:
    return lambda problem: problem.provenance and getattr(problem.provenance, name)


def _written(name: str) -> Callable[[StoredProblem], str | None]:
    return lambda problem: getattr(problem.notebook, name) or None


def _feature(name: str) -> Callable[[StoredProblem], float | None]:
    return lambda problem: problem.difficulty.features.get(name)


def _pieces_on_board(problem: StoredProblem) -> int:
    """Counted in the SFEN: parsing it would take as long as all other columns."""
    return sum(map(str.isalpha, problem.sfen.split(" ", 1)[0]))


def _pieces_in_hand(problem: StoredProblem) -> int:
    return sum(int(number or 1) for number in _HELD.findall(problem.sfen.split(" ")[2]))


def _seed(problem: StoredProblem) -> str | None:
    """A text: a seed may have 128 bits."""
    return None if problem.provenance is None else str(problem.provenance.seed)


COLUMNS = (
    Column("id", "int64", lambda problem: problem.id),
    Column("sfen", "string", lambda problem: problem.sfen),
    Column("line", "strings", lambda problem: [move.usi for move in problem.line]),
    Column("length", "int32", lambda problem: problem.length),
    Column("score", "float64", lambda problem: problem.difficulty.score),
    Column("stars", "int8", lambda problem: problem.difficulty.stars),
    Column("quality", "float64", lambda problem: problem.quality),
    Column("themes", "strings", lambda problem: problem.themes),
    Column("grade", "string", lambda problem: problem.grade.value),
    Column("blemishes", "strings", lambda problem: problem.blemishes.blemish_names),
    Column("remarks", "strings", lambda problem: problem.remarks.names),
    Column("searched", "int64", lambda problem: problem.searched),
    Column("same_when_counted", "bool", lambda problem: problem.same_when_counted),
    Column("board_pieces", "int8", _pieces_on_board),
    Column("hand_pieces", "int8", _pieces_in_hand),
    *(Column(name, "string", _written(name)) for name in ("title", "author", "source")),
    Column("version_of", "int64", lambda problem: problem.notebook.parent),
    Column("seed", "string", _seed),
    Column("root_index", "int64", _made("index")),
    Column("recipe", "int64", _made("recipe")),
    Column("version", "string", lambda problem: problem.version),
    *(Column(f"feature_{name}", "float64", _feature(name)) for name in FEATURES),
)
"""Personal notes and tags are not exported."""
